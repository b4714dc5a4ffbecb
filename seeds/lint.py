"""The linter: all findings about domain files at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from salitrap.errors import SeedFileError
from salitrap.settings import ScaleSettings
from seeds.document import Document, open_document
from seeds.domain_check import domain_findings
from seeds.findings import Code, Finding, Severity
from seeds.form_check import form_findings
from seeds.pair_check import pair_findings
from seeds.placeholder_check import placeholder_findings
from seeds.seed_check import seed_findings
from seeds.shipped import shipped_tag_findings


def lint_file(path: Path, settings: ScaleSettings | None = None) -> tuple[Finding, ...]:
    """All findings about one file, by line.

    Raises:
        InputError: the file is missing, a folder, or unreadable.
    """
    return lint_files((path,), settings)


def lint_files(paths: Sequence[Path], settings: ScaleSettings | None = None) -> tuple[Finding, ...]:
    """All findings about files that are used together, by file in the order given, then by line.

    A file that is not YAML gives one finding, and the others are checked all the same.

    Raises:
        InputError: a file is missing, a folder, or unreadable.
    """
    used = settings or ScaleSettings()
    documents, findings = _open_all(paths)
    for document in documents:
        findings += _document_findings(document, used)
    findings += pair_findings(documents, used.similarity)
    findings += shipped_tag_findings(documents)
    order = {str(path): index for index, path in reversed(list(enumerate(paths)))}
    return tuple(sorted(findings, key=lambda finding: _position(finding, order)))


def has_errors(findings: Sequence[Finding]) -> bool:
    """True when a finding is more than a warning."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def _open_all(paths: Sequence[Path]) -> tuple[list[Document], list[Finding]]:
    documents, broken = [], []
    for path in dict.fromkeys(paths):
        try:
            documents.append(open_document(path))
        except SeedFileError as error:
            broken.append(_broken(path, error))
    return documents, broken


def _broken(path: Path, error: SeedFileError) -> Finding:
    prefix = f"{path}:{error.line}: " if error.line is not None else f"{path}: "
    return Finding(
        path=str(path),
        line=error.line or 1,
        seed=error.seed,
        field=error.field,
        code=Code.NOT_YAML,
        severity=Severity.ERROR,
        message=" ".join(str(error).removeprefix(prefix).split()),
        repair="correct this first; nothing else in the file could be checked",
    )


def _document_findings(document: Document, settings: ScaleSettings) -> Iterator[Finding]:
    yield from form_findings(document)
    yield from domain_findings(document)
    yield from placeholder_findings(document)
    for view in document.seeds:
        yield from seed_findings(view, settings)


def _position(finding: Finding, order: dict[str, int]) -> tuple[int, int, str, str, str]:
    return (order[finding.path], finding.line, finding.code.value, finding.field or "", finding.message)
