"""``run.yaml``: what the run was started with, and every change since, one revision after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import yaml
from pydantic import Field, ValidationError

from curation.directory.layout import Layout, replace_file
from salitrap import __version__
from salitrap.errors import RunDirectoryError
from salitrap.records import Domain, Language, content_hash
from salitrap.records.base import Record
from salitrap.settings import Settings
from salitrap.yaml_source import read_yaml

FORMAT = 1
HEADER = f"# Written by salitrap; revisions are appended, never changed.\nformat: {FORMAT}\nrevisions:\n"


class DomainFact(Record):
    """What a run remembers of a domain file."""

    name: dict[Language, str]
    sha256: str


class Revision(Record):
    """Everything a run was given from some moment on.

    ``prompts`` maps ``id@version/language`` to the SHA-256 of the instructions. The hash is written
    last: where a file was cut off, it is missing, and defaults do not stand in for what was lost.
    """

    number: int
    at: str
    tool_version: str
    domains: dict[str, DomainFact]
    prompts: dict[str, str]
    settings: Settings
    settings_sha256: str = Field(pattern="^[0-9a-f]{64}$")

    @property
    def identity(self) -> str:
        """Hash of what was given, whenever it was."""
        return content_hash([self.settings_sha256, self.model_dump(mode="json")["domains"], self.prompts])


def record_revision(
    layout: Layout, settings: Settings, domains: Sequence[Domain], prompts: Mapping[str, str]
) -> Revision:
    """Return the revision that holds now, appending one when anything differs from the last.

    Raises:
        RunDirectoryError: ``run.yaml`` is damaged or of a newer version.
        DiskFull: it cannot be written.
    """
    known = read_revisions(layout) if layout.run_file.is_file() else ()
    now = _revision(len(known) + 1, settings, domains, prompts)
    if known and known[-1].identity == now.identity:
        return known[-1]
    before = layout.run_file.read_text(encoding="utf-8") if known else HEADER
    replace_file(layout.run_file, [before, _as_yaml(now)])
    return now


def read_revisions(layout: Layout) -> tuple[Revision, ...]:
    """All revisions, oldest first.

    Raises:
        RunDirectoryError: there is no run here, or ``run.yaml`` is damaged or newer.
        SeedFileError: it is not YAML.
    """
    layout.require()
    value = read_yaml(layout.run_file).value
    if not isinstance(value, dict) or not isinstance(value.get("revisions"), list):
        raise RunDirectoryError(f"{layout.run_file}: not a run file; restore it or start a new run")
    _require_known(value.get("format"), layout.run_file)
    try:
        return tuple(Revision.model_validate(revision) for revision in value["revisions"] or ())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise RunDirectoryError(
            f"{layout.run_file}: {where}: {first['msg']}; restore the file or start a new run"
        ) from error


def domain_fact(domain: Domain) -> DomainFact:
    """Name and content hash of a domain."""
    return DomainFact(name=domain.name, sha256=content_hash(domain.model_dump(mode="json")))


def _revision(
    number: int, settings: Settings, domains: Sequence[Domain], prompts: Mapping[str, str]
) -> Revision:
    return Revision(
        number=number,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        tool_version=__version__,
        domains={domain.tag: domain_fact(domain) for domain in domains},
        prompts=dict(sorted(prompts.items())),
        settings=settings,
        settings_sha256=content_hash(settings.model_dump(mode="json")),
    )


def _as_yaml(revision: Revision) -> str:
    listed = [revision.model_dump(mode="json")]
    return yaml.safe_dump(listed, allow_unicode=True, sort_keys=False, width=100)


def _require_known(found: object, path: Path) -> None:
    if not isinstance(found, str) or not found.isdigit() or int(found) < 1:
        raise RunDirectoryError(f"{path}: no usable 'format'; restore the file or start a new run")
    if int(found) > FORMAT:
        raise RunDirectoryError(
            f"{path}: written by a newer salitrap (format {found}, this one knows {FORMAT}); upgrade salitrap"
        )
