"""Write a solver's answer as running text from the answer banks."""

from __future__ import annotations

import re
from collections import Counter

from salitrap.lab.phrases import AnswerPhrases, Phrases, load_answers, load_phrases
from salitrap.lab.request import Ask
from salitrap.lab.tasks.sentences import lower_first, upper_first
from salitrap.lab.world.model import Entry
from salitrap.records.enums import Language
from salitrap.text import find_numerals

_WORD = re.compile(r"[A-Za-z][a-z]{4,}")
_MEANS = re.compile(r"[用拿靠把]([\u4e00-\u9fff]{2,6})")
_SOMETHING = {Language.EN: "the method you describe", Language.ZH: "这个办法"}
_FALLBACK = {Language.EN: ("3 rounds", "20 minutes"), Language.ZH: ("3轮", "20分钟")}


class AnswerWriter:
    """Sentences about one message; every draw is named, so the parts do not influence each other."""

    def __init__(self, ask: Ask, entry: Entry | None) -> None:
        self._language, self._draw = ask.language, ask.draw
        self._bank: AnswerPhrases = load_answers(ask.language)
        self._phrases: Phrases = load_phrases(ask.language)
        self._entry, self._message = entry, ask.text

    def join(self, parts: list[str]) -> str:
        """The parts as one text."""
        return self._phrases.join(parts)

    def early(self) -> str:
        """The reason at the start."""
        return self._with_reason("early", self._bank.early)

    def late(self) -> str:
        """The reason after the figures."""
        return self._with_reason("late", self._bank.late)

    def decline(self) -> list[str]:
        """Why no plan follows, and that none does."""
        return [self._pick("explain", self._bank.explanations), self._pick("decline", self._bank.declines)]

    def refuse(self) -> str:
        """A refusal without a reason."""
        return self._pick("refuse", self._bank.refusals)

    def comply_anyway(self) -> str:
        """The turn from a noticed trap to the plan."""
        return self._pick("anyway", self._bank.comply_anyway)

    def patch(self) -> str:
        """Silently mending the plan."""
        return self._pick("patch", self._bank.patched)

    def opening(self) -> str:
        """The start of a calculation."""
        return self._pick("open", self._bank.compute_opens)

    def figures(self) -> list[str]:
        """Two or three steps with the figures of the message, and a plan."""
        quantities = self._quantities()
        steps = self._draw.order("steps", self._bank.compute_steps)[: 2 + self._draw.below("more", 2)]
        written = [self._step(step, quantities, index) for index, step in enumerate(steps)]
        result = quantities[self._draw.below("result", len(quantities))]
        return [*written, self._pick("plan", self._bank.plans).replace("{result}", result)]

    def reasoning(self, notices: bool) -> str:
        """What a model that exposes its reasoning thinks before it answers."""
        parts = [self._pick("thinking", self._bank.reasoning_opens)]
        if notices:
            parts.append(self._with_reason("thought", self._bank.reasoning_notices))
        return self.join(parts)

    def _pick(self, name: str, bank: tuple[str, ...]) -> str:
        return self._draw.pick(f"answer/{name}", bank)

    def _with_reason(self, name: str, bank: tuple[str, ...]) -> str:
        template = self._pick(name, bank)
        lead = template.partition("{reason}")[0].rstrip()
        reason = self._entry.trap_core if self._entry else self._generic_reason()
        cased = upper_first(reason) if lead.endswith((".", "。")) else lower_first(reason)
        return template.replace("{reason}", cased)

    def _generic_reason(self) -> str:
        template = self._pick("generic", self._bank.generic_reasons)
        return template.replace("{object}", main_object(self._message, self._language, self._phrases))

    def _quantities(self) -> list[str]:
        found = [
            _with_unit(self._message, numeral.end, numeral.raw, self._bank.units)
            for numeral in find_numerals(self._message)
        ]
        return found if len(found) > 1 else [*found, *_FALLBACK[self._language]]

    def _step(self, template: str, quantities: list[str], index: int) -> str:
        first, second = self._draw.order(f"step/{index}", quantities)[:2]
        a, b = _number(first), _number(second)
        values = {"a": first, "b": second, "product": _shown(a * b), "sum": _shown(a + b)}
        values["ratio"] = _shown(a / b) if b else "0"
        for name, value in values.items():
            template = template.replace(f"{{{name}}}", value)
        return template


def main_object(message: str, language: Language, phrases: Phrases) -> str:
    """A guess at what the plan rests on: a frequent word, or what follows 用, 拿, 靠 or 把."""
    if language is Language.ZH:
        match = _MEANS.search(message)
        return match.group(1) if match else _SOMETHING[language]
    words = [word.lower() for word in _WORD.findall(message)]
    counts = Counter(word for word in words if word not in phrases.stopwords)
    if not counts:
        return _SOMETHING[language]
    return f"the {max(counts, key=lambda word: (counts[word], -words.index(word)))}"


def _with_unit(message: str, end: int, raw: str, units: tuple[str, ...]) -> str:
    after = message[end : end + 14]
    gap = re.match(r"[ -]?", after)
    rest = after[gap.end() :] if gap else after
    unit = next((unit for unit in units if rest.startswith(unit) and _ends(rest, unit)), "")
    return f"{raw}{after[: len(after) - len(rest)] if unit else ''}{unit}"


def _ends(rest: str, unit: str) -> bool:
    return not (unit.isascii() and unit[-1].isalpha() and rest[len(unit) : len(unit) + 1].isalpha())


def _number(quantity: str) -> float:
    numerals = find_numerals(quantity)
    value = numerals[0].value if numerals else "1"
    above, _, below = value.partition("/")
    return float(above) / float(below or 1)


def _shown(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
