"""The checkers that give an evaluation, by name, with what each may say.

The judge is not among them: it gives labels, not verdicts. Guards have a list of their own,
``checkers.guards.GUARDS``. A test holds every file of the folder to this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from checkers.alignment import AlignChecker
from checkers.compliance import ComplianceChecker
from checkers.naturalness import NatChecker
from checkers.screen import ScreenChecker
from checkers.truth import TruthChecker
from checkers.viability import ViabilityChecker
from prompts.program import Program
from salitrap.records.enums import Fault, Role


class Subject(StrEnum):
    """What a checker looks at: its ``Evaluation.subject_id`` names one of these."""

    CANDIDATE = "candidate"
    CHILD = "child"
    SEED = "seed"


@dataclass(frozen=True, slots=True)
class CheckerEntry:
    """One checker: the class, the prompt it asks with, and the faults it may give.

    Beside ``faults`` every checker may end as ``could_not_judge`` with ``call_failed``.
    """

    name: str
    kind: type[Program]
    subject: Subject
    faults: tuple[Fault, ...]

    @property
    def prompt_id(self) -> str:
        """Identifier of its instructions."""
        return self.kind.prompt_id

    @property
    def role(self) -> Role:
        """The pool it asks."""
        return self.kind.role


_ENTRIES = (
    CheckerEntry("viability", ViabilityChecker, Subject.SEED, ViabilityChecker.faults),
    CheckerEntry("truth", TruthChecker, Subject.CANDIDATE, TruthChecker.faults),
    CheckerEntry("align", AlignChecker, Subject.CANDIDATE, AlignChecker.faults),
    CheckerEntry("nat", NatChecker, Subject.CANDIDATE, NatChecker.faults),
    CheckerEntry("compliance", ComplianceChecker, Subject.CHILD, ComplianceChecker.faults),
    CheckerEntry("screen", ScreenChecker, Subject.CANDIDATE, ScreenChecker.faults),
)
CHECKERS: Mapping[str, CheckerEntry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})
"""In the order in which a seed's texts meet them."""
