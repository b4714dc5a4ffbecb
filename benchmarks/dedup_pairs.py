"""The labelled pairs of traps in ``benchmarks/data``: read and checked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from salitrap.records import Triple

DATA = Path(__file__).parent / "data"
Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


class PairKind(StrEnum):
    """What a person says about a pair; only a reworded one is a duplicate."""

    REWORDED = "reworded"
    OTHER_TRAP = "same_template_other_trap"
    FIGURES = "number_or_unit_only"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two prompts with their label; ``change`` says how ``b`` was made of ``a``.

    ``cores`` and ``triples`` belong to ``a`` and ``b``, None where nobody wrote them.
    """

    id: str
    kind: PairKind
    change: str
    a: str
    b: str
    cores: tuple[str, str] | None
    triples: tuple[Triple, Triple] | None

    @property
    def duplicate(self) -> bool:
        """True when both ask the same."""
        return self.kind is PairKind.REWORDED


def read_pairs(language: Language) -> tuple[Pair, ...]:
    """All pairs of a language, in file order."""
    with (DATA / f"dedup_pairs.{language}.jsonl").open(encoding="utf-8") as lines:
        return tuple(_pair(json.loads(line)) for line in lines)


def _pair(row: dict[str, Any]) -> Pair:
    cores, triples = row.get("cores"), row.get("triples")
    return Pair(
        id=row["id"],
        kind=PairKind(row["kind"]),
        change=row["change"],
        a=row["a"],
        b=row["b"],
        cores=tuple(cores) if cores else None,
        triples=tuple(_triples(triples)) if triples else None,  # type: ignore[arg-type]
    )


def _triples(rows: list[list[str]]) -> Iterator[Triple]:
    for tool, thing, action in rows:
        yield Triple(tool=tool, object=thing, action=action)
