"""Files of certificates that are trusted besides the system's."""

from __future__ import annotations

import ssl
from pathlib import Path

from salitrap.errors import ConfigError

WANTED = "name a PEM file with the certificate of the authority that signs the server's"


def check_ca(path: Path, where: str) -> None:
    """Check that ``path`` holds certificates; ``where`` names the setting in the error.

    Raises:
        ConfigError: it cannot be read, or holds none.
    """
    try:
        trust_also(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), path)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error


def trust_also(context: ssl.SSLContext, path: Path) -> None:
    """Let ``context`` trust every certificate in ``path``, a server's own as well as an authority's.

    Raises:
        ConfigError: the file cannot be read, or holds none.
    """
    try:
        path.read_bytes()
        context.load_verify_locations(cafile=path)
    except ssl.SSLError as error:
        raise ConfigError(f"{path}: holds no certificate in PEM format; {WANTED}") from error
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}; {WANTED}") from error
    context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
