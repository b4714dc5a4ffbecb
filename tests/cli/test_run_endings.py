"""What the end of a run says and by which exit code, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curation.funnel import CandidateFunnel, Funnel, SeedFunnel
from curation.shortfalls import Shortfall
from salitrap.providers.money.spend import Spend
from salitrap.records import Fault, Language, Status
from tests.cli.helpers import config, only_line
from tests.cli.in_process import Inside, Told

SHORT = Shortfall(
    dimension_tag="D1",
    language=Language.EN,
    target=6,
    accepted=3,
    end="exhausted",
    rejects=24,
    reason=Fault.SIMILAR_PROMPT,
    reason_count=19,
)


def funnel(
    items: int = 2, unsettled: int = 0, lost: int = 0, short: tuple[Shortfall, ...] = (), reason: str = ""
) -> Funnel:
    """A run of three seeds; ``lost`` candidates are in no status, so that the sums are wrong."""
    statuses = {Status.STABLE: items, Status.UNSETTLED: unsettled, Status.WEAK: 3}
    return Funnel(
        seeds=SeedFunnel(
            experts=3, drafts=0, batches_failed=0, accepted=3, set_aside=0, rejected={}, reviews=0
        ),
        candidates=CandidateFunnel(
            seeds_refined=3,
            seeds_certified=3,
            written=items + unsettled + 3 + lost,
            by_status={status: count for status, count in statuses.items() if count},
            by_fault={},
            unwritten={},
            not_selected=0,
            pending=0,
            unsettled_reason=reason,
        ),
        items=items,
        shortfalls=short,
    )


class Ending:
    """Lets ``salitrap run`` end with a given funnel."""

    def __init__(self, inside: Inside, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self._inside, self._monkeypatch, self._folder = inside, monkeypatch, folder
        self.sent = 1

    def __call__(self, counted: Funnel, *options: str, name: str = "run") -> Told:
        def executed(*args: Any, **named: Any) -> tuple[Funnel, Spend]:
            return counted, Spend(sent=self.sent)

        self._monkeypatch.setattr("salitrap.cli.pipeline.execute", executed)
        path = config(self._folder / "c.yaml")
        return self._inside(name, "-c", path, "--run", self._folder / "run", *options)


@pytest.fixture
def ending(inside: Inside, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ending:
    return Ending(inside, monkeypatch, tmp_path)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_unsettled_candidates_end_a_run_by_exit_3_also_with_json(
    ending: Ending, options: tuple[str, ...]
) -> None:
    """With ``--json`` the exit code was 0, so that a script took an interrupted run for a finished one."""
    told = ending(funnel(unsettled=4), *options)
    assert told.code == 3
    assert "4 candidates could not be judged" in only_line(told.err)
    assert "salitrap run -c" in told.err
    if options:
        assert json.loads(told.out)["funnel"]["candidates"]["by_status"]["unsettled"] == 4


def test_unsettled_candidates_come_with_their_commonest_reason(ending: Ending) -> None:
    """Whoever wanted to know why had to read rejects.jsonl."""
    told = ending(funnel(unsettled=16, reason="unparsable: missing: holds, change"))
    line = only_line(told.err)
    assert "16 candidates could not be judged, mostly: unparsable: missing: holds, change; see" in line
    assert "1 candidate could not be judged; see" in only_line(ending(funnel(unsettled=1)).err)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_funnel_that_does_not_add_up_is_our_fault(ending: Ending, options: tuple[str, ...]) -> None:
    """It was printed, and the exit code said that all was well."""
    told = ending(funnel(lost=1), *options)
    assert told.code == 4
    assert "candidates written = sum over statuses: 6 and 5" in only_line(told.err)
    if options:
        assert json.loads(told.out)["funnel_faults"]
    else:
        assert "Funnel" in told.out


def test_a_sound_run_names_the_build(ending: Ending) -> None:
    told = ending(funnel())
    assert told.code == 0
    assert "salitrap build" in only_line(told.err)
    assert ending(funnel(), "--json").err == ""


@pytest.mark.parametrize("name", ["run", "certify"])
def test_without_a_stable_item_the_build_is_not_suggested(ending: Ending, name: str) -> None:
    """``Next: salitrap build`` led straight to an error."""
    told = ending(funnel(items=0), name=name)
    assert told.code == 0
    line = only_line(told.err)
    assert "no item is stable" in line
    assert "salitrap status" in line
    assert "rejects.jsonl" in line
    assert "salitrap build" not in line


@pytest.mark.parametrize(("name", "following"), [("scale", "refine"), ("refine", "certify")])
def test_a_stage_alone_names_the_next_stage(ending: Ending, name: str, following: str) -> None:
    assert f"salitrap {following} -c" in only_line(ending(funnel(items=0), name=name).err)


def test_a_shortfall_comes_with_its_commonest_reason(ending: Ending) -> None:
    told = ending(funnel(short=(SHORT,)))
    assert "Short: D1 en has 3 of 6 seeds, exhausted (19 of 24 rejects: f2_similar_prompt)" in told.out
    (short,) = json.loads(ending(funnel(short=(SHORT,)), "--json").out)["funnel"]["shortfalls"]
    assert (short["reason"], short["reason_count"], short["rejects"]) == ("f2_similar_prompt", 19, 24)


def test_run_that_asked_nothing_more_does_not_tell_to_try_again(ending: Ending) -> None:
    """Its command ended with exit 3 as often as it was repeated, and sent nothing."""
    ending.sent = 0
    told = ending(funnel(unsettled=1))
    assert (told.code, "To try again" in told.err) == (0, False)
    assert "1 candidate could not be judged" in told.err and "a build leaves them out" in told.err
