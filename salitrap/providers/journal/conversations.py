"""Conversations cut short between a reply that could not be read and the request that was to follow."""

from __future__ import annotations

from salitrap.providers.journal.store import Journal, Stored

_UNREAD = ("unparsable", "declined")
_LAST_CONVERSATION = """
    SELECT key, outcome FROM calls
    WHERE ask_key = :ask AND final = 1 AND outcome NOT IN ('api_error', 'timeout')
      AND id >= (SELECT max(id) FROM calls WHERE key = :ask)
    ORDER BY id
"""


def cut_short(journal: Journal, ask_key: str, key: str, reasks: int) -> Stored | None:
    """The reply to call ``key`` of the conversation ``ask_key`` when the next request was never answered.

    It was paid for, and the model was to be told what to mend; without it a process that goes on would pay
    it again. None when the conversation came to its end, after ``reasks`` further requests: it is held anew.
    """
    rows = journal.select(_LAST_CONVERSATION, {"ask": ask_key})
    unread = [row["key"] for row in rows if row["outcome"] in _UNREAD]
    if len(unread) != len(rows) or len(rows) > reasks or key not in unread:
        return None
    return journal.find_last(key, "outcome IN ('unparsable', 'declined')")
