"""Label rows for the tests of the analysis."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from salitrap.records import Label, LabelRow, LabelStatus, Language

MINIMAL: dict[str, Any] = {
    "model": "model-a",
    "item_id": "i1",
    "seed_id": "s1",
    "dimension_tag": "D1",
    "status": "ok",
    "label": "Pass",
}


def raw(**changes: Any) -> dict[str, Any]:
    return {**MINIMAL, **changes}


def row(**changes: Any) -> LabelRow:
    return LabelRow.model_validate(raw(**changes))


def labelled(*labels: Label | LabelStatus, **changes: Any) -> list[LabelRow]:
    """One row an entry, each of an item and a seed of its own; a status makes an unscored row."""
    return [
        row(
            item_id=f"i{number}",
            seed_id=f"s{number}",
            status="ok" if isinstance(entry, Label) else entry,
            label=entry if isinstance(entry, Label) else None,
            **changes,
        )
        for number, entry in enumerate(labels)
    ]


def write(path: Path, rows: Iterable[dict[str, Any] | LabelRow]) -> Path:
    lines = [
        one.model_dump_json() if isinstance(one, LabelRow) else json.dumps(one, ensure_ascii=False)
        for one in rows
    ]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def _row_of(parts: tuple[int, Label | LabelStatus, int, str, int, Language | None, bool]) -> LabelRow:
    item, entry, model, arm, repeat, language, late = parts
    scored = isinstance(entry, Label)
    return LabelRow(
        model=f"model-{model}",
        item_id=f"i{item}",
        seed_id=f"s{item % 5}",
        dimension_tag=f"D{item % 3 + 1}",
        status=LabelStatus.OK if scored else LabelStatus(entry),
        label=Label(entry) if scored else None,
        late_notice=late,
        arm=arm,
        repeat=repeat,
        language=language,
    )


ENTRIES = st.sampled_from([*Label, *Label, LabelStatus.TIMEOUT, LabelStatus.JUDGE_UNRESOLVED])
ROWS = st.lists(
    st.tuples(
        st.integers(0, 11),
        ENTRIES,
        st.integers(0, 2),
        st.sampled_from(["control", "control", "p1"]),
        st.integers(0, 2),
        st.sampled_from([None, *Language]),
        st.booleans(),
    ).map(_row_of),
    max_size=40,
    unique_by=lambda one: (one.model, one.item_id, one.arm, one.repeat),
)
