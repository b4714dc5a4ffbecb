"""What became of the dialogues of a run, and whether the sums are right."""

from __future__ import annotations

from collections import Counter

from curation.registry import Registry
from curation.registry.dialogues import stable_dialogues
from curation.registry.progress import count_visited
from salitrap.dialogues import Control
from salitrap.records import Stage, Status
from salitrap.records.base import Record


class DialogueFunnel(Record):
    """The dialogue stage over the active seeds.

    ``written`` are versions of trap dialogues, ``stable`` those that are published, with the ``controls``
    made for them; ``controls_refused`` were not sound. ``failed_calls`` are versions that were never written.
    """

    seeds_visited: int
    written: int
    by_status: dict[Status, int]
    failed_calls: int
    stable: int
    controls: dict[Control, int]
    controls_refused: int

    def faults(self) -> dict[str, tuple[int, int]]:
        """Both sides of each sum."""
        return {
            "dialogues written = sum over statuses": (self.written, sum(self.by_status.values())),
            "stable dialogues = dialogues with a feasible twin": (
                self.stable,
                self.controls.get(Control.FEASIBLE_TWIN, 0),
            ),
        }

    def lines(self) -> tuple[tuple[str, int], ...]:
        """Labelled counts."""
        return (
            ("dialogues written", self.written),
            ("dialogue calls failed", self.failed_calls),
            *((f"dialogues {status.value}", count) for status, count in self.by_status.items()),
            *((f"controls: {control.value}", count) for control, count in self.controls.items()),
            ("controls refused", self.controls_refused),
        )


def dialogue_funnel_of(registry: Registry) -> DialogueFunnel | None:
    """Count the dialogues of the active seeds; None where the stage was never run."""
    visited = count_visited(registry, Stage.DIALOGUES)
    if not visited:
        return None
    query = (
        "SELECT status, control, COUNT(*) FROM dialogues JOIN active_seeds USING (seed_id)"
        " GROUP BY status, control"
    )
    rows = [
        (Status(status), Control(control), int(count))
        for status, control, count in registry.connection.execute(query)
    ]
    traps = Counter({status: count for status, control, count in rows if control is Control.NONE})
    published = Counter(kept.control for kept in stable_dialogues(registry))
    made = sum(count for _, control, count in rows if control is not Control.NONE)
    controls = {control: published[control] for control in Control if control is not Control.NONE}
    return DialogueFunnel(
        seeds_visited=visited,
        written=traps.total(),
        by_status={status: traps[status] for status in Status if traps[status]},
        failed_calls=_failed_calls(registry),
        stable=published[Control.NONE],
        controls={control: count for control, count in controls.items() if count},
        controls_refused=made - sum(controls.values()),
    )


def _failed_calls(registry: Registry) -> int:
    query = "SELECT COUNT(*) FROM rejections JOIN active_seeds USING (seed_id) WHERE stage = 'dialogues'"
    (number,) = registry.connection.execute(query).fetchone()
    return int(number)
