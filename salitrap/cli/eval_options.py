"""Options that ``eval`` and ``judge`` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Judge = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        help="Spec of the judge, such as openai/NAME, or rules; several are a panel.",
        metavar="SPEC",
    ),
]
JudgeMode = Annotated[
    Literal["evidence", "direct"] | None,
    typer.Option("--judge-mode", help="Label by rule from evidence (default), or by the judge's own word."),
]
BaseConfig = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="Settings file: pools, limits, budget.", metavar="CONFIG"),
]
KeyEnv = Annotated[
    str | None,
    typer.Option(help="Environment variable with the key of models given as openai/NAME@http://..."),
]
Out = Annotated[Path, typer.Option("--out", help="File of label rows to write (JSONL).")]
Batch = Annotated[
    bool,
    typer.Option("--batch", help="Ask through the providers' batch interfaces: half price, up to a day."),
]
NoWait = Annotated[
    bool, typer.Option("--no-wait", help="With --batch: submit, collect what is done, and leave the rest.")
]
Calibrations = Annotated[
    Path | None,
    typer.Option("--calibration", help="File that salitrap calibrate wrote about the judge.", metavar="FILE"),
]
OwnPrompts = Annotated[
    Path | None,
    typer.Option(
        "--prompts",
        help="Folder with instructions in place of shipped ones: LANGUAGE/ID.md.",
        metavar="DIR",
    ),
]
MaxCalls = Annotated[int | None, typer.Option(min=1, help="Stop before more calls than this.")]


def prompts_folder(given: Path | None) -> str | None:
    """An absolute path, which settings hold; its files are checked before anything is paid.

    Raises:
        ConfigError: see ``prompts.source.own_prompts``.
    """
    from prompts.source import own_prompts

    if given is None:
        return None
    folder = str(given.expanduser().resolve())
    own_prompts(folder)
    return folder
