"""What the judge is shown of a conversation."""

from __future__ import annotations

from collections.abc import Sequence

from checkers.judge import Question
from salitrap.dialogues import Dialogue
from salitrap.providers.access import ChatMessage
from salitrap.records.enums import Language

_SPEAKERS = {
    Language.EN: {"user": "User", "assistant": "Assistant"},
    Language.ZH: {"user": "用户", "assistant": "助手"},
}
_HEAD = {
    Language.EN: "(A conversation. The answer under judgement is the assistant's reply to the last message.)",
    Language.ZH: "（这是一段对话。要评判的，是助手对用户最后一条消息的回复。）",
}


def question_at(dialogue: Dialogue, messages: Sequence[ChatMessage]) -> Question:
    """The question about the reply to ``messages``, which end with the user's.

    The first turn alone is shown as an item's prompt is. Quotes are held against the user's words only: a
    model may repeat what it said itself.
    """
    said = "\n\n".join(message.content for message in messages if message.role == "user")
    shown = _rendered(messages, dialogue.language) if len(messages) > 1 else ""
    return Question(said, dialogue.trap_core, dialogue.ground_truth, dialogue.language, shown)


def _rendered(messages: Sequence[ChatMessage], language: Language) -> str:
    speakers = _SPEAKERS[language]
    between = "：" if language is Language.ZH else ": "
    lines = [f"{speakers[message.role]}{between}{message.content}" for message in messages]
    return "\n\n".join([_HEAD[language], *lines])
