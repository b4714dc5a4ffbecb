"""Instructions per role and language, as versioned data, and the program base that uses them."""

from prompts.loader import Prompt, load_prompt, prompt_ids
from prompts.program import Program

__all__ = ["Program", "Prompt", "load_prompt", "prompt_ids"]
