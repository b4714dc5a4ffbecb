"""Domain files as records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from salitrap.errors import SeedFileError
from salitrap.records import Domain, Language, Niche, Niches, Seed, Triple
from salitrap.text import missing_numbers
from seeds.document import Document, open_document
from seeds.domain_check import language_findings
from seeds.findings import Finding
from seeds.form_check import form_findings
from seeds.forms import DomainForm, NichesForm, SeedForm
from seeds.structure import why_missing

BUILTIN = "builtin"
_BUILTIN_FILES = (
    "missing_prerequisite.yaml",
    "environmental_mismatch.yaml",
    "temporal_physiological.yaml",
    "rule_mismatch.yaml",
)


def builtin_paths() -> tuple[Path, ...]:
    """The four shipped domain files, D1 to D4."""
    return tuple(Path(__file__).parent / name for name in _BUILTIN_FILES)


def load_domain(path: Path | str) -> Domain:
    """Read one domain file.

    Form, languages, unique keys and listed numbers are checked; ``lint_file`` checks far more.

    Raises:
        InputError: the file is missing, a folder, or unreadable.
        SeedFileError: the first fault of the file, with line, seed and field.
    """
    document = open_document(Path(path))
    faults = [*form_findings(document), *language_findings(document)]
    if faults:
        raise _error(min(faults, key=lambda fault: fault.line), len(faults))
    form = DomainForm.model_validate(document.source.value)
    _require_unique_keys(document, form)
    _require_numbers(document, form)
    return _domain(form)


def load_domains(names: Sequence[str]) -> tuple[Domain, ...]:
    """Read several; the name ``builtin`` stands for the four shipped files.

    Raises:
        InputError: as ``load_domain``.
        SeedFileError: as ``load_domain``; also a tag or a key that two files share.
    """
    domains = {path: load_domain(path) for path in domain_paths(names)}
    tags: dict[str, Path] = {}
    keys: dict[str, Path] = {}
    for path, domain in domains.items():
        _claim(tags, domain.tag, path, None, "tag")
        for seed in domain.seeds:
            _claim(keys, seed.key, path, seed.key, "key")
    return tuple(domains.values())


def domain_paths(names: Sequence[str]) -> tuple[Path, ...]:
    """Files that ``names`` stand for, each once, in order."""
    paths = (path for name in names for path in (builtin_paths() if name == BUILTIN else (Path(name),)))
    return tuple(dict.fromkeys(paths))


def _error(finding: Finding, count: int) -> SeedFileError:
    more = f" ({count - 1} more; see 'salitrap seeds lint')" if count > 1 else ""
    return SeedFileError(
        f"{finding.message}; {finding.repair}{more}",
        path=finding.path,
        line=finding.line,
        seed=finding.seed,
        field=finding.field,
    )


def _require_unique_keys(document: Document, form: DomainForm) -> None:
    lines: dict[str, int] = {}
    for index, seed in enumerate(form.seeds):
        line = document.source.line_of(("seeds", index, "key"))
        if seed.key in lines:
            raise SeedFileError(
                f"the same key stands on line {lines[seed.key]}; choose another",
                path=document.path,
                line=line,
                seed=seed.key,
                field="key",
            )
        lines[seed.key] = line


def _require_numbers(document: Document, form: DomainForm) -> None:
    for index, seed in enumerate(form.seeds):
        absent = [entry for entry in seed.injected_numbers if entry not in seed.prompt]
        absent = absent or list(missing_numbers(seed.injected_numbers, seed.prompt))
        if absent:
            raise SeedFileError(
                f"{why_missing(absent[0], seed.prompt)}; list numerals as the prompt writes them",
                path=document.path,
                line=document.source.line_of(("seeds", index, "injected_numbers")),
                seed=seed.key,
                field="injected_numbers",
            )


def _claim(taken: dict[str, Path], value: str, path: Path, seed: str | None, field: str) -> None:
    if value in taken:
        raise SeedFileError(
            f"{value!r} is used in {taken[value]} too; choose another", path=path, seed=seed, field=field
        )
    taken[value] = path


def _domain(form: DomainForm) -> Domain:
    return Domain(
        tag=form.tag,
        name=_stripped(form.name),
        definition=_stripped(form.definition),
        niches={language: _niches(niches) for language, niches in form.niches.items()},
        seeds=tuple(_seed(seed, form.tag) for seed in form.seeds),
    )


def _seed(form: SeedForm, tag: str) -> Seed:
    return Seed(
        key=form.key,
        dimension_tag=tag,
        language=form.language,
        scenario=form.scenario.strip(),
        prompt=form.prompt.strip(),
        trap_core=form.trap_core.strip(),
        ground_truth=form.ground_truth.strip(),
        injected_numbers=tuple(form.injected_numbers),
        triple=Triple.model_validate(form.triple.model_dump()),
        preserve=tuple(form.preserve),
        avoid=tuple(form.avoid),
        niche=Niche.model_validate(form.niche.model_dump()),
    )


def _niches(form: NichesForm) -> Niches:
    return Niches.model_validate(form.model_dump())


def _stripped(texts: dict[Language, str]) -> dict[Language, str]:
    return {language: text.strip() for language, text in texts.items()}
