"""``salitrap seeds``: check, list, show and start trap domains."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from salitrap.cli.console import err, out, print_json, table
from salitrap.cli.find_seed import find_seed
from salitrap.cli.options import AsJson
from salitrap.errors import ExitCode, InputError

if TYPE_CHECKING:
    from rich.text import Text

    from salitrap.records import Domain, Seed
    from seeds import Finding

app = typer.Typer(help="Author trap domains: check, list, show and start them.", no_args_is_help=True)

Domains = Annotated[
    list[Path] | None,
    typer.Option(
        "--domain", help="Domain file added to the shipped ones; repeat for several.", metavar="PATH"
    ),
]

_STYLES = {"trap core": "bold magenta", "ground truth": "green"}
_KEY_WIDTH = 40  # keys up to this length stay on one line, so that they can be copied
_ROOMY = 80
_LABEL_STYLE = "bold"
_NUMBER_STYLE = "bold cyan"


@app.command("lint")
def lint(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Domain files; default the shipped ones.", metavar="[PATH]...")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Report every fault of domain files that are used together, with line, field and repair."""
    from seeds import builtin_paths, has_errors, lint_files

    checked = tuple(dict.fromkeys(paths or builtin_paths()))
    findings = lint_files(checked)
    if as_json:
        print_json(_lint_record(checked, findings))
    else:
        for finding in findings:
            out().print(_finding_text(finding), soft_wrap=True)
        err().print(_lint_summary(len(checked), findings), soft_wrap=True)
    if has_errors(findings):
        raise typer.Exit(ExitCode.FINDINGS)


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
        Literal["en", "zh"], typer.Option("--language", help="Language of the seeds to come.")
    ] = "en",
    name: Annotated[str | None, typer.Option("--name", help="Name of the domain in that language.")] = None,
) -> None:
    """Start a domain file: commented, with one worked example."""
    from salitrap.records import Language
    from seeds import scaffold

    _write_new(path, scaffold(tag, Language(language), name=name))
    check = shlex.join(["salitrap", "seeds", "lint", str(path)])
    err().print(f"wrote {path}; replace its texts by your own, then check it with: {check}", soft_wrap=True)


def seed_texts(domain: Domain, seed: Seed) -> list[Text]:
    """What ``show`` prints, field by field; styles need a terminal, the words do not."""
    from rich.text import Text

    prompt = Text(visible(seed.prompt))
    for start, end in _number_spans(seed):
        prompt.stylize(_NUMBER_STYLE, start, end)
    triple, niche = seed.triple, seed.niche
    return [
        Text(visible(seed.scenario), style=_LABEL_STYLE),
        _field("key", seed.key),
        _field("seed_id", seed.seed_id),
        _field("dimension", f"{domain.tag}, {domain.name[seed.language]}"),
        _field("language", seed.language.value),
        Text("prompt:", style=_LABEL_STYLE),
        prompt,
        _field("trap core", seed.trap_core),
        _field("ground truth", seed.ground_truth),
        _field("numbers", " | ".join(seed.injected_numbers), _NUMBER_STYLE),
        _field("triple", " / ".join((triple.tool, triple.object, triple.action))),
        _field("niche", " / ".join((niche.tool, niche.scene, niche.life_area))),
        _field("preserve", " | ".join(seed.preserve)),
        _field("avoid", " | ".join(seed.avoid)),
    ]


def visible(text: str) -> str:
    """``text`` with control characters replaced one by one, so that no file can steer the terminal."""
    return "".join(char if char == "\n" or not _is_control(char) else "\ufffd" for char in text)


def _is_control(char: str) -> bool:
    return ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0


def _field(label: str, value: str, style: str = "") -> Text:
    from rich.text import Text

    return Text.assemble((f"{label}: ", _LABEL_STYLE), (visible(value), style or _STYLES.get(label, "")))


def _number_spans(seed: Seed) -> list[tuple[int, int]]:
    """Where the listed numbers stand in the prompt, each place once."""
    from salitrap.text import find_numerals, numeral_values

    left = [value for entry in seed.injected_numbers for value in numeral_values(entry)]
    spans = []
    for numeral in find_numerals(seed.prompt):
        if numeral.value in left:
            left.remove(numeral.value)
            spans.append((numeral.start, numeral.end))
    return spans


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


def _lint_record(paths: tuple[Path, ...], findings: tuple[Finding, ...]) -> dict[str, object]:
    return {
        "files": [str(path) for path in paths],
        **_counts(findings),
        "findings": [finding.model_dump(mode="json") for finding in findings],
    }


def _counts(findings: tuple[Finding, ...]) -> dict[str, int]:
    from seeds import Severity

    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    return {"errors": errors, "warnings": len(findings) - errors}


def _lint_summary(files: int, findings: tuple[Finding, ...]) -> str:
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


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError as error:
        raise InputError(f"{path} exists already; choose another --out") from error
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({error.strerror or error}); check the folder"
        ) from error
