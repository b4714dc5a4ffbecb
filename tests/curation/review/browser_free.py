"""A client that behaves as a browser does where it matters: cookies, the Origin of forms, redirects."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, CookieJar

from curation.review.opening import open_review
from curation.review.page.gate import Gate
from curation.review.page.serve import serving


@dataclass(frozen=True, slots=True)
class Got:
    """A response after redirects."""

    status: int
    text: str
    url: str
    headers: Any


class Client:
    """Somebody who was given the address."""

    def __init__(self, session: ClientSession, gate: Gate) -> None:
        self.session, self.gate = session, gate
        self.base = f"http://127.0.0.1:{gate.port}"

    async def get(self, path: str, **options: Any) -> Got:
        return await self._asked("GET", path, **options)

    async def post(self, path: str, form: dict[str, str] | None = None, **options: Any) -> Got:
        fields = {"csrf": self.gate.form_token, **(form or {})}
        headers = {"Origin": self.base, **options.pop("headers", {})}
        return await self._asked("POST", path, data=fields, headers=headers, **options)

    async def _asked(self, method: str, path: str, **options: Any) -> Got:
        async with self.session.request(method, self.base + path, **options) as response:
            return Got(response.status, await response.text(), str(response.url), response.headers)


@asynccontextmanager
async def reviewing(directory: Path, author: str = "Ana", *, inside: bool = True) -> AsyncIterator[Client]:
    """A review that is served; ``inside`` says whether the client has entered."""
    with open_review(directory, author) as review:
        async with (
            serving(review) as gate,
            ClientSession(cookie_jar=CookieJar(unsafe=True)) as session,
        ):
            client = Client(session, gate)
            if inside:
                await client.get(f"/enter?token={gate.token}")
            yield client


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.tags: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)


def text_of(page: str) -> str:
    """What a reader sees: text without tags, blanks as one space."""
    parser = _Texts()
    parser.feed(page)
    return re.sub(r"\s+", " ", "".join(parser.texts))


def tags_of(page: str) -> list[str]:
    parser = _Texts()
    parser.feed(page)
    return parser.tags
