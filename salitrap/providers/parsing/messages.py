"""The messages of a structured call, as the contract between programs, models and the lab has them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, create_model
from pydantic_core import to_jsonable_python

from salitrap.providers.request import sendable
from salitrap.records.enums import Language

SCHEMA_MARK = "[[ ## output_schema ## ]]"
_NOTES = {
    Language.EN: "Answer with ONE JSON object and nothing else. Its fields:",
    Language.ZH: "只输出一个 JSON 对象，不要输出其他任何内容。字段如下：",
}
_AGAIN = {
    Language.EN: "That reply could not be used: {problem}.\nAnswer again with only the JSON object.",
    Language.ZH: "上面的回复无法使用：{problem}。\n请重新作答，只输出 JSON 对象。",
}


def json_schema(
    fields: Mapping[str, Any], defaults: Mapping[str, Any], notes: Mapping[str, str]
) -> dict[str, Any]:
    """Return the JSON schema of the reply.

    ``fields`` are annotations, ``defaults`` those of optional fields, ``notes`` descriptions.
    """
    definitions: dict[str, Any] = {
        name: (annotation, defaults.get(name, ...)) for name, annotation in fields.items()
    }
    schema = create_model("Reply", __base__=BaseModel, **definitions).model_json_schema()
    for name, note in notes.items():
        if note and "$ref" not in schema["properties"][name]:
            schema["properties"][name]["description"] = note
    plain: dict[str, Any] = _without_titles(schema)
    plain["additionalProperties"] = False
    return plain


def system_message(
    instructions: str, language: Language, notes: Mapping[str, str], schema: Mapping[str, Any]
) -> str:
    """Instructions, a short note on the form of the answer, its fields, and the schema on one line."""
    lines = [f"- {name}: {note}" if note else f"- {name}" for name, note in notes.items()]
    form = "\n".join([_NOTES[language], *lines])
    return f"{instructions.strip()}\n\n{form}\n{SCHEMA_MARK}\n{compact(schema)}"


def user_message(names: Iterable[str], inputs: Mapping[str, Any]) -> str:
    """One block for each input field: a marker line, then the value."""
    return "\n\n".join(f"[[ ## {name} ## ]]\n{_value(inputs[name])}" for name in names)


def again_message(language: Language, problem: str) -> str:
    """What the model is told when its reply could not be read."""
    return sendable(_AGAIN[language].replace("{problem}", problem))


def _value(value: Any) -> str:
    """Text as it is, anything else as JSON; nothing inside can pass for a marker."""
    text = value if isinstance(value, str) else compact(value)
    return sendable(str(text)).replace("[[ ##", "[ [ ##")


def compact(value: Any) -> str:
    """One-line JSON of anything pydantic can dump."""
    return json.dumps(to_jsonable_python(value), ensure_ascii=False, separators=(",", ":"))


def _without_titles(node: Any) -> Any:
    """Drop pydantic's generated titles; a *property* called title stays."""
    if isinstance(node, list):
        return [_without_titles(inner) for inner in node]
    if not isinstance(node, dict):
        return node
    return {
        key: {name: _without_titles(inner) for name, inner in value.items()}
        if key in ("properties", "$defs")
        else _without_titles(value)
        for key, value in node.items()
        if key != "title"
    }
