"""The Hub's own client, with the settings that all rooms here use."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from huggingface_hub import HfApi


def hub_api() -> HfApi:
    """Return the client; endpoint, token and caches are as the environment of the Hub's tools says."""
    from huggingface_hub import HfApi
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    return HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None, library_name="salitrap")
