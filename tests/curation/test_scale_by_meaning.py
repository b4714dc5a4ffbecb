"""Filter f5 in a whole scaling run: lab for the seeds, a loopback server for the embeddings."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curation.cells import cells_of
from curation.dedup.opening import open_meaning
from curation.dedup.vectors import past_requests
from curation.estimates import plan_scale
from curation.registry import Registry
from curation.registry.queries import accepted_seeds, rejections, reviews
from curation.run import open_run, run_stages
from curation.stage import Silence
from salitrap.cli.journal_state import journal_of
from salitrap.errors import BudgetReached, ConfigError
from salitrap.providers.money.costing import cost_of
from salitrap.providers.open import open_access
from salitrap.records import Fault, Role, Seed, Stage
from salitrap.settings import Settings
from salitrap.settings.checks import setting_faults
from seeds import load_domains
from tests.curation.embedding_desk import KEY, PACING
from tests.providers.servers import Server, serving

DOMAINS = tuple(domain for domain in load_domains(("builtin",)) if domain.tag == "D1")
ENVIRONMENT = {"EMBED_KEY": KEY}
SIZE = 16


def vector(text: str) -> list[float]:
    """A direction for each text; about a third of them share seven directions but for a little."""
    digest = hashlib.sha256(text.encode()).digest()
    shared = digest[0] % 3 == 0
    seed = digest[1] % 7 if shared else int.from_bytes(digest[:8], "big")
    noise = np.random.default_rng(int.from_bytes(digest[8:16], "big")).normal(size=SIZE)
    made = np.random.default_rng(seed).normal(size=SIZE) + noise * (0.05 if shared else 0.0)
    return [float(value) for value in made]


def reply(body: dict[str, Any], number: int = 0) -> dict[str, Any]:
    rows = [{"index": place, "embedding": vector(text)} for place, text in enumerate(body["input"])]
    return {"data": rows, "usage": {"prompt_tokens": 10 * len(rows)}}


def settings(server: Server | None, workers: int = 8, **changes: Any) -> Settings:
    made: dict[str, Any] = {
        "targets": {"default": {"en": 24, "zh": 20}},
        "roles": {"generator": {"endpoints": [{"spec": "lab/generator", "in_flight": workers}]}},
        **changes,
    }
    if server is not None:
        endpoint = {"spec": f"openai/embed@{server.url}", "api_key_env": "EMBED_KEY", "price_input": 2.0}
        made["scale"] = {"similarity": {"meaning": {"endpoint": endpoint, "batch_size": 8}}}
    return Settings.model_validate(made)


async def scale(directory: Path, chosen: Settings) -> int:
    """Scale and return the tokens that the ledger has at the end."""
    meaning = chosen.scale.similarity.meaning
    with open_run(directory, chosen, DOMAINS) as run:
        async with open_access(chosen, run.layout.journal, environment=ENVIRONMENT) as access:
            if meaning is None:
                await run_stages(run, access, (Stage.SCALE,), Silence())
                return access.ledger.charged_tokens()
            accounts = (access.ledger, access.guard)
            async with open_meaning(
                meaning, accounts, run.layout.embeddings, environment=ENVIRONMENT, pacing=PACING
            ) as f5:
                await run_stages(run, access, (Stage.SCALE,), Silence(), meaning=f5)
            return access.ledger.charged_tokens()


def outcome(directory: Path) -> tuple[list[Seed], list[Any], list[Any]]:
    with closing(Registry.open_reader(directory / "registry.sqlite")) as registry:
        told = [
            (one.fault, one.subject_id, one.twin_id, one.score, one.reason) for one in rejections(registry)
        ]
        return list(accepted_seeds(registry)), told, list(reviews(registry))


def texts_asked(server: Server) -> Counter[str]:
    return Counter(text for seen in server.seen for text in seen.body["input"])


def cosine(one: Seed, other: Seed) -> float:
    left, right = (np.array(vector(seed.prompt)) for seed in (one, other))
    return float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))


async def test_what_means_the_same_is_rejected_whatever_the_number_of_workers(tmp_path: Path) -> None:
    async with serving(reply) as server:
        await scale(tmp_path / "one", settings(server, 1))
        await scale(tmp_path / "many", settings(server, 16))
    seeds, told, listed = outcome(tmp_path / "one")
    assert (seeds, told, listed) == outcome(tmp_path / "many")
    assert len(seeds) == 44
    by_id = {seed.seed_id: seed for seed in seeds}
    repeated = [one for one in told if one[0] is Fault.SIMILAR_MEANING]
    assert len(repeated) >= 5
    for _, _, twin, score, reason in repeated:
        assert twin in by_id
        assert score >= 0.92
        assert f"cosine {score:.3f}, limit 0.920" in reason
    for place, seed in enumerate(seeds):
        for other in seeds[:place]:
            assert seed.language is not other.language or cosine(seed, other) < 0.92


async def test_off_is_as_if_nothing_was_there_and_needs_no_server(tmp_path: Path) -> None:
    await scale(tmp_path / "off", settings(None))
    assert not (tmp_path / "off" / "embeddings.sqlite").exists()
    async with serving(reply) as server:
        strict = settings(server).model_dump(mode="json")
        strict["scale"]["similarity"]["meaning"].update(threshold=1.0, review_from=1.0)
        await scale(tmp_path / "on", Settings.model_validate(strict))
    assert outcome(tmp_path / "on") == outcome(tmp_path / "off"), "no two vectors are equal"


@pytest.mark.parametrize("calls", [5, 9])
async def test_a_run_that_stopped_goes_on_and_asks_nothing_twice(tmp_path: Path, calls: int) -> None:
    async with serving(reply) as server:
        tokens = await scale(tmp_path / "whole", settings(server))
        whole = texts_asked(server)
    async with serving(reply) as server:
        with pytest.raises(BudgetReached):
            await scale(tmp_path / "parts", settings(server, budget={"calls": calls}))
        assert await scale(tmp_path / "parts", settings(server)) == tokens
        assert texts_asked(server) == whole
        assert set(whole.values()) == {1}
        requests = server.requests
        assert await scale(tmp_path / "parts", settings(server)) == tokens
        assert server.requests == requests, "a finished run asks nothing"
    assert outcome(tmp_path / "parts") == outcome(tmp_path / "whole")
    spent = past_requests(tmp_path / "parts" / "embeddings.sqlite")
    assert len(spent) == requests
    _, spend = journal_of(tmp_path / "parts")
    assert spend is not None
    assert spend.input_tokens + spend.output_tokens == tokens, "status counts the embeddings"


def test_the_plan_counts_its_requests_at_its_own_price() -> None:
    """Priced as the checker they are booked under, they cost what nobody pays."""
    endpoint = {"spec": "openai/embed@http://127.0.0.1:9/v1", "price_input": 2.0}
    given = {
        "languages": ["en"],
        "targets": {"default": {"en": 104}},
        "roles": {role: {"endpoints": [{"spec": f"lab/{role}"}]} for role in Role},
        "scale": {"similarity": {"meaning": {"endpoint": endpoint, "batch_size": 8}}},
    }
    chosen = Settings.model_validate(given)
    plan = plan_scale(chosen, cells_of(chosen, DOMAINS))
    (row,) = [one for one in plan.roles if one.embeddings]
    assert (row.stage, row.name, row.calls_low) == (Stage.SCALE, "embeddings", 13)
    assert 13 < row.calls_high <= 200
    (cost,) = [one for one in cost_of(plan, chosen).rows if one.plan.embeddings]
    assert cost.usd == pytest.approx((row.input_low * 2e-6, row.input_high * 2e-6))
    off = Settings.model_validate({**given, "scale": {}})
    assert not [one for one in plan_scale(off, cells_of(off, DOMAINS)).roles if one.embeddings]


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        ({"endpoint": {"spec": "anthropic/x"}}, "endpoint.spec", "write openai/NAME"),
        ({"endpoint": {"spec": "nothing"}}, "endpoint.spec", "nothing"),
        ({"endpoint": {"spec": "openai/x", "batch": True}}, "endpoint.batch", "leave it out"),
        ({"endpoint": {"spec": "openai/x"}, "threshold": 0.8}, "review_from", "above the threshold"),
    ],
)
def test_settings_that_it_cannot_use_are_named(change: dict[str, Any], place: str, words: str) -> None:
    given = Settings.model_validate({"scale": {"similarity": {"meaning": change}}})
    found = {".".join(map(str, at)): sentence for at, sentence in setting_faults(given)}
    assert words in found[f"scale.similarity.meaning.{place}"]


async def test_its_key_and_price_are_checked_before_anything_is_sent(tmp_path: Path) -> None:
    async with serving(reply) as server:
        chosen = settings(server)
        with pytest.raises(ConfigError, match="EMBED_KEY"):
            async with open_access(chosen, tmp_path / "a.sqlite", environment={}):
                pass
        dumped = settings(server, budget={"usd": 1.0}).model_dump(mode="json")
        dumped["scale"]["similarity"]["meaning"]["endpoint"]["price_input"] = None
        with pytest.raises(ConfigError, match="openai/embed"):
            async with open_access(
                Settings.model_validate(dumped), tmp_path / "b.sqlite", environment=ENVIRONMENT
            ):
                pass
        assert server.requests == 0


async def command(*arguments: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "salitrap", *arguments),
        env={**os.environ, **ENVIRONMENT},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode()


async def test_the_command_uses_it_and_status_counts_it(tmp_path: Path) -> None:
    async with serving(reply) as server:
        chosen = settings(server, targets={"default": {"en": 12}}, languages=["en"])
        dumped = chosen.model_dump(mode="json", exclude_unset=True)
        dumped["roles"] = {role.value: {"endpoints": [{"spec": f"lab/{role.value}"}]} for role in Role}
        dumped["roles"]["solver"] = {"endpoints": [{"spec": "lab/solver-a"}]}
        config, run = tmp_path / "run.yaml", tmp_path / "run"
        config.write_text(json.dumps(dumped), encoding="utf-8")
        code, told = await command("scale", "-c", str(config), "--run", str(run), "--yes")
        assert code == 0, told
        assert server.requests
        code, told = await command("status", str(run), "--json")
        assert code == 0, told
        assert KEY not in told
        by_role = json.loads(told)["spend"]["by_role"]
        assert by_role["checker"]["calls"] == server.requests
    seeds, rejected, _ = outcome(run)
    assert len(seeds) >= 48
    assert [one for one in rejected if one[0] is Fault.SIMILAR_MEANING]
