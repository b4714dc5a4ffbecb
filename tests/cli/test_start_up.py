"""The command answers at once: nothing heavy is imported before it is needed."""

from __future__ import annotations

import resource
import subprocess
import sys

from tests.cli.helpers import command, environment

LIBRARIES = "import typer.rich_utils, rich.table"
AT_MOST = 2.0
"""Times what the libraries alone take: a budget in seconds would hold on one machine only."""
HEAVY = ("dspy", "openai", "anthropic", "datasets", "pyarrow", "aiohttp", "numpy", "huggingface_hub")
OWN_BUSINESS = ("asyncio", "sqlite3", "yaml", "pydantic", "importlib.metadata", "salitrap.providers")
"""What single commands need: each costs every other one, and the help, ten milliseconds or more."""


def test_help_takes_less_than_its_budget() -> None:
    rounds = [
        (_cpu_seconds(command("--help")), _cpu_seconds([sys.executable, "-c", LIBRARIES])) for _ in range(5)
    ]
    help_, libraries = (min(each) for each in zip(*rounds, strict=True))
    assert help_ < AT_MOST * libraries


def test_start_up_imports_nothing_heavy_and_nothing_that_one_command_needs() -> None:
    wanted = (*HEAVY, *OWN_BUSINESS)
    code = f"import sys, salitrap.cli.main; print([name for name in {wanted!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def _cpu_seconds(arguments: list[str]) -> float:
    """User and system time of one call, which other work on the machine does not disturb."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, env=environment(), check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
