"""Labelled answers of the paper's evaluation as label rows, the form that ``analyze`` reads."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from exports.importing.fields import ITEM_FIELDS, folded, name_of, shown, text_of
from exports.importing.items import ImportedItem, dimension_of
from exports.importing.reading import CannotMap
from salitrap.records import CONTROL, Label, LabelRow, LabelStatus

NEEDED = ("model", "item_id", "label")
OPTIONAL = ("condition", "response")
"""Named in the paper's text (F.3, table 7) though not as fields: used where a file has them."""

RESULT_FIELDS = (*NEEDED, *OPTIONAL, *ITEM_FIELDS[1:])
UNUSED = ("prompt", "trap_core", "ground_truth", "naturalness_score", "attack_tier")
"""Fields of the item that a result may repeat and that a label row has no place for."""

LABELS = {**{folded(label): label for label in Label}, "hijacked": Label.COT_HIJACKED}
CONDITIONS = {
    "control": CONTROL,
    **{name: name for name in ("p1", "p2", "p3")},
    **{f"cond{letter}": f"cond-{letter}" for letter in "abc"},
}
ABOUT_LABELS = (
    "the paper's judge saw the exposed reasoning beside the answer (appendix F.3), so its label is "
    "label_full; label repeats it, since what the visible answer alone would get is not known"
)
ABOUT_FAILURES = (
    "the paper does not say how calls without an answer are recorded: every row that came in has status ok"
)


def row_of(fields: Mapping[str, Any], items: Mapping[str, ImportedItem]) -> LabelRow:
    """Return the label row of one result; what it does not say of its item, ``items`` do.

    Raises:
        CannotMap: a field is missing, holds what the paper does not name, or contradicts the item.
    """
    item_id = name_of(fields, "item_id")
    item = items.get(item_id)
    if items and item is None:
        raise CannotMap("item_id", f"{shown(item_id)} is not among the items given")
    label = _label(fields)
    values: dict[str, object] = {
        "model": name_of(fields, "model"),
        "item_id": item_id,
        "seed_id": _of_item("seed_id", fields, item),
        "dimension_tag": _of_item("dimension_tag", fields, item),
        "status": LabelStatus.OK,
        "label": label,
        "label_full": label,
        **_arm(fields),
        **_about_item(fields, item),
    }
    if fields.get("response") is not None:
        values["answer"] = text_of(fields, "response")
    try:
        return LabelRow.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise CannotMap(str(first["loc"][0]) if first["loc"] else "record", first["msg"]) from error


def _label(fields: Mapping[str, Any]) -> Label:
    given = text_of(fields, "label")
    label = LABELS.get(folded(given))
    if label is None:
        raise CannotMap("label", f"received {shown(given)}, expected one of {', '.join(Label)}")
    return label


def _arm(fields: Mapping[str, Any]) -> dict[str, object]:
    if fields.get("condition") is None:
        return {}
    given = text_of(fields, "condition")
    arm = CONDITIONS.get(folded(given))
    if arm is None:
        raise CannotMap(
            "condition", f"received {shown(given)}, expected Control, P1 to P3 or Cond-A to Cond-C"
        )
    return {"arm": arm}


def _of_item(name: str, fields: Mapping[str, Any], item: ImportedItem | None) -> str:
    """A field of the item, from the record or from the items given; both must say the same."""
    if fields.get(name) is None:
        if item is None:
            raise CannotMap(name, "missing; give the items with --items")
        return str(getattr(item, name))
    said = dimension_of(fields) if name == "dimension_tag" else name_of(fields, name)
    if item is not None and said != getattr(item, name):
        raise CannotMap(name, f"received {shown(said)}, the item has {shown(getattr(item, name))}")
    return said


def _about_item(fields: Mapping[str, Any], item: ImportedItem | None) -> dict[str, object]:
    if item is not None:
        language = {} if item.language is None else {"language": item.language}
        return {**language, "number_count": len(item.injected_numbers)}
    numbers = fields.get("injected_numbers")
    if numbers is None:
        return {}
    if not isinstance(numbers, list) or not all(isinstance(one, str | Decimal) for one in numbers):
        raise CannotMap("injected_numbers", f"received {shown(numbers)}, expected a list of texts or numbers")
    return {"number_count": len(numbers)}
