"""Serve the review on this machine until it is stopped."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files

from aiohttp import web

from curation.review.opening import Reviewing
from curation.review.page.actions import Actions
from curation.review.page.gate import ENTRANCE, LOOPBACK, Gate, gate_keeper
from curation.review.page.views import CANDIDATE, Views
from salitrap.errors import InputError

LARGEST_BODY = 256 * 1024
SHUTDOWN_SECONDS = 0.2
STATIC = {"page.css": "text/css", "keys.js": "text/javascript", "mark.svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Address:
    """Where the review is; whoever has the ``url`` gets in."""

    url: str
    port: int


def application(review: Reviewing, gate: Gate) -> web.Application:
    """The routes behind the gate."""
    app = web.Application(middlewares=[gate_keeper(gate)], client_max_size=LARGEST_BODY)
    views = Views(review, gate)
    actions = Actions(review, gate, views)
    one = f"/c/{{id:{CANDIDATE.pattern}}}"
    app.router.add_get(ENTRANCE, views.enter)
    app.router.add_get("/", views.queue)
    app.router.add_get(one, views.candidate)
    app.router.add_get("/agreement", views.agreement)
    app.router.add_get("/help", views.help)
    app.router.add_get("/static/{name}", _static)
    for name in ("accept", "reject", "undo", "edit", "withdraw", "label", "unlabel"):
        app.router.add_post(f"{one}/{name}", getattr(actions, name))
    return app


@asynccontextmanager
async def serving(review: Reviewing, port: int = 0) -> AsyncIterator[Gate]:
    """Serve on 127.0.0.1 inside the block; port 0 takes any free one.

    Raises:
        InputError: the port cannot be used.
    """
    with _listening(port) as listener:
        gate = Gate(listener.getsockname()[1])
        runner = web.AppRunner(application(review, gate), access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)
        await runner.setup()
        try:
            await web.SockSite(runner, listener).start()
            yield gate
        finally:
            await runner.cleanup()


async def serve(review: Reviewing, port: int, ready: Callable[[Address], None]) -> None:
    """Serve until SIGINT or SIGTERM; ``ready`` hears the address.

    Raises:
        InputError: the port cannot be used.
    """
    async with serving(review, port) as gate:
        ended = _ended()
        ready(Address(gate.url, gate.port))
        await ended.wait()


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on {LOOPBACK}:{port} ({reason}); choose another --port") from error
    return listener


def _ended() -> asyncio.Event:
    """An event that is set by Ctrl-C or SIGTERM."""
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    return ended


async def _static(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    if name not in STATIC:
        raise web.HTTPNotFound
    body = files("curation.review.page").joinpath("static", name).read_bytes()
    return web.Response(body=body, content_type=STATIC[name], charset="utf-8")
