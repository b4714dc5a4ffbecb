"""Start-up stays quick: a package is loaded by whoever uses it, and by nobody else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

OPEN = """
import asyncio, sys
from pathlib import Path
from salitrap.providers.open import open_access
from salitrap.records import Role
from salitrap.settings import EndpointSettings, RoleSettings, Settings

async def main():
    pool = RoleSettings(endpoints=(EndpointSettings(spec=sys.argv[1]),))
    async with open_access(Settings(roles={Role.CHECKER: pool}), Path(sys.argv[2])):
        pass

asyncio.run(main())
"""
LOADED = "\nimport sys\nprint(*{name.partition('.')[0] for name in sys.modules})\n"


def loaded(code: str, *arguments: str) -> set[str]:
    """Top-level packages that a new process has loaded once it has run ``code``."""
    command = [sys.executable, "-c", code + LOADED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("spec", "used", "unused"),
    [
        ("openai/m@http://127.0.0.1:9/v1", "openai", "anthropic"),
        ("anthropic/m@http://127.0.0.1:9", "anthropic", "openai"),
    ],
)
def test_only_the_sdk_of_an_endpoint_in_use_is_loaded(
    spec: str, used: str, unused: str, tmp_path: Path
) -> None:
    packages = loaded(OPEN, spec, str(tmp_path / "journal.sqlite"))
    assert used in packages
    assert not packages & {unused, "datasets", "litellm", "xllamacpp"}


def test_the_command_line_loads_nothing_heavy_before_a_command_is_chosen() -> None:
    packages = loaded("import salitrap.cli.main")
    assert "typer" in packages
    assert not packages & {"dspy", "openai", "anthropic", "datasets", "pyarrow", "numpy", "aiohttp"}
