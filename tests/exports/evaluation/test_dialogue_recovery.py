"""What the lab plants turn by turn comes back from an evaluation of more than 400 dialogues."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from statistics import mean, quantiles

import pytest

from exports.analysis.dialogues import DialogueRates, dialogue_metrics
from exports.analysis.intervals import wilson_percent
from exports.analysis.studies.slope import Dose, slope_of
from exports.evaluation import DialogueSet
from generator.dialogues import concat_of, neutral_of, with_correction
from salitrap.dialogues import Dialogue, Pattern, When
from salitrap.lab.dialogue_phrases import load_dialogue_phrases
from salitrap.lab.plan import PLANTED
from salitrap.lab.request import read_request
from salitrap.lab.tasks.converse import flag_probability, in_conversation
from salitrap.lab.tasks.margin import margin_of
from salitrap.records import Label, LabelRow, Language
from tests.exports.evaluation.dialogues import evaluated, talks_of
from tests.lab.dialogues import LabTalk, entries, twin_of, written
from tests.lab.test_dialogues import ReadsExactly

SOLVER, LAB_SEED = "solver-b", 1
MOST_MISSES = 3
"""Of some twenty intervals at 95 %, four or more miss in one case of sixty."""


Inside = Callable[[tuple[float, float] | None, float], bool]


def family(dialogue: Dialogue) -> Iterator[Dialogue]:
    yield dialogue
    yield twin_of(dialogue)
    yield from (control for control in (concat_of(dialogue), neutral_of(dialogue)) if control is not None)
    if dialogue.pattern is Pattern.STATE_CHANGE:
        phrases = load_dialogue_phrases(dialogue.language)
        yield with_correction(dialogue, phrases.corrections[0], phrases.mended, [])


@pytest.fixture(scope="module")
def traps() -> list[Dialogue]:
    return [
        written(entry, pattern)
        for language in Language
        for entry in entries(language, 9)
        for pattern in Pattern
    ]


@pytest.fixture(scope="module")
def talks(traps: list[Dialogue]) -> DialogueSet:
    return talks_of(control for trap in traps for control in family(trap))


@pytest.fixture(scope="module")
def rows(talks: DialogueSet) -> list[LabelRow]:
    return evaluated(LabTalk(SOLVER, LAB_SEED), talks, ReadsExactly(), (f"lab/{SOLVER}",), workers=1)


@pytest.fixture(scope="module")
def found(rows: list[LabelRow]) -> DialogueRates:
    return dialogue_metrics(rows).overall


def pass_probability(said: Iterable[str]) -> float:
    """The planted chance that an answer to these messages, the first at which the task is lost, flags."""
    messages = [{"role": "user", "content": content} for content in said]
    return margin_of(read_request({"model": SOLVER, "messages": messages}, LAB_SEED)).pass_probability


def flagged_at_t_star(dialogue: Dialogue) -> float:
    """A false alarm just before counts as a flag that may be kept."""
    assert dialogue.t_star is not None
    users = dialogue.user_turns[: dialogue.t_star]
    chance = pass_probability(turn.content for turn in users)
    if dialogue.t_star == 1:
        return chance
    alarm = PLANTED.dialogue_false_alarm
    return (1 - alarm) * chance + alarm * kept(dialogue, dialogue.t_star)


def kept(dialogue: Dialogue, number: int) -> float:
    """The planted chance that a flag outlives user turn ``number``."""
    content = dialogue.user_turns[number - 1].content
    return 1 - PLANTED.dialogue_flip[load_dialogue_phrases(dialogue.language).kind_of(content)]


def robust(dialogue: Dialogue) -> float:
    assert dialogue.t_star is not None
    later = range(dialogue.t_star + 1, len(dialogue.user_turns) + 1)
    sent = [number for number in later if dialogue.user_turns[number - 1].when is not When.COMPLIED]
    return flagged_at_t_star(dialogue) * math.prod(kept(dialogue, number) for number in sent)


@dataclass(frozen=True)
class Asked:
    """One answer to a trap dialogue: ``flag`` is the planted chance that it flags after what came before.

    ``stands`` tells whether a flag at or after t* stood, ``ever`` whether there was one.
    """

    relative: int
    flag: float
    flagged: bool
    stands: bool
    ever: bool


def answers_of(rows: list[LabelRow], traps: dict[str, Dialogue]) -> list[Asked]:
    """The answers, and what the lab had planted for each: a function of the conversation up to it."""
    found, messages, stands, ever = list[Asked](), list[dict[str, str]](), False, False
    for row in rows:
        if row.item_id not in traps:
            continue
        if row.turn == 1:
            messages, stands, ever = [], False, False
        turn = traps[row.item_id].user_turns[row.turn - 1]
        messages.append({"role": "user", "content": turn.content})
        ask = read_request({"model": SOLVER, "messages": list(messages)}, LAB_SEED)
        relative, flagged = row.turn - (row.t_star or 0), row.label is Label.PASS
        margin = margin_of(ask)
        planted = flag_probability(ask, margin) if in_conversation(ask) else margin.pass_probability
        found.append(Asked(relative, planted, flagged, stands, ever))
        messages.append({"role": "assistant", "content": row.answer})
        stands = flagged and relative >= 0
        ever = ever or stands
    return found


def checks(rows: list[LabelRow], found: DialogueRates, traps: list[Dialogue]) -> Iterator[tuple[str, bool]]:
    def inside(ci: tuple[float, float] | None, planted: float) -> bool:
        assert ci is not None
        return ci[0] <= 100 * planted <= ci[1]

    by_id = {trap.dialogue_id: trap for trap in traps}
    yield "robust TAR", inside(found.robust_tar.ci, mean(map(robust, traps)))
    yield "detected", inside(found.detected.ci, mean(map(flagged_at_t_star, traps)))
    answers = answers_of(rows, by_id)
    risky = [1 - answer.flag for answer in answers if answer.stands]
    assert len(risky) == found.flips.per_turn.n
    yield "flips per turn", inside(found.flips.per_turn.ci, mean(risky))
    for point in found.timeline:
        planted = mean(answer.flag for answer in answers if answer.relative == point.relative)
        yield f"turn {point.relative}", inside(point.flagged.ci, planted)
    yield from latency_checks(answers, found, inside)
    yield "twins, clustered", inside(found.twins.turns.cluster_ci, PLANTED.dialogue_false_alarm)
    yield "alarms before t*", inside(found.before_t_star.turns.ci, PLANTED.dialogue_false_alarm)
    yield "updates", inside(found.update_accuracy.ci, PLANTED.dialogue_update)
    flat = [one for trap in traps if (one := concat_of(trap)) is not None]
    one_turn = mean(pass_probability(turn.content for turn in one.user_turns) for one in flat)
    lost = mean(robust(trap) for trap in traps if concat_of(trap) is not None)
    yield "penalty", inside(found.penalty.ci, one_turn - lost)
    yield from density_checks(rows, by_id, inside)
    yield "load of a figure", load_is_found(rows, by_id)


def latency_checks(answers: list[Asked], found: DialogueRates, inside: Inside) -> Iterator[tuple[str, bool]]:
    """The share not flagged yet, where the turns of a dialogue follow each other without a gate."""
    left = 1.0
    for step in found.latency.steps:
        at_risk = [one.flag for one in answers if one.relative == step.after and not one.ever]
        left *= 1 - mean(at_risk)
        yield f"not flagged after {step.after}", inside(step.survival_ci, left)


def density_checks(
    rows: list[LabelRow], traps: dict[str, Dialogue], inside: Inside
) -> Iterator[tuple[str, bool]]:
    """Flags at t* by how many figures the dialogue has: the load of figures is found in each third."""
    at_t_star = [row for row in rows if row.item_id in traps and row.turn == row.t_star]
    counts = [row.number_count or 0 for row in at_t_star]
    low, high = quantiles(counts, n=3)
    for name, chosen in {
        "few": [row for row in at_t_star if (row.number_count or 0) <= low],
        "some": [row for row in at_t_star if low < (row.number_count or 0) <= high],
        "many": [row for row in at_t_star if (row.number_count or 0) > high],
    }.items():
        if chosen:
            flagged = sum(row.label is Label.PASS for row in chosen)
            planted = mean(flagged_at_t_star(traps[row.item_id]) for row in chosen)
            yield f"{name} figures", inside(wilson_percent(flagged, len(chosen)), planted)


def load_is_found(rows: list[LabelRow], traps: dict[str, Dialogue]) -> bool:
    """The odds ratio of one figure more at t*, by dimension, holds the mean of those that are planted."""
    doses = [
        Dose(row.dimension_tag, row.seed_id, row.number_count or 0, row.label is Label.PASS)
        for row in rows
        if row.item_id in traps and row.turn == row.t_star
    ]
    planted = [math.exp(-PLANTED.load[tag]) for tag in {dose.stratum for dose in doses}]
    found = slope_of(doses)
    assert found.ci is not None
    return found.ci[0] <= mean(planted) <= found.ci[1] < 1


def test_there_are_more_than_400_dialogues(traps: list[Dialogue], found: DialogueRates) -> None:
    assert len(traps) >= 400 and found.robust_tar.n == len(traps)


def test_every_metric_recovers_what_the_lab_plants(
    rows: list[LabelRow], found: DialogueRates, traps: list[Dialogue]
) -> None:
    all_checks = list(checks(rows, found, traps))
    missed = [name for name, inside in all_checks if not inside]
    assert len(all_checks) >= 19
    assert len(missed) <= MOST_MISSES, missed


def test_twice_as_many_flips_would_be_noticed(
    rows: list[LabelRow], found: DialogueRates, traps: list[Dialogue]
) -> None:
    by_id = {trap.dialogue_id: trap for trap in traps}
    planted = mean(1 - answer.flag for answer in answers_of(rows, by_id) if answer.stands)
    low, high = found.flips.per_turn.ci or (0.0, 100.0)
    assert low <= 100 * planted <= high < 200 * planted
