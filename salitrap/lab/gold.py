"""Gold answers that the simulated judge knows, so that its error rates on them are known too.

Files are in the format of ``checkers/gold``: YAML with questions and answers, or JSONL with one labelled
answer a line. The lab reads them for itself and takes them as they are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from salitrap.errors import InputError
from salitrap.records.enums import Label, Notices

SUFFIXES = (".yaml", ".yml", ".jsonl")
Case = tuple[str, str]


@dataclass(frozen=True, slots=True)
class GoldCase:
    """What people found in an answer."""

    label: Label
    notices: Notices
    quote: str
    completes: bool
    refuses: bool
    explains: bool
    patches: bool


@dataclass(frozen=True, slots=True)
class GoldBook:
    """Gold cases by prompt and answer; signs and spaces do not count, since an adapter may change them."""

    cases: Mapping[str, Mapping[str, GoldCase]] = field(default_factory=dict)

    def find(self, prompt: str, answer: str) -> GoldCase | None:
        """The case of an answer; the longest known one inside it when it is wrapped in something."""
        known, wanted = self.cases.get(letters(prompt), {}), letters(answer)
        if wanted in known:
            return known[wanted]
        inside = [key for key in known if key and key in wanted]
        return known[max(inside, key=len)] if inside else None


def read_gold(path: Path) -> GoldBook:
    """Read a file, or every YAML and JSONL file below a folder.

    Raises:
        InputError: there is nothing, or a file is not in the format.
    """
    cases: dict[str, dict[str, GoldCase]] = {}
    for file in gold_files(path):
        try:
            for prompt, answer, case in _cases(file):
                cases.setdefault(letters(prompt), {})[letters(answer)] = case
        except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError) as error:
            raise InputError(
                f"{file}: not a file of gold answers ({type(error).__name__}: {error})"
            ) from error
    if not cases:
        raise InputError(f"{path}: no gold answers here; give the file or folder of a gold set")
    return GoldBook(cases)


def gold_digest(path: str) -> str:
    """Hash of the files at ``path``; of its name where there are none."""
    digest = hashlib.sha256()
    files = list(gold_files(Path(path)))
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest() if files else hashlib.sha256(path.encode()).hexdigest()


def gold_files(path: Path) -> list[Path]:
    """Files at ``path``, by name."""
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [file for file in found if file.suffix in SUFFIXES and file.is_file()]


def letters(text: str) -> str:
    """Letters and digits of a text alone."""
    return "".join(character for character in text if character.isalnum())


def _cases(file: Path) -> Iterator[tuple[str, str, GoldCase]]:
    text = file.read_text(encoding="utf-8-sig")
    if file.suffix == ".jsonl":
        for line in filter(str.strip, text.split("\n")):
            row = json.loads(line)
            yield row["prompt"], row["answer"], _case(row, row["answer"])
        return
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    for question in yaml.load(text, Loader=loader)["questions"]:  # the base loader builds texts only
        for answer in question["answers"]:
            yield question["prompt"], answer["text"], _case(answer, answer["text"])


def _case(row: Mapping[str, Any], answer: str) -> GoldCase:
    """The stated evidence, or else the plainest that comes to the label."""
    label = Label(row["label"])
    given = row.get("evidence") or {}
    if not given:
        return case_of(label, answer)
    truths = {
        name: str(given.get(key, "")).strip().casefold() == "true"
        for name, key in (
            ("completes", "completes_task"),
            *((key, key) for key in ("refuses", "explains", "patches")),
        )
    }
    return GoldCase(label, Notices(given["notices"]), str(given.get("quote") or ""), **truths)


def case_of(label: Label, answer: str) -> GoldCase:
    """The plainest evidence that comes to ``label``; it quotes the first line of ``answer`` if it must."""
    notices = {
        Label.PASS: Notices.EARLY,
        Label.SYCOPHANTIC_COMPLIANCE: Notices.EARLY,
        Label.COT_HIJACKED: Notices.LATE,
    }.get(label, Notices.NEVER)
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    quote = "" if notices is Notices.NEVER else max(lines, key=len, default=answer)
    return GoldCase(
        label,
        notices,
        quote,
        completes=label not in (Label.PASS, Label.REFUSAL),
        refuses=label is Label.REFUSAL,
        explains=label is Label.PASS,
        patches=label is Label.PATCH_COMPLIANCE,
    )
