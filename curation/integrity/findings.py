"""What can be wrong with a run directory."""

from __future__ import annotations

from enum import StrEnum

from salitrap.records.base import Record


class RunFault(StrEnum):
    """Kind of a fault."""

    DAMAGED_FILE = "damaged_file"
    MISSING_FILE = "missing_file"
    CHAIN_BROKEN = "chain_broken"
    TAIL_CUT = "tail_cut"
    WRONG_ID = "wrong_id"
    ORPHAN = "orphan"
    LINEAGE = "lineage"
    VIEW_DIFFERS = "view_differs"
    SUM_WRONG = "sum_wrong"
    CALL_MISSING = "call_missing"
    LIST_DIFFERS = "list_differs"


class RunFinding(Record):
    """One fault: its kind, the file it is in, the subject it concerns, and a line that says what is wrong."""

    fault: RunFault
    path: str
    subject: str
    message: str


COPY = "restore registry.sqlite from a copy"
REPAIRS = {
    RunFault.DAMAGED_FILE: "restore the file from a copy",
    RunFault.MISSING_FILE: "restore the file from a copy; what it held would be asked and paid again",
    RunFault.CHAIN_BROKEN: f"events were changed outside salitrap: {COPY}",
    RunFault.TAIL_CUT: f"events are gone that were there before: {COPY}",
    RunFault.WRONG_ID: f"the text is not the one that its id was made from: {COPY}",
    RunFault.ORPHAN: f"what it refers to is gone: {COPY}",
    RunFault.LINEAGE: f"the descent makes no sense: {COPY}",
    RunFault.VIEW_DIFFERS: f"the current view is not what the events give: {COPY}",
    RunFault.SUM_WRONG: "a count does not add up: look for the other findings first",
    RunFault.CALL_MISSING: "the call behind it is not in the journal: restore journal.sqlite from a copy",
    RunFault.LIST_DIFFERS: "written from the registry: any command that runs a stage writes it anew",
}
"""What to do about each kind."""
