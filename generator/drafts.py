"""Seeds as a generator wrote them, before anything is believed (paper, section 3.3.1).

A reply holds several drafts and one malformed draft must not lose the others, so a ``SeedDraft``
can be built from anything. What did not fit is told in ``malformed``; ``draft_faults`` and
``draft_to_seed`` refuse it with that reason. The JSON schema shown to the model stays strict:
every field required, text where text is expected.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from salitrap.records.enums import Fault, Language, Origin
from salitrap.records.provenance import Provenance
from salitrap.records.seed import Niche, Seed, Triple
from salitrap.text import as_written

TEXT_FIELDS = (
    "scenario", "prompt", "trap_core", "ground_truth", "tool", "object", "action", "scene", "life_area",
)  # fmt: skip
LIST_FIELDS = ("injected_numbers", "preserve", "avoid")
REQUIRED_TEXTS = ("scenario", "prompt", "trap_core", "ground_truth", "tool", "object", "action")


def _as_shown(schema: dict[str, Any]) -> None:
    """Every field required and none with a default, although parsing is lenient; no words of ours."""
    schema.pop("description", None)
    schema["required"] = list(schema["properties"])
    for shown in schema["properties"].values():
        shown.pop("default", None)
        shown.pop("title", None)


class SeedDraft(BaseModel):
    """One element of a scaling reply.

    ``malformed`` is empty for a draft that has the right form, else it says what was wrong and
    gives the element as received.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_extra=_as_shown)

    scenario: str = Field(default="", description="short name of the situation")
    prompt: str = Field(default="", description="the request itself")
    trap_core: str = Field(default="", description="one sentence stating the impossibility")
    ground_truth: str = Field(default="", description="what a right answer has to point out")
    injected_numbers: list[str] = Field(
        default=[], description="every figure of the prompt, in order, as written"
    )
    tool: str = Field(default="", description="the thing relied on")
    object: str = Field(default="", description="what it is used on")
    action: str = Field(default="", description="what is done")
    preserve: list[str] = Field(default=[], description="surface features that rewriting must keep")
    avoid: list[str] = Field(default=[], description="changes that rewriting must avoid")
    scene: str = Field(default="", description="where it happens")
    life_area: str = Field(default="", description="part of life it belongs to")
    malformed: SkipJsonSchema[str] = Field(default="", exclude=True)

    @model_validator(mode="before")
    @classmethod
    def _accept_anything(cls, value: Any) -> dict[str, Any]:
        if isinstance(value, SeedDraft):
            return {**value.model_dump(), "malformed": value.malformed}
        if not isinstance(value, Mapping):
            return {"malformed": f"expected an object, got {_shown(value)}"}
        taken: dict[str, Any] = {}
        faults = [*_take(value, TEXT_FIELDS, _text, taken), *_take(value, LIST_FIELDS, _texts, taken)]
        return {**taken, "malformed": f"{'; '.join(faults)}; got {_shown(value)}" if faults else ""}


def draft_faults(draft: SeedDraft) -> tuple[tuple[Fault, str], ...]:
    """What keeps a draft from being a seed at all: form, and texts that are missing.

    Length, figures and wording are judged on the seed, by the structural checks of all seeds.
    """
    if draft.malformed:
        return ((Fault.BAD_STRUCTURE, draft.malformed),)
    missing = [name for name in REQUIRED_TEXTS if not getattr(draft, name).strip()]
    return tuple((Fault.BAD_STRUCTURE, f"{name} is missing or empty") for name in missing)


def draft_to_seed(
    draft: SeedDraft, dimension_tag: str, language: Language, provenance: Provenance | None, key: str
) -> Seed:
    """Turn a draft into a seed; texts stay as they are but for white space around them.

    Listed figures take the notation of the prompt, the verbatim place before one of equal value; one
    that the prompt lacks stays, for the structural checks to refuse.

    Raises:
        ValueError: the draft is malformed or incomplete; the message says where.
    """
    faults = draft_faults(draft)
    if faults:
        raise ValueError(f"draft {key}: " + "; ".join(reason for _, reason in faults))
    text = {name: getattr(draft, name).strip() for name in TEXT_FIELDS}
    return Seed(
        key=key,
        dimension_tag=dimension_tag,
        language=language,
        **{name: text[name] for name in ("scenario", "prompt", "trap_core", "ground_truth")},
        injected_numbers=as_written(text["prompt"], _stripped(draft.injected_numbers)),
        triple=Triple(tool=text["tool"], object=text["object"], action=text["action"]),
        preserve=_stripped(draft.preserve),
        avoid=_stripped(draft.avoid),
        niche=Niche(tool=text["tool"], scene=text["scene"], life_area=text["life_area"]),
        origin=Origin.SCALED,
        provenance=provenance,
    )


def seed_to_draft(seed: Seed) -> SeedDraft:
    """An accepted seed in the form in which it is shown as an example."""
    return SeedDraft(
        scenario=seed.scenario,
        prompt=seed.prompt,
        trap_core=seed.trap_core,
        ground_truth=seed.ground_truth,
        injected_numbers=list(seed.injected_numbers),
        tool=seed.triple.tool,
        object=seed.triple.object,
        action=seed.triple.action,
        preserve=list(seed.preserve),
        avoid=list(seed.avoid),
        scene=seed.niche.scene,
        life_area=seed.niche.life_area,
    )


def _take(
    value: Mapping[Any, Any],
    names: tuple[str, ...],
    convert: Callable[[Any], Any],
    taken: dict[str, Any],
) -> list[str]:
    """Convert the named fields into ``taken``; returns what could not be converted."""
    faults = []
    for name in names:
        try:
            taken[name] = convert(value.get(name))
        except TypeError as error:
            faults.append(f"{name}: {error}")
    return faults


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    raise TypeError(f"expected text, got {_shown(value)}")


def _texts(value: Any) -> list[str]:
    """A list of texts; one bare text is a list of one, bare numbers are written as in JSON."""
    if value is None:
        return []
    entries = value if isinstance(value, list | tuple) else [value]
    return [_entry(entry) for entry in entries]


def _entry(value: Any) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return json.dumps(value) if is_number else _text(value)


def _stripped(texts: list[str]) -> tuple[str, ...]:
    return tuple(text.strip() for text in texts if text.strip())


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
