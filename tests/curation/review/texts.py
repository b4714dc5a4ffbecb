"""Texts that must be shown as they are, and a candidate that has one wherever a text can stand."""

from __future__ import annotations

from curation.node import Node
from curation.registry import Batch, Registry
from curation.registry.events import batch_of_nodes
from curation.registry.queries import active_seeds
from salitrap.records import (
    Answer,
    Candidate,
    Decision,
    Evaluation,
    Fault,
    Judgement,
    Label,
    LabelStatus,
    Language,
    Origin,
    Outcome,
    Route,
    Seed,
    Stage,
    Status,
    VerdictKind,
    content_hash,
)

HOSTILE = (
    "<script>alert('x')</script>",
    "<img src=x onerror=alert(1)>",
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "&amp; &lt;b&gt; <b>bold</b>",
    "]]> --> </p></main></body>",
    "שלום עולם 123 مرحبا بالعالم",
    "👩‍👩‍👧‍👦 🏳️‍🌈 ❤️",
    "'\"><a href='javascript:alert(1)'>click</a>",
    "[bold red]rich[/] `tick` *star*",
)


def put(registry: Registry, text: str, *, child: str = "") -> str:
    """Make ``text`` the only candidate of the first seed, or ``child`` its child; returns the last id."""
    seed = next(active_seeds(registry))
    first = _node(seed, text, None, 0)
    nodes = [first] + ([_node(seed, child, first.candidate_id, 1)] if child else [])
    registry.write(Batch(Stage.REFINE, content_hash([text, child]), batch_of_nodes(nodes), seed.seed_id))
    return nodes[-1].candidate_id


def _node(seed: Seed, text: str, parent: str | None, ordinal: int) -> Node:
    candidate = Candidate(
        seed_id=seed.seed_id,
        parent_id=parent,
        ordinal=ordinal,
        depth=ordinal,
        language=Language.EN,
        origin=Origin.SEED if parent is None else Origin.MUTATE,
        strategy=text,
        prompt=text,
        injected_numbers=(),
    )
    about = candidate.candidate_id
    verdict = Evaluation(
        subject_id=about, checker="truth", verdict=VerdictKind.FAIL, fault=Fault.PATCHED, reason=text
    )
    return Node(
        candidate=candidate,
        evaluations=(verdict,),
        answer=Answer(
            candidate_id=about,
            repeat=0,
            solver=text,
            solver_family=text,
            status=Outcome.OK,
            text=text,
            reasoning=text,
        ),
        judgement=Judgement(
            candidate_id=about,
            repeat=0,
            status=LabelStatus.OK,
            label=Label.PASS,
            direct_quote=text,
            reason=text,
        ),
        decision=Decision(
            candidate_id=about, status=Status.CERTIFIED, route=Route.POOL, label=Label.PASS, reason=text
        ),
    )
