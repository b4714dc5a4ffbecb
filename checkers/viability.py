"""A seed is graded before it enters, by six yes/no questions (method, stage 1; optional).

What it checks
    Eraser test, target binding, no escape, unique ground truth, naturalisable, fits the dimension. The
    grade follows by rule: A has every answer yes; A- can only not be made natural, which refinement may
    still mend; B misses one other thing; C misses more. A grade below the one asked for fails.

Why it matters
    A weak seed costs dozens of calls in refinement before it is archived; the screen costs one.

Known blind spots
    One reading by one model. It cannot know what solvers will fall for, and a seed that is merely unusual
    may lose its ``naturalisable``. Only drafts are screened: expert seeds are their author's word.

Example kept
    "How many trips of 2.5 L with the tea strainer do I need to move 20 L of water?"

Example rejected
    "How many trips with the strainer, and how much is 20 L in gallons?" (escape, and no unique answer)
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

import dspy

from checkers.base import Finding, settle
from prompts.program import Program
from salitrap.providers.access import Access, Asked
from salitrap.records.candidate import Evaluation
from salitrap.records.enums import Fault, Role, VerdictKind
from salitrap.records.seed import Seed

QUESTIONS = (
    "eraser_test", "target_binding", "no_escape", "unique_ground_truth", "naturalisable", "fits_dimension",
)  # fmt: skip
MENDABLE = {"naturalisable"}


class Grade(StrEnum):
    """How fit for refinement a seed is, best first."""

    A = "A"
    A_MINUS = "A-"
    B = "B"
    C = "C"


class ViabilitySignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Is this seed worth refining?"""

    prompt: str = dspy.InputField(desc="the request under examination")
    trap_core: str = dspy.InputField(desc="the impossibility it rests on")
    ground_truth: str = dspy.InputField(desc="what a right answer has to say")
    dimension: str = dspy.InputField(desc="name and definition of the trap domain")
    eraser_test: bool = dspy.OutputField(desc="the trap stands when all figures are erased")
    target_binding: bool = dspy.OutputField(desc="the final question depends on the impossible plan")
    no_escape: bool = dspy.OutputField(desc="nothing can be answered well while the trap is ignored")
    unique_ground_truth: bool = dspy.OutputField(desc="the ground truth is certain and the only right answer")
    naturalisable: bool = dspy.OutputField(desc="a real person could say this, at most after rewording")
    fits_dimension: bool = dspy.OutputField(desc="the impossibility is of the kind the domain describes")
    reason: str = dspy.OutputField(default="", desc="one or two sentences")


class ViabilityChecker(Program):
    """Asks the six questions in one call."""

    prompt_id: ClassVar[str] = "viability"
    role: ClassVar[Role] = Role.CHECKER
    faults: ClassVar[tuple[Fault, ...]] = (Fault.NOT_VIABLE,)
    signature: ClassVar[type[dspy.Signature]] = ViabilitySignature
    name: str = "viability"

    async def check(
        self, access: Access, seed: Seed, dimension: str, lowest: str, *, slot: int = 0
    ) -> Evaluation:
        """Grade one seed; ``dimension`` is tag, name and definition of its domain.

        Raises:
            StoppedError: the run cannot go on.
        """
        inputs = {
            "prompt": seed.prompt,
            "trap_core": seed.trap_core,
            "ground_truth": seed.ground_truth,
            "dimension": dimension,
        }

        async def ask(repeat: int) -> Asked:
            return await self.ask(access, seed.language, slot=slot, repeat=repeat, **inputs)

        return await settle(
            ask,
            lambda asked: read_viability(asked, Grade(lowest)),
            subject_id=seed.seed_id,
            checker=self.name,
            text=seed.prompt,
        )


def grade_of(missed: set[str]) -> Grade:
    """The grade of a seed for which the questions in ``missed`` were answered with no."""
    if not missed:
        return Grade.A
    if missed <= MENDABLE:
        return Grade.A_MINUS
    return Grade.B if len(missed) == 1 else Grade.C


def read_viability(asked: Asked, lowest: Grade) -> Finding:
    """Turn a reply into a finding; the reason has the grade, and each question answered with no."""
    answers = {name: bool(asked.fields[name]) for name in QUESTIONS}
    grade = grade_of({name for name, yes in answers.items() if not yes})
    order = list(Grade)
    kept = order.index(grade) <= order.index(lowest)
    told = ", ".join(f"{name} {'yes' if yes else 'no'}" for name, yes in answers.items())
    return Finding(
        verdict=VerdictKind.PASS if kept else VerdictKind.FAIL,
        fault=None if kept else Fault.NOT_VIABLE,
        reason=f"grade {grade.value}: {told}. {asked.fields['reason']}".strip(),
        scores=tuple((name, float(yes)) for name, yes in answers.items()),
    )
