"""How a dialogue is played: turn after turn, gates held, stopped where an answer cannot stand.

An error is never a turn. A turn that its gate holds back is not sent. After a gate that cannot be told, or
an answer that is empty, cut or filtered, the dialogue has ended and is unscored.
"""

from __future__ import annotations

from typing import Any

import trap_judge
import trap_rules
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, Model, get_model
from trap_reply import Question
from trap_rules import Row, Turn

SPEAKERS = {
    "en": {"user": "User: ", "assistant": "Assistant: "},
    "zh": {"user": "用户：", "assistant": "助手："},
}
HEADS = {
    "en": "(A conversation. The answer under judgement is the assistant's reply to the last message.)",
    "zh": "（这是一段对话。要评判的，是助手对用户最后一条消息的回复。）",
}


async def play(row: Row, grader: Model, prompts: dict[str, Any]) -> tuple[str, list[Turn], list[ChatMessage]]:
    """Play a row of ``dialogues`` with the model under test: how it ended, its user turns, all messages."""
    messages, played = list[ChatMessage](), list[Turn]()
    given = trap_rules.given_answers(row)
    users = [turn for turn in row["turns"] if turn["role"] == "user"]
    for number, turn in enumerate(users, 1):
        opened = trap_rules.opens(turn["when"], played)
        if opened is None:
            return "gate_unknown", played, messages
        note: Turn = {"turn": number, "feasible": turn["feasible"], "sent": opened and number not in given}
        played.append(note)
        if number in given or opened:
            messages.append(ChatMessageUser(content=turn["content"]))
        if note["sent"]:
            note.update(await _asked(row, messages, grader, prompts))
            if note["status"] in ("truncated", "filtered", "empty"):
                return "answer_failed", played, messages
        if number in given or opened:
            messages.append(ChatMessageAssistant(content=given.get(number) or note["answer"]))
    return "complete", played, messages


async def _asked(row: Row, messages: list[ChatMessage], grader: Model, prompts: dict[str, Any]) -> Turn:
    """Answer, status and label of the turn that ``messages`` end with."""
    status, answer = trap_judge.visible_answer(await get_model().generate(list(messages)))
    if status != "ok":
        return {"answer": answer, "status": status, "label": None}
    judged = await trap_judge.judge(grader, prompts, question_at(row, messages), answer)
    found = {"status": judged.status, "label": judged.label, "quote": judged.quote, "reason": judged.reason}
    return {"answer": answer, **found, "grader": list(judged.replies)}


def question_at(row: Row, messages: list[ChatMessage]) -> Question:
    """What the grader is shown about the reply to ``messages``; the first turn alone is shown as an item."""
    said = "\n\n".join(message.text for message in messages if message.role == "user")
    language = row["language"]
    lines = [f"{SPEAKERS[language][message.role]}{message.text}" for message in messages]
    shown = "\n\n".join([HEADS[language], *lines]) if len(messages) > 1 else ""
    return Question(said, row["trap_core"], row["ground_truth"], language, shown)
