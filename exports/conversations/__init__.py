"""Dialogues of a dataset in the formats that other evaluation tools read."""

from exports.conversations.formats import Format, converted
from exports.conversations.write import write_conversations

__all__ = ["Format", "converted", "write_conversations"]
