"""A simulated solver: passes with the planted probability, otherwise fails in a planted way."""

from __future__ import annotations

from salitrap.lab.plan import PLANTED
from salitrap.lab.request import Ask
from salitrap.lab.tasks.answer_text import AnswerWriter
from salitrap.lab.tasks.margin import Margin, margin_of

USUAL_NUMERALS = 6


def solve(ask: Ask) -> tuple[str, str]:
    """Answer a plain message: (visible text, exposed reasoning or "")."""
    margin = margin_of(ask)
    behaviour = behave(ask, margin)
    writer = AnswerWriter(ask, margin.entry)
    return writer.join(_parts(behaviour, writer, ask)), _reasoning(behaviour, writer, ask)


def behave(ask: Ask, margin: Margin) -> str:
    """Draw Pass, HF, CoT, SC, Patch or Refusal."""
    if ask.draw.chance("pass", margin.pass_probability):
        return "Pass"
    mix = dict(PLANTED.failure_mix.get(ask.model, PLANTED.failure_mix["other"]))
    beyond = margin.numerals - USUAL_NUMERALS
    mix["CoT"] *= max(0.0, 1.0 + PLANTED.cot_per_numeral * beyond)
    source = margin.habit if ask.draw.chance("habit", PLANTED.failure_habit) else ask.draw
    return source.weighted("failure", mix)


def _parts(behaviour: str, writer: AnswerWriter, ask: Ask) -> list[str]:
    if behaviour == "Pass":
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
    seen = behaviour in ("Pass", "SC")
    return writer.reasoning(seen or ask.draw.chance("thought", PLANTED.reasoning_notices))
