"""What goes out: one row an answer to be labelled, or one a candidate to be decided on."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from curation.opinions import answer_id_of
from curation.registry import Registry
from curation.registry.people import labels_of, next_number, opinions_of
from curation.registry.queries import seed_of
from salitrap.records import Answer, Candidate, Judgement, Seed


class What(StrEnum):
    """What the rows are about."""

    ANSWERS = "answers"
    CANDIDATES = "candidates"


KEYS = {
    What.ANSWERS: ("answer_id", "candidate_id", "repeat"),
    What.CANDIDATES: ("candidate_id", "said_before"),
}
"""Columns by which a row is found again. ``said_before`` numbers what people had said when it went out."""

TEXTS = {
    What.ANSWERS: ("prompt", "trap_core", "ground_truth", "answer"),
    What.CANDIDATES: ("prompt", "trap_core", "ground_truth"),
}
"""Texts that are there to be read; a change of them is noticed."""

TOLD = {What.ANSWERS: ("language", "dimension_tag", "machine_label"),
        What.CANDIDATES: ("language", "dimension_tag", "machine_status")}  # fmt: skip
FILLED = {
    What.ANSWERS: ("label", "quote", "note", "reviewer"),
    What.CANDIDATES: ("decision", "reason", "note", "new_prompt", "reviewer"),
}
"""Columns for people to fill in; an empty ``reviewer`` is the one that imports."""

Row = dict[str, str]


def columns_of(what: What) -> tuple[str, ...]:
    """All columns, in order."""
    return (*KEYS[what], *TOLD[what], *TEXTS[what], *FILLED[what])


def rows_of(registry: Registry, what: What, reviewer: str, statuses: tuple[str, ...] = ()) -> Iterator[Row]:
    """Rows of the active seeds in the order of the run; ``statuses`` keeps candidates that stand so.

    What ``reviewer`` said before stands in the columns to be filled in, under that name, so that nobody
    else's name gets under it when the file comes back.
    """
    for row in _selected(registry, what, statuses):
        yield (
            _answer_row(registry, reviewer, *row)
            if what is What.ANSWERS
            else _candidate_row(registry, reviewer, *row)
        )


def _selected(registry: Registry, what: What, statuses: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    marks = ", ".join("?" * len(statuses))
    where = f" WHERE now.status IN ({marks})" if statuses else ""
    base = (
        " FROM active_seeds AS seeds JOIN candidates USING (seed_id)"
        " JOIN current_decisions AS now USING (candidate_id)"
    )
    if what is What.CANDIDATES:
        query = f"SELECT candidates.record, now.status{base}{where} ORDER BY seeds.position, ordinal"
    else:
        base += (
            " JOIN answers USING (candidate_id) LEFT JOIN judgements"
            " ON judgements.candidate_id = answers.candidate_id AND judgements.repeat = answers.repeat"
        )
        query = (
            f"SELECT candidates.record, answers.record, judgements.record{base}{where}"
            " ORDER BY seeds.position, ordinal, answers.repeat"
        )
    yield from registry.connection.execute(query, statuses)


def _answer_row(registry: Registry, reviewer: str, candidate: str, answer: str, judgement: str | None) -> Row:
    asked, said = Candidate.model_validate_json(candidate), Answer.model_validate_json(answer)
    judged = Judgement.model_validate_json(judgement) if judgement else None
    answer_id = answer_id_of(asked.prompt, said.text)
    mine = next((one for one in labels_of(registry, answer_id) if one.author == reviewer), None)
    return {
        "answer_id": answer_id,
        "candidate_id": asked.candidate_id,
        "repeat": str(said.repeat),
        "machine_label": judged.label.value if judged and judged.label else "",
        "answer": said.text,
        **_texts(_seed(registry, asked), asked),
        "label": mine.label.value if mine and mine.label else "",
        "quote": mine.quote if mine else "",
        "note": mine.note if mine else "",
        "reviewer": reviewer if mine else "",
    }


def _candidate_row(registry: Registry, reviewer: str, candidate: str, status: str) -> Row:
    asked = Candidate.model_validate_json(candidate)
    said = next((one for one in opinions_of(registry, asked.candidate_id) if one.author == reviewer), None)
    return {
        "candidate_id": asked.candidate_id,
        "said_before": str(next_number(registry) - 1),
        "machine_status": status,
        **_texts(_seed(registry, asked), asked),
        "decision": said.verdict.value if said else "",
        "reason": said.reason.value if said and said.reason else "",
        "note": said.note if said else "",
        "new_prompt": "",
        "reviewer": reviewer if said else "",
    }


def _seed(registry: Registry, candidate: Candidate) -> Seed:
    seed = seed_of(registry, candidate.seed_id)
    assert seed is not None  # the query joins the seeds
    return seed


def _texts(seed: Seed, candidate: Candidate) -> Row:
    return {
        "language": candidate.language.value,
        "dimension_tag": seed.dimension_tag,
        "prompt": candidate.prompt,
        "trap_core": seed.trap_core,
        "ground_truth": seed.ground_truth,
    }
