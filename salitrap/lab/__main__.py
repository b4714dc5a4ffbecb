"""``python -m salitrap.lab``: serve until standard input closes."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence

from aiohttp import web

from salitrap.lab.faults import LabFault, read_share
from salitrap.lab.server import LabOptions, build_app
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language

SHUTDOWN_SECONDS = 0.2


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line, print ``{"port": N}`` when ready, and serve."""
    options = _parser().parse_args(arguments)
    lab = LabOptions(options.seed, options.latency, dict(options.fault))
    try:
        asyncio.run(_serve(lab, options.host, options.port, options.until_interrupted))
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        sys.stderr.write(f"lab: cannot listen on {options.host}:{options.port}: {error.strerror or error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m salitrap.lab", description="Simulated model provider.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument("--seed", type=int, default=0, help="all draws depend on it")
    parser.add_argument("--latency", type=_seconds, default=0.0, help="seconds before each reply")
    parser.add_argument(
        "--fault",
        type=_share,
        action="append",
        default=[],
        metavar="NAME=SHARE",
        help=f"share of attempts that end in a fault, repeatable; names: {', '.join(LabFault)}",
    )
    parser.add_argument("--until-interrupted", action="store_true", help="do not watch standard input")
    return parser


def _share(text: str) -> tuple[LabFault, float]:
    try:
        return read_share(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _seconds(text: str) -> float:
    value = float(text)
    if not 0.0 <= value < float("inf"):
        raise argparse.ArgumentTypeError("must be zero or more")
    return value


async def _serve(lab: LabOptions, host: str, port: int, until_interrupted: bool) -> None:
    for language in Language:
        load_table(language)
    runner = web.AppRunner(build_app(lab), access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port, backlog=2048).start()
        sys.stdout.write(json.dumps({"port": runner.addresses[0][1]}) + "\n")
        sys.stdout.flush()
        await (asyncio.Event().wait() if until_interrupted else asyncio.to_thread(_until_closed))
    finally:
        await runner.cleanup()


def _until_closed() -> None:
    while sys.stdin.buffer.read(1024):
        pass


if __name__ == "__main__":
    raise SystemExit(main())
