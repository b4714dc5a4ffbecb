"""Rewrites the instructions of a judge from cases in which it went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import dspy

from prompts.program import Program
from salitrap.providers.access import Access
from salitrap.records.enums import Language, Role


class ImproveSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Rewrite instructions so that mistakes are not made again."""

    current: str = dspy.InputField(desc="the instructions as they stand")
    cases: list[str] = dspy.InputField(desc="what was shown, what came of it, and what people say")
    improved: str = dspy.OutputField(desc="the whole revised instructions")


class Improver(Program):
    """Writes instructions; nothing here decides whether they are better."""

    prompt_id: ClassVar[str] = "improve"
    role: ClassVar[Role] = Role.WRITER
    signature: ClassVar[type[dspy.Signature]] = ImproveSignature

    async def improve(
        self, access: Access, language: Language, instructions: str, cases: Sequence[str]
    ) -> str:
        """Instructions in place of ``instructions``.

        Raises:
            CallFailed: no usable reply.
            StoppedError: the run cannot go on.
        """
        asked = await self.ask(access, language, current=instructions, cases=list(cases))
        return str(asked.fields["improved"]).strip()
