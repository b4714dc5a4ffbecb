"""One answer, one label: the grader is asked, and asked once more where its reply does not decide.

Nothing here turns a failure of a model call into a label.
"""

from __future__ import annotations

from typing import Any

import trap_reasoning
import trap_untrusted
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, Model, ModelOutput
from trap_reply import Judged, Question, conclusion

TRIES = 2
SAMPLING = GenerateConfig(temperature=0.1)
"""For a grader whose own configuration says nothing else."""

STOPPED = {"max_tokens": "truncated", "model_length": "truncated", "content_filter": "filtered"}


def visible_answer(output: ModelOutput) -> tuple[str, str]:
    """Status and text of an answer, without what the model thought aloud."""
    thought = trap_reasoning.split_thought(output.completion)
    status = "truncated" if thought.unfinished else STOPPED.get(str(output.stop_reason), "ok")
    return ("empty" if status == "ok" and not thought.text.strip() else status), thought.text


async def judge(grader: Model, prompts: dict[str, Any], question: Question, answer: str) -> Judged:
    """Ask the grader for the label of ``answer``; ``prompts`` are the texts of a language."""
    given = trap_untrusted.exhibit(answer)
    if given.too_long:
        return Judged("judge_error", reason=f"the answer has {len(answer):,} characters: not cut, not judged")
    asked = f"{prompts['reply']}\n\n{question.asked(given.shown)}"
    messages = [ChatMessageSystem(content=prompts["instructions"]), ChatMessageUser(content=asked)]
    judged = Judged("judge_unresolved")
    for _ in range(TRIES):
        output = await grader.generate(messages, config=SAMPLING.merge(grader.config))
        judged = conclusion(question, given, (*judged.replies, output.completion))
        if judged.label is not None:
            break
    return judged
