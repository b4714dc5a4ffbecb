"""A changed setting makes exactly the calls again that depend on it: real runs on the lab, call by call.

The measure is a new run under the changed settings: going on with the old one must make the calls of the
new run that the journal lacks, none else, and end in the same registry.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from curation.changing import Given, Outlook, outlook_of
from curation.programs import Programs, default_programs
from curation.run import STAGES, open_run, run_stages
from curation.stage import Silence
from curation.status import status_of
from salitrap.providers.journal.store import Journal
from salitrap.providers.open import open_access
from salitrap.records import Domain, Language, Role, Seed, Stage
from salitrap.settings import Settings
from seeds import load_domains
from tests.curation.rows import view

DOMAINS = tuple(domain for domain in load_domains(("builtin",)) if domain.tag == "D1")
NAMES = {role: role.value for role in Role} | {Role.SOLVER: "solver-a"}


def given(target: int = 2, **changes: Any) -> Settings:
    """Two expert seeds and a short search; ``roles__judge__temperature`` names a setting of ``changes``."""
    made: dict[str, Any] = {
        "languages": ["en"],
        "targets": {"default": {"en": target}},
        "roles": {
            role.value: {
                "endpoints": [{"spec": f"lab/{name}"}],
                "policy": "round_robin" if role is Role.SOLVER else "failover",
                "max_tokens": 4000,
            }
            for role, name in NAMES.items()
        },
        "refine": {"max_candidates": 5, "max_expansions": 5, "generator_rounds": 1},
    }
    for name, value in changes.items():
        *way, last = name.split("__")
        holder = made
        for step in way:
            holder = holder.setdefault(step, {})
        holder[last] = value
    return Settings.model_validate(made)


def go(
    directory: Path,
    settings: Settings,
    domains: Sequence[Domain] = DOMAINS,
    programs: Programs | None = None,
) -> None:
    async def run() -> None:
        with open_run(directory, settings, domains, programs) as opened:
            async with open_access(settings, opened.layout.journal, environment={}) as access:
                await run_stages(opened, access, STAGES, Silence())

    asyncio.run(run())


@dataclass(frozen=True)
class Call:
    key: str
    role: Role
    prompt: str
    repeat: int
    messages: str


def calls(directory: Path) -> list[Call]:
    """Every call of a run, oldest first."""
    query = "SELECT key, role, prompt, repeat, messages FROM calls WHERE final ORDER BY id"
    with closing(Journal(directory / "journal.sqlite", read_only=True)) as journal:
        return [Call(row[0], Role(row[1]), *tuple(row)[2:]) for row in journal.select(query)]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("first") / "run"
    go(directory, given())
    return directory


@pytest.fixture
def going(first: Path, tmp_path: Path) -> Path:
    shutil.copytree(first, tmp_path / "going")
    return tmp_path / "going"


@dataclass(frozen=True)
class Course:
    """What was told before the run went on, the calls it then made, and those of a new run."""

    told: Outlook
    old: list[Call]
    made: list[Call]
    fresh: list[Call]

    def roles(self) -> Counter[Role]:
        return Counter(call.role for call in self.made)


def course(
    going: Path,
    settings: Settings,
    domains: Sequence[Domain] = DOMAINS,
    programs: Programs | None = None,
) -> Course:
    """Go on under changed settings, and start anew under them; both must come to the same."""
    prompts = (programs or default_programs()).prompts
    told = outlook_of(going, Given(settings, domains, prompts))
    assert told is not None
    old, fresh = calls(going), going.with_name("fresh")
    go(going, settings, domains, programs)
    go(fresh, settings, domains, programs)
    made = calls(going)[len(old) :]
    expected = {call.key for call in calls(fresh)} - {call.key for call in old}
    assert Counter(call.key for call in made) == Counter(expected)
    assert outcome(going) == outcome(fresh)
    assert status_of(going).funnel_faults == ()
    ended = Course(told, old, made, calls(fresh))
    in_plan(ended)
    return ended


def outcome(directory: Path) -> dict[str, list[Any]]:
    """What a run came to: seeds that left it and the target that a wave had are no part of that."""
    rows = view(directory)
    accepted = {row[0] for row in rows["seeds"]}
    left = {row[0] for row in rows["candidates"] if row[1] not in accepted}
    told = {
        table: [row for row in found if not {*left, *_seeds_of(rows) - accepted} & set(row)]
        for table, found in rows.items()
        if table != "waves"
    }
    return {**told, "seed_state": [row for row in told["seed_state"] if row[1]]}


def _seeds_of(rows: dict[str, list[Any]]) -> set[str]:
    return {row[1] for row in rows["seed_state"] if row[1]}


def in_plan(ended: Course) -> None:
    """What was said to be still to pay covers what was paid."""
    low, high = Counter[Role](), Counter[Role]()
    for one in ended.told.plan.roles:
        low[one.role] += one.calls_low
        high[one.role] += one.calls_high
    for role in Role:
        assert low[role] <= ended.roles()[role] <= high[role], (role, low, ended.roles(), high)


def stays(told: Outlook) -> dict[Stage, tuple[int, int]]:
    """Seeds as they are and decided anew, by stage."""
    return {stage.stage: (stage.stays, stage.anew) for stage in told.stages}


NOTHING: list[dict[str, Any]] = [
    {
        "limits__attempts": 39,
        "limits__reasks": 3,
        "roles__judge__endpoints": [{"spec": "lab/judge", "price_input": 1.0, "price_output": 2.0}],
        "roles__checker__endpoints": [{"spec": "lab/checker", "json_schema": True, "in_flight": 3}],
        "roles__solver__attempt_timeout": 50.0,
        "budget__calls": 100000,
        "build__dev_share": 0.3,
    },
    {"random_seed": 4, "scale__few_shot": 2},
]


@pytest.mark.parametrize("changes", NOTHING, ids=["aside", "no question of scaling was asked"])
def test_what_is_said_to_do_nothing_makes_no_call_and_decides_nothing(
    going: Path, changes: dict[str, Any]
) -> None:
    """A raised limit of re-asks, a JSON schema and another random seed decided every search anew."""
    before, old = view(going), len(calls(going))
    settings = given(**changes)
    told = outlook_of(going, Given(settings, DOMAINS, default_programs().prompts))
    go(going, settings)
    assert len(calls(going)) == old
    after = view(going)
    assert after["seed_state"][:-1] == before["seed_state"][:-1]
    assert after["items"] == before["items"]
    assert told is not None
    assert len(told.changes.changes) == len(changes) + ("limits__attempts" in changes) * 2
    assert told.plan.roles == ()
    assert stays(told)[Stage.REFINE] == stays(told)[Stage.CERTIFY] == (2, 0)


def test_another_temperature_of_the_judge_makes_every_label_again(going: Path) -> None:
    ended = course(going, given(roles__judge__temperature=0.3))
    judged = [call for call in ended.old if call.role is Role.JUDGE]
    (change,) = ended.told.changes.changes
    assert change.lost == ended.told.changes.lost == {Role.JUDGE: len(judged)}
    assert f"judge calls are made again ({len(judged)} in the journal cannot serve)" in change.told
    assert ended.roles()[Role.JUDGE] == sum(call.role is Role.JUDGE for call in ended.fresh)
    assert stays(ended.told) == {Stage.SCALE: (2, 0), Stage.REFINE: (0, 2), Stage.CERTIFY: (0, 2)}


def test_longer_verdicts_make_every_check_again_and_no_answer_to_a_text_that_stays(going: Path) -> None:
    ended = course(going, given(roles__checker__max_tokens=4100))
    checked = sum(call.role is Role.CHECKER for call in ended.old)
    assert ended.told.changes.lost == {Role.CHECKER: checked}
    assert ended.roles()[Role.CHECKER] == sum(call.role is Role.CHECKER for call in ended.fresh)


def test_another_solver_in_turns_gets_its_share_alone(going: Path) -> None:
    both = [{"spec": "lab/solver-a"}, {"spec": "lab/solver-b"}]
    ended = course(going, given(roles__solver__endpoints=both))
    (change,) = ended.told.changes.changes
    assert change.name == "roles.solver.endpoints"
    assert change.told.startswith("roles.solver.endpoints: lab/solver-a -> lab/solver-a, lab/solver-b: ")
    assert set(ended.told.changes.lost) == {Role.SOLVER}


def test_less_patience_makes_no_call_that_the_longer_search_had_made(going: Path) -> None:
    course(going, given(refine__patience=1))


def test_one_more_repeat_is_one_answer_of_each_tested_candidate_and_its_labels(going: Path) -> None:
    tested = len(view(going)["stability"])
    ended = course(going, given(certify__repeats=6))
    assert {call.repeat % 1000 for call in ended.made} == {6}
    assert set(ended.roles()) == {Role.SOLVER, Role.JUDGE}
    assert ended.roles()[Role.SOLVER] == tested > 0
    assert stays(ended.told) == {Stage.SCALE: (2, 0), Stage.REFINE: (2, 0), Stage.CERTIFY: (0, 2)}
    assert ended.told.plan.calls_low == 2 * tested


def test_a_higher_target_asks_about_the_new_seed_alone(going: Path) -> None:
    ended = course(going, given(3))
    assert stays(ended.told) == {Stage.SCALE: (3, 0), Stage.REFINE: (2, 0), Stage.CERTIFY: (2, 0)}
    new, others = DOMAINS[0].seeds_in(Language.EN)[2], DOMAINS[0].seeds_in(Language.EN)[:2]
    labelled = [call for call in ended.made if call.role in (Role.CHECKER, Role.JUDGE)]
    assert any(new.trap_core[:40] in call.messages for call in labelled)
    assert not any(other.trap_core[:40] in call.messages for call in ended.made for other in others)


def edited() -> tuple[Domain, ...]:
    """The domain with another word in its first English seed."""
    (domain,) = DOMAINS
    seed = domain.seeds_in(Language.EN)[0]
    other = Seed.model_validate({**seed.model_dump(), "prompt": f"Hello! {seed.prompt}"})
    seeds = tuple(other if one.key == seed.key else one for one in domain.seeds)
    return (domain.model_copy(update={"seeds": seeds}),)


def test_an_edited_seed_is_worked_on_alone(going: Path) -> None:
    (domain,) = DOMAINS
    one, other = domain.seeds_in(Language.EN)[:2]
    before = [row for row in view(going)["seed_state"] if row[1] == other.seed_id]
    ended = course(going, given(), edited())
    assert [row for row in view(going)["seed_state"] if row[1] == other.seed_id] == before
    assert len(before) == 2
    (change,) = ended.told.changes.changes
    assert f"1 seed edited ({one.key})" in change.told
    assert stays(ended.told)[Stage.REFINE] == (1, 0)
    assert not any(other.trap_core[:40] in call.messages for call in ended.made)


def with_other_judge(programs: Programs) -> Programs:
    """The programs with a second version of the judge's English instructions."""
    judge: Any = programs.judge
    prompt = judge.prompts[Language.EN]
    judge.prompts[Language.EN] = prompt.model_copy(update={"version": 2, "sha256": "f" * 64})
    prompts = {name: value for name, value in programs.prompts.items() if name != str(prompt.ref)}
    return replace(programs, prompts={**prompts, "judge@2/en": "f" * 64})


def test_another_prompt_makes_its_calls_again(going: Path) -> None:
    ended = course(going, given(), programs=with_other_judge(default_programs()))
    judged = sum(call.role is Role.JUDGE for call in ended.old)
    (change,) = ended.told.changes.changes
    assert change.name == "prompt judge/en"
    assert change.now == "@2 ffffffff"
    assert change.lost == {Role.JUDGE: judged}
    assert {call.prompt for call in ended.made if call.role is Role.JUDGE} == {"judge@2/en"}


def test_other_questions_of_scaling_leave_expert_seeds_alone(tmp_path: Path) -> None:
    """Ten seeds, of which scaling brings two: only those and what follows from them can differ."""
    short = {"refine__max_candidates": 1, "certify__repeats": 1}
    go(tmp_path / "going", given(10, **short))
    ended = course(tmp_path / "going", given(10, scale__few_shot=2, **short))
    scaled = sum(call.prompt.startswith("scale@") for call in ended.old)
    assert ended.told.changes.lost == {Role.GENERATOR: scaled}
    assert scaled > 0
    told = "\n".join(call.messages for call in ended.made if call.role is not Role.GENERATOR)
    assert not any(seed.trap_core[:40] in told for seed in DOMAINS[0].seeds_in(Language.EN))
