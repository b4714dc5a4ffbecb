"""``salitrap retract``: a new version of a dataset without certain items."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from salitrap.cli.console import counted, err, out, print_json
from salitrap.cli.datasets import DATASET_HELP, dataset_folder
from salitrap.cli.options import AsJson


def retract(
    dataset: Annotated[Path, typer.Argument(help=DATASET_HELP, metavar="DATASET")],
    items: Annotated[
        list[str],
        typer.Option("--item", help="Item or dialogue to withdraw; a dialogue takes its controls along."),
    ],
    reason: Annotated[str, typer.Option(help="What is wrong with them, one line; it is published.")],
    to: Annotated[Path, typer.Option("--out", help="Dataset folder to write.", metavar="DS")],
    version: Annotated[
        str | None, typer.Option(help="Version of the new folder; by default the next X.0.0.")
    ] = None,
    date: Annotated[
        str | None, typer.Option(help="Day of the withdrawal, YYYY-MM-DD; by default today (UTC).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Withdraw items in a new version, with reason and date. Every other row stays as it is."""
    from exports.dataset.retract import retract as retracted

    today = datetime.now(UTC).date().isoformat()
    done = retracted(
        dataset_folder(dataset), items, reason, out=to, date=today if date is None else date, version=version
    )
    if as_json:
        print_json({**done.model_dump(mode="json"), "path": str(done.path)})
        return
    talks = f" and {counted(len(done.dialogues), 'dialogue')} (controls included)" if done.dialogues else ""
    left = f"{done.items_kept:,} items" + (
        f", {done.dialogues_kept:,} dialogues" if done.dialogues_kept else ""
    )
    out().print(
        f"{done.path}: version {done.version}, {counted(len(done.items), 'item')}{talks} withdrawn from "
        f"{done.since}; {left} stay.",
        soft_wrap=True,
    )
    for notice in done.notices:
        err().print(f"note: {notice}", soft_wrap=True)
    err().print(f"Next: salitrap verify {done.path}", soft_wrap=True)
