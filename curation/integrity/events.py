"""The chain of events, and whether ids are those of what they name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from curation.dialogues.records import KeptDialogue
from curation.integrity.findings import RunFault, RunFinding
from curation.registry import Registry
from curation.registry.chain import breaks
from curation.registry.registry import NAME
from salitrap.records import Candidate, CertifiedItem, Seed
from salitrap.records.item import item_content, item_id_of


def chain_findings(registry: Registry) -> Iterator[RunFinding]:
    """Every place at which the chain breaks."""
    for seq, kind, subject in breaks(registry.connection):
        told = f"event {seq} ({kind} {subject}) does not follow from the one before it"
        yield RunFinding(fault=RunFault.CHAIN_BROKEN, path=NAME, subject=str(seq), message=told)


def id_findings(registry: Registry) -> Iterator[RunFinding]:
    """Rows of the view whose id is not the one that their content gives, or whose record cannot be read."""
    for table, (column, id_of) in IDS.items():
        for name, record in registry.connection.execute(f"SELECT {column}, record FROM {table}"):
            if (wrong := _wrong(name, record, id_of)) is not None:
                told = f"{table}: {wrong}"
                yield RunFinding(fault=RunFault.WRONG_ID, path=NAME, subject=str(name), message=told)


def _wrong(name: str, record: str, id_of: Callable[[dict[str, Any]], str]) -> str | None:
    try:
        found = id_of(json.loads(record))
    except ValueError as error:
        return f"the record of {name} cannot be read ({str(error).splitlines()[0]})"
    return None if found == name else f"{name} stands for content whose id is {found}"


def _item_id(record: dict[str, Any]) -> str:
    item = CertifiedItem.model_validate(record)
    numbers = item.injected_numbers
    content = item_content(item.seed_id, item.prompt, item.trap_core, item.ground_truth, numbers)
    return item_id_of(item.candidate_id, content)


IDS: Mapping[str, tuple[str, Callable[[dict[str, Any]], str]]] = {
    "seeds": ("seed_id", lambda record: Seed.model_validate(record).seed_id),
    "candidates": ("candidate_id", lambda record: Candidate.model_validate(record).candidate_id),
    "items": ("item_id", _item_id),
    "dialogues": ("dialogue_id", lambda record: KeptDialogue.model_validate(record).dialogue_id),
}
"""Id column and id of a record, by table."""
