"""The settings file by which an author tries a domain on the lab."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from salitrap.records import Role
from salitrap.settings import Settings, load_settings

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "lab.yaml"
OWN = ROOT / "tests" / "lab" / "own" / "pictures.en.yaml"


def uncommented(*patterns: str) -> str:
    """The example with the lines that match freed of their comment sign."""
    text = EXAMPLE.read_text(encoding="utf-8")
    for pattern in patterns:
        text, count = re.subn(rf"^( *)#({pattern})", r"\1\2", text, flags=re.MULTILINE)
        assert count == 1, pattern
    return text


def test_it_loads_small_and_on_the_lab_alone() -> None:
    settings = load_settings(EXAMPLE)
    assert set(settings.roles) == set(Role)
    specs = [endpoint.spec for role in settings.roles.values() for endpoint in role.endpoints]
    assert all(spec.startswith("lab/") for spec in specs)
    assert sum(settings.targets["default"].values()) <= 4
    assert settings.domains == ("builtin",)


def test_the_commented_lines_work_when_they_are_switched_on(tmp_path: Path) -> None:
    (tmp_path / "my-domain.yaml").write_bytes(OWN.read_bytes())
    text = uncommented(r"D5: \{en: 12\}", r"faults: ").replace("D5:", "PICT:")
    text = text.replace("domains: [builtin]\n", "domains: [builtin, ./my-domain.yaml]\n", 1)
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    settings = load_settings(path)
    assert len(settings.domains) == 2
    assert settings.lab.faults
    assert sum(settings.targets["PICT"].values()) == 12


@pytest.mark.parametrize("line", ["[builtin, ./my-domain.yaml]", "[./my-domain.yaml]"])
def test_the_alternative_domains_are_written_in_full(line: str) -> None:
    assert f"#domains: {line}" in EXAMPLE.read_text(encoding="utf-8")
    assert yaml.safe_load(f"domains: {line}")["domains"][-1] == "./my-domain.yaml"


def test_no_field_is_unknown() -> None:
    assert set(yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))) <= set(Settings.model_fields)
