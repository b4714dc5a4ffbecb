"""``salitrap doctor``: is this installation sound?"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated
from urllib.parse import unquote, urlparse

import typer

from salitrap import __version__
from salitrap.cli.console import out, print_json, table
from salitrap.errors import ExitCode

Versions = Mapping[str, str | None]
"""Installed versions by name of a distribution, None for what is missing."""

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

EXTRAS = {"local": ("xllamacpp",), "fast": ("numba",), "bench": ("datasketch", "scipy")}
"""What ``pip install 'salitrap[EXTRA]'`` adds; nothing else needs it."""


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check that our packages are ours, and list the libraries and extras in use."""
    clashes = [name for name in OUR_PACKAGES if not _is_ours(name)]
    versions = {name: _version(name) for name in LIBRARIES}
    extras = {extra: {name: _version(name) for name in names} for extra, names in EXTRAS.items()}
    if as_json:
        ours = {"salitrap": __version__, "python": _python(), "clashes": clashes}
        print_json({**ours, "libraries": versions, "extras": extras})
    else:
        _tell(versions, extras, clashes)
    if clashes or None in versions.values():
        raise typer.Exit(ExitCode.FINDINGS)


def _tell(versions: Versions, extras: Mapping[str, Versions], clashes: Sequence[str]) -> None:
    rows: list[list[object]] = [["salitrap", __version__], ["python", _python()]]
    rows += [[name, version or "missing"] for name, version in versions.items()]
    out().print(table("Installation", [("package", False), ("version", False)], rows))
    optional: list[list[object]] = [
        [extra, name, version or "not installed"]
        for extra, found in extras.items()
        for name, version in found.items()
    ]
    out().print(table("Extras", [("extra", False), ("package", False), ("version", False)], optional))
    for name in clashes:
        out().print(f"clash: package {name!r} belongs to another distribution; use a fresh environment")


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
