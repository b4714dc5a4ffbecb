"""Whether a model does worse on the items that its own family was tested with when they were made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exports.analysis.common_records import Share
from exports.analysis.records import LabelChoice
from exports.analysis.shares import share_of
from exports.analysis.studies.answers import passed
from exports.analysis.studies.item_facts import Facts
from exports.analysis.study_records import FamilySensitivity, FamilyShare
from salitrap.records import LabelRow

NO_DATASET = "the solver family stands in the dataset; give it with --dataset"
_ENDS = "-_.:@ "


def sensitivity_of(
    model: str, rows: Sequence[LabelRow], labels: LabelChoice, facts: Facts
) -> FamilySensitivity:
    """Return TAR with and without the items of the model's own family, and for every family."""
    known = [(row, facts[row.item_id].solver_family) for row in rows if row.item_id in facts]
    told = [(row, family) for row, family in known if family]
    families = sorted({family for _, family in told})
    own = {family for family in families if is_own(model, family)}
    return FamilySensitivity(
        missing=len(rows) - len(told),
        everything=_tar((row for row, _ in told), labels),
        without_own=_tar((row for row, family in told if family not in own), labels),
        families=tuple(
            FamilyShare(
                family=family,
                own=family in own,
                inside=_tar((row for row, of in told if of == family), labels),
                outside=_tar((row for row, of in told if of != family), labels),
            )
            for family in families
        ),
        why=_why(families, own),
    )


def is_own(model: str, family: str) -> bool:
    """True when the model's name is that of the family, or goes on after it: gpt-4o, gpt-4o-mini.

    Case, provider and address do not count: openai/gpt-4o@https://.. is gpt-4o.
    """
    name, of = _plain(model), _plain(family)
    return bool(of) and name.startswith(of) and (len(name) == len(of) or name[len(of)] in _ENDS)


def _plain(name: str) -> str:
    return name.partition("@http")[0].rpartition("/")[2].casefold().strip()


def _tar(rows: Iterable[LabelRow], labels: LabelChoice) -> Share:
    return share_of(((row.seed_id, passed(row, labels)) for row in rows), "no answer to such an item")


def _why(families: Sequence[str], own: set[str]) -> str:
    if not families:
        return "the dataset says of none of these items which family fell for it"
    return "" if own else f"none of the families is the model's own: {', '.join(families)}"
