"""Records: one frozen type per noun, one enum per state, content identifiers."""

from salitrap.records.candidate import (
    Answer,
    Candidate,
    Decision,
    Evaluation,
    Rejection,
)
from salitrap.records.enums import (
    Fault,
    Label,
    LabelStatus,
    Language,
    Notices,
    Origin,
    Outcome,
    Role,
    Route,
    Stage,
    Status,
    Tier,
    VerdictKind,
)
from salitrap.records.ids import canonical_json, content_hash, content_id, sha256_text, stable_int
from salitrap.records.item import CertifiedItem, Item, Stability
from salitrap.records.judgement import Judged, JudgeEvidence, Judgement, Vote
from salitrap.records.label_row import CONTROL, LabelRow
from salitrap.records.provenance import Provenance
from salitrap.records.seed import Domain, Niche, Niches, Seed, Triple

__all__ = [
    "CONTROL",
    "Answer",
    "Candidate",
    "CertifiedItem",
    "Decision",
    "Domain",
    "Evaluation",
    "Fault",
    "Item",
    "JudgeEvidence",
    "Judged",
    "Judgement",
    "Label",
    "LabelRow",
    "LabelStatus",
    "Language",
    "Niche",
    "Niches",
    "Notices",
    "Origin",
    "Outcome",
    "Provenance",
    "Rejection",
    "Role",
    "Route",
    "Seed",
    "Stability",
    "Stage",
    "Status",
    "Tier",
    "Triple",
    "VerdictKind",
    "Vote",
    "canonical_json",
    "content_hash",
    "content_id",
    "sha256_text",
    "stable_int",
]
