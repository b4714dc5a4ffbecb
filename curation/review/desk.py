"""What a reviewer does: each action is one event with author and time, and nothing is overwritten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from checkers.guards import guard_faults
from curation.opinions import (
    AnswerLabel,
    Edit,
    Opinion,
    RejectReason,
    Verdict,
    answer_id_of,
)
from curation.registry import Batch, Event, Registry
from curation.registry.events import edit_event, label_event, opinion_event
from curation.registry.people import edits_of, labels_of, next_number, told_before
from curation.registry.queries import seed_of
from curation.rejects import storable
from curation.review.reading import answer_at, candidate_of, seed_id_of, texts_of
from salitrap.errors import InputError
from salitrap.records import Candidate, Fault, Label, Seed, Stage
from salitrap.settings import Settings

PEOPLE = "people"
"""Fingerprint of what depends on no setting."""

LONGEST_TEXT = 8000
LONGEST_NOTE = 2000
COPIES = frozenset({Fault.COPY_OF_PARENT, Fault.COPY_OF_SEED})


class Refused(InputError):
    """What a reviewer asked for cannot be done; ``faults`` are what the guards say against a text."""

    def __init__(self, message: str, faults: tuple[tuple[Fault, str], ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


class Desk:
    """One reviewer at the registry of a run; only the process that holds the run's lock has one."""

    def __init__(
        self,
        registry: Registry,
        settings: Settings,
        author: str,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._registry, self._settings, self._now = registry, settings, now
        self.author = author

    def accept(self, candidate_id: str, note: str = "") -> Opinion:
        """Accept a candidate, whatever the machine found.

        Raises:
            Refused: there is no such candidate, or the note is too long.
        """
        return self._decide(candidate_id, Verdict.ACCEPTED, None, note)

    def reject(self, candidate_id: str, reason: RejectReason, note: str = "") -> Opinion:
        """Reject a candidate; ``other`` as a reason needs a note.

        Raises:
            Refused: there is no such candidate, or no note where one is needed.
        """
        if reason is RejectReason.OTHER and not note.strip():
            raise Refused("say in a few words why, since the reason is 'other'")
        return self._decide(candidate_id, Verdict.REJECTED, reason, note)

    def undo(self, candidate_id: str) -> Opinion:
        """Take this reviewer's last decision on a candidate back; the one before it, if any, holds again.

        Raises:
            Refused: there is none.
        """
        made = list[Opinion]()
        for one in told_before(self._registry, candidate_id, self.author):
            made.pop() if one.undone_at else made.append(one)
        if not made:
            raise Refused(f"{candidate_id}: {self.author} has decided nothing that could be taken back")
        cleared = {"verdict": Verdict.OPEN, "reason": None, "note": ""}
        restored = made[-2] if len(made) > 1 else made[-1].model_copy(update=cleared)
        opinion = restored.model_copy(update={"undone_at": self._time()})
        self._write(opinion_event(opinion), opinion.seed_id)
        return opinion

    def label(
        self, candidate_id: str, repeat: int, label: Label, quote: str = "", note: str = ""
    ) -> AnswerLabel:
        """Say what an answer is; ``quote`` must stand in it word for word.

        Raises:
            Refused: there is no such answer, or the quote is not in it.
        """
        candidate, seed = self._subject(candidate_id)
        answer = answer_at(self._registry, candidate_id, repeat)
        if answer is None or not answer.text:
            raise Refused(f"{candidate_id}: no answer {repeat} to label")
        quote = cleaned(quote, LONGEST_NOTE)
        if quote not in answer.text:
            raise Refused("the quote does not occur in the answer; copy it as it is")
        said = AnswerLabel(
            **self._signed(),
            candidate_id=candidate_id,
            seed_id=seed.seed_id,
            repeat=repeat,
            label=label,
            quote=quote,
            note=cleaned(note, LONGEST_NOTE),
            language=candidate.language,
            dimension_tag=seed.dimension_tag,
            prompt=candidate.prompt,
            trap_core=seed.trap_core,
            ground_truth=seed.ground_truth,
            answer=answer.text,
        )
        self._write(label_event(said), seed.seed_id)
        return said

    def take_label_back(self, candidate_id: str, repeat: int) -> AnswerLabel:
        """Withdraw this reviewer's label of an answer.

        Raises:
            Refused: there is none.
        """
        candidate, answer = self._subject(candidate_id)[0], answer_at(self._registry, candidate_id, repeat)
        held = labels_of(self._registry, answer_id_of(candidate.prompt, answer.text)) if answer else ()
        mine = next((one for one in held if one.author == self.author), None)
        if mine is None:
            raise Refused(f"{candidate_id}: {self.author} has not labelled answer {repeat}")
        back = mine.model_copy(update={**self._signed(), "label": None})
        self._write(label_event(back), mine.seed_id)
        return back

    def edit(self, candidate_id: str, text: str, note: str = "") -> Edit:
        """Write another text in place of a candidate's: a new candidate, which the next run checks.

        Raises:
            Refused: the text is there already, or a guard objects to it; ``faults`` say why.
        """
        parent, seed = self._subject(candidate_id)
        prompt = cleaned(text, LONGEST_TEXT)
        if not prompt:
            raise Refused("the text is empty")
        if twin := texts_of(self._registry, seed.seed_id).get(prompt):
            raise Refused(f"the same text is there already: {twin}")
        edit = Edit(**self._signed(), parent=parent, prompt=prompt, note=cleaned(note, LONGEST_NOTE))
        if faults := self.faults_of(seed, parent, prompt):
            raise Refused("; ".join(f"{fault.value}: {reason}" for fault, reason in faults), faults)
        self._write(edit_event(edit), seed.seed_id)
        return edit

    def withdraw(self, candidate_id: str) -> Edit:
        """Take an edited text out again; what the next run would make of it is not made.

        Raises:
            Refused: nobody wrote such a text.
        """
        seed_id = seed_id_of(self._registry, candidate_id)
        held = edits_of(self._registry, seed_id) if seed_id else ()
        found = next((one for one in held if one.candidate_id == candidate_id), None)
        if found is None:
            raise Refused(f"{candidate_id}: not a text that a person wrote")
        back = found.model_copy(update={**self._signed(), "withdrawn": True})
        self._write(edit_event(back), back.seed_id)
        return back

    def faults_of(self, seed: Seed, parent: Candidate, prompt: str) -> tuple[tuple[Fault, str], ...]:
        """What the guards say against a text; a person may change as little as a word."""
        bounds = self._settings.scale.prompt_chars.get(seed.language)
        faults = guard_faults(seed, parent, prompt, adds_numbers=True, bounds=bounds)
        return tuple(fault for fault in faults if fault[0] not in COPIES)

    def _decide(self, candidate_id: str, verdict: Verdict, reason: RejectReason | None, note: str) -> Opinion:
        candidate, _ = self._subject(candidate_id)
        opinion = Opinion(
            **self._signed(),
            candidate_id=candidate_id,
            seed_id=candidate.seed_id,
            verdict=verdict,
            reason=reason,
            note=cleaned(note, LONGEST_NOTE),
        )
        self._write(opinion_event(opinion), opinion.seed_id)
        return opinion

    def _subject(self, candidate_id: str) -> tuple[Candidate, Seed]:
        candidate = candidate_of(self._registry, candidate_id)
        seed = seed_of(self._registry, candidate.seed_id) if candidate else None
        if candidate is None or seed is None:
            raise Refused(f"{candidate_id}: no candidate of this run")
        return candidate, seed

    def _signed(self) -> dict[str, Any]:
        return {"author": self.author, "number": next_number(self._registry), "written_at": self._time()}

    def _time(self) -> str:
        return self._now().astimezone(UTC).isoformat(timespec="microseconds")

    def _write(self, event: Event, seed_id: str) -> None:
        batch = Batch(Stage.REVIEW, PEOPLE, (event,), seed_id=seed_id, replace=False)
        self._registry.write(batch)


def cleaned(text: str, longest: int) -> str:
    """Text from a form: one kind of line ends, no blanks around it, nothing that no file can hold.

    Raises:
        Refused: it is too long.
    """
    cleaned = storable(text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if len(cleaned) > longest:
        raise Refused(f"the text has {len(cleaned):,} characters; {longest:,} are the most")
    return cleaned
