"""``salitrap build``: the dataset folder of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salitrap.cli.console import err, out, print_json
from salitrap.cli.options import AsJson, RunPath
from salitrap.cli.tables import composition_table

if TYPE_CHECKING:
    from exports.dataset import BuiltDataset

LICENSE_HELP = "License identifier of the Hugging Face Hub, such as cc-by-4.0; there is no default."


def build(  # noqa: PLR0913  # one parameter an option
    directory: RunPath,
    to: Annotated[Path, typer.Option("--out", help="Dataset folder to write.")],
    version: Annotated[str, typer.Option(help="Version X.Y.Z of the dataset.")],
    license: Annotated[str, typer.Option(help=LICENSE_HELP)],
    name: Annotated[str | None, typer.Option(help="Readable name; the run's own by default.")] = None,
    date: Annotated[
        str | None, typer.Option(help="Day of the version; by default that of the run's last change.")
    ] = None,
    previous: Annotated[
        Path | None, typer.Option(help="Folder of the version before, to carry versions and changelog on.")
    ] = None,
    holdout: Annotated[
        Path | None,
        typer.Option(help="Folder for the families that build.holdout_share keeps back; never published."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build parquet, JSONL, card, manifest and changelog from a run's items."""
    from exports.from_run import build_from_run

    built = build_from_run(
        directory,
        out=to,
        version=version,
        license=license,
        name=name,
        date=date,
        previous=previous,
        overwrite=False,
        holdout=holdout,
    )
    if as_json:
        print_json({**built.model_dump(mode="json"), "path": str(built.path)})
        return
    print_built(built)


def print_built(built: BuiltDataset) -> None:
    """Composition, files and notices of a dataset that was just built."""
    out().print(composition_table(built.composition))
    splits = ", ".join(f"{name} {rows}" for name, rows in built.splits.items())
    out().print(f"Built {built.path} version {built.version}: {splits} items.", soft_wrap=True)
    if built.held_out:
        out().print(f"{built.held_out} items went to the private holdout; keep its folder to yourself.")
    for rejection in built.withheld:
        err().print(f"withheld {rejection.subject_id}: {rejection.reason}", soft_wrap=True)
    for notice in built.notices:
        err().print(f"note: {notice}", soft_wrap=True)
