"""Progress: what matters fits the screen, a log shows life, and nothing is said twice."""

from __future__ import annotations

import asyncio
import io

import pytest
from rich.console import Console

from salitrap.cli import progress
from salitrap.cli.progress import HEARTBEAT_SECONDS, LiveReporter, PlainReporter, reporting
from salitrap.cli.progress_bars import StageBars
from salitrap.cli.progress_notes import SHORT, counts_text, trouble_text, under_way_text
from salitrap.providers.money.spend import Spend
from salitrap.providers.pacing.trouble import Trouble
from salitrap.records import Label, Stage

COUNTS = {
    "Pass": 84,
    "Hard Fail": 212,
    "Sycophantic Compliance": 79,
    "Refusal": 6,
    "CoT Hijacked": 101,
    "Patch Compliance": 3,
    "judge_unresolved": 4,
}
BAD = Trouble(3, "HTTP 502: out of memory (openai/m)", 45.2, 64)


def shown(width: int, trouble: Trouble = Trouble()) -> list[str]:  # noqa: B008  # frozen
    """Lines of the live display of an evaluation on a screen of ``width`` columns."""
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    bars = StageBars(console)
    reporter = LiveReporter(bars, lambda: Spend(calls=10_461, usd=None), lambda: trouble)
    reporter.stage_started(Stage.EVAL, 1145)
    reporter.advanced(Stage.EVAL, 489, COUNTS)
    reporter.tick()
    with console.capture() as captured:
        console.print(bars.get_renderable())
    return captured.get().splitlines()


@pytest.mark.parametrize("width", [120, 80, 60])
def test_count_time_and_calls_are_always_visible(width: int) -> None:
    """At 80 columns the counts by label drove bar, x/N, time and calls off the screen."""
    (line,) = shown(width)
    assert len(line) <= width
    assert line.startswith("eval ━")
    for wanted in ("489/1145", "0:00:00", "10461 calls", "84 P"):
        assert wanted in line, line
    assert ("…" in line) == (width < 120)


@pytest.mark.parametrize("width", [80, 60])
def test_trouble_has_a_line_of_its_own(width: int) -> None:
    first, second = shown(width, BAD)
    assert "489/1145" in first
    assert second.startswith("retrying 3 calls for 45 s, last: HTTP 502: out of mem")
    assert len(second) <= width
    assert len(shown(width)) == 1, "and none when all is well"


def test_every_label_has_a_short_name() -> None:
    assert set(SHORT) == {label.value for label in Label}
    assert counts_text(COUNTS) == "84 P, 212 HF, 79 SC, 6 Ref, 101 CoT, 3 Patch, 4 judge unresolved"


def test_trouble_is_told_in_one_sentence() -> None:
    assert trouble_text(Trouble(in_flight=9)) == ""
    one = Trouble(1, "HTTP 500: boom (openai/m)", 3.0)
    assert trouble_text(one) == "retrying 1 call for 3 s, last: HTTP 500: boom (openai/m)"


class Plain:
    """A plain reporter with a clock of its own."""

    def __init__(self) -> None:
        self.now, self.calls, self.trouble = 0.0, 0, Trouble()
        self.file = io.StringIO()
        console = Console(file=self.file, width=80, markup=False, highlight=False)
        spend = lambda: Spend(calls=self.calls, usd=None)  # noqa: E731
        self.reporter = PlainReporter(console, spend, lambda: self.trouble, lambda: self.now)

    def wait(self, seconds: int) -> None:
        for _ in range(seconds):
            self.now += 1.0
            self.reporter.tick()

    @property
    def lines(self) -> list[str]:
        return self.file.getvalue().splitlines()


def test_log_shows_life_when_nothing_advances() -> None:
    """A run against a broken server wrote "eval: 2 answers" and nothing more for 15 minutes."""
    plain = Plain()
    plain.reporter.stage_started(Stage.EVAL, 2)
    plain.trouble = Trouble(in_flight=2)
    plain.wait(int(HEARTBEAT_SECONDS))
    plain.trouble = Trouble(2, "HTTP 500: no (lab/m)", 20.0, 1)
    plain.wait(int(HEARTBEAT_SECONDS))
    assert plain.lines == [
        "eval: 2 answers",
        "eval: 0/2 | 0 calls | 2 requests under way",
        "eval: 0/2 | 0 calls | 1 request under way | retrying 2 calls for 20 s, last: HTTP 500: no (lab/m)",
    ]


def test_calls_that_wait_for_a_limit_are_not_requests_under_way() -> None:
    """With an ``rpm`` of 1, 64 requests were "under way" for an hour."""
    assert under_way_text(Trouble(in_flight=64, waiting_for_quota=63)) == (
        "1 request under way, 63 calls wait for rpm/tpm"
    )
    assert under_way_text(Trouble(in_flight=1, waiting_for_quota=1)) == "1 call waits for rpm/tpm"
    assert under_way_text(Trouble()) == ""
    first, second = shown(80, Trouble(in_flight=3, waiting_for_quota=2))
    assert "489/1145" in first
    assert second.rstrip() == "2 calls wait for rpm/tpm"


def test_heartbeat_is_silent_while_lines_come_anyway_and_between_stages() -> None:
    plain = Plain()
    plain.wait(30)
    plain.reporter.stage_started(Stage.REFINE, 100)
    for done in range(1, 31):
        plain.wait(1)
        plain.reporter.advanced(Stage.REFINE, done, {"certified": done})
    plain.reporter.finished(Stage.REFINE)
    plain.wait(60)
    assert [line.split()[1] for line in plain.lines[1:]] == [f"{done}/100" for done in range(5, 31, 5)]


def test_last_line_is_said_once() -> None:
    """It stood there twice when the last advance was due for a line."""
    plain = Plain()
    plain.reporter.stage_started(Stage.REFINE, 35)
    plain.wait(6)
    plain.calls = 1046
    plain.reporter.advanced(Stage.REFINE, 35, {"certified": 12})
    plain.reporter.finished(Stage.REFINE)
    assert plain.lines == ["refine: 35 seeds", "refine: 35/35 12 certified | 1046 calls"]


def test_last_line_is_said_when_it_is_news() -> None:
    plain = Plain()
    plain.reporter.stage_started(Stage.REFINE, 2)
    plain.reporter.advanced(Stage.REFINE, 2, {})
    plain.reporter.finished(Stage.REFINE)
    plain.reporter.stage_started(Stage.CERTIFY, 2)
    plain.reporter.finished(Stage.CERTIFY)
    assert plain.lines[1::2] == ["refine: 2/2 | 0 calls", "certify: nothing left to do"]


def test_reporting_ticks_by_itself_and_stops_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "TICK_SECONDS", 0.01)
    monkeypatch.setattr(progress, "HEARTBEAT_SECONDS", 0.05)

    async def work() -> None:
        with reporting(lambda: Spend(usd=None), lambda: BAD) as reporter:
            reporter.stage_started(Stage.EVAL, 2)
            await asyncio.sleep(0.3)
        said = capsys.readouterr().err
        assert said.count("retrying 3 calls") >= 2
        await asyncio.sleep(0.2)
        assert capsys.readouterr().err == ""

    asyncio.run(work())
