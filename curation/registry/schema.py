"""Tables of ``registry.sqlite`` as a list of migrations that is only ever appended to.

``events`` is the record of what happened and is never updated. The other tables are the current
view, derived from the events: dropping them and replaying gives the same rows.
"""

from __future__ import annotations

import sqlite3

from salitrap.errors import RunDirectoryError

EVENTS = """
CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    batch TEXT NOT NULL,
    stage TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    seed_id TEXT,
    place TEXT NOT NULL,
    payload TEXT NOT NULL,
    UNIQUE (fingerprint, batch, kind, subject_id, place)
);
CREATE INDEX events_of_subject ON events (subject_id);
CREATE INDEX events_of_kind ON events (kind, stage);
"""

VIEWS = """
CREATE TABLE cells (
    dimension_tag TEXT NOT NULL, language TEXT NOT NULL, target INTEGER NOT NULL,
    PRIMARY KEY (dimension_tag, language)
);
CREATE TABLE seeds (
    seed_id TEXT PRIMARY KEY, position INTEGER NOT NULL UNIQUE, cell_rank INTEGER NOT NULL,
    dimension_tag TEXT NOT NULL, language TEXT NOT NULL, origin TEXT NOT NULL,
    fingerprint TEXT NOT NULL, record TEXT NOT NULL
);
CREATE TABLE waves (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, record TEXT NOT NULL);
CREATE TABLE reviews (
    subject_id TEXT NOT NULL, place TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (subject_id, place)
);
CREATE TABLE rejections (
    stage TEXT NOT NULL, subject_id TEXT NOT NULL, place TEXT NOT NULL, seed_id TEXT,
    fault TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (stage, subject_id, place)
);
CREATE INDEX rejections_of_seed ON rejections (stage, seed_id);
CREATE TABLE candidates (
    candidate_id TEXT PRIMARY KEY, seed_id TEXT NOT NULL, ordinal INTEGER NOT NULL, parent_id TEXT,
    fingerprint TEXT NOT NULL, record TEXT NOT NULL
);
CREATE INDEX candidates_of_seed ON candidates (seed_id, ordinal);
CREATE TABLE evaluations (
    subject_id TEXT NOT NULL, checker TEXT NOT NULL, seed_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (subject_id, checker)
);
CREATE INDEX evaluations_of_seed ON evaluations (seed_id);
CREATE TABLE answers (
    candidate_id TEXT NOT NULL, repeat INTEGER NOT NULL, stage TEXT NOT NULL, seed_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (candidate_id, repeat)
);
CREATE INDEX answers_of_seed ON answers (stage, seed_id);
CREATE TABLE judgements (
    candidate_id TEXT NOT NULL, repeat INTEGER NOT NULL, stage TEXT NOT NULL, seed_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (candidate_id, repeat)
);
CREATE INDEX judgements_of_seed ON judgements (stage, seed_id);
CREATE TABLE decisions (
    candidate_id TEXT NOT NULL, stage TEXT NOT NULL, seed_id TEXT NOT NULL, status TEXT NOT NULL,
    route TEXT NOT NULL, fault TEXT, score REAL, fingerprint TEXT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (candidate_id, stage)
);
CREATE INDEX decisions_of_seed ON decisions (stage, seed_id);
CREATE TABLE stability (
    candidate_id TEXT PRIMARY KEY, seed_id TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL
);
CREATE INDEX stability_of_seed ON stability (seed_id);
CREATE TABLE items (
    item_id TEXT PRIMARY KEY, seed_id TEXT NOT NULL, candidate_id TEXT NOT NULL, rank INTEGER NOT NULL,
    fingerprint TEXT NOT NULL, record TEXT NOT NULL
);
CREATE INDEX items_of_seed ON items (seed_id);
CREATE TABLE seed_state (
    stage TEXT NOT NULL, seed_id TEXT NOT NULL, state TEXT NOT NULL, digest TEXT NOT NULL,
    fingerprint TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (stage, seed_id)
);
CREATE VIEW active_seeds AS
    SELECT seeds.* FROM seeds JOIN cells USING (dimension_tag, language)
    WHERE seeds.cell_rank < cells.target;
CREATE VIEW current_decisions AS
    SELECT * FROM decisions AS mine WHERE stage = 'certify' OR NOT EXISTS (
        SELECT 1 FROM decisions AS later
        WHERE later.candidate_id = mine.candidate_id AND later.stage = 'certify'
    );
"""

VIABILITY = """
CREATE TABLE viability (seed_id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, record TEXT NOT NULL);
"""

PEOPLE = """
CREATE TABLE opinions (
    candidate_id TEXT NOT NULL, author TEXT NOT NULL, seed_id TEXT NOT NULL, number INTEGER NOT NULL,
    verdict TEXT NOT NULL, told TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (candidate_id, author)
);
CREATE INDEX opinions_of_seed ON opinions (seed_id);
CREATE TABLE labels (
    answer_id TEXT NOT NULL, author TEXT NOT NULL, candidate_id TEXT NOT NULL, seed_id TEXT NOT NULL,
    number INTEGER NOT NULL, label TEXT, fingerprint TEXT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (answer_id, author)
);
CREATE INDEX labels_of_candidate ON labels (candidate_id);
CREATE TABLE edits (
    candidate_id TEXT PRIMARY KEY, seed_id TEXT NOT NULL, number INTEGER NOT NULL, withdrawn INTEGER NOT NULL,
    fingerprint TEXT NOT NULL, record TEXT NOT NULL
);
CREATE INDEX edits_of_seed ON edits (seed_id);
ALTER TABLE judgements ADD COLUMN disputed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX disputed_judgements ON judgements (candidate_id) WHERE disputed = 1;
CREATE INDEX decisions_of_status ON decisions (status);
CREATE INDEX candidates_in_order ON candidates (seed_id, ordinal, candidate_id);
CREATE INDEX reviews_of_twin ON reviews (json_extract(record, '$.twin_id'));
DROP VIEW current_decisions;
CREATE VIEW machine_decisions AS
    SELECT * FROM decisions AS mine WHERE stage = 'certify' OR NOT EXISTS (
        SELECT 1 FROM decisions AS later
        WHERE later.candidate_id = mine.candidate_id AND later.stage = 'certify'
    );
CREATE VIEW current_decisions AS
    SELECT mine.candidate_id, mine.stage, mine.seed_id, mine.score, mine.fingerprint,
        mine.status AS machine_status,
        CASE
            WHEN said.verdict = 'rejected' THEN 'rejected'
            WHEN said.verdict = 'accepted' AND mine.status <> 'stable' THEN 'accepted'
            ELSE mine.status
        END AS status,
        CASE
            WHEN said.verdict = 'rejected' THEN 'archive'
            WHEN said.verdict = 'accepted' THEN 'pool'
            ELSE mine.route
        END AS route,
        CASE
            WHEN said.verdict = 'rejected' THEN 'rejected_by_person'
            WHEN said.verdict = 'accepted' AND mine.status
                IN ('stable', 'unstable', 'certified', 'attack_unnatural', 'unsettled') THEN NULL
            WHEN said.verdict = 'accepted' THEN 'no_attack'
            ELSE mine.fault
        END AS fault,
        CASE
            WHEN said.verdict = 'rejected' THEN json_set(
                mine.record, '$.status', 'rejected', '$.route', 'archive',
                '$.fault', 'rejected_by_person', '$.reason', said.told)
            WHEN said.verdict = 'accepted' AND mine.status = 'stable' THEN mine.record
            WHEN said.verdict = 'accepted' AND mine.status
                IN ('unstable', 'certified', 'attack_unnatural', 'unsettled') THEN json_set(
                mine.record, '$.status', 'accepted', '$.route', 'pool', '$.fault', NULL,
                '$.reason', said.told)
            WHEN said.verdict = 'accepted' THEN json_set(
                mine.record, '$.status', 'accepted', '$.route', 'pool', '$.fault', 'no_attack',
                '$.reason', said.told || '; no answer fell for it, so it has no tier')
            ELSE mine.record
        END AS record
    FROM machine_decisions AS mine LEFT JOIN opinions AS said ON said.rowid = (
        SELECT rowid FROM opinions WHERE candidate_id = mine.candidate_id AND verdict <> 'open'
        ORDER BY number DESC LIMIT 1
    );
"""

DIALOGUES = """
CREATE TABLE dialogues (
    dialogue_id TEXT PRIMARY KEY, seed_id TEXT NOT NULL, place INTEGER NOT NULL, status TEXT NOT NULL,
    pattern TEXT NOT NULL, control TEXT NOT NULL, twin_of TEXT NOT NULL,
    fingerprint TEXT NOT NULL, record TEXT NOT NULL
);
CREATE INDEX dialogues_of_seed ON dialogues (seed_id, place);
"""

CHAIN = """
ALTER TABLE events ADD COLUMN hash TEXT;
CREATE TABLE chained (seq INTEGER NOT NULL, events INTEGER NOT NULL);
"""
"""``chained`` tells up to which event an older file got its hashes afterwards."""

RECERTIFIED = """
CREATE TABLE recertified (
    item_id TEXT PRIMARY KEY, seed_id TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL
);
"""

MIGRATIONS: tuple[str, ...] = (EVENTS, VIEWS, VIABILITY, PEOPLE, DIALOGUES, CHAIN, RECERTIFIED)


def version_of(connection: sqlite3.Connection) -> int:
    """Number of migrations a file has seen."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def migrate(connection: sqlite3.Connection, name: str) -> bool:
    """Bring a file up to date; True when views must be replayed because events were there before.

    Raises:
        RunDirectoryError: the file was written by a newer version.
    """
    version = version_of(connection)
    refuse_newer(version, name)
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {number}; COMMIT;")
    return 0 < version < len(MIGRATIONS)


def refuse_newer(version: int, name: str) -> None:
    """Stop before a file is read whose meaning we cannot know.

    Raises:
        RunDirectoryError: the file was written by a newer version.
    """
    if version > len(MIGRATIONS):
        raise RunDirectoryError(
            f"{name}: written by a newer salitrap (schema {version}, this one knows {len(MIGRATIONS)}); "
            "upgrade salitrap to read it"
        )
