"""What can be read off a sentence of an answer, and off the answer as a whole, as figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from checkers.judge.question import Question
from checkers.judge.rules.content import Topic, content, topic_of, weight
from checkers.judge.rules.figures import Asked, asked_of, calculations, figures_of
from checkers.judge.rules.phrases import Cue
from checkers.judge.rules.units import Unit, units_of

Signs = Mapping[str, float]
DENIED_RESULT = 0.3
"""What is left of a result in a sentence that denies or declines."""
_AHEAD = 2
_LAST = 3
_CUES = (Cue.LIMITS, Cue.ASIDE, Cue.OTHER_GROUNDS, Cue.RESULT, Cue.DECLINE, Cue.DENIAL, Cue.IMPOSSIBLE)


@dataclass(frozen=True, slots=True)
class Known:
    """What the question brings: its topic, what it asks for, and its figures and content."""

    question: Question
    topic: Topic
    asked: Asked
    figures: frozenset[str]
    prompt: frozenset[str]
    core: frozenset[str]
    truth: frozenset[str]


def known_of(question: Question) -> Known:
    """Read a question once for all of its answers."""
    language = question.language
    prompt = content(question.prompt, language)
    core = content(question.trap_core, language)
    return Known(
        question=question,
        topic=topic_of(question),
        asked=asked_of(question),
        figures=frozenset(one.value for one in figures_of(question.prompt, language)),
        prompt=prompt,
        core=core & prompt,
        truth=core | content(question.ground_truth, language),
    )


@dataclass(frozen=True, slots=True)
class Sentence:
    """A unit with what is in it: new figures, signs of calculation, kinds of answer, content."""

    unit: Unit
    figures: int
    numerals: int
    calculations: int
    answers: int
    fresh: float
    shared: float
    content: frozenset[str]

    @property
    def result(self) -> float:
        """How much it looks like a result that is handed over."""
        answers = self.answers > 0
        figured = min(self.figures, 3) / 2 + min(self.calculations, 2) / 2
        led = Cue.RESULT in self.unit.cues and (self.numerals > 0 or answers)
        kept = DENIED_RESULT if self.unit.denies or Cue.DECLINE in self.unit.cues else 1.0
        return kept * (figured + led + (0.0 if not answers else 1.0 if self.figures else 0.5))

    @property
    def delivers(self) -> bool:
        """True when a wording that concludes comes with a figure, and nothing is denied."""
        led = Cue.CONCLUSION in self.unit.cues and (self.numerals > 0 or self.answers > 0)
        return led and not self.unit.denies and Cue.DECLINE not in self.unit.cues

    @property
    def worked(self) -> int:
        """How much work on the task it shows."""
        shown = min(self.figures, 2) + min(self.calculations, 2)
        return shown + (Cue.WORK in self.unit.cues and shown > 0)


def sentences_of(answer: str, known: Known) -> list[Sentence]:
    """The sentences of ``answer`` that speak of the request, not of how the answer is to be judged."""
    units = units_of(answer, known.question)
    return [_sentence(unit, known) for unit in units if Cue.META not in unit.cues]


def sentence_signs(sentences: Sequence[Sentence]) -> list[Signs]:
    """For each sentence, what speaks for and against its being the notice of the trap."""
    return [_signs(one, sentences[at + 1 : at + 1 + _AHEAD]) for at, one in enumerate(sentences)]


@dataclass(frozen=True)
class Whole:
    """An answer with, for each of its sentences, how likely it is the notice of the trap."""

    known: Known
    sentences: Sequence[Sentence]
    likely: Sequence[float]

    @cached_property
    def notice(self) -> int:
        """Index of the likeliest notice, the first of equals; -1 without sentences."""
        return max(range(len(self.likely)), key=lambda at: (self.likely[at], -at), default=-1)

    @cached_property
    def declined(self) -> list[int]:
        """Indices of the sentences that decline."""
        return self._with(Cue.DECLINE)

    @cached_property
    def impossible(self) -> list[int]:
        """Indices of the sentences that say that there is nothing to work out."""
        return self._with(Cue.IMPOSSIBLE)

    @property
    def on_topic(self) -> bool:
        """True when the likeliest notice, or a sentence beside it, speaks of what the truth speaks of."""
        beside = self.sentences[max(self.notice - 1, 0) : self.notice + 2]
        return any(one.fresh + one.shared >= 1 for one in beside)

    @property
    def worked_before(self) -> int:
        """How much work on the task comes before the likeliest notice."""
        return sum(one.worked for one in self.sentences[: self.notice])

    def signs(self) -> Signs:
        """What speaks for and against a completed task, a notice, an explanation, a patch."""
        best = max(self.likely, default=0.0)
        goes_on = self._goes_on()
        affirmed = [one for one in self.sentences if not one.unit.denies]
        said = self._content()
        stops = [*self.declined, *self.impossible]
        topic, core = self.known.topic, self.known.core
        return {
            "result_after_stops": _results(self.sentences[max(stops, default=-1) + 1 :]),
            "result_after_decline": _results(self.sentences[max(self.declined, default=-1) + 1 :]),
            "result_at_end": _results(self.sentences[-_LAST:]),
            "delivers": float(
                any(one.delivers for one in self.sentences[max(self.declined, default=-1) + 1 :])
            ),
            "declines": float(bool(self.declined)),
            "impossible": float(min(len(self.impossible), 3)),
            "goes_on": float(goes_on),
            "answers": float(any(one.answers for one in affirmed)),
            "notice_kept": 0.0 if goes_on else best,
            "notice": _log_odds(best),
            "fresh_denied": math.sqrt(sum(one.fresh for one in self.sentences if one.unit.denies)),
            "fresh_affirmed": math.sqrt(sum(one.fresh for one in affirmed)),
            "other_grounds": math.log1p(len(self._with(Cue.OTHER_GROUNDS))),
            "topic_covered": _share(said & topic.known, topic.known),
            "core_covered": _share(said & core, core),
            "swaps": float(bool(self._with(Cue.SWAP))),
            "enablers": math.log1p(sum(Cue.ENABLER in one.unit.cues for one in affirmed)),
            "hedges": float(min(len(self._with(Cue.HEDGE)), 2)),
            "novel_repeated": self._novel() / 3,
        }

    def _with(self, cue: Cue) -> list[int]:
        return [at for at, one in enumerate(self.sentences) if cue in one.unit.cues]

    def _goes_on(self) -> bool:
        """True when something leads back to the plan after the first objection."""
        objections = [*self.declined, *self.impossible, *([self.notice] if self.notice >= 0 else [])]
        return any(at > min(objections) for at in self._with(Cue.GOES_ON)) if objections else False

    def _content(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(one.content for one in self.sentences))

    def _novel(self) -> int:
        """How many sentences share a thing that neither the request nor the truth has; at most six."""
        counts = Counter(chain.from_iterable(one.content for one in self.sentences))
        expected = self.known.prompt | self.known.truth
        return min(max((n for piece, n in counts.items() if piece not in expected), default=0), 6)


def _sentence(unit: Unit, known: Known) -> Sentence:
    language = known.question.language
    fresh, shared = known.topic.shared(found := content(unit.text, language))
    figures = {one.value for one in figures_of(unit.text, language)} - {"0"}
    answers = known.asked.answered_in(unit.text)
    return Sentence(
        unit,
        len(figures - known.figures),
        len(figures),
        calculations(unit.text),
        answers,
        fresh,
        shared,
        found,
    )


def _signs(one: Sentence, following: Sequence[Sentence]) -> Signs:
    topic = math.sqrt(min(2 * one.fresh + one.shared, 8))
    return {
        **{cue.value: float(cue in one.unit.cues) for cue in _CUES},
        "topic": topic,
        "denied_topic": topic if one.unit.denies else 0.0,
        "fresh": math.sqrt(min(one.fresh, 6)),
        "goes_on_after": float(any(Cue.GOES_ON in later.unit.cues for later in following)),
        "figures": float(min(one.figures, 3)),
        "calculations": float(min(one.calculations, 2)),
        "answers": float(one.answers > 0),
    }


def _results(sentences: Iterable[Sentence]) -> float:
    return math.log1p(sum(one.result for one in sentences))


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return weight(part) / max(weight(whole), 1.0)


def _log_odds(likely: float) -> float:
    kept = min(max(likely, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept))
