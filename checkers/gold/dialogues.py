"""Hand-written dialogues: read from YAML, twins linked by key; the first fault is told in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from checkers.gold.forms import MaybeText, Text
from checkers.gold.places import refuse_missing, told
from checkers.gold.yaml_file import refuse
from salitrap.dialogues import Control, Dialogue, DialogueFact, Move, Pattern, Replay, Speaker, Turn, When
from salitrap.dialogues.facts import feasible_after
from salitrap.errors import InputError
from salitrap.records.base import Record
from salitrap.records.enums import Language
from salitrap.records.ids import content_hash
from salitrap.text import locate_numbers
from salitrap.yaml_source import YamlSource, read_yaml

FOLDER = Path(__file__).parent / "dialogues"
INHERITED = (
    "dimension_tag", "pattern", "replay", "trap_core", "ground_truth", "infeasible_when", "turns",
)  # fmt: skip
"""What a control has from its trap dialogue unless it states its own; facts are joined."""


class _TurnForm(Record):
    role: Speaker = Speaker.USER
    content: str
    when: When = When.ALWAYS
    move: Move = Move.ASK
    facts_added: tuple[Text, ...] = ()
    facts_removed: tuple[Text, ...] = ()
    numbers: tuple[Text, ...] | None = None
    feasible: bool | None = None

    def turn(self) -> Turn:
        """The turn, with its figures found where none are listed."""
        content = self.content.strip()
        found = locate_numbers(content, ()) if self.role is Speaker.USER else ()
        stated = self.model_dump(exclude={"numbers", "feasible", "content"})
        numbers = found if self.numbers is None else self.numbers
        return Turn(**stated, content=content, numbers=numbers, feasible=self.feasible is not False)


class _DialogueForm(Record):
    key: Text
    twin_of: MaybeText = ""
    dimension_tag: Text
    pattern: Pattern
    control: Control = Control.NONE
    replay: Replay = Replay.LIVE
    trap_core: Text
    ground_truth: Text
    facts: dict[str, Text]
    infeasible_when: tuple[tuple[Text, ...], ...]
    t_star: int | None = None
    turns: tuple[_TurnForm, ...] = Field(min_length=1)


class GoldDialogue(Record):
    """A dialogue under the key its author gave it; ``parent`` is the key of a control's trap dialogue."""

    key: str
    parent: str = ""
    written_by: str
    dialogue: Dialogue


class DialogueSet(Record):
    """Gold dialogues, in the order of their files; every parent stands in the set."""

    dialogues: tuple[GoldDialogue, ...]

    @property
    def sha256(self) -> str:
        """Hash of all dialogues and their keys."""
        return content_hash([one.model_dump(mode="json") for one in self.dialogues])

    def named(self, key: str) -> Dialogue:
        """The dialogue with this key.

        Raises:
            KeyError: there is none.
        """
        found = next((one.dialogue for one in self.dialogues if one.key == key), None)
        if found is None:
            raise KeyError(key)
        return found


def shipped_dialogues() -> DialogueSet:
    """The shipped gold dialogues of both languages.

    Raises:
        InputError: none are installed.
    """
    return load_dialogues(sorted(FOLDER.glob("*.yaml")))


def load_dialogues(paths: Sequence[Path]) -> DialogueSet:
    """Read YAML files of dialogues; a twin and its trap dialogue stand in one file.

    Raises:
        InputError: no file, or the first fault with file, line, dialogue and field.
    """
    if not paths:
        raise InputError("no gold dialogues given; name a YAML file")
    found = list[GoldDialogue]()
    for path in paths:
        refuse_missing(path)
        found.extend(_read(path))
    return DialogueSet(dialogues=tuple(found))


def _read(path: Path) -> list[GoldDialogue]:
    source = read_yaml(path)
    value = source.value
    if not isinstance(value, dict) or not isinstance(value.get("dialogues"), list):
        raise InputError(f"{path}: no gold dialogues: expected a mapping with a list 'dialogues'")
    if value.get("language") not in set(Language):
        refuse(source, ("language",), f"name one of {', '.join(Language)}")
    if not value.get("written_by"):
        refuse(source, ("written_by",), "is missing; say who wrote the dialogues")
    raw = _by_key(source)
    made = dict[str, GoldDialogue]()
    for place, (key, entry) in enumerate(raw.items()):
        made[key] = _made(source, place, _with_parent(source, place, entry, raw), made)
    return list(made.values())


def _by_key(source: YamlSource) -> dict[str, dict[str, Any]]:
    """The entries of a file by key, as typed."""
    assert isinstance(source.value, dict)
    found = dict[str, dict[str, Any]]()
    listed: Any = source.value["dialogues"]
    for place, entry in enumerate(listed):
        key = entry.get("key") if isinstance(entry, dict) else None
        if not isinstance(key, str) or not key:
            refuse(source, ("dialogues", place, "key"), "is missing; give the dialogue a key of its own")
        if key in found:
            refuse(source, ("dialogues", place, "key"), f"{key!r} stands twice; choose another")
        found[key] = entry
    return found


def _with_parent(
    source: YamlSource, place: int, entry: Mapping[str, Any], raw: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """``entry`` with what it has from its trap dialogue filled in."""
    name = entry.get("twin_of")
    if not name:
        return dict(entry)
    at = ("dialogues", place, "twin_of")
    parent = raw.get(name)
    if parent is None:
        refuse(source, at, f"no dialogue has the key {name!r}; check its spelling")
    keys = list(raw)
    if parent.get("twin_of") or keys.index(name) > place:
        refuse(source, at, f"{name!r} must be a trap dialogue that stands further up")
    whole = {field: parent[field] for field in INHERITED if field in parent} | dict(entry)
    own = entry.get("facts") or {}
    if isinstance(own, dict) and isinstance(parent.get("facts"), dict):
        whole["facts"] = parent["facts"] | own
    if entry.get("control") == Control.CONCAT.value:
        whole["replay"] = entry.get("replay", Replay.LIVE.value)
    whole["turns"] = _turns(source, place, whole.get("turns"), parent.get("turns"))
    return whole


def _turns(source: YamlSource, place: int, own: Any, parents: Any) -> Any:
    """``own`` turns with each bare number replaced by that turn of the trap dialogue."""
    if not isinstance(own, list) or not isinstance(parents, list):
        return own
    made = list[Any]()
    for at, turn in enumerate(own):
        if isinstance(turn, str):
            if not turn.isdecimal() or not 1 <= int(turn) <= len(parents):
                where = ("dialogues", place, "turns", at)
                refuse(source, where, f"turn {at + 1}: the trap dialogue has no turn {turn!r}")
            turn = parents[int(turn) - 1]
        made.append(turn)
    return made


def _made(
    source: YamlSource, place: int, whole: Mapping[str, Any], made: Mapping[str, GoldDialogue]
) -> GoldDialogue:
    try:
        form = _DialogueForm.model_validate(whole)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        loc = tuple(first["loc"])
        turn = f"turn {int(loc[1]) + 1}: " if loc[:1] == ("turns",) and len(loc) > 1 else ""
        refuse(source, ("dialogues", place, *loc), f"{turn}{told(first)}")
    assert isinstance(source.value, dict)
    parent = made[form.twin_of].dialogue if form.twin_of else None
    dialogue = _dialogue(form, Language(str(source.value["language"])), parent)
    return GoldDialogue(
        key=form.key, parent=form.twin_of, written_by=str(source.value["written_by"]), dialogue=dialogue
    )


def _dialogue(form: _DialogueForm, language: Language, parent: Dialogue | None) -> Dialogue:
    return Dialogue(
        seed_id=parent.seed_id if parent else f"gold-{form.key}",
        dimension_tag=form.dimension_tag,
        language=language,
        pattern=form.pattern,
        control=form.control,
        replay=form.replay,
        trap_core=form.trap_core.strip(),
        ground_truth=form.ground_truth.strip(),
        facts=tuple(DialogueFact(key=key, text=text.strip()) for key, text in form.facts.items()),
        infeasible_when=form.infeasible_when,
        turns=_feasible(form, tuple(turn.turn() for turn in form.turns)),
        t_star=form.t_star,
        twin_of=parent.dialogue_id if parent else "",
    )


def _feasible(form: _DialogueForm, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """``turns`` with ``feasible`` from the facts where the author did not say it."""
    known = iter(feasible_after([turn for turn in turns if turn.role is Speaker.USER], form.infeasible_when))
    made = list[Turn]()
    for stated, turn in zip(form.turns, turns, strict=True):
        computed = next(known) if turn.role is Speaker.USER else True
        if stated.feasible is None:
            turn = turn.model_copy(update={"feasible": computed})
        made.append(turn)
    return tuple(made)
