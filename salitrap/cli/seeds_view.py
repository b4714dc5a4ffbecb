"""How the ``seeds`` commands show findings and seeds; everything authored is plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from salitrap.records import Domain, Seed
from salitrap.text import find_numerals
from seeds import Finding, Severity

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow"}


def finding_lines(findings: Sequence[Finding], files: int) -> Iterator[Text]:
    """One line a finding, then a line of counts."""
    for finding in findings:
        line = Text(f"{finding.where} ")
        line.append(f"{finding.severity.value} {finding.code.value}", style=_STYLES[finding.severity])
        line.append(f" {_one_line(finding.message)}; {_one_line(finding.repair)}")
        yield line
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    warnings = len(findings) - errors
    yield Text(f"{files} files: {errors} errors, {warnings} warnings", style="bold")


def findings_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """Findings and counts."""
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    return {
        "errors": errors,
        "warnings": len(findings) - errors,
        "findings": [finding.model_dump(mode="json") for finding in findings],
    }


def seed_row(seed: Seed) -> list[object]:
    """One row of the list."""
    return [seed.dimension_tag, seed.key, seed.language.value, seed.scenario, len(seed.injected_numbers)]


def summary_json(domain: Domain, seed: Seed) -> dict[str, Any]:
    """What a list needs of one seed."""
    return {
        "dimension_tag": domain.tag,
        "key": seed.key,
        "seed_id": seed.seed_id,
        "language": seed.language.value,
        "scenario": seed.scenario,
        "numbers": len(seed.injected_numbers),
    }


def seed_json(seed: Seed) -> dict[str, Any]:
    """The whole seed with its id."""
    return {"seed_id": seed.seed_id, **seed.model_dump(mode="json")}


def seed_text(domain: Domain, seed: Seed) -> Text:
    """The seed for reading: numerals of the prompt and the trap core stand out."""
    name = domain.name.get(seed.language, domain.tag)
    shown = Text()
    shown.append(f"{seed.scenario}\n", style="bold")
    shown.append(f"{seed.key}  {seed.seed_id}\n{domain.tag} {name}, {seed.language.value}\n\n", style="dim")
    shown.append_text(_with_numerals(seed.prompt))
    shown.append("\n\n")
    _field(shown, "trap core", Text(seed.trap_core, style="bold red"))
    _field(shown, "ground truth", Text(seed.ground_truth, style="green"))
    _field(shown, "numbers", Text(", ".join(seed.injected_numbers), style="bold cyan"))
    _field(shown, "triple", Text(f"{seed.triple.tool} / {seed.triple.object} / {seed.triple.action}"))
    _field(shown, "niche", Text(f"{seed.niche.tool} / {seed.niche.scene} / {seed.niche.life_area}"))
    _field(shown, "preserve", Text("; ".join(seed.preserve)))
    _field(shown, "avoid", Text("; ".join(seed.avoid)))
    return shown


def _field(shown: Text, name: str, value: Text) -> None:
    shown.append(f"{name}: ", style="dim")
    shown.append_text(value)
    shown.append("\n")


def _with_numerals(prompt: str) -> Text:
    marked = Text(prompt)
    for numeral in find_numerals(prompt):
        marked.stylize("bold cyan", numeral.start, numeral.end)
    return marked


def _one_line(text: str) -> str:
    return " ".join(text.split())
