"""Options that ``eval`` and ``judge`` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Judge = Annotated[
    str | None, typer.Option("--judge", help="Spec of the judge, such as openai/NAME.", metavar="SPEC")
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
MaxCalls = Annotated[int | None, typer.Option(min=1, help="Stop before more calls than this.")]
