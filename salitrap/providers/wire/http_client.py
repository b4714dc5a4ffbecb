"""How the SDKs' HTTP clients are set up: the same for both."""

from __future__ import annotations

import ipaddress
from typing import Any
from urllib.parse import urlsplit

import httpx2

CONNECT_TIMEOUT = 20.0


def client_options(base_url: str) -> dict[str, Any]:
    """Arguments for ``DefaultAioHttpClient``.

    Only connecting has a timeout here, since an attempt's own is the caller's. Proxies of the
    environment do not apply to this machine, and certificates are not loaded where none is checked.
    """
    return {
        "base_url": base_url,
        "timeout": httpx2.Timeout(None, connect=CONNECT_TIMEOUT),
        "verify": base_url.startswith("https://"),
        "trust_env": not _on_this_machine(base_url),
        "follow_redirects": False,
    }


def _on_this_machine(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
