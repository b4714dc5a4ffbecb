"""Who gets in: only a browser on this machine that was given the address, and only from our own pages.

The address that is printed has a token; whoever opens it gets a cookie, which every other request needs.
A page elsewhere cannot use it: the cookie is ``SameSite=Strict``, requests that come from another origin are
refused, forms carry a second token, and a name that was bent to 127.0.0.1 (DNS rebinding) is not our host.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

ENTRANCE = "/enter"
LOOPBACK = "127.0.0.1"
READING = frozenset({"GET", "HEAD"})
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""``same-origin`` and not ``no-referrer``: with the latter browsers send ``Origin: null`` with forms."""


def _secret() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class Gate:
    """The secrets of one review, all new each time; ``port`` is where it listens."""

    port: int
    token: str = field(default_factory=_secret, repr=False)
    session: str = field(default_factory=_secret, repr=False)
    form_token: str = field(default_factory=_secret, repr=False)

    @property
    def cookie(self) -> str:
        """Name of the cookie; cookies are shared by all ports of a machine, so each has its own."""
        return f"salitrap_review_{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """What this server may be called."""
        return f"{LOOPBACK}:{self.port}", f"localhost:{self.port}"

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{LOOPBACK}:{self.port}{ENTRANCE}?token={self.token}"

    def refusal(self, request: web.Request) -> str:
        """Why a request is refused, empty when it is not; the token of a form is checked with its fields."""
        if request.headers.get("Host") not in self.hosts:
            return "this server has another name"
        if not self._from_here(request):
            return "the request comes from another page"
        if request.path == ENTRANCE:
            known = _same(request.query.get("token", ""), self.token)
            return "" if known else "the token is not that of this review"
        known = _same(request.cookies.get(self.cookie, ""), self.session)
        return "" if known else "open the address that salitrap review printed"

    def knows_form(self, given: object) -> bool:
        """True when a form has our token."""
        return isinstance(given, str) and _same(given, self.form_token)

    def _from_here(self, request: web.Request) -> bool:
        origin, reading = request.headers.get("Origin"), request.method in READING
        if origin is None:
            return reading
        return bool(origin == f"http://{request.headers.get('Host')}")


def gate_keeper(gate: Gate) -> Middleware:
    """Middleware that lets in whom ``gate`` knows, and puts the headers on every response."""

    @web.middleware
    async def keep(request: web.Request, handler: Handler) -> web.StreamResponse:
        refusal = gate.refusal(request)
        if refusal:
            response: web.StreamResponse = web.Response(status=403, text=f"403: {refusal}\n")
        else:
            try:
                response = await handler(request)
            except web.HTTPException as error:
                response = web.Response(status=error.status, text=f"{error.status}: {error.reason}\n")
                if "Location" in error.headers:
                    response.headers["Location"] = error.headers["Location"]
        response.headers.update(HEADERS)
        return response

    return keep


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
