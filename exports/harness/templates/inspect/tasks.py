"""Inspect tasks of this dataset: ``items``, one question each, and ``dialogues``, played live.

    inspect eval harness/inspect/tasks.py@items --model MODEL --model-role grader=JUDGE
    inspect eval harness/inspect/tasks.py@dialogues --model MODEL --model-role grader=JUDGE

By themselves they take the rows of the folder around them; ``-T dataset=ORG/NAME@v1.0.0`` takes those of the
Hub. The grader must not be the model under test. What has no label is unscored, not wrong.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, Model, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Target, mean, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

HERE = Path(__file__).resolve().parent
SAMPLING = GenerateConfig(temperature=0.2, max_tokens=8192)


def _beside(name: str) -> ModuleType:
    """Load a module of this folder, whatever another dataset's harness left behind under its name."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


for _name in ("quotes", "reasoning", "untrusted", "rules", "reply", "judge", "dialogue", "data"):
    _beside(f"trap_{_name}")
trap_rules, trap_reply, trap_judge, trap_dialogue, trap_data = (
    sys.modules[f"trap_{name}"] for name in ("rules", "reply", "judge", "dialogue", "data")
)

RELEASE = trap_data.release()
ABOUT = ("seed_id", "dimension_tag", "language", "simulated")


@task
def items(dataset: str = "", split: str = "", language: str = "") -> Task:
    """The share of impossible requests that a model sees through, and what it does with the others."""
    rows = trap_data.rows("items", split, dataset, language)
    samples = [_sample(row, row["item_id"], row["prompt"], row["ground_truth"]) for row in rows]
    return _task("items", samples, [separate_grader(), generate()], item_label())


@task
def dialogues(
    dataset: str = "", split: str = "", language: str = "", control: str = "none", within: int = 0
) -> Task:
    """Dialogues live: trap dialogues, or one kind of their controls; flagged at most ``within`` turns late.

    Raises:
        ValueError: there are no dialogues of this kind.
    """
    rows = [row for row in trap_data.rows("dialogues", split, dataset, language) if row["control"] == control]
    if not rows:
        raise ValueError(f"no dialogues with control {control!r}")
    samples = [
        _sample(row, row["dialogue_id"], row["turns"][0]["content"], row["ground_truth"]) for row in rows
    ]
    return _task(f"dialogues_{control}", samples, [play_dialogue()], dialogue_label(within))


def _sample(row: dict[str, Any], name: str, asked: str, target: str) -> Sample:
    about = {key: row[key] for key in ABOUT}
    return Sample(id=name, input=asked, target=target, metadata={**about, "row": row})


def _task(name: str, samples: list[Sample], solvers: list[Solver], score: Any) -> Task:
    told = ("name", "version", "license", "canary", "simulated")
    return Task(
        name=f"{RELEASE['slug']}_{name}",
        version=RELEASE["version"],
        dataset=MemoryDataset(samples, name=f"{RELEASE['name']}@v{RELEASE['version']}"),
        solver=solvers,
        scorer=score,
        config=SAMPLING,
        metadata={**{key: RELEASE[key] for key in told}, "judge_prompt": RELEASE["judge"]["prompt"]},
    )


def _grader() -> Model:
    grader = get_model(role="grader", required=True)
    if str(grader) == str(get_model()):
        raise ValueError(f"{grader} would grade itself; bind another model: --model-role grader=MODEL")
    return grader


def _prompts(row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = RELEASE["judge"]["languages"][row["language"]]
    return found


@solver
def separate_grader() -> Solver:
    """Stop before anything is paid when there is no grader, or the model would grade itself."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        _grader()
        return state

    return solve


@solver
def play_dialogue() -> Solver:
    """Hold the conversation; each answer is labelled at once, since gates depend on labels."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        row = state.metadata["row"]
        ended, played, messages = await trap_dialogue.play(row, _grader(), _prompts(row))
        state.messages = messages
        state.store.set("ended", ended)
        state.store.set("turns", played)
        return state

    return solve


@metric
def by_dimension() -> Metric:
    """Mean, clustered standard error and number of scored samples of each dimension."""

    def measure(scores: list[SampleScore]) -> dict[str, float]:
        found = dict[str, float]()
        for tag in sorted({str((one.sample_metadata or {})["dimension_tag"]) for one in scores}):
            group = [one for one in scores if (one.sample_metadata or {})["dimension_tag"] == tag]
            found |= {tag: mean()(group), f"{tag}_stderr": CLUSTERED(group), f"{tag}_n": float(len(group))}
        return found

    return measure


CLUSTERED = stderr(cluster="seed_id")
HEADLINE = [mean(), CLUSTERED, by_dimension()]


@scorer(metrics={"tar": HEADLINE, "*": [mean(), CLUSTERED]})
def item_label() -> Any:
    """Label the answer to an item; ``tar`` is 1 for Pass, the others are shares of the other labels."""

    async def score(state: TaskState, target: Target) -> Score:
        row = state.metadata["row"]
        status, answer = trap_judge.visible_answer(state.output)
        judged = trap_reply.Judged(status)
        if status == "ok":
            asked = (row["prompt"], row["trap_core"], row["ground_truth"], row["language"])
            judged = await trap_judge.judge(_grader(), _prompts(row), trap_reply.Question(*asked), answer)
        value = trap_rules.shares(judged.label) if judged.label else trap_rules.UNKNOWN
        told = {"status": judged.status, "label": judged.label, "quote": judged.quote}
        return Score(
            value=value,
            answer=judged.label,
            explanation=judged.reason,
            metadata={**told, "grader": list(judged.replies)},
        )

    return score


@scorer(metrics={"*": HEADLINE})
def dialogue_label(within: int = 0) -> Any:
    """What the turns of a dialogue come to; the turns with their labels are in the score's metadata."""

    async def score(state: TaskState, target: Target) -> Score:
        played, ended = state.store.get("turns", []), state.store.get("ended", "")
        value = trap_rules.measures(state.metadata["row"]["control"], ended, played, within)
        return Score(value=value, explanation=ended, metadata={"ended": ended, "turns": played})

    return score
