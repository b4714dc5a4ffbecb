"""Settings that all tests share."""

from __future__ import annotations

import gc
import os

from hypothesis import settings

# The width of the terminal that tests are started from is no matter of theirs.
os.environ.pop("COLUMNS", None)

# Read when the Hub's client is imported: the Hub of tests/hub has no Xet storage.
os.environ["HF_HUB_DISABLE_XET"] = "1"

# A busy machine is no fault of the code; in CI the same examples are drawn every time.
settings.register_profile("salitrap", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("salitrap")


def pytest_collection_finish() -> None:
    """Leave the tests out of garbage collection: each access to models that was opened searched them all."""
    gc.collect()
    gc.freeze()
