"""Gold answers in JSONL: one label of one answer a line; several reviewers are several lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from checkers.gold.forms import LineForm
from checkers.gold.places import told
from checkers.gold.records import GoldAnswer, Half, evidence_fault, quote_fault
from salitrap.errors import InputError
from salitrap.records import JudgeEvidence
from salitrap.records.ids import content_id


def read_jsonl(path: Path, half: Half | None, checked: bool) -> Iterator[GoldAnswer]:
    """Yield one answer a line; blank lines are passed over.

    Raises:
        InputError: the file cannot be read, or its first faulty line, with answer and field.
    """
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            yield _answer(line, f"{path}:{number}", half, checked)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_bytes().decode("utf-8-sig").split("\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error


def _answer(line: str, where: str, half: Half | None, checked: bool) -> GoldAnswer:
    value = _decoded(line, where)
    about = f"{where}: answer {value['answer_id']}" if value.get("answer_id") else where
    try:
        form = LineForm.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(f"{about}: field {field}: {told(first)}") from error
    evidence = form.evidence.record() if form.evidence else None
    fault = _fault(form, evidence) if checked else None
    if fault is not None:
        raise InputError(f"{about}: field {fault[0]}: {fault[1]}")
    return GoldAnswer(
        **form.model_dump(exclude={"evidence", "question", "labelled_by"}),
        question=form.question or content_id("question", form.prompt),
        labelled_by=(form.labelled_by,),
        votes=(form.label,),
        evidence=evidence,
        half=half,
    )


def _fault(form: LineForm, evidence: JudgeEvidence | None) -> tuple[str, str] | None:
    """The field of the evidence or the quote that is wrong, and a sentence; None when they are sound."""
    if why := quote_fault(form.answer, form.quote):
        return "quote", why
    return evidence_fault(form.answer, form.label, evidence) if evidence else None


def _decoded(line: str, where: str) -> dict[str, object]:
    try:
        value = json.loads(line, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: not JSON ({error.msg}); write one object a line") from error
    except RepeatedFieldError as error:
        raise InputError(f"{where}: field {error} is there twice; keep one of them") from error
    if not isinstance(value, dict):
        raise InputError(f"{where}: not a JSON object; write one object a line")
    return value


class RepeatedFieldError(ValueError):
    """A JSON object has a field more than once; which value is meant nobody can tell."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise RepeatedFieldError(name)
        found[name] = value
    return found
