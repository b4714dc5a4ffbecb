"""The ``salitrap`` command: mounts the commands and turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

from salitrap import __version__
from salitrap.cli import (
    analyze,
    build,
    calibrate,
    calls,
    contamination,
    dedup,
    demo,
    doctor,
    eval,
    export,
    fetch,
    harden,
    import_paper,
    judge,
    lab,
    labels,
    merge,
    optimize,
    plan,
    publish,
    retract,
    review,
    run,
    screen,
    seeds,
    show,
    status,
    verify,
)
from salitrap.cli.console import err, make_streams_safe
from salitrap.cli.interrupts import signal_of
from salitrap.cli.output import Commands, delivered, silence
from salitrap.errors import BatchesLeft, ExitCode, SalitrapError

app = typer.Typer(
    name="salitrap",
    help="Build, curate, release and evaluate benchmarks of salience-bias traps.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    cls=Commands,
)


def _version(shown: bool) -> None:
    if shown:
        typer.echo(f"salitrap {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Build, curate, release and evaluate benchmarks of salience-bias traps."""


app.command("demo")(demo.demo)
app.add_typer(seeds.app, name="seeds")
app.command("plan")(plan.plan)
app.command("run")(run.run)
app.command("scale")(run.scale)
app.command("refine")(run.refine)
app.command("certify")(run.certify)
app.command("dialogues")(run.dialogues)
app.command("status")(status.status)
app.command("show")(show.show)
app.command("review")(review.review)
app.add_typer(labels.app, name="labels")
app.command("calls")(calls.calls)
app.command("screen")(screen.screen)
app.command("merge")(merge.merge)
app.command("build")(build.build)
app.command("export")(export.export)
app.command("harden")(harden.harden)
app.command("retract")(retract.retract)
app.command("publish")(publish.publish)
app.command("fetch")(fetch.fetch)
app.command("verify")(verify.verify)
app.command("eval")(eval.evaluate)
app.command("judge")(judge.judge)
app.command("calibrate")(calibrate.calibrate)
app.command("optimize")(optimize.optimize)
app.command("analyze")(analyze.analyze)
app.command("dedup")(dedup.dedup)
app.command("import")(import_paper.import_)
app.add_typer(lab.app, name="lab")
app.command("contamination")(contamination.contamination)
app.command("doctor")(doctor.doctor)


def main() -> None:
    """Entry point of the console script."""
    make_streams_safe()
    try:
        with delivered():
            app()
    except BatchesLeft as left:
        _say(str(left), left.exit_code)
    except SalitrapError as error:
        _fail(str(error), error.exit_code)
    except KeyboardInterrupt as error:
        _fail(f"stopped by {signal_of(error)}; what was answered is saved", ExitCode.STOPPED)
    except BrokenPipeError:
        silence()
        sys.exit(ExitCode.DONE)
    except Exception as error:
        if os.environ.get("SALITRAP_DEBUG"):
            raise
        _fail(
            f"unexpected {type(error).__name__}: {error}\n"
            "This is a fault of salitrap. Set SALITRAP_DEBUG=1 and run again for the traceback.",
            ExitCode.FAULT,
        )


def _fail(message: str, code: ExitCode) -> None:
    _say(f"error: {message}", code)


def _say(message: str, code: ExitCode) -> None:
    with suppress(OSError):
        err().print(message, soft_wrap=True)
    silence()
    sys.exit(code)
