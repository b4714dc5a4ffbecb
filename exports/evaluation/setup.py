"""An evaluated model, and how it is asked."""

from __future__ import annotations

from dataclasses import dataclass

from salitrap.records.label_row import LabelRow


@dataclass(frozen=True, slots=True)
class Setup:
    """How a model is sampled, and where, as far as it is known; addresses are hashed."""

    temperature: float | None
    max_tokens: int | None
    endpoint_id: str


UNKNOWN = Setup(None, None, "")


@dataclass(frozen=True, slots=True)
class Model:
    """An evaluated model: its name in the rows and how it is asked."""

    name: str
    setup: Setup = UNKNOWN


def setup_of(row: LabelRow) -> Setup:
    """Return the setup that a row tells of."""
    return Setup(row.temperature, row.max_tokens, row.endpoint_id)
