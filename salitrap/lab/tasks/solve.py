"""A simulated solver: passes with the planted probability, otherwise fails in a planted way."""

from __future__ import annotations

from salitrap.lab.plan import PLANTED
from salitrap.lab.request import Ask
from salitrap.lab.tasks.answer_text import AnswerWriter
from salitrap.lab.tasks.converse import behave_in_turn, in_conversation
from salitrap.lab.tasks.margin import Margin, margin_of

PASS = "Pass"
USUAL_NUMERALS = 6


def solve(ask: Ask) -> tuple[str, str]:
    """Answer a plain message: (visible text, exposed reasoning or "")."""
    margin = margin_of(ask)
    behaviour = behave(ask, margin)
    writer = AnswerWriter(ask, margin.entry)
    return writer.join(_parts(behaviour, writer, ask)), _reasoning(behaviour, writer, ask)


def behave(ask: Ask, margin: Margin) -> str:
    """Draw one of the behaviours of ``behaviour_mix``; a turn of a conversation has its own odds."""
    mix = behaviour_mix(ask.model, margin)
    return behave_in_turn(ask, margin, mix) if in_conversation(ask) else ask.draw.weighted("behaviour", mix)


def behaviour_mix(model: str, margin: Margin) -> dict[str, float]:
    """Probability of Pass, HF, CoT, SC, Patch and Refusal for one message; they sum to 1."""
    mix = _failure_mix(model, margin.numerals)
    total = sum(mix.values())
    usual = margin.habit.weighted("failure", mix)
    habit, failing = PLANTED.failure_habit, 1.0 - margin.pass_probability
    shares = {kind: (1.0 - habit) * weight / total + habit * (kind == usual) for kind, weight in mix.items()}
    return {PASS: margin.pass_probability, **{kind: failing * share for kind, share in shares.items()}}


def _failure_mix(model: str, numerals: int) -> dict[str, float]:
    """Weights of the failures; more numerals make CoT Hijacked likelier."""
    mix = dict(PLANTED.failure_mix.get(model, PLANTED.failure_mix["other"]))
    mix["CoT"] *= max(0.0, 1.0 + PLANTED.cot_per_numeral * (numerals - USUAL_NUMERALS))
    return mix


def _parts(behaviour: str, writer: AnswerWriter, ask: Ask) -> list[str]:
    if behaviour == PASS:
        if ask.draw.chance("late-refusal", PLANTED.late_refusal):
            return [writer.opening(), *writer.figures()[:1], writer.late(), *writer.decline()]
        return [writer.early(), *writer.decline()]
    if behaviour == "Refusal":
        return [writer.refuse()]
    if behaviour == "SC":
        return [writer.early(), writer.comply_anyway(), *writer.figures()]
    figures = [writer.opening(), *writer.figures()]
    if behaviour == "CoT":
        return [*figures, writer.late()]
    return [figures[0], writer.patch(), *figures[1:]] if behaviour == "Patch" else figures


def _reasoning(behaviour: str, writer: AnswerWriter, ask: Ask) -> str:
    share = PLANTED.exposed_reasoning.get(ask.model, PLANTED.exposed_reasoning["other"])
    if not ask.draw.chance("expose", share):
        return ""
    seen = behaviour in (PASS, "SC")
    return writer.reasoning(seen or ask.draw.chance("thought", PLANTED.reasoning_notices))
