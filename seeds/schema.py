"""The JSON schema of a domain file, for editors. ``python -m seeds.schema`` rewrites ``schema.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from seeds.forms import DomainForm

SCHEMA_PATH = Path(__file__).parent / "schema.json"


def domain_schema() -> dict[str, Any]:
    """JSON schema (draft 2020-12) of the authored form."""
    schema = DomainForm.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "SaliTrap domain"}


def schema_text() -> str:
    """Content of ``schema.json``."""
    return json.dumps(domain_schema(), indent=2, ensure_ascii=False) + "\n"


def write_schema() -> None:
    """Write ``schema.json`` beside this module."""
    SCHEMA_PATH.write_bytes(schema_text().encode("utf-8"))


if __name__ == "__main__":
    write_schema()
