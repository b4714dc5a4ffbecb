"""Filter f5: decisions, order, cache and budget, over a loopback embeddings server."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path

import pytest

from benchmarks.dedup_meaning import main as calibrate
from curation.dedup import Duplicate, Kept, ReviewKind
from curation.dedup.semantic import reserve_by_meaning
from salitrap.errors import BudgetReached
from salitrap.records import Language
from salitrap.settings import Budget
from tests.curation.embedding_desk import KEY, SEEDS, TEXTS, desk, desk_at, reply
from tests.curation.test_dedup import plain
from tests.providers.servers import serving


async def test_what_means_the_same_is_rejected_and_what_is_near_is_listed(tmp_path: Path) -> None:
    async with desk(tmp_path) as (one, server):
        verdicts = await reserve_by_meaning(one.dedup, one.meaning, SEEDS)
        first, again, boat, kite = verdicts
        assert isinstance(first, Kept) and not first.reviews
        assert isinstance(again, Duplicate)
        assert again.twin_id == SEEDS[0].seed_id
        assert again.score == pytest.approx(math.cos(0.2), abs=1e-6)
        assert "cosine 0.980, limit 0.950" in again.reason
        assert isinstance(boat, Kept) and not boat.reviews
        assert isinstance(kite, Kept)
        assert [review.twin_id for review in kite.reviews] == [SEEDS[2].seed_id]
        assert kite.reviews[0].kind is ReviewKind.NEAR
        assert server.requests == 1
        assert server.seen[0].path == "/v1/embeddings"
        assert server.seen[0].body == {"model": "embed", "input": list(TEXTS), "encoding_format": "float"}
        assert server.seen[0].headers["Authorization"] == f"Bearer {KEY}"


async def test_a_rejected_seed_stands_in_nobodys_way(tmp_path: Path) -> None:
    """f1 to f4 reserved it before f5 rejected it; its scenario and triple must be free again."""
    async with desk(tmp_path) as (one, _):
        twin = plain(1, TEXTS[1])
        later = plain(1, TEXTS[2], trap_core="zzzz qqqq xxxx wwww")
        assert await one.reserve(SEEDS[0], twin, later) == ["kept", SEEDS[0].seed_id, "kept"]
        one.meaning.release(SEEDS[0].seed_id)
        one.dedup.release(SEEDS[0].seed_id)
        assert await one.reserve(
            twin.model_copy(update={"scenario": "other", "triple": SEEDS[3].triple})
        ) == ["kept"]


async def test_numbers_and_units_and_other_languages_are_left_alone(tmp_path: Path) -> None:
    async with desk(tmp_path, lambda body, number: reply({"input": [TEXTS[0]] * len(body["input"])})) as (
        one,
        _,
    ):
        far = plain(0, "The car wash is 50 km from my door. Shall I walk or drive?")
        near = plain(1, "The car wash is 50 m from my door. Shall I walk or drive?")
        chinese = plain(2, "洗车店离我家五十米，我该走路还是开车去？", Language.ZH)
        verdicts = await reserve_by_meaning(one.dedup, one.meaning, [far, near, chinese])
        kinds = [
            [review.kind for review in verdict.reviews] for verdict in verdicts if isinstance(verdict, Kept)
        ]
        assert kinds[0] == kinds[2] == []
        assert ReviewKind.NUMBERS_OR_UNITS_ONLY in kinds[1]


@pytest.mark.parametrize("batch_size", [1, 3, 64])
async def test_batches_do_not_change_decisions(tmp_path: Path, batch_size: int) -> None:
    async with desk(tmp_path, batch_size=batch_size) as (one, server):
        assert await one.reserve(*SEEDS) == ["kept", SEEDS[0].seed_id, "kept", "kept"]
        assert server.requests == math.ceil(len(SEEDS) / batch_size)


async def test_the_order_decides_who_stays(tmp_path: Path) -> None:
    async with desk(tmp_path) as (one, _):
        assert await one.reserve(*SEEDS[1::-1]) == ["kept", SEEDS[1].seed_id]


async def test_a_second_process_pays_for_nothing_and_decides_the_same(tmp_path: Path) -> None:
    async with serving(reply) as server:
        async with desk_at(server, tmp_path) as one:
            decided = await one.reserve(*SEEDS)
            assert one.ledger.charged_tokens() == 40
            assert one.ledger.charged_usd() == pytest.approx(80e-6)
        async with desk_at(server, tmp_path) as two:
            assert await two.reserve(*SEEDS) == decided
            assert two.ledger.charged_tokens() == 40, "what the first process paid counts on"
        async with desk_at(server, tmp_path) as three:
            three.dedup.restore([SEEDS[0]])
            await three.meaning.restore([SEEDS[0]])
            assert await three.reserve(SEEDS[1]) == [SEEDS[0].seed_id]
        assert server.requests == 1


async def test_the_budget_stops_before_the_request(tmp_path: Path) -> None:
    async with serving(reply) as server:
        async with desk_at(server, tmp_path, Budget(calls=1), batch_size=2) as one:
            with pytest.raises(BudgetReached, match="1 of 1 calls"):
                await one.reserve(*SEEDS)
            assert server.requests == 1
            assert len(one.dedup) == 0, "nothing of the batch is reserved"
        async with desk_at(server, tmp_path, Budget(calls=2), batch_size=2) as two:
            assert await two.reserve(*SEEDS) == ["kept", SEEDS[0].seed_id, "kept", "kept"]
        assert server.requests == 2, "the first two vectors are stored"


async def test_thresholds_can_be_calibrated_with_ones_own_endpoint(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBED_KEY", KEY)
    async with serving(reply) as server:
        arguments = [f"openai/embed@{server.url}", "--key-env", "EMBED_KEY"]
        assert await asyncio.to_thread(calibrate, [*arguments, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert [(curve["language"], curve["filter"]) for curve in told] == [("en", "f5"), ("zh", "f5")]
        assert await asyncio.to_thread(calibrate, arguments) == 0
        assert "Chinese, f5 on prompts: precision / recall" in capsys.readouterr().out
    assert await asyncio.to_thread(calibrate, ["anthropic/x"]) == 2
