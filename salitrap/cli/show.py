"""``salitrap show``: why an item, a candidate, a seed or a dialogue was accepted."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from salitrap.cli.console import out, print_json
from salitrap.cli.options import AsJson
from salitrap.cli.show_dialogue import print_dialogue

if TYPE_CHECKING:
    from curation.explain import Explanation
    from curation.node import Node
    from curation.score_told import ScoreTold
    from salitrap.records import Answer, Evaluation, Judged, Judgement, Seed


def show(
    subject: Annotated[
        str,
        typer.Argument(
            help="Item, candidate or seed id; may be cut short or lack its item- or cand-.", metavar="ID"
        ),
    ],
    run: Annotated[Path, typer.Option("--run", help="Run directory.")] = Path("runs/demo"),
    as_json: AsJson = False,
) -> None:
    """Seed, lineage from its own prompt, verdicts with their quotes, answers, repeats, what people said."""
    from curation.explain import explain

    explanation = explain(run, subject)
    if as_json:
        print_json(explanation.model_dump(mode="json"))
        return
    _print(out(), explanation)


def _print(console: Console, told: Explanation) -> None:
    if told.item is not None:
        console.print(
            f"Item {told.item.item_id}: {told.item.attack_tier.value}, from {told.item.candidate_id}"
        )
    if told.seed is not None:
        _print_seed(console, told.seed)
    for node in told.lineage:
        _print_node(console, node)
    if told.dialogue is not None:
        print_dialogue(told.dialogue, partial(_heading, console), partial(_field, console))
    if told.decision is not None:
        _heading(console, f"Decision: {told.decision.status.value}, route {told.decision.route.value}")
        _field(console, "reason", told.decision.reason)
    if told.score is not None:
        _print_score(console, told.score)
    _print_people(console, told)
    _print_repeats(console, told)
    if told.rejection is not None:
        _heading(console, f"Rejected: {told.rejection['fault']}")
        for name in ("reason", "score", "twin_id", "raw"):
            _field(console, name, told.rejection[name])


def _print_repeats(console: Console, told: Explanation) -> None:
    if told.stability is not None:
        rate = told.stability
        _heading(
            console,
            f"Repeats: rate {rate.rate:.2f} [{rate.rate_low:.2f}, {rate.rate_high:.2f}], rule {rate.rule}",
        )
    for answer, judgement in zip(told.answers, told.judgements, strict=False):
        _print_answer(console, answer, judgement)


def _print_score(console: Console, score: ScoreTold) -> None:
    """The parts of the score, and the place that it gives."""
    parts = " ".join(f"{name.replace('_', ' ')} {value:+.1f}" for name, value in score.parts if value)
    _field(console, "score", f"{score.total:.1f} = {parts}")
    if score.near_twin:
        _field(console, "near duplicate of", f"{score.near_twin} (sequence ratio {score.near_ratio:.3f})")
    if score.rank is None:
        place = "not certified, so it is not among the candidates for an item"
    else:
        place = f"{score.rank} of {score.pool} certified; the best {score.top_k} that are stable become items"
    _field(console, "rank", place)


def _print_people(console: Console, told: Explanation) -> None:
    for opinion in told.opinions:
        _field(console, "a person", f"{opinion.told} ({opinion.written_at[:16].replace('T', ' ')} UTC)")
    for label in told.labels:
        named = label.label.value if label.label else ""
        _field(console, f"answer {label.repeat} labelled by {label.author}", f"{named} {label.note}".strip())


def _print_seed(console: Console, seed: Seed) -> None:
    _heading(
        console, f"Seed {seed.seed_id} ({seed.dimension_tag}, {seed.language.value}, {seed.origin.value})"
    )
    _field(console, "scenario", seed.scenario)
    _field(console, "trap core", seed.trap_core)
    _field(console, "ground truth", seed.ground_truth)


def _print_node(console: Console, node: Node) -> None:
    candidate, decision = node.candidate, node.decision
    made = " ".join(part for part in (candidate.origin.value, candidate.strategy) if part)
    _heading(
        console, f"Candidate {candidate.candidate_id} (#{candidate.ordinal}, {made}): {decision.status.value}"
    )
    _field(console, "prompt", candidate.prompt)
    for evaluation in node.evaluations:
        _print_evaluation(console, evaluation)
    if node.answer is not None:
        _print_answer(console, node.answer, node.judgement)
    if decision.score is not None:
        _field(console, "score", f"{decision.score:.1f}")
    if decision.fault is not None:
        _field(console, decision.fault.value, decision.reason)


def _print_evaluation(console: Console, evaluation: Evaluation) -> None:
    scores = ", ".join(f"{name} {value:g}" for name, value in evaluation.scores.items())
    quotes = " ".join(f"“{quote}”" for quote in evaluation.evidence)
    model = (
        f"({evaluation.provenance.model}, {evaluation.provenance.prompt})" if evaluation.provenance else ""
    )
    said = " ".join(
        part for part in (evaluation.verdict.value, scores, quotes, evaluation.reason, model) if part
    )
    _field(console, evaluation.checker, said)


def _print_answer(console: Console, answer: Answer, judgement: Judgement | None) -> None:
    _field(
        console,
        f"answer {answer.repeat} of {answer.solver}",
        answer.text or answer.detail or answer.status.value,
    )
    if judgement is None:
        return
    _field(console, "label", _said(judgement))
    if judgement.second_label is not None:
        completed = ", which finds a completed task" if judgement.completed_pass else ""
        _field(console, "label by rules", f"{judgement.second_label.value}{completed}")
    for vote in judgement.votes:
        _field(console, f"vote of {vote.judge}", _said(vote))


def _said(judged: Judged) -> str:
    label = judged.label.value if judged.label else judged.status.value
    facts = f"[{judged.evidence.facts}]" if judged.evidence else ""
    quote = f"“{judged.quote}”" if judged.quote else ""
    return " ".join(part for part in (label, facts, quote, judged.reason) if part)


def _heading(console: Console, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold"), soft_wrap=True)


def _field(console: Console, name: str, value: object) -> None:
    console.print(Text.assemble((f"  {name}: ", "cyan"), str(value)), soft_wrap=not console.is_terminal)
