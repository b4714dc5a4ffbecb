"""Equal text, core, prompt, model and temperature: one verdict, paid for once. The journal is the cache."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from checkers import AlignChecker, CandidateView, NatChecker, TruthChecker
from salitrap.providers.model_access import ModelAccess
from salitrap.providers.open import open_access
from salitrap.records import Role
from tests.checkers.samples import PROMPT, candidate, seed
from tests.providers.helpers import pacing, settings
from tests.providers.servers import chat, serving

REPLY = {
    "holds": True, "change": "none", "quote": "", "valid": True, "no_escape": True, "subtask": "",
    "escape": "", "everyday": 4, "concision": 4, "concealment": 4, "numeric_context": 4,
    "no_escape_wording": True, "reason": "fine",
}  # fmt: skip
FIELDS = {
    "truth": ("holds", "change", "quote", "reason"),
    "align": ("valid", "no_escape", "subtask", "escape", "reason"),
    "nat": (
        "everyday",
        "concision",
        "concealment",
        "numeric_context",
        "no_escape_wording",
        "quote",
        "reason",
    ),
}
CHECKERS = (TruthChecker, AlignChecker, NatChecker)
TWIN = PROMPT.replace("street party", "fair")


def first(**changes: Any) -> CandidateView:
    """c0 of a seed."""
    of = seed(**changes)
    return CandidateView(of, candidate(of))


def again() -> CandidateView:
    """The same text as a child of another text, of a seed with other hints and another key."""
    of = seed(key="other", avoid=("lids",), scenario="Soup, carried")
    return CandidateView(of, candidate(of, PROMPT, candidate(of, TWIN)))


async def asked(path: Path, kind: Any, views: list[CandidateView], *, at_once: bool) -> int:
    """Requests that the server saw while ``views`` were checked."""
    reply = {name: REPLY[name] for name in FIELDS[kind.name]}
    async with serving(lambda body, number: chat(json.dumps(reply))) as server:
        given = settings(f"openai/local@{server.url}")
        async with open_access(given, path, pacing=pacing()) as access:
            await _check(access, kind, views, at_once)
        return len(server.seen)


async def _check(access: ModelAccess, kind: Any, views: list[CandidateView], at_once: bool) -> None:
    checker = kind()
    if at_once:
        found = await asyncio.gather(*(checker.check(access, view) for view in views))
    else:
        found = [await checker.check(access, view) for view in views]
    assert [one.subject_id for one in found] == [view.candidate.candidate_id for view in views]
    assert all(one.passed and one.provenance is not None for one in found)
    assert len({one.provenance.call_key for one in found if one.provenance}) == len(
        {(view.candidate.prompt, view.seed.trap_core) for view in views}
    )


@pytest.mark.parametrize("kind", CHECKERS)
@pytest.mark.parametrize("at_once", [False, True])
async def test_the_same_text_in_two_lineages_is_one_call(tmp_path: Path, kind: Any, at_once: bool) -> None:
    views = [first(), again()]
    assert views[0].candidate.candidate_id != views[1].candidate.candidate_id
    assert await asked(tmp_path / "journal.sqlite", kind, views, at_once=at_once) == 1


@pytest.mark.parametrize("kind", CHECKERS)
async def test_a_run_that_goes_on_does_not_pay_again(tmp_path: Path, kind: Any) -> None:
    async with serving(
        lambda body, number: chat(json.dumps({n: REPLY[n] for n in FIELDS[kind.name]}))
    ) as server:
        given = settings(f"openai/local@{server.url}")
        for view in (first(), again()):
            async with open_access(given, tmp_path / "journal.sqlite", pacing=pacing()) as access:
                assert (await kind().check(access, view)).passed
        assert len(server.seen) == 1


async def test_another_core_is_another_question_where_the_core_is_asked(tmp_path: Path) -> None:
    views = [first(), first(trap_core="A strainer is no cup for soup.")]
    assert await asked(tmp_path / "truth.sqlite", TruthChecker, views, at_once=False) == 2


async def test_another_temperature_is_another_question(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    reply = {name: REPLY[name] for name in FIELDS["truth"]}
    async with serving(lambda body, number: chat(json.dumps(reply))) as server:
        for temperature in (0.0, 0.4):
            given = settings(f"openai/local@{server.url}")
            pool = given.roles[Role.CHECKER].model_copy(update={"temperature": temperature})
            given = given.model_copy(update={"roles": {**given.roles, Role.CHECKER: pool}})
            async with open_access(given, path, pacing=pacing()) as access:
                await TruthChecker().check(access, first())
        assert len(server.seen) == 2
