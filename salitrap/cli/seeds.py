"""``salitrap seeds``: check, list, show and start trap domains; the schema for editors."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from salitrap.cli.console import err, out, print_json, table
from salitrap.cli.find_seed import find_seed
from salitrap.cli.options import AsJson
from salitrap.cli.seed_text import seed_texts, visible
from salitrap.cli.seeds_lint import lint
from salitrap.errors import InputError

if TYPE_CHECKING:
    from salitrap.records import Domain, Seed

SCHEMA_NAME = "salitrap-domain.schema.json"
SCHEMA_TITLE = '"title": "SaliTrap domain"'

app = typer.Typer(help="Author trap domains: check, list, show and start them.", no_args_is_help=True)

Domains = Annotated[
    list[Path] | None,
    typer.Option(
        "--domain", help="Domain file added to the shipped ones; repeat for several.", metavar="PATH"
    ),
]

_KEY_WIDTH = 40  # keys up to this length stay on one line, so that they can be copied
_ROOMY = 80

app.command("lint")(lint)


@app.command("list")
def list_seeds(domain: Domains = None, as_json: AsJson = False) -> None:
    """List the expert seeds."""
    seeds = [seed for loaded in _load(domain) for seed in loaded.seeds]
    if as_json:
        print_json([_seed_summary(seed) for seed in seeds])
        return
    columns = [("tag", False), ("language", False), ("key", False), ("numbers", True), ("scenario", False)]
    built = table(f"{len(seeds)} seeds", columns, [_row(seed) for seed in seeds])
    longest = max((len(seed.key) for seed in seeds), default=0)
    built.columns[2].no_wrap = longest <= _KEY_WIDTH and out().width >= _ROOMY
    out().print(built)


@app.command("show")
def show(
    name: Annotated[
        str, typer.Argument(help="Key or seed_id of a seed; may be cut short.", metavar="KEY|SEED_ID")
    ],
    domain: Domains = None,
    as_json: AsJson = False,
) -> None:
    """Show one seed with its trap core and numbers highlighted."""
    owner, seed = find_seed(_load(domain), name)
    if as_json:
        print_json({"seed_id": seed.seed_id, **seed.model_dump(mode="json")})
        return
    console = out()
    for text in seed_texts(owner, seed):
        console.print(text, soft_wrap=not console.is_terminal)


@app.command("new")
def new(
    tag: Annotated[str, typer.Argument(help="Tag of the new domain, such as D5.", metavar="TAG")],
    path: Annotated[Path, typer.Option("--out", help="File to write; must not exist.", metavar="PATH")],
    language: Annotated[
        Literal["en", "zh", "both"], typer.Option("--language", help="Language of the seeds to come.")
    ] = "en",
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the domain; with both languages the English one.")
    ] = None,
    name_zh: Annotated[
        str | None, typer.Option("--name-zh", help="Chinese name of a domain in both languages.")
    ] = None,
) -> None:
    """Start a domain file: commented, with one worked example for each language."""
    from salitrap.records import Language
    from seeds import scaffold

    if name_zh is not None and language != "both":
        raise InputError("--name-zh goes with --language both; write --name")
    languages = tuple(Language) if language == "both" else (Language(language),)
    names = {languages[0]: name, Language.ZH: name_zh} if language == "both" else {languages[0]: name}
    _write_new(path, scaffold(tag, *languages, names={key: text for key, text in names.items() if text}))
    check = shlex.join(["salitrap", "seeds", "lint", str(path)])
    schema = shlex.join(["salitrap", "seeds", "schema", "--out", str(path.parent / SCHEMA_NAME)])
    err().print(f"wrote {path}; replace its texts by your own, then check it with: {check}", soft_wrap=True)
    err().print(f"editors that know YAML schemas help you to fill it in after: {schema}", soft_wrap=True)


@app.command("schema")
def schema(
    path: Annotated[
        Path | None,
        typer.Option("--out", help="File to write or to bring up to date; default stdout.", metavar="PATH"),
    ] = None,
) -> None:
    """Write the JSON schema of domain files, for editors."""
    from seeds import domain_schema, schema_text

    if path is None:
        print_json(domain_schema())
        return
    _refuse_another_file(path)
    _write(path, schema_text(), "w")
    err().print(f"wrote {path}", soft_wrap=True)


def _load(added: list[Path] | None) -> tuple[Domain, ...]:
    from seeds import BUILTIN, load_domains

    return load_domains([BUILTIN, *map(str, added or ())])


def _row(seed: Seed) -> list[object]:
    texts = [visible(text) for text in (seed.dimension_tag, seed.language.value, seed.key, seed.scenario)]
    return [*texts[:3], len(seed.injected_numbers), texts[3]]


def _seed_summary(seed: Seed) -> dict[str, object]:
    return {
        "seed_id": seed.seed_id,
        "key": seed.key,
        "dimension_tag": seed.dimension_tag,
        "language": seed.language.value,
        "scenario": seed.scenario,
        "injected_numbers": list(seed.injected_numbers),
    }


def _write_new(path: Path, text: str) -> None:
    try:
        _write(path, text, "x")
    except FileExistsError as error:
        raise InputError(f"{path} exists already; choose another --out") from error


def _refuse_another_file(path: Path) -> None:
    """A schema may take the place of an older one, and of nothing else."""
    try:
        known = not path.exists() or SCHEMA_TITLE in path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error
    if not known:
        raise InputError(f"{path} exists already and is no schema of ours; choose another --out")


def _write(path: Path, text: str, mode: Literal["w", "x"]) -> None:
    try:
        with path.open(mode, encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({error.strerror or error}); check the folder"
        ) from error
