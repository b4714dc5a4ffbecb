"""``salitrap lab``: the simulated provider as a server of its own."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="The simulated provider.", no_args_is_help=True)


@app.command()
def serve(
    port: Annotated[int, typer.Option(help="Port on 127.0.0.1; 0 picks a free one.")] = 8808,
    seed: Annotated[int, typer.Option(help="Seed of everything the lab draws.")] = 0,
    latency: Annotated[float, typer.Option(help="Seconds each reply takes.")] = 0.0,
    fault: Annotated[
        list[str] | None, typer.Option(help="NAME=SHARE, such as http_429=0.1; repeat for several.")
    ] = None,
) -> None:
    """Serve the lab's OpenAI-compatible interface until Ctrl-C."""
    from salitrap.lab.__main__ import serve_forever

    serve_forever(port=port, seed=seed, latency=latency, faults=fault or [])


@app.callback()
def _lab() -> None:
    """The simulated provider."""
