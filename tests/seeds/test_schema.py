"""The schema for editors is the form the loader checks."""

from __future__ import annotations

import json

from seeds import domain_schema
from seeds.forms import DomainForm, SeedForm
from seeds.schema import SCHEMA_PATH, schema_text


def test_the_written_schema_is_the_generated_one() -> None:
    assert SCHEMA_PATH.read_bytes() == schema_text().encode("utf-8")
    assert json.loads(schema_text()) == domain_schema()


def test_the_schema_requires_what_the_form_requires() -> None:
    schema = domain_schema()
    seed = schema["$defs"]["SeedForm"]
    for part, form in ((schema, DomainForm), (seed, SeedForm)):
        assert set(part["required"]) == {
            name for name, field in form.model_fields.items() if field.is_required()
        }
        assert part["additionalProperties"] is False


def test_every_field_an_author_writes_is_described() -> None:
    schema = domain_schema()
    parts = [schema, *(part for part in schema["$defs"].values() if "properties" in part)]
    assert len(parts) == 5
    for part in parts:
        assert [name for name, field in part["properties"].items() if not field.get("description")] == []
