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
from curation.registry.progress import last_change, refuse_hardening
from curation.review.items import items_of_run
from exports.calibration.standing import standing_of_run
from exports.dataset import BuiltDataset, ReleaseFacts, build_dataset
from exports.dataset.facts import JudgeStanding
from salitrap import __version__
from salitrap.errors import InputError
from salitrap.records import CertifiedItem, Language, Status

MEND = "salitrap calibrate --run RUN, then build again"
"""What a card says to do about a judge that is not calibrated; a card names no folder of its maker."""


def build_from_run(
    directory: Path,
    *,
    out: Path,
    version: str,
    license: str,
    name: str | None = None,
    date: str | None = None,
    previous: Path | None = None,
    overwrite: bool = True,
) -> BuiltDataset:
    """Build the dataset folder of a run's items.

    ``name`` is the run's own by default, ``date`` the day on which the run last changed: both stand in the
    run, so that building again gives the same bytes.

    Without ``overwrite`` a dataset that stands in ``out`` gives way to a higher version only.

    Raises:
        InputError: the run has no items, or hardens a release, or version, license, name, date or ``out``
            cannot be used.
        RunDirectoryError: no run here, damaged, or written by a newer version.
        DiskFull: the folder could not be written.
    """
    layout = Layout(directory)
    revision = read_revisions(layout)[-1]
    with closing(Registry.open_reader(layout.registry)) as registry:
        refuse_hardening(registry)
        certified = tuple(items_of_run(registry))
        dialogues = tuple(stable_dialogues(registry))
        funnel, changed = funnel_of(registry), last_change(registry)
    if not certified:
        raise InputError(_without_items(directory, funnel))
    judge = standing_of_run(directory, MEND)
    facts = facts_of(revision, funnel, certified, judge)
    return build_dataset(
        certified,
        facts,
        dialogues=dialogues,
        screening=revision.settings.screening,
        repeated=repeated_dialogues(dialogues, certified, revision.settings.scale.similarity),
        out=out,
        version=version,
        license=license,
        name=name or revision.settings.name,
        dev_share=revision.settings.build.dev_share,
        date=date or changed,
        previous=previous,
        overwrite=overwrite,
    )


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
