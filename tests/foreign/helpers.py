"""Run the shipped examples against a server, and read what came of it."""

from __future__ import annotations

import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from curation.funnel import funnel_of
from curation.registry import Registry
from salitrap.cli.main import main
from tests.foreign.minds import EXPERTS
from tests.foreign.servers import KEY
from tests.seeds.samples import as_yaml, sample_domain

EXAMPLES = Path(__file__).parents[2] / "examples"
OPENAI, ANTHROPIC = "openai-compatible.yaml", "anthropic.yaml"
SMALL: dict[str, Any] = {
    "domains": ["./tiny.yaml"],
    "scale": {"empty_waves": 1},
    "refine": {"top_k": 2, "max_candidates": 4, "max_expansions": 4, "generator_rounds": 1},
    "certify": {"repeats": 3},
}


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Outcome:
    """A run directory after the command."""

    done: Done
    folder: Path

    @cached_property
    def report(self) -> dict[str, Any]:
        found = salitrap("status", self.folder, "--json")
        assert found.code == 0, found.err
        report: dict[str, Any] = json.loads(found.out)
        assert report["funnel_faults"] == []
        return report

    @property
    def items(self) -> int:
        with closing(Registry.open_reader(self.folder / "registry.sqlite")) as registry:
            funnel = funnel_of(registry)
        assert funnel.faults() == ()
        return funnel.items

    @property
    def rejects(self) -> list[dict[str, Any]]:
        lines = (self.folder / "rejects.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    @property
    def faults(self) -> Counter[str]:
        return Counter(reject["fault"] for reject in self.rejects)


def example(name: str, root: str, folder: Path, **sections: Any) -> Path:
    """A shipped example with the address of a server, and with ``sections`` in place of its own."""
    settings = yaml.safe_load((EXAMPLES / name).read_text(encoding="utf-8"))
    for role in settings["roles"].values():
        role["endpoints"] = [_at(endpoint, root) for endpoint in role["endpoints"]]
    for role, changes in sections.pop("roles", {}).items():
        settings["roles"][role] |= changes
    path = folder / name
    path.write_text(yaml.safe_dump(settings | sections, allow_unicode=True), encoding="utf-8")
    return path


def _at(endpoint: dict[str, Any], root: str) -> dict[str, Any]:
    spec = endpoint["spec"].partition("@")[0]
    path = "/v1" if spec.startswith("openai/") else ""
    return endpoint | {"spec": f"{spec}@{root}{path}", "api_key_env": "SALITRAP_KEY"}


def tiny(folder: Path, **targets: int) -> dict[str, Any]:
    """Sections of a small run: one expert seed a language, ``targets`` seeds by language."""
    domain = sample_domain() | {"seeds": list(EXPERTS)}
    (folder / "tiny.yaml").write_text(as_yaml(domain), encoding="utf-8")
    return SMALL | {"languages": list(targets), "targets": {"default": targets}}


def run(root: str, folder: Path, name: str = OPENAI, **sections: Any) -> Outcome:
    """Run a small example in one language (``targets`` gives others) and return what came of it."""
    targets = sections.pop("targets", {"en": 1})
    config = example(name, root, folder, **(tiny(folder, **targets) | sections))
    return again(config, folder)


def again(config: Path, folder: Path) -> Outcome:
    return Outcome(salitrap("run", "-c", config, "--run", folder / "run", "--yes"), folder / "run")


def salitrap(*arguments: object) -> Done:
    """The command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    with _environment(["salitrap", *map(str, arguments)]), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
            code: Any = 0
        except SystemExit as ended:
            code = ended.code
    return Done(int(code or 0), out.getvalue(), err.getvalue())


@contextmanager
def _environment(arguments: list[str]) -> Iterator[None]:
    before, key = sys.argv, os.environ.get("SALITRAP_KEY")
    sys.argv, os.environ["SALITRAP_KEY"] = arguments, KEY
    try:
        yield
    finally:
        sys.argv = before
        if key is None:
            del os.environ["SALITRAP_KEY"]
        else:
            os.environ["SALITRAP_KEY"] = key
