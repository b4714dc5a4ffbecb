"""What the answers of a pool say of one item."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from curation.certify.stability import is_known_of, stable_of
from curation.tiers import tier_of
from salitrap.records import Answer, Judgement, Tier
from salitrap.records.base import Record
from salitrap.settings import Settings


class Standing(StrEnum):
    """Whether an item still makes the pool fail.

    ``unjudged`` means that too few answers have a label: that is our failure, and nothing is retired for it.
    """

    HOLDS = "holds"
    SOLVED = "solved"
    UNJUDGED = "unjudged"


class SolverRepeats(Record):
    """The answers of one solver to one item, and their labels; the first ``deciding`` ones decide."""

    solver: str
    family: str
    deciding: int
    answers: tuple[Answer, ...]
    judgements: tuple[Judgement, ...]

    @property
    def decided_by(self) -> tuple[Judgement, ...]:
        """Labels that decide whether the item stays."""
        return self.judgements[: self.deciding]

    @property
    def measured_by(self) -> tuple[Judgement, ...]:
        """Labels that had no part in any decision; those that decide where there are no others."""
        return self.judgements[self.deciding :] or self.judgements


class Counts(Record):
    """Scored answers, and those that failed (any tier)."""

    scored: int = 0
    failed: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(scored=self.scored + other.scored, failed=self.failed + other.failed)

    @property
    def rate(self) -> float | None:
        """Share of the scored answers that failed."""
        return self.failed / self.scored if self.scored else None


class Recertified(Record):
    """One item, released or new, as the whole pool answered it."""

    item_id: str
    solvers: tuple[SolverRepeats, ...]

    @property
    def unscored(self) -> bool:
        """True when an answer has no label: a later visit may find one."""
        return any(one.label is None for solver in self.solvers for one in solver.judgements)


def counts_of(solver: SolverRepeats, settings: Settings) -> Counts:
    """Scored and failed answers of one solver among those that decide."""
    return counted(solver.decided_by, settings)


def counted(judgements: Sequence[Judgement], settings: Settings) -> Counts:
    """Scored and failed answers."""
    tiers = [tier_of(one.label, settings.validation) for one in judgements if one.label is not None]
    return Counts(scored=len(tiers), failed=sum(tier is not Tier.NONE for tier in tiers))


def rate_of(found: Recertified, settings: Settings) -> float | None:
    """Share of the pool's scored answers that failed, of those that decide; None without any."""
    return sum((counts_of(one, settings) for one in found.solvers), Counts()).rate


def standing_of(found: Recertified, settings: Settings) -> Standing:
    """What the rule of certification, solver by solver, and ``hardening.solved_by`` make of an item.

    A solver fails when its failures come back by the rule that items are certified by, whatever their tier;
    it solves the item when enough of its answers are scored and they do not.
    """
    fails, solves = _split(found.solvers, settings)
    pool = len(found.solvers)
    needed = {"all": pool, "most": pool // 2 + 1, "any": 1}[settings.hardening.solved_by]
    if solves >= needed:
        return Standing.SOLVED
    return Standing.HOLDS if pool - fails < needed else Standing.UNJUDGED


def _split(solvers: Sequence[SolverRepeats], settings: Settings) -> tuple[int, int]:
    """Numbers of solvers that fail and that solve; the others cannot be judged."""
    counts = [counts_of(one, settings) for one in solvers]
    known = [one for one in counts if is_known_of(one.scored, settings.certify)]
    fails = sum(stable_of(one.failed, one.scored, settings.certify) for one in known)
    return fails, len(known) - fails
