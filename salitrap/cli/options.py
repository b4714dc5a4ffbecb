"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Config = Annotated[
    Path, typer.Option("--config", "-c", help="Settings file (YAML); see examples/.", metavar="CONFIG")
]
RunDir = Annotated[
    Path | None,
    typer.Option("--run", help="Run directory; default runs/NAME from the settings. Resumes what is there."),
]
RunPath = Annotated[Path, typer.Argument(help="Run directory.", metavar="DIR")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before paying.")]
