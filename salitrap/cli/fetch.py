"""``salitrap fetch``: a verified local copy of a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from salitrap.cli.console import err, out, print_json
from salitrap.cli.options import AsJson


def fetch(
    release: Annotated[str, typer.Argument(help="Version or commit on the Hub.", metavar="ORG/NAME@TAG|SHA")],
    to: Annotated[
        Path | None, typer.Option("--out", help="New folder; NAME-TAG by default.", metavar="DIR")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Copy a release here and compare every file with its manifest. Never another version from a cache."""
    from exports.hub import fetch_release, parse_address

    address = parse_address(release)
    folder = to or Path(f"{address.repo.partition('/')[2]}-{address.revision}")
    fetched = fetch_release(address, folder)
    if as_json:
        print_json(fetched.model_dump(mode="json"))
        return
    out().print(f"{fetched.path}: {address.repo} version {fetched.version}, commit {fetched.sha}, sound")
    err().print(f"Load it: datasets.load_dataset({str(fetched.path)!r}, 'items')", soft_wrap=True)
