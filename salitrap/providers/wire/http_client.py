"""How the SDKs' HTTP clients are set up: the same for both."""

from __future__ import annotations

import ipaddress
import ssl
from typing import Any
from urllib.parse import urlsplit

import httpx2

from salitrap.errors import ConfigError
from salitrap.providers.network import Network
from salitrap.providers.wire.certificates import trust_also

CONNECT_TIMEOUT = 20.0
MOST_CONNECTIONS = 100_000
"""How many requests go out at a time is the limiter's business; a limit here would queue them in silence."""

BY_ENVIRONMENT = Network()


def client_options(base_url: str, network: Network = BY_ENVIRONMENT) -> dict[str, Any]:
    """Arguments for ``DefaultAioHttpClient``.

    Only connecting has a timeout here, since an attempt's own is the caller's. A proxy of ``network``
    is always asked; proxies of the environment are not asked for this machine. Certificates are loaded
    where one may have to be checked.

    Raises:
        ConfigError: the certificates to trust cannot be read.
    """
    by_environment = network.proxy is None and not _on_this_machine(base_url)
    secured = any((url or "").startswith("https://") for url in (base_url, network.proxy))
    return {
        "base_url": base_url,
        "timeout": httpx2.Timeout(None, connect=CONNECT_TIMEOUT),
        "verify": _trusted(network) if secured or by_environment else False,
        "trust_env": by_environment,
        "proxy": None if network.proxy is None else httpx2.Proxy(network.proxy, auth=network.login),
        "follow_redirects": False,
        "limits": httpx2.Limits(max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_CONNECTIONS),
    }


def _trusted(network: Network) -> ssl.SSLContext:
    """The system's certificates, or those of ``SSL_CERT_FILE`` or ``SSL_CERT_DIR``, and those of ``ca``."""
    try:
        context = httpx2.create_ssl_context()
    except OSError as error:
        raise ConfigError(
            f"the certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read: {error}"
        ) from error
    if network.ca is not None:
        trust_also(context, network.ca)
    return context


def _on_this_machine(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
