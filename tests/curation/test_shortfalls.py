"""Cells: which there are, what became of those that fell short, and what is said when none has a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curation.cells import cells_of
from curation.run import STAGES, open_run, run_stages
from curation.shortfalls import Shortfall, commonest
from curation.stage import Silence
from curation.status import status_of
from salitrap.errors import ConfigError, ExitCode, InputError, StoppedError
from salitrap.records import Fault, Language, Stage
from salitrap.settings import Settings
from tests.curation.rows import view
from tests.curation.world import JournaledAccess, World, domain, programs, settings


async def run(directory: Path, given: Settings, world: World, experts: tuple[int, ...] = (1, 40, 90)) -> None:
    with open_run(directory, given, (domain("D1", experts),), programs()) as opened:
        await run_stages(opened, JournaledAccess(world, {}), STAGES, Silence())


async def test_when_everything_was_rejected_the_commonest_reason_is_named(tmp_path: Path) -> None:
    """The user was told to run the scale stage, which had just run."""
    given = settings(scale={"prompt_chars": {"en": (5000, 6000)}, "empty_waves": 1})
    with pytest.raises(
        InputError, match=r"accepted none of \d+ seeds; (\d+) were rejected for too_short"
    ) as caught:
        await run(tmp_path, given, World(repeating=0.0))
    assert "rejects.jsonl" in str(caught.value)
    assert "run the scale stage" not in str(caught.value)
    assert len(view(tmp_path)["rejections"]) > 3


async def test_when_every_call_failed_the_run_stops_resumably(tmp_path: Path) -> None:
    with pytest.raises(StoppedError, match="rejected for call_failed") as caught:
        await run(tmp_path, settings(scale={"empty_waves": 1}), World(failing=1.0), experts=())
    assert caught.value.exit_code is ExitCode.STOPPED


async def test_when_the_generator_wrote_nothing_that_is_said(tmp_path: Path) -> None:
    class Silent(World):
        def _scale(self, inputs: Any, told: str, repeat: int) -> Any:
            return {"seeds": []}

    with pytest.raises(InputError, match="the generator wrote no draft"):
        await run(tmp_path, settings(scale={"empty_waves": 1}), Silent(), experts=())


async def test_seeds_beyond_every_target_are_no_seeds_to_refine(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="all 3 accepted seeds lie beyond the targets"):
        await run(tmp_path, settings(0), World())


async def test_before_any_scaling_the_stage_that_is_missing_is_named(tmp_path: Path) -> None:
    with (
        open_run(tmp_path, settings(), (domain("D1"),), programs()) as opened,
        pytest.raises(InputError, match="run the scale stage"),
    ):
        await run_stages(opened, JournaledAccess(World(), {}), (Stage.REFINE,), Silence())


async def test_a_shortfall_counts_the_rejects_of_its_own_cell(tmp_path: Path) -> None:
    given = settings(30, scale={"empty_waves": 1}, refine={"max_candidates": 1})
    domains = (domain("D1"), domain("D2", (11, 52)))
    with open_run(tmp_path, given, domains, programs()) as opened:
        await run_stages(opened, JournaledAccess(World(repeating=1.0), {}), STAGES, Silence())
    report = status_of(tmp_path)
    assert report.finished
    assert not report.complete
    assert len(report.funnel.shortfalls) == 2
    assert sum(short.rejects for short in report.funnel.shortfalls) == len(
        [row for row in view(tmp_path)["rejections"] if row[0] == "scale"]
    )
    for short in report.funnel.shortfalls:
        assert 0 < short.reason_count <= short.rejects


def short(**changes: Any) -> Shortfall:
    values = {"dimension_tag": "D1", "language": "en", "target": 6, "accepted": 3, "end": "exhausted"}
    return Shortfall.model_validate({**values, **changes})


def test_a_shortfall_is_one_line() -> None:
    told = short(rejects=24, reason="f2_similar_prompt", reason_count=19).told
    assert told == "D1 en has 3 of 6 seeds, exhausted (19 of 24 rejects: f2_similar_prompt)"
    assert short().told == "D1 en has 3 of 6 seeds, exhausted (no draft was written)"
    assert short(end="open").told == "D1 en has 3 of 6 seeds, open"


def test_of_equally_common_reasons_the_first_of_the_list_is_named() -> None:
    assert commonest({Fault.SAME_TRIPLE: 2, Fault.TOO_SHORT: 2, Fault.TOO_LONG: 1}) == (Fault.TOO_SHORT, 2)
    assert commonest({}) == (None, 0)


async def test_progress_calls_accepted_what_the_targets_want(tmp_path: Path) -> None:
    """Seeds that are set aside were counted as accepted, so that 3 of 2 seeds were."""
    heard = list[tuple[int, dict[str, int]]]()

    class Heard(Silence):
        def advanced(self, stage: Stage, done: int, counts: Any) -> None:
            if stage is Stage.SCALE:
                heard.append((done, dict(counts)))

    with open_run(tmp_path, settings(2), (domain("D1"),), programs()) as opened:
        await run_stages(opened, JournaledAccess(World(), {}), (Stage.SCALE,), Heard())
    assert heard[-1] == (2, {"accepted": 2, "set_aside": 1, "rejected": 0})


def test_a_target_in_a_language_that_the_domain_lacks_is_refused() -> None:
    """It was promised and not done: such a cell was left out in silence."""
    both = {"languages": (Language.EN, Language.ZH)}
    asked = settings(**both, targets={"D1": {"en": 1, "zh": 2}})
    with pytest.raises(ConfigError, match=r"targets\.D1\.zh.*only in en"):
        cells_of(asked, [domain()])
    assert len(cells_of(settings(**both, targets={"D1": {"en": 1, "zh": 0}}), [domain()])) == 1
    assert len(cells_of(settings(**both, targets={"default": {"en": 1, "zh": 2}}), [domain()])) == 1
