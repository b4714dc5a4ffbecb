"""Ask, judge, write: each model works at its own pace, rows come out in the order of the dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from checkers.judge import AnswerJudge, Judge
from curation.stage import DrainingAccess, Reporter, StopSwitch, for_each, gather_all
from exports.evaluation.evalset import Evalset
from exports.evaluation.given import GivenAnswer
from exports.evaluation.label_rows import Asking, question_of, row_of
from exports.evaluation.ordered import OrderedWriter
from exports.evaluation.setup import Model
from exports.evaluation.tally import Tally
from salitrap.providers.access import Access, Answered
from salitrap.records.enums import Stage
from salitrap.records.item import Item
from salitrap.records.provenance import Provenance

EVALUATION_REPEAT = 100_000
"""Where the repeat indices of evaluated answers begin.

An item was kept because certain draws failed on it. With the indices of its construction an endpoint
that honours sampling seeds would give those very answers again, and the rates would be selected ones.
"""


@dataclass(frozen=True, slots=True)
class Unit:
    """One answer to get; ``index`` is its row in the file."""

    index: int
    item: Item
    slot: int
    repeat: int


async def evaluate(  # noqa: PLR0913  # the parts of an evaluation, each of its own kind
    access: Access,
    evalset: Evalset,
    models: Sequence[Model],
    judge_name: str,
    file: BinaryIO,
    *,
    repeats: int,
    workers: int,
    reporter: Reporter,
    switch: StopSwitch,
    judge: AnswerJudge | None = None,
) -> Tally:
    """Write one row for each item, model and repeat to ``file``; return the tally.

    ``models`` are the solver pool's endpoints, by slot; ``workers`` bounds the answers under way for each.
    ``judge`` labels, by evidence unless given.

    Raises:
        StoppedError: the evaluation cannot go on; what was answered is in the journal.
    """
    draining, judging = DrainingAccess(access, switch), judge or Judge()
    writer = OrderedWriter(file)
    tally = Tally(reporter, Stage.EVAL, len(evalset.items) * len(models) * repeats)

    async def work(unit: Unit) -> None:
        answered = await draining.answer(
            unit.item.prompt, slot=unit.slot, repeat=EVALUATION_REPEAT + unit.repeat
        )
        labelled = await judging.label(draining, question_of(unit.item), answered, repeat=unit.repeat)
        asking = Asking(models[unit.slot], judge_name, unit.repeat)
        row = row_of(evalset, unit.item, asking, answered, labelled)
        writer.put(unit.index, row)
        tally.add(row)

    shares = [_units(evalset, len(models), slot, repeats) for slot in range(len(models))]
    await gather_all([for_each(share, work, workers=workers, switch=switch) for share in shares])
    reporter.finished(Stage.EVAL)
    return tally


async def judge_answers(  # noqa: PLR0913  # see evaluate
    access: Access,
    evalset: Evalset,
    answers: Sequence[GivenAnswer],
    judge_name: str,
    file: BinaryIO,
    *,
    workers: int,
    reporter: Reporter,
    switch: StopSwitch,
    judge: AnswerJudge | None = None,
) -> Tally:
    """Label answers made elsewhere, a row each, in their order; return the tally.

    Raises:
        StoppedError: the judging cannot go on; what was judged is in the journal.
    """
    draining, judging = DrainingAccess(access, switch), judge or Judge()
    items = {item.item_id: item for item in evalset.items}
    writer, tally = OrderedWriter(file), Tally(reporter, Stage.JUDGE, len(answers))

    async def work(numbered: tuple[int, GivenAnswer]) -> None:
        index, given = numbered
        item = items[given.item_id]
        labelled = await judging.label(draining, question_of(item), _answered(given), repeat=given.repeat)
        asking = Asking(Model(given.model, given.setup), judge_name, given.repeat, given.arm, given.turn)
        row = row_of(evalset, item, asking, _answered(given), labelled)
        writer.put(index, row)
        tally.add(row)

    await for_each(iter(enumerate(answers)), work, workers=workers, switch=switch)
    reporter.finished(Stage.JUDGE)
    return tally


def _units(evalset: Evalset, models: int, slot: int, repeats: int) -> Iterator[Unit]:
    """The units of one model; rows run over items, then models, then repeats."""
    for place, item in enumerate(evalset.items):
        for repeat in range(repeats):
            yield Unit((place * models + slot) * repeats + repeat, item, slot, repeat)


def _answered(given: GivenAnswer) -> Answered:
    return Answered(
        outcome=given.outcome,
        text=given.answer,
        reasoning=given.reasoning,
        detail=given.detail,
        family="",
        provenance=Provenance(
            model=given.model,
            returned_model=given.returned_model,
            call_key=given.answer_call,
            simulated=given.simulated,
        ),
        default_temperature=given.default_temperature,
    )
