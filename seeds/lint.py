"""The linter: all findings about domain files at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from salitrap.settings import ScaleSettings
from seeds.document import Document, read_document
from seeds.domain_check import domain_findings
from seeds.findings import Finding, Severity
from seeds.form_check import form_findings
from seeds.layout_check import layout_findings
from seeds.mends import mends
from seeds.pair_check import pair_findings
from seeds.placeholder_check import placeholder_findings
from seeds.scalar_check import scalar_findings
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

    A file that is not YAML gives the findings about its text, and the others are checked all the same.

    Raises:
        InputError: a file is missing, a folder, or unreadable.
    """
    used = settings or ScaleSettings()
    documents = [read_document(path) for path in dict.fromkeys(paths)]
    findings = [finding for document in documents for finding in document_findings(document, used)]
    findings += pair_findings(documents, used.similarity)
    findings += shipped_tag_findings(documents)
    order = {str(path): index for index, path in reversed(list(enumerate(paths)))}
    return tuple(sorted(findings, key=lambda finding: _position(finding, order)))


def has_errors(findings: Sequence[Finding]) -> bool:
    """True when a finding is more than a warning."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def document_findings(document: Document, settings: ScaleSettings) -> tuple[Finding, ...]:
    """Findings about one file on its own; those that ``--fix`` mends are marked."""
    found = tuple(_document_findings(document, settings))
    fixable = {(code, mend.line) for mend in mends(document, settings) for code in mend.codes}
    return tuple(
        finding.model_copy(update={"fixable": (finding.code, finding.line) in fixable}) for finding in found
    )


def _document_findings(document: Document, settings: ScaleSettings) -> Iterator[Finding]:
    yield from document.source_findings()
    yield from layout_findings(document)
    if document.reading is None or not document.reading.is_whole:
        return
    yield from form_findings(document)
    yield from domain_findings(document)
    yield from scalar_findings(document)
    yield from placeholder_findings(document)
    for view in document.seeds:
        yield from seed_findings(view, settings)


def _position(finding: Finding, order: dict[str, int]) -> tuple[int, int, str, str, str]:
    return (order[finding.path], finding.line, finding.code.value, finding.field or "", finding.message)
