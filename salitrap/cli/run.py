"""``salitrap run`` and its stages alone: ``scale``, ``refine``, ``certify``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from salitrap.cli.console import err, out, print_json
from salitrap.cli.options import AsJson, Config, RunDir, Yes
from salitrap.cli.tables import funnel_table, spend_line
from salitrap.errors import ExitCode

if TYPE_CHECKING:
    from salitrap.records import Stage


def run(config: Config, run: RunDir = None, yes: Yes = False, as_json: AsJson = False) -> None:
    """Run all stages: scale, refine, certify. Resumes what is there; build the dataset with `build`."""
    from curation.run import STAGES

    _run("run", STAGES, config, run, yes, as_json)


def scale(config: Config, run: RunDir = None, yes: Yes = False, as_json: AsJson = False) -> None:
    """Stage 1 alone: expand the expert seeds and filter what comes back."""
    from salitrap.records import Stage

    _run("scale", (Stage.SCALE,), config, run, yes, as_json)


def refine(config: Config, run: RunDir = None, yes: Yes = False, as_json: AsJson = False) -> None:
    """Stages 2 and 3 alone: validate candidates and search for versions that solvers fall for."""
    from salitrap.records import Stage

    _run("refine", (Stage.REFINE,), config, run, yes, as_json)


def certify(config: Config, run: RunDir = None, yes: Yes = False, as_json: AsJson = False) -> None:
    """Stability certification alone: fresh repeats of every certified candidate."""
    from salitrap.records import Stage

    _run("certify", (Stage.CERTIFY,), config, run, yes, as_json)


def _run(
    name: str, stages: tuple[Stage, ...], config: Path, chosen: Path | None, yes: bool, as_json: bool
) -> None:
    from salitrap.cli.pipeline import execute, run_directory
    from salitrap.records import Status
    from salitrap.settings import load_settings

    settings = load_settings(config)
    directory = run_directory(settings, chosen)
    again = shlex.join(
        ["salitrap", name, "-c", str(config), "--run", str(directory), *(["--yes"] if yes else [])]
    )
    funnel, spend = execute(settings, directory, stages, yes=yes, again=again)
    if as_json:
        print_json(
            {
                "run": str(directory),
                "funnel": funnel.model_dump(mode="json"),
                "funnel_faults": list(funnel.faults()),
                "spend": spend.model_dump(mode="json"),
            }
        )
        return
    out().print(funnel_table(funnel))
    out().print(spend_line(spend))
    for fault in funnel.faults():
        out().print(f"The funnel does not add up: {fault}")
    for short in funnel.shortfalls:
        told = f"{short.accepted} of {short.target} seeds, {short.end}"
        out().print(f"Short: {short.dimension_tag} {short.language.value} has {told}")
    if unsettled := funnel.candidates.count(Status.UNSETTLED):
        err().print(
            f"error: {unsettled} candidates could not be judged; see rejects.jsonl. To try again: {again}",
            soft_wrap=True,
        )
        raise typer.Exit(ExitCode.STOPPED)
    quoted = shlex.quote(str(directory))
    err().print(
        f"Next: salitrap status {quoted}; "
        f"salitrap build {quoted} --out DATASET --version 0.1.0 --license LICENSE",
        soft_wrap=True,
    )
