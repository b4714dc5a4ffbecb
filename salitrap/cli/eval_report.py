"""How an evaluation ended: counts, spend, what stayed without a label, and what to do next."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from salitrap.cli.console import counted, err, out, print_json
from salitrap.cli.judge_standing import print_standing
from salitrap.cli.tables import spend_line
from salitrap.errors import FindingsError, StoppedError

if TYPE_CHECKING:
    from exports.calibration import Standing
    from exports.evaluation import Subset, Target
    from salitrap.providers.money.spend import Spend

UNRESOLVED = "judge_unresolved"


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished evaluation: counts by label or status, why rows lack a label, and what it took.

    ``calls_before`` are the calls that the journal had at its start; ``left_out`` is why a model could not
    be asked while the others went on.
    """

    target: Target
    counts: Mapping[str, int]
    reasons: Mapping[str, int]
    spend: Spend
    calls_before: int
    left_out: StoppedError | None = None

    @property
    def unscored(self) -> dict[str, int]:
        """Rows without a label, by status."""
        from salitrap.records import LabelStatus

        statuses = {status.value for status in LabelStatus}
        return {name: count for name, count in sorted(self.counts.items()) if name in statuses}

    @property
    def rows(self) -> int:
        """All rows."""
        return sum(self.counts.values())

    @property
    def labelled(self) -> int:
        """Rows with a label."""
        return self.rows - sum(self.unscored.values())


def tell(ended: Ended, as_json: bool, *, asks_models: bool, judge: Standing | None = None) -> None:
    """Print how it went; ``asks_models`` is False when the answers were made elsewhere.

    ``judge`` says whether the judge is calibrated.

    Raises:
        StoppedError: a model could not be asked any more; the rows of the others are whole.
        FindingsError: not one answer got a label.
    """
    if as_json:
        standing = judge.model_dump(mode="json") if judge is not None else None
        print_json({**_report(ended), "judge": standing})
    else:
        out().print(
            f"{ended.target.out}: {counted(ended.rows, 'row')}, {ended.labelled} labelled.", soft_wrap=True
        )
        out().print(f"{_this_time(ended)} {spend_line(ended.spend)}", soft_wrap=True)
        print_standing(judge)
    for line in _about_unscored(ended, asks_models):
        err().print(line, soft_wrap=True)
    if ended.left_out is not None:
        raise ended.left_out
    if not ended.labelled:
        raise FindingsError(f"{ended.target.out}: no answer got a label{_mostly(ended)}")
    if not as_json:
        err().print(f"Next: salitrap analyze {shlex.quote(str(ended.target.out))}", soft_wrap=True)


def warn_of_simulated(asked: Subset, models: list[str]) -> None:
    """Say so when real models are about to answer what simulated models made."""
    if asked.simulated and not all(name.startswith("lab/") for name in models):
        err().print(
            "note: simulated models had a part in making this dataset: rates on it say nothing about a "
            "model, and every row will carry simulated: true",
            soft_wrap=True,
        )


def command_line() -> str:
    """The command as given, quoted for a shell."""
    return shlex.join(["salitrap", *sys.argv[1:]])


def _this_time(ended: Ended) -> str:
    now = ended.spend.calls - ended.calls_before
    return f"This time: {counted(now, 'call')}, {ended.spend.reused:,} replies from the journal. In all:"


def _about_unscored(ended: Ended, asks_models: bool) -> list[str]:
    if not ended.unscored:
        return []
    told = ", ".join(f"{count} {name}" for name, count in ended.unscored.items())
    lines = [f"Without a label: {told}{_mostly(ended)}."]
    again = set(ended.unscored) - {UNRESOLVED} if asks_models else set(ended.unscored) & {"judge_error"}
    if again:
        lines.append("The same command asks again for the failed calls.")
    if UNRESOLVED in ended.unscored:
        lines.append(f"{UNRESOLVED}: {_why_unresolved(ended.reasons)}")
    return lines


def _why_unresolved(reasons: Mapping[str, int]) -> str:
    """What stands behind answers without a label: judges who disagree, or one who decides nothing."""
    from checkers.judge.panel import NO_MAJORITY

    if any(reason.startswith(NO_MAJORITY) for reason in reasons):
        return "no label has a majority of the judges; asking the same judges again will not help."
    return "what the judge says comes to no label; asking the same judge again will not help."


def _mostly(ended: Ended) -> str:
    commonest = Counter(ended.reasons).most_common(1)
    return f"; mostly: {commonest[0][0]}" if commonest else ""


def _report(ended: Ended) -> dict[str, Any]:
    return {
        "out": str(ended.target.out),
        "rows": ended.rows,
        "labelled": ended.labelled,
        "unscored": ended.unscored,
        "counts": dict(ended.counts),
        "reasons": dict(ended.reasons),
        "calls_this_time": ended.spend.calls - ended.calls_before,
        "spend": ended.spend.model_dump(mode="json"),
    }
