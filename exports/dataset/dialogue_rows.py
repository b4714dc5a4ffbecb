"""From stable dialogues to published rows, and from a row back to the dialogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from curation.dialogues.records import KeptDialogue
from exports.dataset.facts import public_model
from exports.dataset.history import Added
from exports.dataset.release import Release
from exports.dataset.rows import added_now
from salitrap.dialogues import Control, Dialogue, DialogueFact, Pattern, Replay, Turn, dialogue_findings
from salitrap.records.base import Record
from salitrap.records.candidate import Rejection
from salitrap.records.enums import Fault, Language, Stage, Tier
from salitrap.records.ids import content_hash


class PublishedDialogue(Record):
    """One row of the ``dialogues`` configuration."""

    dialogue_id: str
    seed_id: str
    source_id: str
    pattern: Pattern
    control: Control
    twin_of: str
    replay: Replay
    t_star: int | None
    turns: tuple[Turn, ...]
    facts: tuple[DialogueFact, ...]
    infeasible_when: tuple[tuple[str, ...], ...]
    trap_core: str
    ground_truth: str
    injected_numbers: tuple[str, ...]
    dimension_tag: str
    naturalness_score: float | None
    attack_tier: Tier
    language: Language
    version_added: str
    date_added: str | None = None
    solver_family: str
    stability_rate: float | None
    simulated: bool
    canary: str
    content_hash: str

    @property
    def dialogue(self) -> Dialogue:
        """The dialogue as it is played; its id is the row's when the row is sound."""
        return Dialogue.model_validate({name: getattr(self, name) for name in _SHARED})


_SHARED = tuple(name for name in Dialogue.model_fields if name != "provenance")


class RetiredDialogue(PublishedDialogue):
    """A row that a later version took out: which one, on which day, and why."""

    retired_in: str
    retired_on: str
    retired_reason: str


class DialogueSelection(Record):
    """Rows in published order, what was withheld, and those retired in this version or before."""

    rows: tuple[PublishedDialogue, ...] = ()
    withheld: tuple[Rejection, ...] = ()
    retired: tuple[RetiredDialogue, ...] = ()


def select_dialogues(
    kept: Iterable[KeptDialogue],
    release: Release,
    added_in: Mapping[str, Added],
    repeated: Iterable[Rejection] = (),
    retired: Iterable[RetiredDialogue] = (),
) -> DialogueSelection:
    """Turn stable dialogues into rows: families together, each trap dialogue before its controls.

    A dialogue that breaks a rule is withheld with the reason, and so is one of ``repeated``, the rejections
    of those that repeat another family, and one that is ``retired``; their controls go with them.
    """
    rows: dict[str, PublishedDialogue] = {}
    withheld = list[Rejection]()
    known = {rejection.subject_id: rejection for rejection in repeated}
    gone = {row.dialogue_id: row for row in sorted(retired, key=dialogue_order)}
    for one in kept:
        if one.dialogue_id in known:
            withheld.append(known[one.dialogue_id])
            continue
        if one.dialogue_id in gone:
            row = gone[one.dialogue_id]
            reason = f"retired in {row.retired_in}: {row.retired_reason}"
            withheld.append(_withhold(one, reason, Fault.RETIRED))
            continue
        found = dialogue_findings(one.dialogue)
        orphan = one.control is not Control.NONE and one.dialogue.twin_of not in rows
        if found or orphan:
            reason = str(found[0]) if found else f"its trap dialogue {one.dialogue.twin_of} is not published"
            withheld.append(_withhold(one, reason))
        elif one.dialogue_id not in rows:
            added = added_in.get(one.dialogue_id, added_now(release))
            rows[one.dialogue_id] = published(one, release, added)
    ordered = tuple(sorted(rows.values(), key=dialogue_order))
    return DialogueSelection(rows=ordered, withheld=tuple(withheld), retired=tuple(gone.values()))


def published(kept: KeptDialogue, release: Release, added: Added) -> PublishedDialogue:
    """Return the published row of a stable dialogue."""
    dialogue, trap = kept.dialogue, kept.control is Control.NONE
    family = next((one.solver_family for one in kept.playings if one.solver_family), "")
    return PublishedDialogue(
        **{name: getattr(dialogue, name) for name in _SHARED},
        dialogue_id=dialogue.dialogue_id,
        injected_numbers=dialogue.injected_numbers,
        naturalness_score=kept.naturalness if trap else None,
        attack_tier=kept.tier if trap else Tier.NONE,
        version_added=added.version,
        date_added=added.date,
        solver_family=public_model(family),
        stability_rate=kept.stability.rate if trap and kept.stability is not None else None,
        simulated=kept.simulated,
        canary=release.canary,
        content_hash=content_hash([[turn.content for turn in dialogue.turns], dialogue.t_star]),
    )


def dialogue_order(row: PublishedDialogue) -> tuple[str, str, str, str, str, bool, str, str]:
    """The published order."""
    trap = row.twin_of or row.dialogue_id
    return (
        row.dimension_tag,
        row.language.value,
        row.seed_id,
        row.pattern.value,
        trap,
        row.control is not Control.NONE,
        row.control.value,
        row.dialogue_id,
    )


def _withhold(kept: KeptDialogue, reason: str, fault: Fault = Fault.BAD_STRUCTURE) -> Rejection:
    dialogue = kept.dialogue
    return Rejection(
        stage=Stage.BUILD.value,
        subject_id=kept.dialogue_id,
        seed_id=dialogue.seed_id,
        dimension_tag=dialogue.dimension_tag,
        language=dialogue.language,
        fault=fault,
        reason=reason,
        raw=dialogue.user_text,
    )
