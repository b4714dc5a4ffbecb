"""The DSPy adapter of structured calls: writes the wire format and reads replies strictly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import dspy
from dspy.lm15 import Config, Message, Request

from salitrap.providers.access import ChatMessage
from salitrap.providers.parsing import messages as wire_format
from salitrap.providers.parsing.structured import parse_fields
from salitrap.records.enums import Language


@dataclass(frozen=True, slots=True)
class Form:
    """What a signature asks for: field types, notes, defaults of optional fields, JSON schema.

    ``config`` is the schema as a request of DSPy carries it.
    """

    types: Mapping[str, Any]
    notes: Mapping[str, str]
    defaults: Mapping[str, Any]
    schema: Mapping[str, Any]
    config: Config
    systems: dict[Language, str]


class Forms:
    """Forms of the signatures in use: built once each, kept while the signature lives."""

    def __init__(self) -> None:
        self._forms: WeakKeyDictionary[type, Form] = WeakKeyDictionary()

    def of(self, signature: type[dspy.Signature]) -> Form:
        """Return the form of ``signature``."""
        form = self._forms.get(signature)
        if form is None:
            form = self._forms[signature] = _form(signature)
        return form

    def system(self, signature: type[dspy.Signature], language: Language) -> str:
        """Return the system message of ``signature``."""
        form = self.of(signature)
        if language not in form.systems:
            form.systems[language] = wire_format.system_message(
                signature.instructions, language, form.notes, form.schema
            )
        return form.systems[language]


class StructuredAdapter(dspy.Adapter):  # type: ignore[misc]  # dspy ships no types
    """Formats one call and parses its reply; ``followup`` is the conversation of a re-ask.

    ``parse`` raises ``ParseError`` and nothing else.
    """

    def __init__(self, language: Language, forms: Forms, followup: Sequence[ChatMessage] = ()) -> None:
        super().__init__()
        self._language = language
        self._forms = forms
        self._followup = tuple(followup)

    async def acall(
        self,
        lm: dspy.LM,
        lm_kwargs: dict[str, Any],
        signature: type[dspy.Signature],
        demos: list[dict[str, Any]],
        inputs: dict[str, Any],
    ) -> list[dict[str, Any]]:
        """Run format, call and parse; sampling is the engine's, so ``lm_kwargs`` is not used."""
        messages = self.format(signature, demos, inputs)
        config = self._forms.of(signature).config
        response = await lm.acall(_canonical(lm.model, messages, config))
        return [self.parse(signature, response.text or "")]

    def format(
        self, signature: type[dspy.Signature], demos: list[dict[str, Any]], inputs: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Return the messages: system, demonstrations, the question, and what followed it."""
        messages = [{"role": "system", "content": self._forms.system(signature, self._language)}]
        messages.extend(self.format_demos(signature, demos))
        messages.append({"role": "user", "content": self.format_user_message_content(signature, inputs)})
        messages.extend({"role": message.role, "content": message.content} for message in self._followup)
        return messages

    def format_user_message_content(
        self,
        signature: type[dspy.Signature],
        inputs: dict[str, Any],
        prefix: str = "",
        suffix: str = "",
        main_request: bool = False,
    ) -> str:
        """Return the blocks of the input fields that are given."""
        names = [name for name in signature.input_fields if name in inputs]
        blocks = wire_format.user_message(names, inputs)
        return "\n\n".join(part for part in (prefix, blocks, suffix) if part)

    def format_assistant_message_content(
        self,
        signature: type[dspy.Signature],
        outputs: dict[str, Any],
        missing_field_message: str | None = None,
    ) -> str:
        """Return a demonstration's answer in the form that is asked for."""
        given = {name: outputs[name] for name in signature.output_fields if outputs.get(name) is not None}
        return wire_format.compact(given)

    def parse(self, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
        """Read the output fields of ``completion``.

        Raises:
            ParseError: they are not all there.
        """
        form = self._forms.of(signature)
        return parse_fields(completion, form.types, optional=form.defaults)


def _form(signature: type[dspy.Signature]) -> Form:
    fields = signature.output_fields
    types = {name: field.rebuild_annotation() for name, field in fields.items()}
    defaults = {name: field.default for name, field in fields.items() if not field.is_required()}
    notes = {name: _note(name, field) for name, field in fields.items()}
    schema = wire_format.json_schema(types, defaults, notes)
    config = Config(response_format={"type": "json_schema", "schema": schema})
    return Form(types, notes, defaults, schema, config, {})


def _note(name: str, field: Any) -> str:
    note = (field.json_schema_extra or {}).get("desc") or ""
    return "" if note == f"${{{name}}}" else " ".join(str(note).split())


def _canonical(model: str, messages: Sequence[Mapping[str, str]], config: Config) -> Request:
    speakers = {"user": Message.user, "assistant": Message.assistant}
    return Request(
        model=model,
        system=messages[0]["content"],
        messages=tuple(speakers[message["role"]](message["content"]) for message in messages[1:]),
        config=config,
    )
