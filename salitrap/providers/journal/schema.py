"""Tables of ``journal.sqlite``. Append a script for a change; never edit one that was released."""

from __future__ import annotations

APPLICATION_ID = 0x53414C4A

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE calls (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        ask_key TEXT NOT NULL,
        role TEXT NOT NULL,
        model TEXT NOT NULL,
        endpoint TEXT NOT NULL,
        messages TEXT NOT NULL,
        sampling TEXT NOT NULL,
        prompt TEXT NOT NULL,
        prompt_sha256 TEXT NOT NULL,
        repeat INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        raw TEXT NOT NULL,
        text TEXT NOT NULL,
        reasoning TEXT NOT NULL,
        outcome TEXT NOT NULL,
        detail TEXT NOT NULL,
        settled INTEGER NOT NULL,
        final INTEGER NOT NULL,
        input_tokens INTEGER,
        output_tokens INTEGER,
        charged_input INTEGER NOT NULL,
        charged_output INTEGER NOT NULL,
        latency_ms REAL NOT NULL,
        returned_model TEXT NOT NULL,
        simulated INTEGER NOT NULL,
        started_at TEXT NOT NULL
    );
    CREATE INDEX calls_by_key ON calls (key);
    CREATE INDEX calls_by_ask ON calls (ask_key);
    """,
)
