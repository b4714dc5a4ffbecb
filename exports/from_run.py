"""A dataset folder from a run directory."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from curation.directory import Layout, Revision, read_revisions
from curation.fingerprints import settings_fingerprint
from curation.funnel import funnel_of
from curation.registry import Registry
from curation.registry.queries import items
from exports.dataset import BuiltDataset, ReleaseFacts, build_dataset
from salitrap import __version__
from salitrap.errors import InputError
from salitrap.records import Language


def build_from_run(
    directory: Path,
    *,
    out: Path,
    version: str,
    license: str,
    name: str | None = None,
    previous: Path | None = None,
    overwrite: bool = True,
) -> BuiltDataset:
    """Build the dataset folder of a run's items; ``name`` is the run's own by default.

    Without ``overwrite`` a dataset that stands in ``out`` gives way to a higher version only.

    Raises:
        InputError: the run has no items yet, or version, license, name or ``out`` cannot be used.
        RunDirectoryError: no run here, damaged, or written by a newer version.
        DiskFull: the folder could not be written.
    """
    layout = Layout(directory)
    revision = read_revisions(layout)[-1]
    with closing(Registry.open_reader(layout.registry)) as registry:
        certified = tuple(items(registry))
        facts = facts_of(revision, registry, simulated=any(item.simulated for item in certified))
    if not certified:
        raise InputError(
            f"{directory}: no stable items yet; run the certify stage first, see 'salitrap status'"
        )
    return build_dataset(
        certified,
        facts,
        out=out,
        version=version,
        license=license,
        name=name or revision.settings.name,
        dev_share=revision.settings.build.dev_share,
        previous=previous,
        overwrite=overwrite,
    )


def facts_of(revision: Revision, registry: Registry, *, simulated: bool) -> ReleaseFacts:
    """What the card and the manifest say of the run."""
    settings = revision.settings
    return ReleaseFacts(
        tool_version=__version__,
        settings_hash=settings_fingerprint(settings),
        models={
            role.value: tuple(endpoint.spec for endpoint in pool.endpoints)
            for role, pool in settings.roles.items()
        },
        prompts=revision.prompts,
        funnel=funnel_of(registry).lines(),
        dimensions={tag: _readable(fact.name, tag) for tag, fact in revision.domains.items()},
        simulated=simulated,
    )


def _readable(names: dict[Language, str], tag: str) -> str:
    return names.get(Language.EN) or next(iter(names.values()), tag)
