"""The program that an optimiser works on: a judge whose instructions it may change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import dspy

from checkers.judge import ModelJudge, Question, Reading
from exports.optimize.bridge import Bridge
from exports.optimize.shown import with_examples
from prompts.loader import Prompt
from prompts.source import PromptSource
from salitrap.providers.access import Access, Answered
from salitrap.records.enums import Language, Outcome
from salitrap.records.ids import sha256_text
from salitrap.records.provenance import Provenance


class Candidates:
    """Judges by candidate instructions, and asks them from the optimiser's threads.

    Every answer is judged exactly as a run judges it: defused, read again when the reply does not decide,
    its quote verified, its label by rule. ``heard`` is told of each answer that was judged, in the loop.
    """

    def __init__(
        self, judge: ModelJudge, language: Language, access: Access, bridge: Bridge, heard: Callable[[], None]
    ) -> None:
        self.parent = judge.prompts[language]
        self.language = language
        self._kind, self._shipped = type(judge), judge.prompts
        self._access, self._bridge, self._heard = access, bridge, heard
        self._judges: dict[str, ModelJudge] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> Candidates:
        """Itself: optimisers copy programs, and there is one bridge."""
        return self

    def judge_by(self, text: str) -> ModelJudge:
        """A judge with ``text`` as its instructions in the language."""
        if text not in self._judges:
            self._judges[text] = self._kind(self._source(text))
        return self._judges[text]

    def read(self, text: str, inputs: Mapping[str, str]) -> Reading:
        """Have an answer judged by the instructions ``text``; to be called from a thread.

        Raises:
            Halted: the run stops.
        """
        key = (text, inputs["prompt"], inputs["answer"])
        return self._bridge.call(key, lambda: self._read(text, dict(inputs)))

    async def _read(self, text: str, inputs: dict[str, str]) -> Reading:
        answered = Answered(Outcome.OK, inputs.pop("answer"), "", "", "", Provenance(model="gold"))
        question = Question(**inputs, language=self.language)
        labelled = await self.judge_by(text).label(self._access, question, answered)
        self._heard()
        return labelled.visible

    def _source(self, text: str) -> PromptSource:
        chosen = next_version(self.parent, text)
        return lambda prompt_id, language: chosen if language is self.language else self._shipped[language]


class JudgePredict(dspy.Predict):  # type: ignore[misc]  # dspy ships no types
    """A predictor whose demonstrations are written into its instructions, as they will be in the file."""

    def __init__(self, candidates: Candidates, signature: type[dspy.Signature]) -> None:
        super().__init__(signature)
        self.candidates = candidates

    def text(self) -> str:
        """The instructions with their examples."""
        signature, language = self.signature, self.candidates.language
        return with_examples(signature.instructions, self.demos, signature.output_fields, language)

    def forward(self, **inputs: str) -> dspy.Prediction:
        """Judge one answer, and leave the trace that optimisers read."""
        reading = self.candidates.read(self.text(), inputs)
        return self._forward_postprocess([fields_of(reading)], self.signature, **inputs)


class Student(dspy.Module):  # type: ignore[misc]  # dspy ships no types
    """A judge as an optimiser sees it: one predictor."""

    def __init__(self, candidates: Candidates, signature: type[dspy.Signature]) -> None:
        super().__init__()
        self.judge = JudgePredict(candidates, signature.with_instructions(candidates.parent.text))

    def forward(self, **inputs: str) -> dspy.Prediction:
        """Judge one answer."""
        return self.judge(**inputs)


def fields_of(reading: Reading) -> dict[str, Any]:
    """A reading as output fields: the evidence, or nothing of it, the reason, and the label or None."""
    evidence = {} if reading.evidence is None else reading.evidence.model_dump(mode="json")
    label = None if reading.label is None else reading.label.value
    return {"quote": reading.quote, **evidence, "reason": reading.reason, "label": label}


def next_version(parent: Prompt, text: str) -> Prompt:
    """``parent`` itself where ``text`` is its own, else the version after it, hashed by its text alone."""
    if text == parent.text:
        return parent
    changed = {"version": parent.version + 1, "text": text, "sha256": sha256_text(text)}
    return parent.model_copy(update={**changed, "parent": named(parent), "score": None})


def named(prompt: Prompt) -> str:
    """``judge@1/en sha256 ...``."""
    return f"{prompt.ref} sha256 {prompt.sha256}"
