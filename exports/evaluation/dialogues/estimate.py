"""Calls of an evaluation of dialogues before anything is paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checkers.judge import judges_asked
from curation.call_sizes import CallSize, answer_size, judge_size, mean_size, rough_tokens
from curation.estimates import role_plan
from curation.fingerprints import JUDGE_PROMPTS
from curation.replay import replay_calls
from exports.dataset.dialogue_rows import PublishedDialogue
from exports.evaluation.estimate import MOST_READINGS
from prompts.source import prompt_source
from salitrap.dialogues import Dialogue, Replay, When
from salitrap.plan import Plan
from salitrap.records.enums import Role, Stage
from salitrap.settings import Settings


def plan_dialogue_evaluation(
    rows: Sequence[PublishedDialogue], models: int, repeats: int, settings: Settings
) -> Plan:
    """Answers and labels of ``rows`` played by ``models`` models, ``repeats`` times.

    Few: every gated turn is held back, and dialogues that begin alike share the answers to that beginning,
    since equal calls are one call. Many: each turn is sent in each dialogue. A turn sends again what was
    said before it.
    """
    playings = models * repeats
    low = playings * len({begin for row in rows for begin in _beginnings(row.dialogue)})
    high = playings * sum(replay_calls(row.dialogue).high for row in rows)
    sizes = [pair for row in rows for pair in _turn_sizes(row.dialogue, settings)]
    answer, reading = (mean_size([pair[place] for pair in sizes]) for place in (0, 1))
    judges = judges_asked(settings)
    return Plan(
        roles=(
            role_plan(Stage.EVAL, Role.SOLVER, (low, high), answer),
            role_plan(Stage.EVAL, Role.JUDGE, (judges * low, MOST_READINGS * judges * high), reading),
        )
    )


def _turn_sizes(dialogue: Dialogue, settings: Settings) -> list[tuple[CallSize, CallSize]]:
    """For each turn that the model answers: the size of the answer and of one reading of it."""
    longest = settings.roles[Role.SOLVER].max_tokens
    about = rough_tokens(dialogue.trap_core + dialogue.ground_truth)
    sizes = list[tuple[CallSize, CallSize]]()
    said, replied = 0.0, (0.0, 0.0)
    for turn in _turns(dialogue):
        said += rough_tokens(turn)
        alone = answer_size(said, longest)
        answer = alone._replace(
            input_low=alone.input_low + replied[0], input_high=alone.input_high + replied[1]
        )
        low, high = (before + now for before, now in zip(replied, answer[2:], strict=True))
        prompt = JUDGE_PROMPTS[settings.judging.mode]
        source = prompt_source(settings.prompts)
        sizes.append((answer, judge_size(dialogue.language, said + about, (low, high), prompt, source)))
        replied = (low, high)
    return sizes


def _beginnings(dialogue: Dialogue) -> Iterator[tuple[str, ...]]:
    """The user's words up to each turn that is sent whatever is answered."""
    sent = _turns(dialogue)
    always = [turn.when is When.ALWAYS for turn in dialogue.user_turns] if len(sent) > 1 else [True]
    for number in range(1, len(sent) + 1):
        if not all(always[:number]):
            return
        yield tuple(sent[:number])


def _turns(dialogue: Dialogue) -> list[str]:
    """What is sent before each answer; all at once where the answers between are given."""
    if dialogue.replay is Replay.PINNED:
        return ["\n\n".join(turn.content for turn in dialogue.turns)]
    return [turn.content for turn in dialogue.user_turns]
