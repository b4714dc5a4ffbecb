"""Screening on its own: the texts of a run, a dataset or a JSONL file, by rules and by a model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from checkers.screen import ScreenChecker
from checkers.screening import ScreenFinding, screen_text
from checkers.screening.masking import STARS
from checkers.screening.rules import severity_of
from curation.directory import Layout
from curation.estimates import TYPICAL, role_plan
from curation.registry import Registry
from curation.registry.dialogues import stable_dialogues
from curation.review.items import items_of_run
from curation.stage import DrainingAccess, Reporter, StopSwitch, for_each
from exports.dataset.dialogue_rows import PublishedDialogue
from exports.dataset.layout import DIALOGUES
from exports.dataset.screening import ITEM_FIELDS, dialogue_texts
from exports.evaluation.dataset_rows import ALL_SPLITS, manifest_of
from exports.evaluation.dialogues import load_dialogues
from exports.evaluation.evalset import load_evalset
from prompts.loader import load_prompt
from prompts.source import PromptSource
from salitrap.dialogues import Dialogue
from salitrap.errors import InputError
from salitrap.plan import Plan
from salitrap.providers.access import Access
from salitrap.records.base import Record
from salitrap.records.enums import Language, Role, Stage
from salitrap.records.item import CertifiedItem, Item
from salitrap.settings.screening import ScreenCategory, ScreeningSettings
from salitrap.text import han_share

_CHINESE = 0.2


class Text(NamedTuple):
    """One field of one thing."""

    subject_id: str
    field: str
    text: str
    language: Language


class TextFinding(Record):
    """A finding and the thing it is about."""

    subject_id: str
    finding: ScreenFinding


class Opinion(Record):
    """What a model said of one text, without any of its words; ``categories`` are those it found."""

    subject_id: str
    field: str
    verdict: str
    fault: str | None
    categories: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def read_texts(place: Path) -> tuple[Text, ...]:
    """Texts of a run's items and dialogues, of a dataset's, or all strings of a JSONL file, in their order.

    Raises:
        InputError: it is none of these, or a line of the file is no JSON object.
    """
    layout = Layout(place)
    if layout.run_file.is_file():
        with closing(Registry.open_reader(layout.registry)) as registry:
            talks = [kept.dialogue for kept in stable_dialogues(registry)]
            return tuple(_of_all(items_of_run(registry), talks))
    if place.is_dir():
        talks = [row.dialogue for row in _published_dialogues(place)]
        return tuple(_of_all(load_evalset(place, split=ALL_SPLITS).items, talks))
    return tuple(_of_file(place))


def _published_dialogues(folder: Path) -> tuple[PublishedDialogue, ...]:
    has_some = DIALOGUES in manifest_of(folder).configs
    return load_dialogues(folder, split=ALL_SPLITS).rows if has_some else ()


def _of_all(items: Iterable[CertifiedItem | Item], talks: Iterable[Dialogue]) -> Iterator[Text]:
    for item in items:
        yield from _of_item(item)
    for talk in talks:
        for name, text in dialogue_texts(talk).items():
            yield Text(talk.dialogue_id, name, text, talk.language)


def _of_item(item: CertifiedItem | Item) -> Iterator[Text]:
    for name in ITEM_FIELDS:
        yield Text(item.item_id, name, getattr(item, name), item.language)


def _of_file(path: Path) -> Iterator[Text]:
    try:
        lines = path.read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read ({error}); give a run, a dataset or a JSONL file"
        ) from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield from _of_line(path, number, line)


def _of_line(path: Path, number: int, line: str) -> Iterator[Text]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{path}:{number}: not JSON; give one JSON object a line") from error
    if not isinstance(row, dict):
        raise InputError(f"{path}:{number}: not a JSON object; give one a line")
    for name, text in row.items():
        if isinstance(text, str):
            language = Language.ZH if han_share(text) > _CHINESE else Language.EN
            yield Text(f"line {number}", name, text, language)


def screen_all(texts: Sequence[Text], settings: ScreeningSettings) -> tuple[TextFinding, ...]:
    """Findings by rules, in the order of ``texts``."""
    return tuple(
        TextFinding(subject_id=one.subject_id, finding=finding)
        for one in texts
        for finding in screen_text(one.text, settings, one.field)
    )


def plan_screening(texts: int) -> Plan:
    """One verdict a text, asked for at most twice."""
    return Plan(roles=(role_plan(Stage.CHECK, Role.CHECKER, (texts, 2 * texts), TYPICAL[Role.CHECKER]),))


async def ask_all(
    access: Access,
    texts: Sequence[Text],
    *,
    workers: int,
    reporter: Reporter,
    switch: StopSwitch,
    source: PromptSource = load_prompt,
) -> tuple[Opinion, ...]:
    """What the model says of each text, in their order.

    Raises:
        StoppedError: it cannot go on; what was asked is in the journal.
    """
    draining, checker = DrainingAccess(access, switch), ScreenChecker(source)
    found: dict[int, Opinion] = {}
    counts = Counter[str]()
    reporter.stage_started(Stage.CHECK, len(texts))

    async def work(numbered: tuple[int, Text]) -> None:
        place, one = numbered
        said = await checker.check_text(draining, one.subject_id, one.text, one.language)
        found[place] = Opinion(
            subject_id=one.subject_id,
            field=one.field,
            verdict=said.verdict.value,
            fault=said.fault.value if said.fault else None,
            categories=tuple(said.scores),
            spans=tuple((one.text.find(span), one.text.find(span) + len(span)) for span in said.evidence),
        )
        counts["checked"] += 1
        reporter.advanced(Stage.CHECK, counts.total(), counts)

    await for_each(iter(enumerate(texts)), work, workers=workers, switch=switch)
    reporter.finished(Stage.CHECK)
    return tuple(found[place] for place in sorted(found))


def findings_of(opinions: Sequence[Opinion], settings: ScreeningSettings) -> tuple[TextFinding, ...]:
    """What the model found as findings; words are never shown, since any may be personal."""
    return tuple(
        TextFinding(subject_id=one.subject_id, finding=_finding(one, name, settings))
        for one in opinions
        for name in one.categories
        if ScreenCategory(name) in (*settings.block, *settings.warn)
    )


def _finding(one: Opinion, name: str, settings: ScreeningSettings) -> ScreenFinding:
    category = ScreenCategory(name)
    start, end = one.spans[0]
    return ScreenFinding(
        category=category,
        severity=severity_of(category, settings),
        field=one.field,
        start=start,
        end=end,
        shown=STARS,
        by="model",
    )
