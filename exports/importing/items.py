"""Published items of the paper (appendix D.1) as rows of ours, as far as both say the same."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, ValidationError

from exports.importing.fields import ITEM_FIELDS, folded, name_of, shown, text_of
from exports.importing.reading import CannotMap
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.enums import Language, Tier
from salitrap.records.item import item_content, item_content_hash
from salitrap.text import as_written, in_language

DIMENSIONS = {
    "missingprerequisite": "D1",
    "environmentalmismatch": "D2",
    "temporalphysiologicalviolation": "D3",
    "temporalphysiological": "D3",
    "rulemismatch": "D4",
    **{f"d{number}": f"D{number}" for number in range(1, 5)},
}
"""Names of the four dimensions (paper, section 3.2 and table 3), folded."""


class ImportedItem(Record):
    """The nine fields of a published record, and two that follow from them.

    ``language`` is that of the prompt's letters, None where they fit neither; ``content_hash`` is computed.
    The paper's records do not state version, solver family or stability rate, so they are not here either.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    item_id: str
    seed_id: str
    prompt: str
    trap_core: str
    ground_truth: str
    injected_numbers: tuple[str, ...]
    dimension_tag: str
    naturalness_score: float
    attack_tier: Tier
    language: Language | None = None
    content_hash: str = ""


def item_of(fields: Mapping[str, Any]) -> ImportedItem:
    """Return the item of one record.

    Raises:
        CannotMap: a field is missing or holds what the paper does not say it holds.
    """
    prompt = text_of(fields, "prompt")
    numbers = numbers_of(fields, prompt)
    seed_id, core, truth = name_of(fields, "seed_id"), text_of(fields, "trap_core"), _truth(fields)
    return ImportedItem(
        item_id=name_of(fields, "item_id"),
        seed_id=seed_id,
        prompt=prompt,
        trap_core=core,
        ground_truth=truth,
        injected_numbers=numbers,
        dimension_tag=dimension_of(fields),
        naturalness_score=_naturalness(fields),
        attack_tier=_tier(fields),
        language=next((language for language in Language if in_language(prompt, language)), None),
        content_hash=item_content_hash(item_content(seed_id, prompt, core, truth, numbers)),
    )


def dimension_of(fields: Mapping[str, Any]) -> str:
    """Return the tag of a dimension that a record names.

    Raises:
        CannotMap: none of the four.
    """
    given = text_of(fields, "dimension_tag")
    tag = DIMENSIONS.get(folded(given))
    if tag is None:
        raise CannotMap("dimension_tag", f"received {shown(given)}, expected D1 to D4 or the name of one")
    return tag


def numbers_of(fields: Mapping[str, Any], prompt: str) -> tuple[str, ...]:
    """Return the distractors; one that the prompt writes otherwise is written as there (三 for 3).

    Raises:
        CannotMap: no list of texts and numbers.
    """
    given = fields.get("injected_numbers")
    if not isinstance(given, list):
        told = f"received {shown(given)}, expected a list" if "injected_numbers" in fields else "missing"
        raise CannotMap("injected_numbers", told)
    listed = tuple(_number(entry) for entry in given)
    there = as_written(prompt, listed)
    return tuple(one if one in prompt else other for one, other in zip(listed, there, strict=True))


def read_items(path: Path) -> dict[str, ImportedItem]:
    """Return imported items, or those of a dataset's JSONL, by id.

    Raises:
        InputError: the file cannot be read, or is neither.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        items = [ImportedItem.model_validate_json(line) for line in lines if line.strip()]
    except OSError as error:
        raise InputError(f"--items {path}: cannot be read ({error.strerror}); check the path") from error
    except (ValidationError, UnicodeDecodeError) as error:
        raise InputError(
            f"--items {path}: no items of ours, one a line; make them with salitrap import --from paper-items"
        ) from error
    return {item.item_id: item for item in items}


def lacking_fields() -> str:
    """Say what an imported item does not have, and why."""
    return (
        f"records of the paper have {len(ITEM_FIELDS)} fields; version, solver_family, stability_rate, "
        "simulated and canary are not among them and were left out; language is that of the prompt's letters"
    )


def _truth(fields: Mapping[str, Any]) -> str:
    return text_of(fields, "ground_truth")


def _number(entry: object) -> str:
    if isinstance(entry, Decimal):
        return str(entry)
    if isinstance(entry, str) and entry.strip():
        return text_of({"injected_numbers": entry}, "injected_numbers")
    raise CannotMap("injected_numbers", f"holds {shown(entry)}, expected texts or numbers")


def _naturalness(fields: Mapping[str, Any]) -> float:
    given = fields.get("naturalness_score")
    if not isinstance(given, Decimal) or not 1 <= given <= 5:
        told = f"received {shown(given)}, expected a number from 1 to 5"
        raise CannotMap("naturalness_score", told if "naturalness_score" in fields else "missing")
    return float(given)


def _tier(fields: Mapping[str, Any]) -> Tier:
    given = text_of(fields, "attack_tier")
    tiers = {tier.value: tier for tier in (Tier.STRONG, Tier.SOFT)}
    if given.strip().lower() not in tiers:
        raise CannotMap("attack_tier", f"received {shown(given)}, expected strong or soft")
    return tiers[given.strip().lower()]
