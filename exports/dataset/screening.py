"""Screen what a build is about to publish; what is found is left out, refused or reported, never silent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from checkers.screening import ScreenFinding, Severity, masked_text, screen_text
from curation.dialogues.records import KeptDialogue
from exports.dataset.facts import ScreeningCounts
from salitrap.dialogues import Dialogue
from salitrap.errors import InputError
from salitrap.records.candidate import Rejection
from salitrap.records.enums import Fault, Stage
from salitrap.records.item import CertifiedItem
from salitrap.settings.screening import ScreeningSettings

ITEM_FIELDS = ("prompt", "trap_core", "ground_truth")
DIALOGUE_FIELDS = ("trap_core", "ground_truth")


class Screened(NamedTuple):
    """What may be published, what was left out with its reason, and the counts; None when switched off."""

    items: tuple[CertifiedItem, ...]
    dialogues: tuple[KeptDialogue, ...]
    left_out: tuple[Rejection, ...]
    counts: ScreeningCounts | None
    notices: tuple[str, ...]


def screen_release(
    items: Iterable[CertifiedItem], dialogues: Iterable[KeptDialogue], settings: ScreeningSettings
) -> Screened:
    """Screen every published text of items and dialogues.

    Raises:
        InputError: something is blocked and the settings say to refuse.
    """
    given, talks = tuple(items), tuple(dialogues)
    if not settings.rules:
        return Screened(given, talks, (), None, ())
    found = {item.item_id: screen_fields(item_texts(item), settings) for item in given}
    told = {talk.dialogue_id: screen_fields(dialogue_texts(talk.dialogue), settings) for talk in talks}
    blocked = {name for name, ones in {**found, **told}.items() if is_blocked(ones)}
    if blocked and settings.on_finding == "refuse":
        raise InputError(_refusal(sorted(blocked), {**found, **told}))
    out = blocked if settings.on_finding == "leave_out" else set()
    left = [_item_rejection(one, found[one.item_id]) for one in given if one.item_id in out]
    left += [_dialogue_rejection(one, told[one.dialogue_id]) for one in talks if one.dialogue_id in out]
    counts = _counts([*found.values(), *told.values()], len(left), settings)
    return Screened(
        tuple(one for one in given if one.item_id not in out),
        tuple(one for one in talks if one.dialogue_id not in out),
        tuple(left),
        counts,
        _notices(counts),
    )


def item_texts(item: CertifiedItem) -> dict[str, str]:
    """Published texts of an item by field."""
    return {name: getattr(item, name) for name in ITEM_FIELDS}


def dialogue_texts(dialogue: Dialogue) -> dict[str, str]:
    """Published texts of a dialogue by field; turns by their place."""
    turns = {f"turns.{place}": turn.content for place, turn in enumerate(dialogue.turns)}
    return turns | {name: getattr(dialogue, name) for name in DIALOGUE_FIELDS}


def screen_fields(texts: Mapping[str, str], settings: ScreeningSettings) -> tuple[ScreenFinding, ...]:
    """Findings of several fields of one thing."""
    return tuple(one for name, text in texts.items() for one in screen_text(text, settings, name))


def is_blocked(findings: Iterable[ScreenFinding]) -> bool:
    """True when one of them keeps the text back."""
    return any(one.severity is Severity.BLOCK for one in findings)


def reason_of(findings: Iterable[ScreenFinding]) -> str:
    """The blocking findings in one line, masked."""
    return "; ".join(one.told for one in findings if one.severity is Severity.BLOCK)


def _item_rejection(item: CertifiedItem, findings: tuple[ScreenFinding, ...]) -> Rejection:
    return Rejection(
        stage=Stage.BUILD.value,
        subject_id=item.item_id,
        seed_id=item.seed_id,
        dimension_tag=item.dimension_tag,
        language=item.language,
        fault=_fault(findings),
        reason=f"screening: {reason_of(findings)}",
        raw=masked_text(item.prompt, [one for one in findings if one.field == "prompt"]),
    )


def _dialogue_rejection(kept: KeptDialogue, findings: tuple[ScreenFinding, ...]) -> Rejection:
    return Rejection(
        stage=Stage.BUILD.value,
        subject_id=kept.dialogue_id,
        seed_id=kept.dialogue.seed_id,
        dimension_tag=kept.dialogue.dimension_tag,
        language=kept.dialogue.language,
        fault=_fault(findings),
        reason=f"screening: {reason_of(findings)}",
        raw="",
    )


def _fault(findings: Iterable[ScreenFinding]) -> Fault:
    first = next(one for one in findings if one.severity is Severity.BLOCK)
    return Fault.PERSONAL_DATA if first.category.is_personal else Fault.UNSAFE_CONTENT


def _counts(
    found: Iterable[tuple[ScreenFinding, ...]], left_out: int, settings: ScreeningSettings
) -> ScreeningCounts:
    things = list(found)
    counted = Counter(key for ones in things for key in {(one.severity, one.category.value) for one in ones})
    by = {
        severity: {name: count for (kind, name), count in sorted(counted.items()) if kind is severity}
        for severity in Severity
    }
    return ScreeningCounts(
        screened=len(things),
        left_out=left_out,
        on_finding=settings.on_finding,
        blocked=by[Severity.BLOCK],
        warned=by[Severity.WARN],
    )


def _notices(counts: ScreeningCounts) -> tuple[str, ...]:
    parts = []
    if counts.blocked:
        done = (
            f"{counts.left_out} left out"
            if counts.left_out
            else "published all the same (on_finding: report)"
        )
        parts.append(f"screening blocks {_told(counts.blocked)}: {done}")
    if counts.warned:
        parts.append(f"screening warns of {_told(counts.warned)}; nothing was left out for that")
    return tuple(parts)


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _refusal(blocked: list[str], found: Mapping[str, tuple[ScreenFinding, ...]]) -> str:
    return (
        f"screening blocks {len(blocked)} texts, the first {blocked[0]}: {reason_of(found[blocked[0]])}; "
        "nothing was written; edit or reject them in review, or see screening.allow and screening.on_finding"
    )


def screening_line(counts: ScreeningCounts | None) -> str:
    """What the card says."""
    if counts is None:
        return "Screening for personal data and unsafe content: switched off."
    blocked = _told(counts.blocked) or "none"
    acted = (
        f"{counts.left_out} left out" if counts.left_out or not counts.blocked else "published all the same"
    )
    return (
        f"Screening for personal data and unsafe content, by rules: {counts.screened:,} texts; "
        f"blocked: {blocked} ({acted}); warned: {_told(counts.warned) or 'none'}."
    )
