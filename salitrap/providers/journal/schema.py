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
    # What a row costs for good, in USD per million tokens; null where no price was known, and in old rows.
    """
    ALTER TABLE calls ADD COLUMN cached_input INTEGER;
    ALTER TABLE calls ADD COLUMN cache_written INTEGER;
    ALTER TABLE calls ADD COLUMN price_input REAL;
    ALTER TABLE calls ADD COLUMN price_output REAL;
    ALTER TABLE calls ADD COLUMN price_cached REAL;
    ALTER TABLE calls ADD COLUMN price_date TEXT;
    """,
    # Batches at a provider. The batch of a row of ``calls`` is the tag of the one it came in; a request of a
    # batch is settled when such a row is there. ``state``: intended, submitted, ended (results here), closed
    # (and the run that asked was complete), void (nothing was done).
    """
    ALTER TABLE calls ADD COLUMN batch TEXT;
    CREATE TABLE batches (
        tag TEXT PRIMARY KEY,
        address TEXT NOT NULL,
        model TEXT NOT NULL,
        state TEXT NOT NULL,
        upload TEXT NOT NULL,
        provider_id TEXT NOT NULL,
        word TEXT NOT NULL,
        created_at TEXT NOT NULL
    );
    CREATE TABLE batch_requests (
        tag TEXT NOT NULL REFERENCES batches (tag),
        place INTEGER NOT NULL,
        key TEXT NOT NULL,
        custom_id TEXT NOT NULL,
        result TEXT,
        PRIMARY KEY (tag, custom_id)
    );
    CREATE INDEX batch_requests_by_key ON batch_requests (key);
    """,
    # The most a request of a batch can cost, so that the next process keeps it free in its budget.
    """
    ALTER TABLE batch_requests ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE batch_requests ADD COLUMN usd REAL NOT NULL DEFAULT 0.0;
    """,
    # The call of a request of a batch, so that a process with other settings can collect its reply.
    """
    ALTER TABLE batch_requests ADD COLUMN call TEXT NOT NULL DEFAULT '';
    """,
)
