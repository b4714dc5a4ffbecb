"""A forward proxy on loopback that writes down what it is asked: CONNECT and absolute addresses.

Every host name leads to this machine, so a reply from ``models.test`` can only have come through it.
"""

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass
class ForwardProxy:
    """``refusal`` is the status line and the body of every answer, when it lets nothing through."""

    refusal: tuple[str, str] | None = None
    scheme: str = "http"
    port: int = 0
    asked: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def with_login(self, login: str) -> str:
        return self.url.replace("://", f"://{login}@")

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
                await self._serve(reader, writer)
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *fields = head.strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (one.partition(": ") for one in fields)}
        method, target, _ = line.split()
        self.asked.append(f"{method} {target}")
        scheme, _, coded = headers.pop("proxy-authorization", "").partition(" ")
        self.logins.append(base64.b64decode(coded).decode("latin-1") if scheme == "Basic" else "")
        if self.refusal is not None:
            status, body = self.refusal
            length = f"Content-Length: {len(body.encode())}"
            text = f"HTTP/1.1 {status}\r\n{length}\r\nConnection: close\r\n\r\n{body}"
            writer.write(text.encode())
            await writer.drain()
        elif method == "CONNECT":
            await self._tunnel(int(target.rpartition(":")[2]), reader, writer)
        else:
            await self._forward(method, target, headers, reader, writer)

    async def _tunnel(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            await asyncio.gather(_pour(reader, there), _pour(there_reader, writer))
        finally:
            there.close()

    async def _forward(
        self,
        method: str,
        target: str,
        headers: dict[str, str],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        parts = urlsplit(target)
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        there_reader, there = await asyncio.open_connection("127.0.0.1", parts.port)
        lines = [f"{name}: {value}" for name, value in {**headers, "connection": "close"}.items()]
        there.write("\r\n".join([f"{method} {parts.path} HTTP/1.1", *lines, "", ""]).encode("latin-1") + body)
        try:
            await _pour(there_reader, writer)
        finally:
            there.close()


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


@asynccontextmanager
async def proxying(
    refusal: tuple[str, str] | None = None, tls: ssl.SSLContext | None = None
) -> AsyncIterator[ForwardProxy]:
    proxy = ForwardProxy(refusal, scheme="https" if tls else "http")
    server = await asyncio.start_server(proxy.handle, "127.0.0.1", 0, ssl=tls)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
