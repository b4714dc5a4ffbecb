"""``salitrap seeds``: check, list, read and start trap domains."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salitrap.cli.console import err, out, print_json, table
from salitrap.errors import ExitCode, InputError

if TYPE_CHECKING:
    from salitrap.records import Domain, Language, Seed

app = typer.Typer(help="Author trap domains.", no_args_is_help=True)

Domains = Annotated[
    list[str] | None,
    typer.Option("--domain", metavar="PATH", help="A domain file, or builtin; repeat for several."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
OnlyLanguage = Annotated[str | None, typer.Option("--language", help="en or zh.")]


@app.command("lint")
def lint(
    paths: Annotated[list[str] | None, typer.Argument(metavar="[PATH]...", help="Domain files.")] = None,
    domain: Domains = None,
    as_json: AsJson = False,
) -> None:
    """Report every fault of domain files; without a path, of the shipped ones."""
    from salitrap.cli.seeds_view import finding_lines, findings_json
    from seeds import domain_paths, has_errors, lint_files

    checked = domain_paths(_names(paths, domain))
    findings = lint_files(checked)
    if as_json:
        print_json(findings_json(findings))
    else:
        for line in finding_lines(findings, len(checked)):
            out().print(line, soft_wrap=True)
    if has_errors(findings):
        raise typer.Exit(ExitCode.FINDINGS)


@app.command("list")
def list_seeds(
    paths: Annotated[list[str] | None, typer.Argument(metavar="[PATH]...", help="Domain files.")] = None,
    domain: Domains = None,
    language: OnlyLanguage = None,
    as_json: AsJson = False,
) -> None:
    """List the expert seeds of domain files; without a path, of the shipped ones."""
    from salitrap.cli.seeds_view import seed_row, summary_json

    wanted = _language(language) if language else None
    domains = _load(paths, domain)
    chosen = [(where, seed) for where in domains for seed in where.seeds if wanted in (None, seed.language)]
    if as_json:
        print_json([summary_json(where, seed) for where, seed in chosen])
        return
    columns = [("tag", False), ("key", False), ("lang", False), ("scenario", False), ("numbers", True)]
    out().print(table(f"{len(chosen)} seeds", columns, [seed_row(seed) for _, seed in chosen]))


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="KEY|SEED_ID", help="Authored key, or id of a seed.")],
    domain: Domains = None,
    as_json: AsJson = False,
) -> None:
    """Show one seed with its trap core and its numbers marked."""
    from salitrap.cli.seeds_view import seed_json, seed_text

    where, seed = _find(name, _load(None, domain))
    if as_json:
        print_json(seed_json(seed))
        return
    out().print(seed_text(where, seed))


@app.command("new")
def new(
    tag: Annotated[str, typer.Argument(help="Tag of the domain, such as D5.")],
    language: Annotated[str, typer.Option("--language", help="en or zh.")] = "en",
    name: Annotated[str | None, typer.Option("--name", help="Name of the domain.")] = None,
    target: Annotated[
        Path | None,
        typer.Option("--out", metavar="PATH", help="File to write; TAG-NAME.yaml here by default."),
    ] = None,
) -> None:
    """Start a domain file with one worked example; never overwrites."""
    from seeds.scaffold import default_name, file_slug, require_tag, scaffold

    wanted = _language(language)
    require_tag(tag)
    path = target or Path(f"{file_slug(tag)}-{file_slug(name or default_name(wanted))}.yaml")
    _write_new(path, scaffold(tag, wanted, name=name))
    err().print(f"wrote {path}; check it with: salitrap seeds lint {path}", soft_wrap=True)


def _names(paths: list[str] | None, domains: list[str] | None) -> list[str]:
    return [*(paths or []), *(domains or [])] or ["builtin"]


def _load(paths: list[str] | None, domains: list[str] | None) -> tuple[Domain, ...]:
    from seeds import load_domains

    return load_domains(_names(paths, domains))


def _language(name: str) -> Language:
    from salitrap.records import Language

    try:
        return Language(name)
    except ValueError:
        known = " or ".join(language.value for language in Language)
        raise InputError(f"--language {name}: no language we know; write {known}") from None


def _find(name: str, domains: tuple[Domain, ...]) -> tuple[Domain, Seed]:
    for where in domains:
        for seed in where.seeds:
            if name in (seed.key, seed.seed_id):
                return where, seed
    raise InputError(f"no seed {name}; 'salitrap seeds list' names them, --domain adds files")


def _write_new(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError as error:
        raise InputError(f"{path} exists; choose another --out") from error
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({error.strerror or error}); choose another --out"
        ) from error
