"""Run the command line as a user does, in a process of its own."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROLES = ("generator", "writer", "checker", "judge", "solver")


def environment(**extra: str) -> dict[str, str]:
    base = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return {**base, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONUTF8": "0", **extra}


def salitrap(
    *arguments: object, cwd: Path | None = None, timeout: float = 180, **env: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        env=environment(**env),
        capture_output=True,
        text=True,
        encoding=env.get("PYTHONIOENCODING", "utf-8").partition(":")[0],
        errors="replace",
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "salitrap", *map(str, arguments)]


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder by relative name, with the hash of its bytes."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def config(path: Path, spec: str = "lab/NAME", **sections: str) -> Path:
    """A small settings file; ``NAME`` in ``spec`` becomes the lab's model name of the role."""
    names = {role: "solver-a" if role == "solver" else role for role in ROLES}
    lines = [
        "name: small",
        "targets: {default: {en: 1, zh: 1}}",
        "roles:",
        *(
            f'  {role}: {{max_tokens: 4000, endpoints: [{{spec: "{spec.replace("NAME", name)}"}}]}}'
            for role, name in names.items()
        ),
    ]
    given = {"name": "", "targets": "", **sections}
    kept = [line for line in lines if line.partition(":")[0] not in sections]
    kept += [f"{name}: {value}" for name, value in given.items() if value]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return path


def only_line(text: str) -> str:
    lines = text.strip().splitlines()
    assert len(lines) == 1, text
    return lines[0]
