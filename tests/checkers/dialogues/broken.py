"""The broken dialogues of the fixture: each a gold one with one thing changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from checkers.gold.dialogues import DialogueSet, GoldDialogue, shipped_dialogues
from salitrap.dialogues import Dialogue, DialogueFault
from salitrap.text import locate_numbers

FIXTURE = Path(__file__).parents[1] / "fixtures" / "dialogues_broken.yaml"


@dataclass(frozen=True, slots=True)
class Broken:
    """A dialogue, the fault it must be refused for, and the trap dialogue it belongs to, if any."""

    case: str
    fault: DialogueFault
    dialogue: Dialogue
    trap: Dialogue | None


@cache
def gold() -> DialogueSet:
    return shipped_dialogues()


def broken() -> list[Broken]:
    return [_broken(entry) for entry in yaml.safe_load(FIXTURE.read_text("utf-8"))]


def trap_of(one: GoldDialogue) -> Dialogue | None:
    return gold().named(one.parent) if one.parent else None


def _broken(entry: Mapping[str, Any]) -> Broken:
    like = next(one for one in gold().dialogues if one.key == entry["like"])
    fields = like.dialogue.model_dump(mode="json") | entry.get("whole", {})
    for number, changes in entry.get("turn", {}).items():
        fields["turns"][number - 1] |= _with_numbers(changes)
    drop = entry.get("drop", ())
    fields["turns"] = [turn for number, turn in enumerate(fields["turns"], 1) if number not in drop]
    dialogue = Dialogue.model_validate(fields)
    return Broken(entry["case"], DialogueFault(entry["fault"]), dialogue, trap_of(like))


def _with_numbers(changes: Mapping[str, Any]) -> dict[str, Any]:
    found = {"numbers": locate_numbers(changes["content"], ())} if "content" in changes else {}
    return found | dict(changes)
