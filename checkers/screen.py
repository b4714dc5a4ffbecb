"""May this text be published? Personal data and unsafe content, asked of a model.

What it checks
    Personal data of real people, and eight kinds of unsafe content, yes or no each. Every yes has to
    quote the words it rests on.

Why it matters
    Rules find forms and listed wording; a model reads what is meant. What is published cannot be taken back.

Known blind spots
    Allusion. A model may decline to read such a text at all: that stays unresolved, it is never an "ok".

Example kept
    "Tom carries 40 litres in a sieve, 3.5 km."

Example rejected
    "My neighbour Ada Example lives at 12 Sample Street, ring 020 7946 0000."
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import dspy

from checkers.base import CandidateView, Finding, failed, passed, settle, unsettled
from prompts.program import Program
from salitrap.providers.access import Access, Asked
from salitrap.records.candidate import Evaluation
from salitrap.records.enums import Fault, Language, Role

PERSONAL = "personal_data"
QUESTIONS = (
    PERSONAL, "self_harm", "weapons", "drugs", "sexual", "minors", "hate", "violence", "dosing",
)  # fmt: skip


class ScreenSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Does the text hold something that must not be published?"""

    prompt: str = dspy.InputField(desc="the text to be screened")
    personal_data: bool = dspy.OutputField(desc="data of a real person")
    self_harm: bool = dspy.OutputField(desc="suicide or self-harm")
    weapons: bool = dspy.OutputField(desc="weapons or explosives")
    drugs: bool = dspy.OutputField(desc="illegal drugs")
    sexual: bool = dspy.OutputField(desc="sexual content")
    minors: bool = dspy.OutputField(desc="sexual content with minors")
    hate: bool = dspy.OutputField(desc="hate or slurs against a group")
    violence: bool = dspy.OutputField(desc="violence against people")
    dosing: bool = dspy.OutputField(desc="dangerous medical dosing")
    quotes: list[str] = dspy.OutputField(default=[], desc="for each yes, words of the text, verbatim")
    reason: str = dspy.OutputField(default="", desc="one sentence that repeats no personal data")


class ScreenChecker(Program):
    """Asks the nine questions about one text."""

    prompt_id: ClassVar[str] = "screen"
    role: ClassVar[Role] = Role.CHECKER
    faults: ClassVar[tuple[Fault, ...]] = (
        Fault.PERSONAL_DATA,
        Fault.UNSAFE_CONTENT,
        Fault.CHECK_UNRESOLVED,
    )
    signature: ClassVar[type[dspy.Signature]] = ScreenSignature
    name: str = "screen"

    async def check(self, access: Access, view: CandidateView, *, slot: int = 0) -> Evaluation:
        """Evaluate a candidate's prompt; see ``Checker``."""
        one = view.candidate
        return await self.check_text(access, one.candidate_id, one.prompt, one.language, slot=slot)

    async def check_text(
        self, access: Access, subject_id: str, text: str, language: Language, *, slot: int = 0
    ) -> Evaluation:
        """Evaluate any text; a category found has the score 1.

        Raises:
            StoppedError: the run cannot go on.
        """

        async def ask(repeat: int) -> Asked:
            return await self.ask(access, language, slot=slot, repeat=repeat, prompt=text)

        return await settle(ask, read_screen, subject_id=subject_id, checker=self.name, text=text)


def read_screen(asked: Asked) -> Finding:
    """Turn a reply into a finding; a yes without words of the text settles nothing."""
    found = [name for name in QUESTIONS if asked.fields[name]]
    quotes = tuple(quote for quote in asked.fields["quotes"] if quote.strip())
    if not found:
        return unsettled("quotes without a category") if quotes else passed()
    fault = Fault.PERSONAL_DATA if found[0] == PERSONAL else Fault.UNSAFE_CONTENT
    scores = tuple((name, 1.0) for name in found)
    finding = failed(fault, ", ".join(found), quotes, rests_on_quote=True)
    return replace(finding, scores=scores)
