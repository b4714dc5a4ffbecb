"""The funnel: what came in, what became of it, and whether the sums are right."""

from __future__ import annotations

from collections import Counter

from curation.dialogue_funnel import DialogueFunnel, dialogue_funnel_of
from curation.registry import Registry
from curation.registry.people import count_accepted, count_items
from curation.registry.waves import counts_so_far
from curation.shortfalls import Shortfall, commonest, shortfalls_of
from salitrap.errors import InputError, SalitrapError, StoppedError
from salitrap.records import Fault, Stage, Status
from salitrap.records.base import Record

FIRST_OF_OTHERS = "the first of the others: "
"""In the reason of a candidate whose repeats lack labels: what stands before the reason of one of them."""

COUNTED_APART = (Status.CERTIFIED, Status.STABLE, Status.UNSTABLE, Status.ACCEPTED, Status.REJECTED)


class SeedFunnel(Record):
    """Stage 1: everything that was offered as a seed.

    ``set_aside`` counts accepted seeds beyond their cell's target. ``batches_failed`` are generator
    calls without a usable reply; each is one entry of ``rejected``.
    """

    experts: int
    drafts: int
    batches_failed: int
    accepted: int
    set_aside: int
    rejected: dict[Fault, int]
    reviews: int

    @property
    def active(self) -> int:
        """Seeds that go on."""
        return self.accepted - self.set_aside


class CandidateFunnel(Record):
    """Stages 2 and 3 over the active seeds.

    ``unwritten`` counts rewrites that never became a candidate, by fault. ``not_selected`` are
    certified candidates that were not needed, ``pending`` those whose repeats are still to come;
    both have status ``certified``. ``unsettled_reason`` is the commonest reason of those that could
    not be judged, empty when there are none. People accepted ``accepted_items`` unstable candidates that are
    items for it, ``accepted_pending`` whose repeats are still to come and ``accepted_without_tier`` that no
    answer fell for; all three have status ``accepted``.
    """

    seeds_refined: int
    seeds_certified: int
    written: int
    by_status: dict[Status, int]
    by_fault: dict[Fault, int]
    unwritten: dict[Fault, int]
    not_selected: int
    pending: int
    unsettled_reason: str = ""
    accepted_items: int = 0
    accepted_pending: int = 0
    accepted_without_tier: int = 0

    def count(self, *statuses: Status) -> int:
        """Candidates that stand at one of ``statuses``."""
        return sum(self.by_status.get(status, 0) for status in statuses)


class Funnel(Record):
    """The whole run."""

    seeds: SeedFunnel
    candidates: CandidateFunnel
    items: int
    shortfalls: tuple[Shortfall, ...]
    dialogues: DialogueFunnel | None = None

    def faults(self) -> tuple[str, ...]:
        """Sums that do not add up; empty when all is well."""
        seeds, candidates = self.seeds, self.candidates
        sums = {
            "seeds offered = accepted + rejected": (
                seeds.experts + seeds.drafts + seeds.batches_failed,
                seeds.accepted + sum(seeds.rejected.values()),
            ),
            "candidates written = sum over statuses": (
                candidates.written,
                sum(candidates.by_status.values()),
            ),
            "certified = not selected + pending": (
                candidates.count(Status.CERTIFIED),
                candidates.not_selected + candidates.pending,
            ),
            "accepted = items + pending + without a tier": (
                candidates.count(Status.ACCEPTED),
                candidates.accepted_items + candidates.accepted_pending + candidates.accepted_without_tier,
            ),
            "stable candidates + accepted ones = items": (
                candidates.count(Status.STABLE) + candidates.accepted_items,
                self.items,
            ),
            **(self.dialogues.faults() if self.dialogues is not None else {}),
        }
        return tuple(f"{name}: {left} and {right}" for name, (left, right) in sums.items() if left != right)

    def lines(self) -> tuple[tuple[str, int], ...]:
        """Labelled counts from the first stage to the last, for tables and cards."""
        seeds, candidates = self.seeds, self.candidates
        ever_certified = candidates.count(Status.CERTIFIED, Status.STABLE, Status.UNSTABLE)
        return (
            ("expert seeds offered", seeds.experts),
            ("seed drafts written", seeds.drafts),
            ("generator calls failed", seeds.batches_failed),
            *((f"seeds rejected: {fault.value}", count) for fault, count in seeds.rejected.items()),
            ("seeds set aside beyond the target", seeds.set_aside),
            ("seeds accepted", seeds.active),
            *((f"rewrites lost: {fault.value}", count) for fault, count in candidates.unwritten.items()),
            ("candidates", candidates.written),
            *(
                (f"candidates {status.value}", count)
                for status, count in candidates.by_status.items()
                if status not in COUNTED_APART
            ),
            *_said_by_people(candidates),
            ("candidates certified", ever_certified),
            ("certified, not needed", candidates.not_selected),
            ("certified, repeats pending", candidates.pending),
            ("certified, unstable", candidates.count(Status.UNSTABLE)),
            *_accepted_by_people(candidates),
            ("items", self.items),
            *(self.dialogues.lines() if self.dialogues is not None else ()),
        )


def funnel_of(registry: Registry) -> Funnel:
    """Count the current view of a registry."""
    return Funnel(
        seeds=_seeds(registry),
        candidates=_candidates(registry),
        items=count_items(registry),
        shortfalls=shortfalls_of(registry),
        dialogues=dialogue_funnel_of(registry),
    )


def without_seeds(registry: Registry) -> SalitrapError:
    """Why nothing can be refined: what became of everything that was offered as a seed."""
    place, seeds = registry.path.parent, _seeds(registry)
    offered = seeds.experts + seeds.drafts + seeds.batches_failed
    if seeds.accepted:
        return InputError(
            f"{place}: all {seeds.accepted} accepted seeds lie beyond the targets; raise 'targets'"
        )
    if not offered and not _number(registry, "SELECT COUNT(*) FROM waves"):
        return InputError(f"{place}: no seeds to refine; run the scale stage here first")
    fault, count = commonest(seeds.rejected)
    if fault is None:
        return InputError(
            f"{place}: scaling brought no seed, since the generator wrote no draft; try another"
        )
    told = f"{place}: scaling accepted none of {offered} seeds; {count} were rejected for {fault.value}"
    if fault is Fault.CALL_FAILED:
        return StoppedError(f"{told}; see rejects.jsonl for what the endpoint replied")
    return InputError(f"{told}; see rejects.jsonl, then mend the domain file, 'scale:' or the generator")


def _seeds(registry: Registry) -> SeedFunnel:
    counts = counts_so_far(registry)
    accepted = _number(registry, "SELECT COUNT(*) FROM seeds")
    return SeedFunnel(
        experts=counts.experts,
        drafts=counts.drafts,
        batches_failed=counts.batches_failed,
        accepted=accepted,
        set_aside=accepted - _number(registry, "SELECT COUNT(*) FROM active_seeds"),
        rejected=_faults(
            registry, "SELECT fault, COUNT(*) FROM rejections WHERE stage = 'scale' GROUP BY fault"
        ),
        reviews=_number(registry, "SELECT COUNT(*) FROM reviews"),
    )


def _said_by_people(candidates: CandidateFunnel) -> tuple[tuple[str, int], ...]:
    """Candidates that a person decided on and that are no items; nothing where nobody did."""
    counts = (
        ("rejected by a person", candidates.count(Status.REJECTED)),
        ("accepted by a person, no tier", candidates.accepted_without_tier),
        ("accepted by a person, repeats pending", candidates.accepted_pending),
    )
    return tuple((label, count) for label, count in counts if count)


def _accepted_by_people(candidates: CandidateFunnel) -> tuple[tuple[str, int], ...]:
    """Items that are not stable; nothing where there are none."""
    return (("accepted by a person", candidates.accepted_items),) if candidates.accepted_items else ()


def _candidates(registry: Registry) -> CandidateFunnel:
    current = "FROM current_decisions JOIN active_seeds USING (seed_id)"
    lost = (
        "SELECT fault, COUNT(*) FROM rejections JOIN active_seeds USING (seed_id)"
        " WHERE stage = 'refine' GROUP BY fault"
    )
    statuses = {
        Status(status): int(count)
        for status, count in registry.connection.execute(f"SELECT status, COUNT(*) {current} GROUP BY status")
    }
    certified = f"SELECT COUNT(*) {current} WHERE status = 'certified' AND fault"
    accepted = count_accepted(registry)
    return CandidateFunnel(
        seeds_refined=_visited(registry, Stage.REFINE),
        seeds_certified=_visited(registry, Stage.CERTIFY),
        written=_number(registry, "SELECT COUNT(*) FROM candidates JOIN active_seeds USING (seed_id)"),
        by_status={status: statuses[status] for status in Status if status in statuses},
        by_fault=_faults(
            registry, f"SELECT fault, COUNT(*) {current} WHERE fault IS NOT NULL GROUP BY fault"
        ),
        unwritten=_faults(registry, lost),
        not_selected=_number(registry, f"{certified} = 'not_selected'"),
        pending=_number(registry, f"{certified} IS NULL"),
        unsettled_reason=_unsettled_reason(registry, current),
        accepted_items=accepted.items,
        accepted_pending=accepted.pending,
        accepted_without_tier=accepted.without_tier,
    )


def _unsettled_reason(registry: Registry, current: str) -> str:
    """The commonest reason of unsettled candidates, without what differs from one to the next."""
    query = f"SELECT json_extract(current_decisions.record, '$.reason') {current} WHERE status = ?"
    rows = registry.connection.execute(query, (Status.UNSETTLED,))
    reasons = Counter(str(reason).rpartition(FIRST_OF_OTHERS)[2] for (reason,) in rows if reason)
    return min(reasons, key=lambda reason: (-reasons[reason], reason), default="")


def _visited(registry: Registry, stage: Stage) -> int:
    query = "SELECT COUNT(*) FROM active_seeds JOIN seed_state USING (seed_id) WHERE stage = ?"
    return _number(registry, query, stage)


def _faults(registry: Registry, query: str) -> dict[Fault, int]:
    counts = {Fault(fault): int(count) for fault, count in registry.connection.execute(query)}
    return {fault: counts[fault] for fault in Fault if fault in counts}


def _number(registry: Registry, query: str, *values: object) -> int:
    (number,) = registry.connection.execute(query, values).fetchone()
    return int(number)
