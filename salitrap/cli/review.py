"""``salitrap review``: people read candidates, decide on them and label answers, on a local page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salitrap.cli.console import counted, err, out, print_json
from salitrap.cli.interrupts import raise_interrupt
from salitrap.cli.options import AsJson, RunPath

if TYPE_CHECKING:
    from curation.review.page import Address


def review(
    directory: RunPath,
    reviewer: Annotated[
        str | None, typer.Option(help="Your name, as decisions and labels are signed; by default your login.")
    ] = None,
    port: Annotated[int, typer.Option(help="Port on 127.0.0.1; 0 picks a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    export_gold: Annotated[
        Path | None,
        typer.Option(help="Write the labels of answers to a gold file (JSONL) and end.", metavar="FILE"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Open a local page: read, accept, reject, edit, label. Decisions of people win over the machine's."""
    if export_gold is not None:
        _export(directory, export_gold, as_json)
        return
    raise_interrupt()
    import asyncio
    import webbrowser

    from curation.review.opening import open_review
    from curation.review.page import serve

    with open_review(directory, reviewer or login()) as opened:
        if opened.desk is None:
            err().print(_read_only(opened.holder), soft_wrap=True)

        def ready(address: Address) -> None:
            _tell(address, as_json)
            if browser:
                webbrowser.open(address.url)

        asyncio.run(serve(opened, port, ready))
    err().print("Review ended; everything you said is saved.", soft_wrap=True)


def _export(directory: Path, file: Path, as_json: bool) -> None:
    from contextlib import closing

    from curation.directory import Layout
    from curation.registry import Registry
    from curation.review.gold import export_gold

    layout = Layout(directory)
    layout.require()
    with closing(Registry.open_reader(layout.registry)) as registry:
        count = export_gold(registry, file)
    if as_json:
        print_json({"labels": count, "path": str(file)})
        return
    out().print(f"Wrote {counted(count, 'label')} to {file}.", soft_wrap=True)
    err().print(
        f"Next: salitrap calibrate --judge JUDGE --gold {file} --out calibration.json", soft_wrap=True
    )


def _tell(address: Address, as_json: bool) -> None:
    if as_json:
        print_json({"url": address.url, "port": address.port})
    else:
        out().print(f"Review at {address.url}", soft_wrap=True)
        err().print("Only this address lets anybody in. Ctrl-C ends the review.", soft_wrap=True)
    sys.stdout.flush()


def _read_only(holder: int) -> str:
    who = f"process {holder} is working on this run" if holder else "this run cannot be written to from here"
    return f"note: read only, since {who}; nothing can be decided until the review is opened again"


def login() -> str:
    """The name of whoever is logged in; a machine may not know it."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "reviewer"
