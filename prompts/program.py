"""The base of every DSPy program: one signature, one prompt id, one role, two languages."""

from __future__ import annotations

from typing import Any, ClassVar

import dspy

from prompts.loader import load_prompt
from prompts.source import PromptSource
from salitrap.providers.access import Access, Asked
from salitrap.records.enums import Language, Role


class Program(dspy.Module):  # type: ignore[misc]  # dspy ships no types
    """A typed signature bound to the instructions of ``prompt_id``.

    Subclasses set the three class variables and add a method with named parameters that calls
    ``ask``. Nothing here holds a client: access is passed with each call. ``source`` gives the
    instructions; without one they are the shipped ones.
    """

    prompt_id: ClassVar[str]
    role: ClassVar[Role]
    signature: ClassVar[type[dspy.Signature]]

    def __init__(self, source: PromptSource = load_prompt) -> None:
        super().__init__()
        self.prompts = {language: source(self.prompt_id, language) for language in Language}
        self.predicts = {
            language.value: dspy.Predict(self.signature.with_instructions(prompt.text))
            for language, prompt in self.prompts.items()
        }

    async def ask(
        self, access: Access, language: Language, *, slot: int = 0, repeat: int = 0, **inputs: Any
    ) -> Asked:
        """Ask the role's pool; see ``Access.ask`` for what is raised."""
        return await access.ask(
            self.role,
            self.predicts[language.value],
            inputs,
            self.prompts[language].ref,
            slot=slot,
            repeat=repeat,
        )
