"""The claims of a whole file: what is new, and which rows contradict each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from curation.labels.claims import Claim

COLUMN = {"label": "label", "decision": "decision", "text": "new_prompt"}


class Entry(NamedTuple):
    """A row that says something; ``number`` is its number in the file, which annotators of a record share."""

    number: int
    claims: Sequence[Claim]


class Contradiction(NamedTuple):
    """Why an entry cannot be taken."""

    column: str
    message: str


def contradictions(entries: Sequence[Entry]) -> dict[int, Contradiction]:
    """Entries, by place, that say different things about the same for one person.

    All of them are named, since nobody can tell which one is meant.
    """
    said: dict[tuple[str, str, str], list[tuple[int, Claim]]] = defaultdict(list)
    for place, entry in enumerate(entries):
        for claim in entry.claims:
            said[_key(claim)].append((place, claim))
    found: dict[int, Contradiction] = {}
    for claims in said.values():
        if len({claim.content for _, claim in claims}) > 1:
            numbers = " and ".join(str(entries[place].number) for place, _ in claims)
            first = claims[0][1]
            told = f"rows {numbers} say different things about the same for {first.author}; keep one of them"
            found.update({place: Contradiction(COLUMN[first.kind], told) for place, _ in claims})
    return found


def new_claims(entries: Sequence[Entry]) -> list[list[Claim]]:
    """For each entry, what it is the first to say, in the file and in the run."""
    seen = set[tuple[str, str, str]]()
    found = list[list[Claim]]()
    for entry in entries:
        fresh = [claim for claim in entry.claims if not claim.known and _key(claim) not in seen]
        seen.update(map(_key, entry.claims))
        found.append(fresh)
    return found


def _key(claim: Claim) -> tuple[str, str, str]:
    """What a claim is about. A text is new once, whoever brings it."""
    return claim.kind, "" if claim.kind == "text" else claim.author, claim.about
