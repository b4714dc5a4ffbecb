"""(tool, object, action) of the accepted seeds: equal triples, and those that share two parts."""

from __future__ import annotations

from salitrap.records import Seed
from salitrap.text import normalise_name

Parts = tuple[str, str, str]


class TripleBook:
    """Equal triples are looked up everywhere, near ones within a dimension and language."""

    def __init__(self) -> None:
        self._whole: dict[Parts, list[str]] = {}
        self._pairs: dict[tuple[str, str, int, str, str], list[str]] = {}

    def add(self, seed: Seed) -> None:
        """Enter a seed."""
        self._whole.setdefault(_parts(seed), []).append(seed.seed_id)
        for key in _pairs(seed):
            self._pairs.setdefault(key, []).append(seed.seed_id)

    def remove(self, seed: Seed) -> None:
        """Take a seed out."""
        self._whole[_parts(seed)].remove(seed.seed_id)
        for key in _pairs(seed):
            self._pairs[key].remove(seed.seed_id)

    def same(self, seed: Seed) -> str | None:
        """The first seed with the same triple."""
        owners = self._whole.get(_parts(seed), [])
        return owners[0] if owners else None

    def near(self, seed: Seed) -> tuple[str, ...]:
        """Seeds that share at least two parts in the same place, each once."""
        owners = [owner for key in _pairs(seed) for owner in self._pairs.get(key, [])]
        return tuple(dict.fromkeys(owners))


def _parts(seed: Seed) -> Parts:
    triple = seed.triple
    return (normalise_name(triple.tool), normalise_name(triple.object), normalise_name(triple.action))


def _pairs(seed: Seed) -> list[tuple[str, str, int, str, str]]:
    parts, cell = _parts(seed), (seed.dimension_tag, seed.language.value)
    return [(*cell, left_out, *(parts[:left_out] + parts[left_out + 1 :])) for left_out in range(3)]  # type: ignore[misc]
