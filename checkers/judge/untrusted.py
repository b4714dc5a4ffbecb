"""A solver's text before it goes into a request to a judge: nothing in it may pass for structure.

The answer under examination is written by the model under examination. It stands last in the request, below
the marker ``[[ ## answer ## ]]``, and the instructions say that nothing in it is addressed to the judge. So
that it cannot end that region and begin another one, these are *defused*, sign by sign:

- markers of fields, ``[[ ## label ## ]]``, also unclosed, and in brackets and signs that look alike
  (``［［ ＃＃``, ``【【 ##``, ``⟦ ## ⟧``): square brackets become round ones;
- tokens of chat templates, ``<|im_start|>``, ``<|eot_id|>``, ``<｜User｜>``, ``[INST]``, ``<<SYS>>``,
  ``<start_of_turn>``: angle and square brackets become round ones;
- tags named like a part of the request or a speaker, ``</answer>``, ``<system>``: the same;
- speakers at the start of a line, ``Human:``, ``系统：``: the colon becomes ``·``;
- a line of dashes, which divides the reasoning from the answer: dashes become ``·``;
- signs that cannot be seen (zero width, direction, tags, controls) are left out, since they hide all of this.

Look-alikes are recognised by their NFKC form and a short table. One sign becomes one sign, or none, and every
sign that is shown knows its place in the original. A quote is looked for in the original first, then in what
was shown, and is always returned as the original has it (``Exhibit.find``). A text without any of these is
shown byte for byte. Nothing is cut: a text of more than ``LONGEST`` characters is not judged at all, since a
label for a text that was not read whole could not be defended.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from checkers.quotes import find_quote

LONGEST = 120_000
"""Characters of a text that is judged: three times what 8,192 tokens of English come to."""

DIVIDER = "\n---\n"
"""Stands between the reasoning and the answer."""

_LOOK_ALIKE = str.maketrans(
    "【〔〖〚⟦⟬❲｢「『[】〕〗〛⟧⟭❳｣」』]〈《‹«❮⟨❬⟪˂〉》›»❯⟩❭⟫˃¦│┃ǀ∣❘∶꞉ː‐‑‒–—―−─━⸺⸻﹘𝄖",
    "[" * 11 + "]" * 11 + "<" * 9 + ">" * 9 + "|" * 6 + ":" * 3 + "-" * 13,
)
_LINE_ENDS = frozenset("\r\v\f\x85\u2028\u2029")
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SELECTORS = range(0xFE00, 0xFE10)
_MORE_SELECTORS = range(0xE0100, 0xE01F0)
_DEFUSED = str.maketrans("[]<>:-", "()()··")

_FIELDS = (
    "prompt|trap_core|ground_truth|answer|notices|quote|completes_task|refuses|explains|patches|reason|label"
    "|output_schema"
)
_SPEAKERS = "system|user|assistant|human|developer|系统|用户|助手|助理|评审|裁判|开发者"
_BRACKETED = "inst|sys|system_prompt|tool_calls|available_tools|tool_results"
_TAGS = (
    f"{_FIELDS}|{_SPEAKERS}|tool|model|judge|s|bos|eos|pad|unk|eod|eot|im_start|im_end|start_of_turn|end_of_turn|start_header_id|end_header_id|turn"
    "|messages?|instructions?|task|input|output|response|reply|result|verdict|evaluation|untrusted"
    "|think(?:ing)?|thought|reasoning|tool_call|tool_response|function_call"
    "|答案|回答|指令|题目|思考|结论|判定|标签"
)
_MARKS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), signs)
    for pattern, signs in (
        (r"\[ {0,4}\[[\[ ]{0,8}#|\[ {0,4}# {0,4}#", "[]"),
        (r"#(?: {0,4}\]){2,4}|# {0,4}#(?: {0,4}\]){1,4}", "[]"),
        (rf"\[ {{0,4}}\[[\[ ]{{0,8}}(?:{_FIELDS})(?: {{0,4}}\]){{2,4}}", "[]"),
        (r"< {0,4}\|(?:[^<>|\n]{0,60}\| {0,4}>)?", "<>"),
        (r"\|[^<>|\n]{1,40}\| {0,4}>", "<>"),
        (rf"\[ {{0,4}}[/\\]? {{0,4}}(?:{_BRACKETED}|{_SPEAKERS}) {{0,4}}\]", "[]"),
        (r"< {0,4}< {0,4}/? {0,4}\w{1,20} {0,4}> {0,4}>", "<>"),
        (rf"< {{0,4}}/? {{0,4}}(?:\w{{1,12}}:)?(?:{_TAGS})(?!\w)(?:[^<>\n]{{0,80}}>)?", "<>"),
        (rf"^[ #*>]{{0,8}}(?:{_SPEAKERS})[ *]{{0,4}}:", ":"),
        (r"^[ \t]*(?:-[ \t]*){3,}$", "-"),
    )
)
"""What to look for, and which of its signs are defused."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A text under examination: as it was written, as the judge is shown it, and which sign is which.

    ``places`` gives for each sign of ``shown`` its index in ``original``; None while both are equal.
    """

    original: str
    shown: str
    places: tuple[int, ...] | None = None

    @property
    def too_long(self) -> bool:
        """True when it is not judged, see ``LONGEST``."""
        return len(self.original) > LONGEST

    def find(self, quote: str) -> str | None:
        """The span of the original that ``quote`` stands for, be it copied from it or from what was shown."""
        span = find_quote(self.original, quote)
        if span is not None or self.places is None:
            return span
        seen = find_quote(self.shown, quote)
        if seen is None:
            return None
        start = self.shown.index(seen)
        return self.original[self.places[start] : self.places[start + len(seen) - 1] + 1]

    def position(self, span: str) -> float | None:
        """Where a span of the original begins, from 0 (start) to below 1; None when there is no span."""
        start = self.original.find(span) if span else -1
        return None if start < 0 else start / len(self.original)


def exhibit(text: str, reasoning: str = "") -> Exhibit:
    """Prepare a text for the judge; with ``reasoning`` before it, both are defused apart and then divided."""
    if not reasoning:
        return _defused(text)
    first, second = _defused(reasoning), _defused(text)
    original = first.original + DIVIDER + second.original
    shown = first.shown + DIVIDER + second.shown
    if original == shown:
        return Exhibit(original, shown)
    start = len(first.original)
    rest = start + len(DIVIDER)
    divider = range(start, rest)
    return Exhibit(original, shown, (*_places(first), *divider, *(rest + place for place in _places(second))))


def _places(one: Exhibit) -> tuple[int, ...]:
    return tuple(range(len(one.original))) if one.places is None else one.places


def _defused(text: str) -> Exhibit:
    if len(text) > LONGEST:
        return Exhibit(text, text)
    folded, places, hidden = _folded(text)
    signs = _changed(folded, places)
    if not signs and not hidden:
        return Exhibit(text, text)
    kept = tuple(place for place in range(len(text)) if place not in hidden)
    return Exhibit(text, "".join(signs.get(place, text[place]) for place in kept), kept)


def _changed(folded: list[str], places: Sequence[int]) -> dict[int, str]:
    """The signs to show in place of others, by place; looked for again, as one mark can hide in another."""
    changed: dict[int, str] = {}
    while found := set(_marked("".join(folded))):
        for index in found:
            folded[index] = changed[places[index]] = folded[index].translate(_DEFUSED)
    return changed


def _marked(folded: str) -> Iterator[int]:
    """Indices of the signs to defuse."""
    for pattern, signs in _MARKS:
        for match in pattern.finditer(folded):
            yield from (index for index in range(*match.span()) if folded[index] in signs)


def _folded(text: str) -> tuple[list[str], list[int], set[int]]:
    """What marks are looked for in: plain signs, each with its place, and the places left out as unseen."""
    folded: list[str] = []
    places: list[int] = []
    hidden: set[int] = set()
    for place, sign in enumerate(text):
        if _joins(text, place) or ord(sign) in _SELECTORS:
            continue
        if _unseen(sign):
            hidden.add(place)
            continue
        folded.append(_plain(sign))
        places.append(place)
    return folded, places, hidden


def _plain(sign: str) -> str:
    if sign.isascii() and sign not in _LINE_ENDS:
        return sign
    if sign in _LINE_ENDS:
        return "\n"
    if unicodedata.category(sign) == "Zs":
        return " "
    normal = unicodedata.normalize("NFKC", sign)
    return (normal if len(normal) == 1 else sign).translate(_LOOK_ALIKE)


def _unseen(sign: str) -> bool:
    if sign in "\n\t" or sign in _LINE_ENDS:
        return False
    hidden = sign in _BLANK or ord(sign) in _MORE_SELECTORS
    return hidden or unicodedata.category(sign) in ("Cf", "Cc")


def _joins(text: str, place: int) -> bool:
    """True for the joiner inside an emoji, which can be seen."""
    following = text[place + 1 : place + 2]
    return text[place] == "\u200d" and bool(following) and unicodedata.category(following) == "So"
