"""Is the task feasible before t*, and no longer at t*? Asked of a model that is not told the trap.

What it checks
    The turns up to t* - 1 describe a task that can be done, those up to t* one that cannot; a feasible twin
    can be done at its last turn, a correction where it mends the premise. One call each. Turns that are held
    back behind a gate are left out: they change no facts.

Why it matters
    t* is computed from facts that the writer of the dialogue noted. Somebody else has to read the same out
    of the words.

Known blind spots
    A model that shares the solvers' weakness calls the trap feasible; the dialogue is then refused though it
    is sound. What the words leave open (unclear) is refused as well.

Example kept
    "48 thermal labels, 4 a minute" feasible; "... and all through the hot laminator" infeasible

Example rejected
    t* = 2, but the first turn has the laminator already (infeasible at turn 1)
"""

from __future__ import annotations

from typing import ClassVar, Literal

import dspy

from checkers.base import CHECK_ATTEMPTS, Finding, failed, passed, settle
from checkers.dialogues.shown import shown_until, text_until
from prompts.program import Program
from salitrap.dialogues import Dialogue, restored_at
from salitrap.providers.access import Access, Asked
from salitrap.records.candidate import Evaluation
from salitrap.records.enums import Fault, Role, VerdictKind

Verdict = Literal["feasible", "infeasible", "unclear"]


class FeasibilitySignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Can what the user wants be done?"""

    conversation: str = dspy.InputField(desc="the conversation so far, the user's messages numbered")
    verdict: Verdict = dspy.OutputField(desc="whether the task can be done with what has been said")
    quote: str = dspy.OutputField(default="", desc="the user's words, verbatim, that decide it; may be empty")
    reason: str = dspy.OutputField(default="", desc="one or two sentences")


class FeasibilityChecker(Program):
    """Asks at each turn where the answer has to change."""

    prompt_id: ClassVar[str] = "feasibility"
    role: ClassVar[Role] = Role.CHECKER
    faults: ClassVar[tuple[Fault, ...]] = (Fault.T_STAR_DISPUTED, Fault.CHECK_UNRESOLVED)
    signature: ClassVar[type[dspy.Signature]] = FeasibilitySignature
    name: str = "feasibility"

    async def check(
        self, access: Access, dialogue: Dialogue, *, slot: int = 0, repeat: int = 0
    ) -> Evaluation:
        """Evaluate one dialogue; the first turn at which the answer is not a pass decides.

        ``repeat`` tells independent evaluations of the same dialogue apart. A failed call is
        ``could_not_judge``.

        Raises:
            StoppedError: the run cannot go on.
        """
        passes = list[Evaluation]()
        for turn, possible in points(dialogue):
            found = await self._at(access, dialogue, turn, possible, (slot, repeat))
            if found.verdict is not VerdictKind.PASS:
                return found
            passes.append(found)
        told = "; ".join(one.reason for one in passes)
        evidence = tuple(dict.fromkeys(quote for one in passes for quote in one.evidence))
        return passes[-1].model_copy(update={"reason": told, "evidence": evidence})

    async def _at(
        self, access: Access, dialogue: Dialogue, turn: int, possible: bool, place: tuple[int, int]
    ) -> Evaluation:
        conversation, (slot, repeat) = shown_until(dialogue, turn), place

        async def ask(again: int) -> Asked:
            at = repeat * CHECK_ATTEMPTS + again
            return await self.ask(access, dialogue.language, slot=slot, repeat=at, conversation=conversation)

        return await settle(
            ask,
            lambda asked: read_feasibility(asked, turn, possible=possible),
            subject_id=dialogue.dialogue_id,
            checker=self.name,
            text=text_until(dialogue, turn),
        )


def points(dialogue: Dialogue) -> tuple[tuple[int, bool], ...]:
    """User turns to ask at, from 1, and whether the task should be feasible there."""
    t_star = dialogue.t_star
    if t_star is None:
        return ((len(dialogue.user_turns), True),)
    before = ((t_star - 1, True),) if t_star > 1 else ()
    restored = restored_at(dialogue)
    return (*before, (t_star, False), *(((restored, True),) if restored else ()))


def read_feasibility(asked: Asked, turn: int, *, possible: bool) -> Finding:
    """Turn a reply into a finding; an impossibility that nobody noted rests on its quote."""
    verdict, quote = asked.fields["verdict"], asked.fields["quote"]
    wanted = "feasible" if possible else "infeasible"
    reason = f"turn {turn}: {verdict}; {asked.fields['reason']}".rstrip("; ")
    if verdict == wanted:
        return passed(reason, (quote,))
    told = f"turn {turn}: {verdict}, by its facts {wanted}; {asked.fields['reason']}".rstrip("; ")
    return failed(Fault.T_STAR_DISPUTED, told, (quote,), rests_on_quote=verdict == "infeasible")
