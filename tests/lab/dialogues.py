"""Dialogues of the lab, and its solver without a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.dialogues import DialogueDraft, Source, assembled, feasible_twin
from generator.dialogues.twin import decisive_turns
from salitrap.dialogues import Dialogue, Pattern
from salitrap.lab.draws import Draw
from salitrap.lab.request import Ask, read_request
from salitrap.lab.tasks.mend_dialogue import write_twin
from salitrap.lab.tasks.solve import solve
from salitrap.lab.tasks.write_dialogue import write_dialogue
from salitrap.lab.world.model import Entry
from salitrap.lab.world.table import load_table
from salitrap.providers.access import Answered, ChatMessage
from salitrap.records.enums import Language, Outcome
from salitrap.records.provenance import Provenance


def entries(language: Language, each: int) -> Iterator[Entry]:
    """The first ``each`` requests of every dimension."""
    for cell in load_table(language).cells.values():
        yield from cell[:each]


def written(entry: Entry, pattern: Pattern, turns: int = 4) -> Dialogue:
    """The lab's dialogue of one request."""
    inputs = {"prompt": entry.prompt, "pattern": pattern.value, "turns_wanted": turns}
    draw = Draw("test", entry.prompt, pattern.value, turns)
    draft = DialogueDraft.model_validate(write_dialogue(asking(entry.language, inputs, draw)))
    source = Source(
        f"seed-{entry.name}", "", entry.tag, entry.language, entry.prompt, entry.trap_core,
        entry.ground_truth, entry.numbers,
    )  # fmt: skip
    return assembled(draft, source, pattern)


def twin_of(trap: Dialogue) -> Dialogue:
    """The lab's feasible twin."""
    said = [f"{number}. {turn.content}" for number, turn in enumerate(trap.turns, 1)]
    inputs = {"conversation": said, "to_rewrite": list(decisive_turns(trap))}
    given = write_twin(asking(trap.language, inputs, Draw("twin")))
    turns = {turn["turn"]: turn["content"] for turn in given["turns"]}  # type: ignore[attr-defined]
    return feasible_twin(trap, turns, str(given["fact"]), str(given["ground_truth"]))


def asking(language: Language, inputs: dict[str, object], draw: Draw) -> Ask:
    """A structured request as the lab understands it."""
    return Ask("generator-a", language, "", "", {}, inputs, draw, 0)


class LabTalk:
    """Holds conversations with a solver of the lab in this process."""

    def __init__(self, model: str = "solver-b", seed: int = 1) -> None:
        self._model, self._seed = model, seed

    async def converse(self, messages: Sequence[ChatMessage], *, slot: int = 0, repeat: int = 0) -> Answered:
        plain = [{"role": message.role, "content": message.content} for message in messages]
        body = {"model": self._model, "messages": plain, "seed": repeat}
        text, reasoning = solve(read_request(body, self._seed))
        return Answered(Outcome.OK, text, reasoning, "", "lab", Provenance(model=self._model))
