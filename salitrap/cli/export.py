"""``salitrap export``: the dialogues of a dataset in the formats of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from salitrap.cli.console import counted, err, out, print_json
from salitrap.cli.datasets import DATASET_HELP, dataset_folder
from salitrap.cli.options import AsJson


def export(
    dataset: Annotated[Path, typer.Argument(help=DATASET_HELP, metavar="DATASET")],
    to: Annotated[Path, typer.Option("--out", help="File to write, one JSON object a line.", metavar="FILE")],
    form: Annotated[
        Literal["openai", "sharegpt", "mt-bench"],
        typer.Option("--format", help="OpenAI messages, ShareGPT conversations, MT-Bench questions."),
    ] = "openai",
    split: Annotated[str, typer.Option(help="Split to use: test, dev or all.")] = "test",
    language: Annotated[Literal["en", "zh"] | None, typer.Option(help="Only this language.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the dialogues of a dataset for other tools. Turns that a gate may hold back are marked."""
    from exports.conversations import Format, write_conversations
    from exports.evaluation import load_dialogues
    from salitrap.dialogues import Replay
    from salitrap.records import Language

    talks = load_dialogues(
        dataset_folder(dataset), split=split, language=Language(language) if language else None
    )
    write_conversations(talks.rows, Format(form), to, force=force)
    gated = sum(row.replay is Replay.GATED for row in talks.rows)
    if as_json:
        print_json({"out": str(to), "format": form, "dialogues": len(talks.rows), "gated": gated})
        return
    out().print(f"{to}: {counted(len(talks.rows), 'dialogue')}.", soft_wrap=True)
    if gated:
        err().print(
            f"note: {gated} of them are gated: a turn whose metadata.when is not 'always' is for a model "
            "that has just flagged, or complied; a tool that sends every turn measures something else",
            soft_wrap=True,
        )
