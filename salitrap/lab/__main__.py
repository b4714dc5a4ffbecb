"""``python -m salitrap.lab``: serve until standard input closes."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from aiohttp import web

from salitrap.errors import InputError
from salitrap.lab.faults import LabFault, read_share
from salitrap.lab.gold import GoldBook, read_gold
from salitrap.lab.server import LabOptions, build_app
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language

SHUTDOWN_SECONDS = 0.2


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line, print ``{"port": N}`` when ready, and serve; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        gold = read_gold(options.gold) if options.gold is not None else GoldBook()
        lab = LabOptions(options.seed, options.latency, dict(options.fault), gold)
        _run(lab, options.host, options.port, options.until_interrupted)
    except InputError as error:
        sys.stderr.write(f"lab: {error}\n")
        return int(error.exit_code)
    return 0


def serve_forever(*, port: int, seed: int, latency: float, faults: Sequence[str]) -> None:
    """Serve on 127.0.0.1 until Ctrl-C; ``faults`` are written ``name=share``.

    Raises:
        InputError: a fault or the latency makes no sense, or the port is taken.
    """
    try:
        shares = dict(read_share(fault) for fault in faults)
        lab = LabOptions(seed, _seconds(str(latency)), shares)
    except (ValueError, argparse.ArgumentTypeError) as error:
        raise InputError(f"cannot start the lab: {error}") from error
    _run(lab, "127.0.0.1", port, until_interrupted=True)


def _run(lab: LabOptions, host: str, port: int, until_interrupted: bool) -> None:
    try:
        asyncio.run(_serve(lab, host, port, until_interrupted))
    except KeyboardInterrupt:
        return
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on {host}:{port} ({reason}); choose another port") from error


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
    parser.add_argument("--gold", type=Path, help="file or folder of gold answers that the judge knows")
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
        await _ending(until_interrupted).wait()
    finally:
        await runner.cleanup()


def _ending(until_interrupted: bool) -> asyncio.Event:
    """An event that is set when standard input closes, or never."""
    event, loop = asyncio.Event(), asyncio.get_running_loop()

    def watch() -> None:
        while sys.stdin.buffer.read(1024):
            pass
        loop.call_soon_threadsafe(event.set)

    if not until_interrupted:
        # A daemon, since a blocked read cannot be cancelled and must not hold up Ctrl-C.
        threading.Thread(target=watch, daemon=True).start()
    return event


if __name__ == "__main__":
    raise SystemExit(main())
