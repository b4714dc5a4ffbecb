"""Answer a schema that belongs to no known task with a valid instance of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salitrap.lab.request import Ask
from salitrap.records.enums import Language

_TEXT = {Language.EN: "simulated text", Language.ZH: "模拟文本"}
_DEEPEST = 12


def fill(ask: Ask) -> dict[str, object]:
    """An object that fits the schema; texts come from an input of the same name where there is one."""
    schema = ask.schema or {}
    filler = _SchemaFiller(ask, schema)
    value = filler.value(schema, "reply", 0)
    return value if isinstance(value, dict) else {}


class _SchemaFiller:
    def __init__(self, ask: Ask, root: Mapping[str, Any]) -> None:
        self._ask, self._root = ask, root

    def value(self, schema: Mapping[str, Any], name: str, depth: int) -> object:
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return self._ask.draw.pick(f"fill/{name}", list(schema["enum"]))
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) and kind else kind
        if kind == "object" or "properties" in schema:
            return self._object(schema, depth)
        if kind == "array":
            return self._array(schema, name, depth)
        return self._scalar(schema, str(kind), name)

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, object]:
        if depth > _DEEPEST:
            return {}
        properties = schema.get("properties", {})
        return {name: self.value(inner, name, depth + 1) for name, inner in properties.items()}

    def _array(self, schema: Mapping[str, Any], name: str, depth: int) -> list[object]:
        items = schema.get("items")
        if depth > _DEEPEST or not isinstance(items, dict):
            return []
        count = max(1, int(schema.get("minItems", 1)))
        return [self.value(items, f"{name}/{index}", depth + 1) for index in range(count)]

    def _scalar(self, schema: Mapping[str, Any], kind: str, name: str) -> object:
        if kind == "boolean":
            return self._ask.draw.chance(f"fill/{name}", 0.5)
        if kind in ("integer", "number"):
            low, high = int(schema.get("minimum", 1)), int(schema.get("maximum", 5))
            return low + self._ask.draw.below(f"fill/{name}", max(1, high - low + 1))
        return None if kind == "null" else self._ask.said(name) or _TEXT[self._ask.language]

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Follow references, and take the first branch of a choice."""
        for _ in range(_DEEPEST):
            if "$ref" in schema:
                name = str(schema["$ref"]).rpartition("/")[2]
                schema = self._root.get("$defs", {}).get(name, {})
            elif branches := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
                schema = branches[0]
            else:
                break
        return schema
