"""The marker that lets anybody find this data in a training corpus."""

from __future__ import annotations

import unicodedata
import uuid

_NAMESPACE = uuid.UUID("5a11707a-9be0-4c1e-8d0b-7e5c3a1f6d42")

NOTICE = "Evaluation data. Do not train on it; drop every document that contains this marker."


def canary_of(name: str) -> str:
    """Return the canary of the dataset called ``name``.

    It depends on the name alone: a rebuild repeats it, and one search finds every version.
    """
    return f"{NOTICE} salitrap:canary:{uuid.uuid5(_NAMESPACE, unicodedata.normalize('NFC', name))}"
