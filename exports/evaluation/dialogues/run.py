"""Play dialogues with models: each model at its own pace, rows in the order of the dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from checkers.judge import AnswerJudge, Judge
from curation.replay import Player
from curation.stage import DrainingConversations, Reporter, StopSwitch, for_each, gather_all
from exports.dataset.dialogue_rows import PublishedDialogue
from exports.evaluation.dialogues.dialogue_set import DialogueSet
from exports.evaluation.dialogues.label_rows import turn_row
from exports.evaluation.label_rows import Asking
from exports.evaluation.ordered import OrderedWriter
from exports.evaluation.run import EVALUATION_REPEAT
from exports.evaluation.setup import Model
from exports.evaluation.tally import Tally
from salitrap.providers.access import Converses
from salitrap.records.enums import Stage


@dataclass(frozen=True, slots=True)
class Playing:
    """One dialogue to play once; ``index`` is its place in the file."""

    index: int
    row: PublishedDialogue
    slot: int
    repeat: int


async def evaluate_dialogues(  # noqa: PLR0913  # see evaluate
    access: Converses,
    talks: DialogueSet,
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
    """Write one row for each turn sent, by dialogue, model, repeat and turn; return the tally of rows.

    Progress counts whole conversations. A turn that its gate holds back has no row, and neither has one
    after an answer that failed; the same command goes on at that turn, since all before it is journaled.

    Raises:
        StoppedError: the evaluation cannot go on; what was answered is in the journal.
    """
    player = Player(DrainingConversations(access, switch), judge or Judge())
    writer, played = OrderedWriter(file), 0
    tally = Tally(reporter, Stage.PLAY, len(talks.rows) * len(models) * repeats)

    async def work(one: Playing) -> None:
        nonlocal played
        transcript = await player.play(
            one.row.dialogue, slot=one.slot, repeat=EVALUATION_REPEAT + one.repeat, judged_as=one.repeat
        )
        asking = Asking(models[one.slot], judge_name, one.repeat)
        rows = [turn_row(talks, one.row, asking, turn) for turn in transcript.sent]
        writer.put(one.index, *rows)
        for row in rows:
            tally.count(row)
        played += 1
        tally.told(played)

    shares = [_playings(talks, len(models), slot, repeats) for slot in range(len(models))]
    await gather_all([for_each(share, work, workers=workers, switch=switch) for share in shares])
    reporter.finished(Stage.PLAY)
    return tally


def _playings(talks: DialogueSet, models: int, slot: int, repeats: int) -> Iterator[Playing]:
    """What one model plays; rows run over dialogues, then models, then repeats."""
    for place, row in enumerate(talks.rows):
        for repeat in range(repeats):
            yield Playing((place * models + slot) * repeats + repeat, row, slot, repeat)
