"""One price, and what tokens cost at it."""

from __future__ import annotations

from math import floor, log10
from typing import NamedTuple

MILLION = 1_000_000.0
Prices = tuple[float, float]
"""USD per million input and output tokens at full price, as reservations and plans count them."""

CACHE_WRITE_SURCHARGE = 0.25
"""Share of the input price that OpenAI and Anthropic ask on top for input they keep for minutes."""


class Price(NamedTuple):
    """USD per million tokens.

    ``cached_input`` is for input that the provider had read before; it equals ``input`` where no lower
    figure is known. ``dated`` (ISO) is the day of the table row that gave a part of it.
    """

    input: float
    output: float
    cached_input: float
    dated: str | None = None

    @property
    def pair(self) -> Prices:
        """Input and output at full price."""
        return self.input, self.output

    def times(self, share: float) -> Price:
        """The price with every figure multiplied, as for a discount on a whole request."""
        return Price(self.input * share, self.output * share, self.cached_input * share, self.dated)

    def cost(self, tokens_in: int, tokens_out: int, cached: int = 0, written: int = 0) -> float:
        """USD of so many tokens.

        Of ``tokens_in``, ``cached`` came from the provider's cache and ``written`` were put there.
        """
        full = (tokens_in - cached + written * CACHE_WRITE_SURCHARGE) * self.input
        return (full + cached * self.cached_input + tokens_out * self.output) / MILLION


FREE_OF_CHARGE = Price(0.0, 0.0, 0.0)


def price_from(
    tokens_in: float | None, tokens_out: float | None, cached: float | None, dated: str | None
) -> Price | None:
    """A price from the columns of a journal row, None when the row has none."""
    if tokens_in is None or tokens_out is None:
        return None
    return Price(tokens_in, tokens_out, tokens_in if cached is None else cached, dated)


def exact_usd(usd: float | None) -> str:
    """An amount with four digits behind the point, or as many as show its first two."""
    return f"{usd:.{max(4, 1 - floor(log10(usd)))}f}" if usd else "0"
