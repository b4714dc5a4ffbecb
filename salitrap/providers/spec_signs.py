"""Signs that a spec must not hold: a mistyped address would send prompts to the provider's own."""

from __future__ import annotations

import re
import unicodedata

from salitrap.errors import ConfigError

_SIGNS = "@:/"
_OTHERS = {"\u2215": "/", "\u2044": "/", "\u2236": ":", "\ua789": ":"}
"""Signs that look like ours and that Unicode does not fold."""

_ADDRESS = re.compile(r"http|@.*[:/]|@localhost$", re.IGNORECASE)


def refuse_lookalikes(text: str, *parts: str) -> None:
    """Refuse ``＠``, ``：``, ``／`` and the like in ``parts`` of the spec ``text``.

    Raises:
        ConfigError: there is one; the message names it and the ASCII sign to type.
    """
    for sign in "".join(parts):
        meant = _meant(sign)
        if meant is not None:
            raise ConfigError(
                f"spec {text!r} has {sign!r} (U+{ord(sign):04X}); type the ASCII {meant!r} in its place"
            )


def _meant(sign: str) -> str | None:
    """The sign of ``@:/`` that ``sign`` stands for without being it."""
    plain = _OTHERS.get(sign) or unicodedata.normalize("NFKC", sign)
    return plain if sign not in _SIGNS and len(plain) == 1 and plain in _SIGNS else None


def refuse_bad_name(text: str, name: str, *, addressed: bool) -> None:
    """Refuse a model name that cannot be one; ``addressed``: the endpoint's address is known.

    Raises:
        ConfigError: it holds white space, an invisible sign or ``://``, ends with ``@``, or holds, without
            an address, one that was mistyped.
    """
    odd = next((sign for sign in name if sign.isspace() or not sign.isprintable()), None)
    if odd is not None:
        raise ConfigError(
            f"spec {text!r}: the model name holds white space or an invisible character "
            f"(U+{ord(odd):04X}); remove it"
        )
    if name.endswith("@"):
        raise ConfigError(
            f"spec {text!r}: nothing stands behind the @; write NAME@http://host:port/v1, or leave the @ out"
        )
    if "://" in name or (not addressed and _ADDRESS.search(unicodedata.normalize("NFKC", name))):
        raise ConfigError(
            f"spec {text!r}: the model name {name!r} holds an address; write it as NAME@http://host:port/v1 "
            "or NAME@https://host/v1, in small letters"
        )
