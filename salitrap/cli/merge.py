"""``salitrap merge``: several runs made into one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from salitrap.cli.console import counted, err, out, print_json
from salitrap.cli.options import AsJson


def merge(
    directories: Annotated[list[Path], typer.Argument(help="Run directories, two or more.", metavar="RUN..")],
    to: Annotated[Path, typer.Option("--out", help="New run directory.", metavar="DIR")],
    allow_simulated: Annotated[
        bool, typer.Option(help="Merge runs of simulated models with runs of real ones.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make one run of several by content ids: seeds, candidates, items, dialogues, labels, calls."""
    from curation.merging import merge_runs
    from seeds import load_domains

    merged = merge_runs(directories, to, load_domains, allow_simulated=allow_simulated)
    if as_json:
        print_json(merged.model_dump(mode="json"))
        return
    for name, number in zip(merged.sources, merged.new_seeds, strict=True):
        out().print(f"{name}: {counted(number, 'new seed')}", soft_wrap=True)
    told = f"{counted(merged.seeds, 'seed')}, {counted(merged.items, 'item')} in {to}"
    said = f"; {merged.said} labels and decisions taken over" if merged.said else ""
    out().print(f"{told}{said}", soft_wrap=True)
    err().print(f"Next: salitrap status {to}; salitrap verify {to}", soft_wrap=True)
