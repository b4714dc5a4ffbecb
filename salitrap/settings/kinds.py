"""Kinds of values that settings take: shares, counts, seconds, names."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
RunName = Annotated[str, Field(pattern=r'^[^/\\<>:"|?*.\x00-\x1f][^/\\<>:"|?*\x00-\x1f]*$')]
"""A plain folder name: it becomes ``runs/NAME``."""

MOST_IN_FLIGHT = 50_000
"""Requests, or seeds, at a time; more than any one process can serve."""

Seconds = Annotated[float, Field(gt=0.0)]
