"""``salitrap seeds lint``: findings as text or JSON, and mending what is safe."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salitrap.cli.console import err, out, print_json
from salitrap.cli.options import AsJson
from salitrap.cli.seed_text import visible
from salitrap.errors import ExitCode, InputError

if TYPE_CHECKING:
    from rich.text import Text

    from seeds import Finding, Fixed

_FORMAT = 1
"""Changes when a field of the JSON report changes its name or its meaning."""


def lint(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Domain files; default the shipped ones.", metavar="[PATH]...")
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend in the files what can be mended safely, report the rest.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", "--dry-run", help="Show what --fix would change; write nothing.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
    as_json: AsJson = False,
) -> None:
    """Report every fault of domain files that are used together, with line, field and repair."""
    from seeds import builtin_paths, has_errors, lint_files

    if (fix or diff) and not paths:
        raise InputError("--fix and --diff want the files named; the shipped ones stay as they are")
    if diff and as_json:
        raise InputError("--diff prints a diff and --json prints JSON; choose one of them")
    checked = tuple(dict.fromkeys(paths or builtin_paths()))
    results = _mended(checked, write=not diff) if fix or diff else ()
    findings = lint_files(checked)
    if as_json:
        print_json(_record(checked, findings, results if fix else None))
    elif not diff:
        for finding in findings:
            out().print(_finding_text(finding), soft_wrap=True)
    _tell(checked, findings, results, dry=diff, quiet=as_json)
    if has_errors(findings) or (strict and findings):
        raise typer.Exit(ExitCode.FINDINGS)


def _mended(paths: tuple[Path, ...], *, write: bool) -> tuple[Fixed, ...]:
    """Mend each file, or show on stdout what mending would change."""
    from seeds import fix_file, write_fixed

    results = tuple(fix_file(path) for path in paths)
    for result in results:
        if not write:
            sys.stdout.write(visible(result.diff(), keep="\n\t"))
        elif result.changes:
            write_fixed(result)
    return results


def _tell(
    paths: tuple[Path, ...],
    findings: tuple[Finding, ...],
    results: tuple[Fixed, ...],
    *,
    dry: bool,
    quiet: bool,
) -> None:
    """What was done and what is left, on stderr; with ``quiet`` only what was left undone."""
    for result in results:
        if result.refused:
            err().print(f"{result.path}: not mended; {result.refused}", soft_wrap=True)
        elif result.made and not quiet:
            err().print(f"{result.path}: {'would mend' if dry else 'mended'} {_made(result)}", soft_wrap=True)
    if not quiet:
        err().print(_summary(len(paths), findings), soft_wrap=True)
        fixable = sum(finding.fixable for finding in findings)
        if fixable and not results:
            err().print(f"{fixable} of them can be mended by --fix; --diff shows how", soft_wrap=True)


def _made(result: Fixed) -> str:
    """How often each code was mended: ``SL018 (2), SL062 (1)``."""
    counts = Counter(code.value for _, code in result.made)
    return ", ".join(f"{code} ({count})" for code, count in sorted(counts.items()))


def _record(
    paths: tuple[Path, ...], findings: tuple[Finding, ...], results: tuple[Fixed, ...] | None
) -> dict[str, object]:
    record: dict[str, object] = {
        "format": _FORMAT,
        "files": [str(path) for path in paths],
        **_counts(findings),
        "findings": [_finding_record(finding) for finding in findings],
    }
    if results is not None:
        record["mended"] = [
            {"file": str(result.path), "line": line, "code": code.value}
            for result in results
            for line, code in result.made
        ]
    return record


def _finding_record(finding: Finding) -> dict[str, object]:
    fields = finding.model_dump(mode="json")
    return {"file": fields.pop("path"), **fields}


def _counts(findings: tuple[Finding, ...]) -> dict[str, int]:
    from seeds import Severity

    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    return {"errors": errors, "warnings": len(findings) - errors}


def _summary(files: int, findings: tuple[Finding, ...]) -> str:
    counts = {"files": files, **_counts(findings)}
    return ", ".join(
        f"{count} {name if count != 1 else name.removesuffix('s')}" for name, count in counts.items()
    )


def _finding_text(finding: Finding) -> Text:
    from rich.text import Text

    from seeds import Severity

    style = "bold red" if finding.severity is Severity.ERROR else "yellow"
    return Text.assemble(
        visible(finding.where),
        " ",
        (f"{finding.severity.value} {finding.code.value}", style),
        f": {visible(finding.message)}\n    {visible(finding.repair)}",
    )
