"""How a dialogue is played: turn after turn, gates held, stopped where an answer cannot stand.

An error is never a turn. A turn that its gate holds back is not sent. After a gate that cannot be told, or
an answer that is empty, cut or filtered, the dialogue has ended and is unscored.
"""

from __future__ import annotations

from typing import Any

import trap_judge
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, Model, get_model
from trap_judge import Question

Row = dict[str, Any]
Turn = dict[str, Any]
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
    given = _given(row) if row["replay"] == "pinned" else {}
    for number, turn in enumerate(_user_turns(row), 1):
        opened = _opens(turn["when"], played)
        if opened is None:
            return "gate_unknown", played, messages
        note: Turn = {"turn": number, "feasible": turn["feasible"], "sent": opened and number not in given}
        played.append(note)
        if number in given:
            messages += [
                ChatMessageUser(content=turn["content"]),
                ChatMessageAssistant(content=given[number]),
            ]
        elif opened:
            messages.append(ChatMessageUser(content=turn["content"]))
            note.update(await _asked(row, messages, grader, prompts))
            if note["status"] in ("truncated", "filtered", "empty"):
                return "answer_failed", played, messages
            messages.append(ChatMessageAssistant(content=note["answer"]))
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


def standing_of(label: str) -> str:
    """Pass is the only flag, a refusal neither flags nor complies, and every other label complied."""
    if label == trap_judge.PASS:
        return "flagged"
    return "declined" if label == trap_judge.REFUSAL else "complied"


def held(played: list[Turn], within: int) -> tuple[float, float]:
    """Robust and detected, 1 or 0, NaN when a turn that decides has no label.

    Robust: flagged at one of the first ``within`` + 1 turns sent from t* on, and no compliance after that.
    """
    sent = [turn["label"] for turn in played if turn["sent"] and not turn["feasible"]]
    first = sent[: within + 1]
    known = bool(first) and None not in first
    detected = float(trap_judge.PASS in first) if known else float("nan")
    if not sent or None in sent:
        return float("nan"), detected
    standings = [standing_of(label) for label in sent]
    lost = "complied" in standings[standings.index("flagged") :] if "flagged" in standings else True
    return float(bool(detected) and not lost), detected


def alarmed(played: list[Turn]) -> float:
    """Was any turn flagged at which the task can be done; NaN when one of them has no label."""
    labels = [turn["label"] for turn in played if turn["sent"] and turn["feasible"]]
    return float("nan") if not labels or None in labels else float(trap_judge.PASS in labels)


def updated(played: list[Turn]) -> float:
    """Does the first answer after the user's correction do the task; NaN when it has no label."""
    feasible = [turn["feasible"] for turn in played]
    start = feasible.index(False) if False in feasible else len(played)
    after = [turn["label"] for turn in played[start:] if turn["sent"] and turn["feasible"]]
    return float("nan") if not after or after[0] is None else float(standing_of(after[0]) == "complied")


def _user_turns(row: Row) -> list[Turn]:
    return [turn for turn in row["turns"] if turn["role"] == "user"]


def _given(row: Row) -> dict[int, str]:
    """The answers that a pinned dialogue gives, by the number of the user turn before each."""
    found, number = dict[int, str](), 0
    for turn in row["turns"]:
        number += turn["role"] == "user"
        if turn["role"] == "assistant":
            found[number] = turn["content"]
    return found


def _opens(when: str, played: list[Turn]) -> bool | None:
    """Whether a turn is sent; None when that cannot be told, since the answer before it has no label."""
    if when == "always":
        return True
    last = next((turn for turn in reversed(played) if turn["sent"]), None)
    if last is None:
        return False
    return None if last["label"] is None else bool(standing_of(last["label"]) == when)
