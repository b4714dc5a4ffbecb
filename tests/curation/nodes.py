"""Candidates in any standing, for tests of what looks at them."""

from __future__ import annotations

from typing import Any

from curation.node import Node
from salitrap.records import Candidate, Decision, Label, Language, Origin, Route, Status


def node(text: str = "text", status: Status = Status.CERTIFIED, **changes: Any) -> Node:
    """A node; ``changes`` go to the decision, ``parent``, ``strategy``, ``ordinal`` to the candidate."""
    about = {name: changes.pop(name, None) for name in ("parent", "strategy", "ordinal")}
    candidate = Candidate(
        seed_id="seed-1",
        parent_id=about["parent"],
        ordinal=about["ordinal"] or 0,
        depth=0,
        language=Language.EN,
        origin=Origin.SEED,
        strategy=about["strategy"] or "",
        prompt=text,
        injected_numbers=(),
    )
    told = {"route": Route.POOL, "label": Label.HARD_FAIL, "naturalness": 4.0, "aligned": True, **changes}
    return Node(
        candidate=candidate, decision=Decision(candidate_id=candidate.candidate_id, status=status, **told)
    )
