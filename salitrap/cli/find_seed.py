"""Find a seed by what somebody typed of its key or its seed_id."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from salitrap.errors import InputError

if TYPE_CHECKING:
    from salitrap.records import Domain, Seed

_MOST_LISTED = 8


def find_seed(domains: tuple[Domain, ...], name: str) -> tuple[Domain, Seed]:
    """The seed with this key or seed_id, or the only one whose key or seed_id begins so.

    Raises:
        InputError: there is none, with a near miss, or more than one, with their keys.
    """
    found = _beginning(domains, name)
    if len(found) == 1:
        return found[0]
    if found:
        keys = ", ".join(seed.key for _, seed in found[:_MOST_LISTED])
        more = f" and {len(found) - _MOST_LISTED} more" if len(found) > _MOST_LISTED else ""
        raise InputError(f"{len(found)} seeds begin with {name!r}: {keys}{more}; give more of the key")
    near = get_close_matches(name, [seed.key for domain in domains for seed in domain.seeds], n=1)
    hint = f"did you mean {near[0]}?" if near else "'salitrap seeds list' names all keys"
    raise InputError(f"no seed has the key or seed_id {name!r}; {hint}")


def _beginning(domains: tuple[Domain, ...], name: str) -> list[tuple[Domain, Seed]]:
    """Seeds with exactly this key or seed_id, otherwise those that begin so."""
    pairs = [(domain, seed) for domain in domains for seed in domain.seeds]
    exact = [pair for pair in pairs if name in (pair[1].key, pair[1].seed_id)]
    bare = [pair for pair in pairs if pair[1].seed_id.partition("-")[2].startswith(name)]
    begins = [pair for pair in pairs if pair[1].key.startswith(name) or pair[1].seed_id.startswith(name)]
    return exact or begins or bare
