"""M_W: targeted rewrites for the three objectives (paper, section 3.3.3 and appendix E.3)."""

from __future__ import annotations

from typing import ClassVar

import dspy

from generator.rewriting import Rewrite, rewrite_of, rewriting_inputs
from generator.strategies import Strategy
from prompts.loader import load_prompt
from prompts.program import Program
from prompts.source import PromptSource
from salitrap.providers.access import Access
from salitrap.records.candidate import Candidate
from salitrap.records.enums import Language, Role, Route
from salitrap.records.seed import Seed

__all__ = ["RefineSignature", "Refiner", "Rewrite"]


class RefineSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Rewrite a request by one strategy."""

    prompt: str = dspy.InputField(desc="the request to rewrite")
    trap_core: str = dspy.InputField(desc="the impossibility that has to remain")
    injected_numbers: list[str] = dspy.InputField(desc="figures that have to be kept")
    preserve: list[str] = dspy.InputField(desc="surface features to keep")
    avoid: list[str] = dspy.InputField(desc="changes to avoid")
    strategy: str = dspy.InputField(desc="the one approach to take: its name and what it means")
    feedback: str = dspy.InputField(desc="what was found wanting in the request; may be empty")
    rewritten: str = dspy.OutputField(desc="the rewritten request alone")


class Naturaliser(Program):
    """Improves naturalness and keeps the attack."""

    prompt_id: ClassVar[str] = "naturalise"
    role: ClassVar[Role] = Role.WRITER
    signature: ClassVar[type[dspy.Signature]] = RefineSignature


class Camouflager(Program):
    """Makes the trap less conspicuous."""

    prompt_id: ClassVar[str] = "camouflage"
    role: ClassVar[Role] = Role.WRITER
    signature: ClassVar[type[dspy.Signature]] = RefineSignature


class Repairer(Program):
    """Repairs fluency, so that the solver can be called."""

    prompt_id: ClassVar[str] = "repair"
    role: ClassVar[Role] = Role.WRITER
    signature: ClassVar[type[dspy.Signature]] = RefineSignature


class Refiner:
    """Sends a rewrite to the program of its strategy's objective."""

    def __init__(self, source: PromptSource = load_prompt) -> None:
        self.programs: dict[Route, Program] = {
            Route.NATURALISE: Naturaliser(source),
            Route.CAMOUFLAGE: Camouflager(source),
            Route.REPAIR: Repairer(source),
        }

    async def write(
        self,
        access: Access,
        seed: Seed,
        parent: Candidate,
        strategy: Strategy,
        feedback: str,
        *,
        slot: int = 0,
        repeat: int = 0,
    ) -> Rewrite:
        """Rewrite ``parent`` by ``strategy``.

        Raises:
            CallFailed: no usable reply.
            StoppedError: the run cannot go on.
        """
        inputs = rewriting_inputs(seed, parent)
        inputs |= {"strategy": strategy_text(strategy, seed.language), "feedback": feedback}
        program = self.programs[strategy.route]
        return rewrite_of(await program.ask(access, seed.language, slot=slot, repeat=repeat, **inputs))


def strategy_text(strategy: Strategy, language: Language) -> str:
    """Name and instruction, as the ``strategy`` field carries them."""
    return f"{strategy.name}: {strategy.instruction(language)}"
