"""What was really sent for a reply, as the journal has it."""

from __future__ import annotations

import json

from salitrap.providers.journal.store import Journal


def sent_without_temperature(journal: Journal, row_id: int) -> bool:
    """True when the request of a row carried no temperature, so that the model's default applied.

    Raises:
        RunDirectoryError: the journal cannot be read.
    """
    rows = journal.select("SELECT sampling FROM calls WHERE id = ?", (row_id,))
    return any(json.loads(row["sampling"]).get("temperature", 0.0) is None for row in rows)
