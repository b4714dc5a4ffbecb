"""Gold answers in YAML: questions with their answers, one dimension and language a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from checkers.gold.forms import AnswerForm, AnswersForm, QuestionForm
from checkers.gold.places import told
from checkers.gold.records import GoldAnswer, Half, evidence_fault
from salitrap.errors import InputError
from salitrap.yaml_source import KeyPath, YamlSource, read_yaml


def read_answers_yaml(path: Path, half: Half | None, checked: bool) -> Iterator[GoldAnswer]:
    """Yield the answers of a file; ``checked`` holds evidence to labels and quotes to texts.

    Raises:
        InputError: not YAML, or the first fault with line, question, answer and field.
    """
    source = read_yaml(path)
    if source.value is None:
        raise InputError(f"{path}: the file is empty; give one with labelled answers")
    if not isinstance(source.value, dict) or "questions" not in source.value:
        raise InputError(f"{path}: no gold answers: expected a mapping with 'questions'")
    try:
        form = AnswersForm.model_validate(source.value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        refuse(source, tuple(first["loc"]), told(first))
    for place, question in enumerate(form.questions):
        for index, answer in enumerate(question.answers):
            at = ("questions", place, "answers", index)
            if checked:
                _check(source, at, answer)
            yield _record(form, question, answer, half)


def _record(form: AnswersForm, question: QuestionForm, answer: AnswerForm, half: Half | None) -> GoldAnswer:
    return GoldAnswer(
        answer_id=f"{question.key}/{answer.key}",
        question=question.key,
        language=form.language,
        dimension_tag=form.dimension_tag,
        prompt=question.prompt.strip(),
        trap_core=question.trap_core.strip(),
        ground_truth=question.ground_truth.strip(),
        answer=answer.text.strip(),
        label=answer.label,
        labelled_by=(form.labelled_by,),
        votes=(answer.label,),
        kind=answer.kind,
        rationale=answer.rationale.strip(),
        evidence=answer.evidence.record() if answer.evidence else None,
        half=half,
    )


def _check(source: YamlSource, at: KeyPath, answer: AnswerForm) -> None:
    if answer.evidence is None:
        return
    fault = evidence_fault(answer.text, answer.label, answer.evidence.record())
    if fault is not None:
        refuse(source, (*at, *fault[0].split(".")), fault[1])


def refuse(source: YamlSource, at: KeyPath, sentence: str) -> NoReturn:
    """Tell a fault with its line, the keys that lead to it, and the field.

    Raises:
        InputError: always.
    """
    keys = [f"{what} {key}" for what, key in _keys_along(source.value, at)]
    field = ".".join(str(step) for step in _tail(at))
    about = "".join(f"{part}: " for part in [", ".join(keys), f"field {field}" if field else ""] if part)
    raise InputError(f"{source.path}:{source.line_of(at)}: {about}{sentence}")


def _keys_along(value: Any, at: KeyPath) -> Iterator[tuple[str, str]]:
    """The keys of the question and of the answer that a path leads through."""
    named = {
        "questions": "question", "answers": "answer", "seeds": "seed", "candidates": "candidate",
        "dialogues": "dialogue",
    }  # fmt: skip
    for place, step in enumerate(at):
        inside = isinstance(value, dict) and step in value
        listed = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if not (inside or listed):
            return
        value = value[step]
        if listed and isinstance(value, dict) and value.get("key"):
            yield named.get(str(at[place - 1]), "entry"), str(value["key"])


def _tail(at: KeyPath) -> KeyPath:
    """What follows the last place in a list."""
    last = max((place for place, step in enumerate(at) if isinstance(step, int)), default=-1)
    return at[last + 1 :]
