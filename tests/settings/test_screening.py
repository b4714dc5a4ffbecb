"""Settings of screening that make no sense are refused in one line that names the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from salitrap.errors import ConfigError
from salitrap.settings import load_settings


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ("{block: [email], warn: [email]}", "stands in 'block' as well; choose one"),
        ("{allow: ['']}", "is empty; give a term"),
        ("{block: [nonsense]}", "screening.block"),
        ("{on_finding: ignore}", "screening.on_finding"),
        ("{on_findings: report}", "on_findings"),
    ],
)
def test_a_bad_section_is_refused_in_one_line(tmp_path: Path, section: str, told: str) -> None:
    path = tmp_path / "run.yaml"
    path.write_text(f"screening: {section}\n", "utf-8")
    with pytest.raises(ConfigError) as raised:
        load_settings(path, needed=())
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)
