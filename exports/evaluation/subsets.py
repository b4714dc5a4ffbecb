"""What an evaluation asks: the items of a dataset, or its dialogues; both behind one face."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from checkers.judge import AnswerJudge
from curation.stage import Reporter, StopSwitch
from exports.dataset.layout import DIALOGUES
from exports.evaluation.batches import uses_batches
from exports.evaluation.dialogues import (
    DialogueSet,
    evaluate_dialogues,
    load_dialogues,
    plan_dialogue_evaluation,
    promised_turns,
)
from exports.evaluation.estimate import plan_evaluation
from exports.evaluation.evalset import Evalset, load_evalset
from exports.evaluation.models import judge_name, models_of
from exports.evaluation.run import evaluate
from exports.evaluation.tally import Tally
from exports.evaluation.target import RowKey, promised_by
from salitrap.errors import ConfigError
from salitrap.plan import Plan
from salitrap.providers.access import Converses
from salitrap.records.enums import Language
from salitrap.settings import Settings


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything an evaluation works with; ``workers`` bounds what is under way for each model."""

    settings: Settings
    access: Converses
    file: BinaryIO
    reporter: Reporter
    switch: StopSwitch
    workers: int
    judge: AnswerJudge


class Subset(Protocol):
    """What is asked."""

    @property
    def languages(self) -> set[Language]:
        """The languages it is in."""
        ...

    @property
    def simulated(self) -> bool:
        """True when simulated models had a part in making it."""
        ...

    def __len__(self) -> int:
        """How many items or dialogues there are."""
        ...

    def refuse(self, settings: Settings) -> None:
        """Refuse settings that it cannot be asked with.

        Raises:
            ConfigError: with what to do instead.
        """
        ...

    def promised(self, settings: Settings, repeats: int) -> set[RowKey]:
        """Keys of the rows that an evaluation of it may write."""
        ...

    def plan(self, models: int, repeats: int, settings: Settings) -> Plan:
        """Calls before anything is paid."""
        ...

    async def evaluate(self, bench: Bench, repeats: int) -> Tally:
        """Ask, judge and write.

        Raises:
            StoppedError: it cannot go on; what was answered is in the journal.
        """
        ...


@dataclass(frozen=True, slots=True)
class ItemSubset:
    """The single-turn items."""

    evalset: Evalset

    @property
    def languages(self) -> set[Language]:
        """See ``Subset``."""
        return {item.language for item in self.evalset.items}

    @property
    def simulated(self) -> bool:
        """See ``Subset``."""
        return any(item.simulated for item in self.evalset.items)

    def __len__(self) -> int:
        return len(self.evalset.items)

    def refuse(self, settings: Settings) -> None:
        """Nothing stands in the way."""

    def promised(self, settings: Settings, repeats: int) -> set[RowKey]:
        """See ``Subset``."""
        return promised_by(self.evalset, settings, repeats)

    def plan(self, models: int, repeats: int, settings: Settings) -> Plan:
        """See ``Subset``."""
        return plan_evaluation(self.evalset.items, models, repeats, settings)

    async def evaluate(self, bench: Bench, repeats: int) -> Tally:
        """See ``Subset``."""
        return await evaluate(
            bench.access, self.evalset, models_of(bench.settings), judge_name(bench.settings), bench.file,
            repeats=repeats, workers=bench.workers, reporter=bench.reporter, switch=bench.switch,
            judge=bench.judge,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class DialogueSubset:
    """The multi-turn dialogues."""

    talks: DialogueSet

    @property
    def languages(self) -> set[Language]:
        """See ``Subset``."""
        return {row.language for row in self.talks.rows}

    @property
    def simulated(self) -> bool:
        """See ``Subset``."""
        return any(row.simulated for row in self.talks.rows)

    def __len__(self) -> int:
        return len(self.talks.rows)

    def refuse(self, settings: Settings) -> None:
        """Batches do not suit conversations: each turn would wait a batch long for the one before."""
        if uses_batches(settings):
            raise ConfigError(
                "dialogues cannot be asked in batches, since a turn needs the answer to the one before; "
                "leave out --batch, and batch: true in the settings"
            )

    def promised(self, settings: Settings, repeats: int) -> set[RowKey]:
        """See ``Subset``."""
        return promised_turns(self.talks, settings, repeats)

    def plan(self, models: int, repeats: int, settings: Settings) -> Plan:
        """See ``Subset``."""
        return plan_dialogue_evaluation(self.talks.rows, models, repeats, settings)

    async def evaluate(self, bench: Bench, repeats: int) -> Tally:
        """See ``Subset``."""
        return await evaluate_dialogues(
            bench.access, self.talks, models_of(bench.settings), judge_name(bench.settings), bench.file,
            repeats=repeats, workers=bench.workers, reporter=bench.reporter, switch=bench.switch,
            judge=bench.judge,
        )  # fmt: skip


def load_subset(
    name: str,
    folder: Path,
    *,
    split: str,
    language: Language | None,
    limit: int | None,
    as_of: str | None = None,
    added_since: str | None = None,
) -> Subset:
    """Read the subset ``name``, ``items`` or ``dialogues``; see ``load_evalset`` and ``load_dialogues``."""
    if name == DIALOGUES:
        talks = load_dialogues(
            folder, split=split, language=language, limit=limit, as_of=as_of, added_since=added_since
        )
        return DialogueSubset(talks)
    items = load_evalset(
        folder, split=split, language=language, limit=limit, as_of=as_of, added_since=added_since
    )
    return ItemSubset(items)
