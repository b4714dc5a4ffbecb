"""Have a judge read gold answers, and put together what was measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from checkers.calibration import Calibration, GoldReading, GoldUsed, JudgeIdentity, figures_of, judge_gate
from checkers.gold import GoldAnswer
from checkers.judge import AnswerJudge
from curation.stage import DrainingAccess, Reporter, StopSwitch, for_each
from salitrap import __version__
from salitrap.providers.access import Access, Answered
from salitrap.records.enums import Outcome, Stage
from salitrap.records.provenance import Provenance
from salitrap.settings import CalibrationSettings


async def judge_gold(
    access: Access,
    judge: AnswerJudge,
    answers: Sequence[GoldAnswer],
    *,
    workers: int,
    reporter: Reporter,
    switch: StopSwitch,
) -> list[GoldReading]:
    """Have every answer read by ``judge``, in the order of ``answers``.

    Raises:
        StoppedError: it cannot go on; what was read is in the journal.
    """
    draining = DrainingAccess(access, switch)
    read, counts = dict[int, GoldReading](), Counter[str]()
    reporter.stage_started(Stage.JUDGE, len(answers))

    async def work(numbered: tuple[int, GoldAnswer]) -> None:
        place, gold = numbered
        labelled = await judge.label(draining, gold.asked, _answered(gold))
        read[place] = GoldReading(gold, labelled.visible)
        said = labelled.visible.label
        counts[said.value if said else labelled.visible.status.value] += 1
        reporter.advanced(Stage.JUDGE, counts.total(), counts)

    await for_each(iter(enumerate(answers)), work, workers=workers, switch=switch)
    reporter.finished(Stage.JUDGE)
    return [read[place] for place in sorted(read)]


def made_calibration(
    identity: JudgeIdentity, gold: GoldUsed, read: Sequence[GoldReading], wanted: CalibrationSettings
) -> Calibration:
    """Figures and gate of what a judge said."""
    figures = figures_of(read)
    sources = [one.reading.provenance for one in read if one.reading.provenance is not None]
    return Calibration(
        judge=identity,
        returned_models=tuple(sorted({source.returned_model for source in sources} - {""})),
        gold=gold,
        figures=figures,
        gate=judge_gate(figures, wanted, gold.languages),
        date=now(),
        version=__version__,
        simulated=any(source.simulated for source in sources),
    )


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _answered(gold: GoldAnswer) -> Answered:
    return Answered(
        outcome=Outcome.OK,
        text=gold.answer,
        reasoning="",
        detail="",
        family="",
        provenance=Provenance(model=f"gold {gold.answer_id}"),
    )
