"""Replies of no use that a batch has given: kept until the run is complete, so that no visit pays for others.

Without that a run which is left and taken up again would send a further batch for every reply that was cut
off, at each visit, and could never be complete. Once it is, the same command asks again.
"""

from __future__ import annotations

from dataclasses import replace

from salitrap.providers.endpoint import Endpoint
from salitrap.providers.journal.store import Journal
from salitrap.providers.reply import Reply
from salitrap.records.enums import Outcome

PAID = (
    Outcome.EMPTY,
    Outcome.TRUNCATED,
    Outcome.FILTERED,
    Outcome.DECLINED,
    Outcome.UNPARSABLE,
)
"""Outcomes of replies that were paid for; refusals and time-outs are asked again."""

BY_PARSING = (Outcome.DECLINED, Outcome.UNPARSABLE)
_KEPT = "final = 1 AND batch IN (SELECT tag FROM batches WHERE state = 'ended')"


def kept_reply(journal: Journal, endpoint: Endpoint, key: str) -> Reply | None:
    """The last reply to exactly this call when it came in a batch of this run and is of no use; else None.

    One that could not be parsed comes back unparsed, so that the re-ask it led to is found as well.
    """
    if not endpoint.batch:
        return None
    stored = journal.find_last(key, _KEPT)
    if stored is None or stored.booked.outcome not in PAID:
        return None
    reply = Reply.stored(stored, endpoint)
    if stored.booked.outcome in BY_PARSING:
        return replace(reply, settled=False)
    detail = journal.select("SELECT detail FROM calls WHERE id = ?", (stored.row_id,))[0]["detail"]
    return replace(reply, outcome=stored.booked.outcome, detail=detail, settled=True)
