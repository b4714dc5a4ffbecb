"""Random draws that are a pure function of a key: SHA-256, never a shared generator."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import TypeVar

from salitrap.records.ids import canonical_json

Value = TypeVar("Value")
_NORMAL = NormalDist()
_SCALE = float(1 << 53)


class Draw:
    """Named draws under one key: the same key and name give the same value in every process."""

    __slots__ = ("_key",)

    def __init__(self, *parts: object) -> None:
        self._key = hashlib.sha256(canonical_json(list(parts)).encode("utf-8", "surrogatepass")).digest()

    def bits(self, name: str) -> int:
        """A 64-bit integer."""
        return int.from_bytes(hashlib.sha256(self._key + name.encode()).digest()[:8], "big")

    def unit(self, name: str) -> float:
        """Uniform in [0, 1)."""
        return (self.bits(name) >> 11) / _SCALE

    def chance(self, name: str, share: float) -> bool:
        """True with probability ``share``."""
        return self.unit(name) < share

    def normal(self, name: str, spread: float = 1.0) -> float:
        """Normal with mean 0 and standard deviation ``spread``."""
        return spread * _NORMAL.inv_cdf((self.bits(name) + 0.5) / 2.0**64)

    def below(self, name: str, bound: int) -> int:
        """An integer in [0, bound)."""
        return self.bits(name) % bound

    def pick(self, name: str, values: Sequence[Value]) -> Value:
        """One of ``values``."""
        return values[self.below(name, len(values))]

    def weighted(self, name: str, weights: Mapping[Value, float]) -> Value:
        """A key of ``weights``, with probability proportional to its weight."""
        left = self.unit(name) * sum(weights.values())
        for value, weight in weights.items():
            left -= weight
            if left < 0.0:
                return value
        return next(reversed(list(weights)))

    def order(self, name: str, values: Sequence[Value]) -> list[Value]:
        """``values`` in a drawn order."""
        keys = {index: self.bits(f"{name}/{index}") for index in range(len(values))}
        return [values[index] for index in sorted(keys, key=lambda index: (keys[index], index))]
