"""M_G: varied mutations at high temperature, against clustering (paper, section 3.3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import dspy

from generator.rewriting import Rewrite, rewrite_of, rewriting_inputs
from prompts.program import Program
from salitrap.providers.access import Access
from salitrap.records.candidate import Candidate
from salitrap.records.enums import Role
from salitrap.records.seed import Seed

__all__ = ["MutateSignature", "Mutator", "Rewrite"]


class MutateSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Write a bold variation of a request."""

    prompt: str = dspy.InputField(desc="the request to vary")
    trap_core: str = dspy.InputField(desc="the impossibility that has to remain")
    injected_numbers: list[str] = dspy.InputField(desc="figures that have to be kept")
    preserve: list[str] = dspy.InputField(desc="surface features to keep")
    avoid: list[str] = dspy.InputField(desc="changes to avoid")
    siblings: list[str] = dspy.InputField(desc="versions that exist already")
    rewritten: str = dspy.OutputField(desc="the new request alone")


class Mutator(Program):
    """Writes a child that does not resemble its siblings."""

    prompt_id: ClassVar[str] = "mutate"
    role: ClassVar[Role] = Role.GENERATOR
    signature: ClassVar[type[dspy.Signature]] = MutateSignature

    async def write(
        self,
        access: Access,
        seed: Seed,
        parent: Candidate,
        siblings: Sequence[str],
        *,
        slot: int = 0,
        repeat: int = 0,
    ) -> Rewrite:
        """Write one mutation of ``parent``.

        Raises:
            CallFailed: no usable reply.
            StoppedError: the run cannot go on.
        """
        inputs = rewriting_inputs(seed, parent) | {"siblings": list(siblings)}
        return rewrite_of(await self.ask(access, seed.language, slot=slot, repeat=repeat, **inputs))
