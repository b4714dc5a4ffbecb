"""A dataset folder from a run directory."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from curation.dialogues.duplicates import repeated_dialogues
from curation.directory import Layout, Revision, read_revisions
from curation.fingerprints import settings_fingerprint
from curation.funnel import Funnel, funnel_of
from curation.registry import Registry
from curation.registry.dialogues import stable_dialogues
from curation.registry.progress import last_change
from curation.review.items import items_of_run
from exports.calibration.standing import standing_of_run
from exports.dataset import BuiltDataset, ReleaseFacts, build_dataset
from exports.dataset.facts import JudgeStanding
from exports.dataset.layout import MANIFEST
from exports.dataset.manifest import read_manifest
from exports.dataset.splits import is_held_out
from salitrap import __version__
from salitrap.errors import InputError
from salitrap.records import CertifiedItem, Language, Status

MEND = "salitrap calibrate --run RUN, then build again"
"""What a card says to do about a judge that is not calibrated; a card names no folder of its maker."""


def build_from_run(  # noqa: PLR0913  # what a user chooses for a release, one keyword each
    directory: Path,
    *,
    out: Path,
    version: str,
    license: str,
    name: str | None = None,
    date: str | None = None,
    previous: Path | None = None,
    overwrite: bool = True,
    holdout: Path | None = None,
) -> BuiltDataset:
    """Build the dataset folder of a run's items.

    ``name`` is the run's own by default, ``date`` the day on which the run last changed: both stand in the
    run, so that building again gives the same bytes.

    Without ``overwrite`` a dataset that stands in ``out`` gives way to a higher version only. Where the
    settings keep families back, they go to the folder ``holdout``, which carries itself on from version to
    version; what is returned is the public one.

    Raises:
        InputError: the run has no items, or version, license, name, date or ``out`` cannot be used.
        RunDirectoryError: no run here, damaged, or written by a newer version.
        DiskFull: the folder could not be written.
    """
    layout = Layout(directory)
    revision = read_revisions(layout)[-1]
    with closing(Registry.open_reader(layout.registry)) as registry:
        certified = tuple(items_of_run(registry))
        dialogues = tuple(stable_dialogues(registry))
        funnel, changed = funnel_of(registry), last_change(registry)
    if not certified:
        raise InputError(_without_items(directory, funnel))
    facts = facts_of(revision, funnel, certified, standing_of_run(directory, MEND))
    share = revision.settings.build.holdout_share
    _refuse_lost_families(share, holdout)
    repeated = {
        one.subject_id: one
        for one in repeated_dialogues(dialogues, certified, revision.settings.scale.similarity)
    }

    def build(place: Path, before: Path | None, *, is_holdout: bool) -> BuiltDataset:
        talks = [one for one in dialogues if is_held_out(one.dialogue.seed_id, share) == is_holdout]
        return build_dataset(
            [item for item in certified if is_held_out(item.seed_id, share) == is_holdout],
            facts,
            dialogues=talks,
            screening=revision.settings.screening,
            repeated=[repeated[one.dialogue_id] for one in talks if one.dialogue_id in repeated],
            out=place,
            version=version,
            license=license,
            name=name or revision.settings.name,
            dev_share=revision.settings.build.dev_share,
            holdout_share=share,
            is_holdout=is_holdout,
            date=date or changed,
            previous=before,
            overwrite=overwrite,
        )

    kept_back = sum(is_held_out(item.seed_id, share) for item in certified)
    if holdout is not None and kept_back:
        build(holdout, _carried_on(holdout, version), is_holdout=True)
    built = build(out, previous, is_holdout=False)
    return built.model_copy(update={"held_out": kept_back})


def _refuse_lost_families(share: float, holdout: Path | None) -> None:
    if share and holdout is None:
        raise InputError(
            f"build.holdout_share {share:g} keeps families back; give --holdout with a folder for them, "
            "which stays private"
        )
    if holdout is not None and not share:
        raise InputError("--holdout: the settings keep no family back; set build.holdout_share, say 0.1")


def _carried_on(holdout: Path, version: str) -> Path | None:
    """The holdout of an earlier version in the same place; the version itself is built anew."""
    if not (holdout / MANIFEST).is_file() or read_manifest(holdout).version == version:
        return None
    return holdout


def _without_items(directory: Path, funnel: Funnel) -> str:
    """Why there is nothing to build: stages that never ran, failed calls, or nothing that is stable."""
    candidates, status = funnel.candidates, shlex.join(["salitrap", "status", str(directory)])
    if not candidates.seeds_certified:
        missing = "certify" if candidates.seeds_refined else "refine"
        return f"{directory}: no items yet; run the {missing} stage first, see {status}"
    rejects = shlex.quote(str(directory / "rejects.jsonl"))
    if unsettled := candidates.count(Status.UNSETTLED):
        why = f", mostly: {candidates.unsettled_reason}" if candidates.unsettled_reason else ""
        return (
            f"{directory}: no item is stable: {unsettled} of {candidates.written} candidates could not be "
            f"judged{why}; repeat the run to try them again, see {rejects}"
        )
    unstable, rejected = candidates.count(Status.UNSTABLE), candidates.count(Status.REJECTED)
    by_people = f", {rejected} were rejected by people" if rejected else ""
    return (
        f"{directory}: no item is stable: of {candidates.written} candidates {unstable} were certified and "
        f"did not stand the repeats{by_people}, the others were not certified; see {status} and {rejects}"
    )


def facts_of(
    revision: Revision,
    funnel: Funnel,
    items: Sequence[CertifiedItem],
    judge: JudgeStanding | None = None,
) -> ReleaseFacts:
    """What card and manifest say of the run; dimensions have names in the items' language, if that is one."""
    settings, languages = revision.settings, {item.language for item in items}
    named_in = languages.pop() if len(languages) == 1 else Language.EN
    return ReleaseFacts(
        tool_version=__version__,
        settings_hash=settings_fingerprint(settings),
        models={
            role.value: tuple(endpoint.spec for endpoint in pool.endpoints)
            for role, pool in settings.roles.items()
        },
        prompts=revision.prompts,
        funnel=funnel.lines(),
        dimensions={tag: _readable(fact.name, named_in, tag) for tag, fact in revision.domains.items()},
        simulated=any(item.simulated for item in items),
        judge=judge,
    )


def _readable(names: dict[Language, str], language: Language, tag: str) -> str:
    return names.get(language) or next(iter(names.values()), tag)
