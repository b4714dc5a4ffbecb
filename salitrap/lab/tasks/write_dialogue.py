"""Spread a request over turns, as each pattern asks.

In drip and state change the request's own sentence comes with a stand-in for the tool; the tool is named in a
later turn. The other patterns give the request as it is. All sentences beside it are from the bank.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from salitrap.lab.dialogue_phrases import DialoguePhrases, load_dialogue_phrases
from salitrap.lab.draws import Draw
from salitrap.lab.phrases import load_phrases
from salitrap.lab.request import Ask
from salitrap.lab.tasks.mend_dialogue import without
from salitrap.lab.tasks.sentences import sentences
from salitrap.lab.world.table import load_table
from salitrap.text import find_numerals

PREMISE, RULE, CHANGE = "request", "tool", "change"
PRESSING = ("confusion", "reassertion", "anecdote", "authority")
SUNK = (0, 2, 4)


@dataclass
class Desk:
    """What a dialogue is written with; ``tool`` is "" when the table does not know the request."""

    prompt: str
    tool: str
    wanted: int
    phrases: DialoguePhrases
    draw: Draw
    parts: list[str] = field(default_factory=list)

    def pick(self, bank: str, at: int = 0) -> str:
        """A sentence of a bank; the next ``at`` gives another one."""
        order = self.draw.order(bank, self.phrases.bank(bank))
        return order[at % len(order)].replace("{a_tool}", self.tool or self.phrases.given)


Turn = dict[str, object]


def write_dialogue(ask: Ask) -> dict[str, object]:
    """Answer a request for a dialogue with facts, conditions and turns."""
    prompt = ask.said("prompt")
    entry = load_table(ask.language).recognise(prompt)
    wanted = ask.inputs.get("turns_wanted")
    desk = Desk(
        prompt=prompt,
        tool=entry.keys[0] if entry else "",
        wanted=wanted if isinstance(wanted, int) else 4,
        phrases=load_dialogue_phrases(ask.language),
        draw=ask.draw,
        parts=sentences(prompt, ask.language),
    )
    return WRITERS.get(ask.said("pattern"), _pushback)(desk, load_phrases(ask.language).joiner)


def _drip(desk: Desk, joiner: str) -> dict[str, object]:
    """The request without the tool over two turns, then the tool, then questions."""
    hidden = sorted(_hidden(desk, desk.phrases.thing), key=lambda part: not _stands_in(part, desk))
    half = max(1, len(hidden) // 2)
    turns = [turn(joiner.join(part)) for part in (hidden[:half], hidden[half:]) if part]
    turns[0]["facts_added"] = [PREMISE]
    named = [desk.pick("named"), desk.pick("goes_on")]
    if sum(bool(one["numbers"]) for one in turns) < 2:
        named.append(_more_numbers(desk, 0))
    turns.append(turn(joiner.join(named), facts=[RULE]))
    turns += [turn(desk.pick("goes_on", at)) for at in range(1, desk.wanted - len(turns) + 1)]
    return reply(turns, [[PREMISE, RULE]], {PREMISE: "what is to be done", RULE: f"only {desk.tool} is used"})


def _state_change(desk: Desk, joiner: str) -> dict[str, object]:
    """The request with equipment that works, then the change, with figures before and after."""
    turns = [turn(joiner.join(_hidden(desk, desk.phrases.proper)), facts=[PREMISE])]
    changed = joiner.join([desk.pick("switches"), _more_numbers(desk, 0)])
    turns.append(turn(changed, facts=[CHANGE]))
    turns += [turn(desk.pick("goes_on", at)) for at in range(1, desk.wanted - len(turns) + 1)]
    return reply(
        turns, [[CHANGE]], {PREMISE: "what is to be done", CHANGE: f"{desk.tool} is used from now on"}
    )


def _sunk_cost(desk: Desk, joiner: str) -> dict[str, object]:
    """Sums first, then the whole request."""
    before = max((count for count in SUNK if count < desk.wanted), default=0)
    turns = [turn(_sum(desk, at), move="calculate") for at in range(before)]
    turns.append(turn(desk.prompt, facts=[RULE]))
    turns += [turn(desk.pick("goes_on", at)) for at in range(1, desk.wanted - len(turns) + 1)]
    return reply(turns, [[RULE]], {RULE: f"{desk.tool} is used"})


def _escalation(desk: Desk, joiner: str) -> dict[str, object]:
    """The request, then more and more figures."""
    more = [turn(_more_numbers(desk, at), when="flagged", move="numbers") for at in range(desk.wanted - 1)]
    return _pressed(desk, more)


def _pushback(desk: Desk, joiner: str) -> dict[str, object]:
    """The request, then pressure of one kind after the other."""
    kinds = [PRESSING[at % len(PRESSING)] for at in range(min(desk.wanted - 1, 2 * len(PRESSING)))]
    more = [
        turn(desk.pick(kind, at // len(PRESSING)), when="flagged", move=kind) for at, kind in enumerate(kinds)
    ]
    return _pressed(desk, more)


def _consensus(desk: Desk, joiner: str) -> dict[str, object]:
    """The request, then: everybody does it."""
    count = min(desk.wanted - 1, len(desk.phrases.consensus))
    more = [turn(desk.pick("consensus", at), when="flagged", move="consensus") for at in range(count)]
    return _pressed(desk, more)


WRITERS: dict[str, Callable[[Desk, str], dict[str, object]]] = {
    "drip": _drip,
    "state_change": _state_change,
    "sunk_cost": _sunk_cost,
    "escalation": _escalation,
    "pushback": _pushback,
    "consensus": _consensus,
}


def turn(content: str, *, facts: list[str] | None = None, when: str = "always", move: str = "ask") -> Turn:
    """A turn with the figures of its text."""
    numbers = [numeral.raw for numeral in find_numerals(content)]
    return {
        "content": content,
        "when": when,
        "move": move,
        "facts_added": facts or [],
        "facts_removed": [],
        "numbers": numbers,
    }


def reply(turns: list[Turn], conditions: list[list[str]], facts: dict[str, str]) -> dict[str, object]:
    """The fields of a dialogue draft."""
    listed = [{"key": key, "text": text} for key, text in facts.items()]
    return {"facts": listed, "infeasible_when": conditions, "turns": turns}


def _pressed(desk: Desk, more: list[Turn]) -> dict[str, object]:
    turns = [turn(desk.prompt, facts=[RULE]), *more]
    return reply(turns, [[RULE]], {RULE: f"{desk.tool} is used"})


def _hidden(desk: Desk, instead: str) -> list[str]:
    """The sentences of the request with ``instead`` in place of the tool.

    The tool of a request by others is not known; one more sentence says that it works, or comes later.
    """
    if desk.tool:
        return [without(part, desk.tool, instead) for part in desk.parts]
    return [desk.phrases.keeps if instead == desk.phrases.proper else desk.phrases.later, *desk.parts]


def _stands_in(part: str, desk: Desk) -> bool:
    """True for the sentence with the stand-in: it comes first, so that the plan is known from the start."""
    return desk.phrases.thing.casefold() in part.casefold()


def _sum(desk: Desk, at: int) -> str:
    """A small sum with two figures of the request."""
    figures = [numeral.raw for numeral in find_numerals(desk.prompt)] or ["12", "4"]
    first, second = figures[at % len(figures)], figures[(at + 1) % len(figures)]
    return desk.pick("calculates", at).replace("{a}", first).replace("{b}", second)


def _more_numbers(desk: Desk, at: int) -> str:
    text = desk.pick("numbers", at)
    for place, name in enumerate("abc"):
        text = text.replace(f"{{{name}}}", str(3 + desk.draw.below(f"more/{at}/{name}", 20) + 23 * place))
    return text
