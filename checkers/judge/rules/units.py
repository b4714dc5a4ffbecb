"""Split an answer into sentences, rows and list entries, each with the cues found in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from checkers.judge.question import Question
from checkers.judge.rules.phrases import Cue, cue_patterns
from salitrap.records.enums import Language

LONGEST_UNIT = 400
_END = re.compile(
    r"\n+"
    r"|(?<=[。！？；])[”’」』）】*]*\s*"
    r"|(?<![\s.]\w\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bapprox\.)(?<!^\d\.)(?<=[.!?;…])"
    r"[\"')\]”’*_]*\s+(?=[^a-z\s]|[a-z]\w)"
    r"|(?<=[!?])(?=[\u4e00-\u9fff])"
    r"|(?<=[，,])(?=不过|但是|可是|然而|话说回来|其实|顺带|顺便|毕竟)"
    r"|(?<=\s)(?=\([^()\n]{25})|(?=（[^（）\n]{8})|(?<=[)）])(?=[^\n]{12})"
)
_SOFT_END = re.compile(r"[,，、\s]")
_DENIALS = frozenset({Cue.DENIAL, Cue.IMPOSSIBLE})
_NOT_DENYING = (Cue.HEDGE, Cue.DECLINE)
_NEW = frozenset({Cue.ENABLER, Cue.META})
_FOLLOWING = {Language.EN: re.compile(r"\W{1,3}\w+"), Language.ZH: re.compile(r"[\u3400-\u9fff]{1,2}")}


@dataclass(slots=True)
class Unit:
    """A stretch of the answer, ``text == answer[start:end]``, with the cues that occur in it."""

    start: int
    end: int
    text: str
    cues: set[Cue] = field(default_factory=set)

    @property
    def denies(self) -> bool:
        """True when it says that something is not so, or cannot be."""
        return not self.cues.isdisjoint(_DENIALS)


def units_of(answer: str, question: Question) -> list[Unit]:
    """The units of ``answer`` in order, without surrounding white space; empty ones are left out.

    A denial is none inside a wording that merely doubts ("no later than") or declines ("I can't help"), and
    none that the request has too ("没装空调"). Equipment, and talk of judging, counts where the request
    does not have it.
    """
    units = list(_split(answer))
    starts = [unit.start for unit in units]
    asked, patterns = question.prompt.casefold(), cue_patterns(question.language)
    harmless = {cue: [match.span() for match in patterns[cue].finditer(answer)] for cue in _NOT_DENYING}
    for cue in Cue:
        for match in patterns[cue].finditer(answer) if cue is not Cue.COMMON else ():
            if cue in _NEW and match.group().casefold() in asked:
                continue
            if cue in _DENIALS and _denies_nothing(match, harmless.values(), asked, question.language):
                continue
            units[max(bisect_right(starts, match.start()) - 1, 0)].cues.add(cue)
    return units


def _denies_nothing(
    match: re.Match[str], harmless: Iterable[Sequence[tuple[int, int]]], asked: str, language: Language
) -> bool:
    return any(_inside(match.start(), spans) for spans in harmless) or _echoes(match, asked, language)


def _inside(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    before = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return before >= 0 and place < spans[before][1]


def _echoes(match: re.Match[str], asked: str, language: Language) -> bool:
    """True when the request says the same, up to the word behind it."""
    following = _FOLLOWING[language].match(match.string, match.end())
    return following is not None and match.string[match.start() : following.end()].casefold() in asked


def _split(answer: str) -> Iterator[Unit]:
    start = 0
    for match in _END.finditer(answer):
        yield from _pieces(answer, start, match.end())
        start = match.end()
    yield from _pieces(answer, start, len(answer))


def _pieces(answer: str, start: int, end: int) -> Iterator[Unit]:
    """One unit, or several where the text has no sentence marks for long."""
    while end - start > LONGEST_UNIT:
        cut = _SOFT_END.search(answer, start + LONGEST_UNIT // 2, start + LONGEST_UNIT)
        stop = cut.end() if cut else start + LONGEST_UNIT
        yield from _unit(answer, start, stop)
        start = stop
    yield from _unit(answer, start, end)


def _unit(answer: str, start: int, end: int) -> Iterator[Unit]:
    text = answer[start:end]
    inner = text.strip()
    if inner:
        start += len(text) - len(text.lstrip())
        yield Unit(start, start + len(inner), inner)
