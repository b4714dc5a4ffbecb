"""A model that is given up while others are evaluated: their rows are whole, and the command says so."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from exports.dataset import build_dataset
from tests.cli.helpers import command, environment
from tests.exports.samples import facts, many
from tests.providers.servers import chat, serving

PASS = {
    "notices": "early",
    "quote": "it cannot work at all",
    "completes_task": False,
    "refuses": True,
    "explains": True,
    "patches": False,
    "reason": "names it",
}
GONE = (500, {"error": {"message": "no GPU left"}}, {"Retry-After": "0.05"})


def settings_file(folder: Path, url: str) -> Path:
    path = folder / "models.yaml"
    solvers = [{"spec": f"openai/{name}@{url}"} for name in ("steady", "dying")]
    roles = {
        "solver": {"policy": "round_robin", "endpoints": solvers, "deadline": 2.0},
        "judge": {"endpoints": [{"spec": f"openai/judge@{url}"}]},
    }
    path.write_text(yaml.safe_dump({"roles": roles}), encoding="utf-8")
    return path


async def evaluation(*words: object) -> tuple[int, str]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command(*words), env=environment(), stdout=pipe, stderr=pipe
    )
    _, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, err.decode()


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def test_the_others_are_evaluated_and_the_same_command_asks_the_one_again(tmp_path: Path) -> None:
    build_dataset(
        many(),
        facts(),
        out=tmp_path / "ds",
        version="1.0.0",
        license="cc-by-4.0",
        name="SaliTrap",
        dev_share=0.3,
    )
    asked: Counter[str] = Counter()
    healthy = False

    def says(body: dict[str, Any], number: int) -> Any:
        asked[body["model"]] += 1
        if body["model"] == "dying" and asked["dying"] > 3 and not healthy:
            return GONE
        return chat(json.dumps(PASS) if body["model"] == "judge" else "I fear it cannot work at all.")

    async with serving(says) as server:
        out = tmp_path / "labels.jsonl"
        words = ("eval", tmp_path / "ds", "-c", settings_file(tmp_path, server.url), "--out", out)
        code, err = await evaluation(*words, "--split", "all", "--yes")
        first = rows_of(out)
        statuses = Counter((row["model"], row["status"]) for row in first)
        assert (code, "no GPU left" in err, "same command" in err) == (3, True, True), err
        assert statuses["openai/steady", "ok"] == len(first) // 2
        assert statuses["openai/dying", "ok"] >= 1
        assert sum(count for (model, _), count in statuses.items() if model == "openai/dying") == (
            len(first) // 2
        )
        healthy, before = True, asked["steady"]
        code, err = await evaluation(*words, "--split", "all", "--yes")
        assert (code, {row["status"] for row in rows_of(out)}) == (0, {"ok"}), err
        assert asked["steady"] == before, "nobody is asked twice"
