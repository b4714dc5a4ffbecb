"""The embeddings client and its file: what goes wrong, and what is charged."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from curation.dedup.embeddings_client import site_of
from curation.dedup.vectors import VectorStore
from salitrap.errors import (
    ConfigError,
    CredentialRejected,
    EndpointUnavailable,
    RateLimited,
    RunDirectoryError,
    StoppedError,
)
from salitrap.settings import EndpointSettings
from tests.curation.embedding_desk import KEY, SEEDS, desk, reply


@pytest.mark.parametrize(
    "bad",
    [
        (500, "out of memory"),
        (429, {"error": {"message": "slow down"}}, {"retry-after": "1"}),
        (200, "no JSON"),
        {"data": [], "usage": {}},
        {"data": [{"index": 0, "embedding": [0.0, 0.0]}] * 4},
        {"data": [{"index": place, "embedding": [1.0] * (1 + place)} for place in range(4)]},
        {"data": [{"index": place, "embedding": ["x", 1.0]} for place in range(4)]},
        {"data": [{"index": place, "embedding": [0.0, 0.0]} for place in range(4)]},
        {"data": [{"index": 0, "embedding": [1.0, 0.0]}] * 4},
        b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}',
        {"error": {"message": "warming up"}},
    ],
)
async def test_a_bad_reply_is_tried_again_and_never_used(tmp_path: Path, bad: Any) -> None:
    async with desk(tmp_path, lambda body, number: bad if number == 0 else reply(body)) as (one, server):
        assert await one.reserve(*SEEDS) == ["kept", SEEDS[0].seed_id, "kept", "kept"]
        assert server.requests == 2
        assert one.ledger.charged_tokens() == 40, "a failure is not paid for"


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        ((401, {"error": {"message": f"bad key {KEY}"}}), CredentialRejected, r"\[key\]"),
        ((404, {"error": {"message": "no such model"}}), EndpointUnavailable, "no such model"),
        ((400, {"error": {"message": "too many inputs"}}), EndpointUnavailable, "too many inputs"),
        ((503, "busy"), EndpointUnavailable, "6 attempts"),
        ((429, "wait", {"retry-after": "4000"}), RateLimited, "4000 s"),
    ],
)
async def test_what_does_not_pass_stops_the_run_and_shows_no_key(
    tmp_path: Path, answer: Any, error: type[StoppedError], words: str
) -> None:
    async with desk(tmp_path, lambda body, number: answer) as (one, _):
        with pytest.raises(error, match=words) as caught:
            await one.reserve(*SEEDS)
        assert KEY not in str(caught.value)
        assert "openai/embed" in str(caught.value)


async def test_another_length_of_vectors_is_not_mixed_in(tmp_path: Path) -> None:
    def longer(body: dict[str, Any], number: int) -> Any:
        said = reply(body)
        for row in said["data"]:
            row["embedding"] = [*row["embedding"], 1.0] if number else row["embedding"]
        return said

    async with desk(tmp_path, longer, batch_size=2) as (one, _):
        with pytest.raises(EndpointUnavailable, match="3 dimensions, before they had 2"):
            await one.reserve(*SEEDS)


async def test_the_cancelled_request_is_charged(tmp_path: Path) -> None:
    """What was cut off may be billed: it counts as a time-out does."""

    async def never(body: dict[str, Any], number: int) -> Any:
        await asyncio.sleep(30)

    async with desk(tmp_path, never) as (one, server):
        task = asyncio.create_task(one.reserve(SEEDS[0]))
        while not server.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert one.ledger.charged_calls() == 1
        assert one.ledger.charged_tokens() > 0


def test_only_openai_specs_embed_and_a_key_is_needed() -> None:
    with pytest.raises(ConfigError, match="OpenAI-compatible"):
        site_of(EndpointSettings(spec="anthropic/claude"), {})
    with pytest.raises(ConfigError, match="EMBED_KEY"):
        site_of(EndpointSettings(spec="openai/e", api_key_env="EMBED_KEY"), {})
    site = site_of(
        EndpointSettings(spec="openai/e", api_key_env="EMBED_KEY"), {"EMBED_KEY": KEY}, dimensions=256
    )
    assert KEY not in repr(site)
    assert "256" in site.identity


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "embeddings.sqlite"
    path.write_text("not a database, but long enough to be read as one " * 40)
    with pytest.raises(RunDirectoryError, match=r"embeddings\.sqlite"):
        VectorStore(path)
