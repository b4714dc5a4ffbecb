"""``salitrap doctor``: is this installation sound?"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Annotated
from urllib.parse import unquote, urlparse

import typer

from salitrap import __version__
from salitrap.cli.console import out, print_json, table
from salitrap.errors import ExitCode

OUR_PACKAGES = ("seeds", "prompts", "checkers", "generator", "curation", "exports")
LIBRARIES = (
    "dspy",
    "openai",
    "anthropic",
    "rapidfuzz",
    "datasets",
    "huggingface-hub",
    "pydantic",
    "rich",
    "typer",
)


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check that our packages are ours, and list the libraries in use."""
    clashes = [name for name in OUR_PACKAGES if not _is_ours(name)]
    versions = {name: _version(name) for name in LIBRARIES}
    if as_json:
        print_json({"salitrap": __version__, "python": _python(), "clashes": clashes, "libraries": versions})
    else:
        rows: list[list[object]] = [["salitrap", __version__], ["python", _python()]]
        rows += [[name, version or "missing"] for name, version in versions.items()]
        out().print(table("Installation", [("package", False), ("version", False)], rows))
        for name in clashes:
            out().print(f"clash: package {name!r} belongs to another distribution; use a fresh environment")
    if clashes or None in versions.values():
        raise typer.Exit(ExitCode.FINDINGS)


def _is_ours(name: str) -> bool:
    """Whether ``import name`` finds the package that came with this installation."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return False
    return Path(spec.origin).resolve().parent in (root / name for root in _our_roots())


def _our_roots() -> set[Path]:
    from importlib import metadata

    roots = {Path(__file__).resolve().parents[2]}
    direct = metadata.distribution("salitrap").read_text("direct_url.json")
    url = urlparse(json.loads(direct)["url"]) if direct else None
    if url is not None and url.scheme == "file":
        roots.add(Path(unquote(url.path)).resolve())
    return roots


def _version(name: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _python() -> str:
    return ".".join(map(str, sys.version_info[:3]))
