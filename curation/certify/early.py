"""When the outcome of the repeats is decided before all of them are made.

Off by default, since it biases the stored rate: a candidate that fails three times in a row stops at 3 of 3.
Repeats count in their order, never in the order of arrival, so that the same ones are made on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curation.certify.stability import is_known_of, stable_of
from curation.tiers import tier_of
from salitrap.records import Judgement, Label
from salitrap.settings import CertifySettings, ValidateSettings


class Outcome(NamedTuple):
    """Whether enough repeats are scored, and whether they say stable."""

    known: bool
    stable: bool


def decided(
    certified: Label | None,
    judgements: Sequence[Judgement],
    settings: CertifySettings,
    validation: ValidateSettings,
) -> bool:
    """True when every way in which the missing repeats could end gives the same outcome."""
    wanted = tier_of(certified, validation)
    groups = [tier_of(one.label, validation) for one in judgements if one.label is not None]
    left = settings.repeats - len(judgements)
    outcomes = {
        _outcome(groups.count(wanted) + like, len(groups) + like + unlike, settings)
        for like in range(left + 1)
        for unlike in range(left + 1 - like)
    }
    return len(outcomes) == 1


def wave(
    certified: Label | None,
    judgements: Sequence[Judgement],
    settings: CertifySettings,
    validation: ValidateSettings,
) -> int:
    """How many further repeats to make at once: the fewest after which the outcome could be decided."""
    wanted = tier_of(certified, validation)
    groups = [tier_of(one.label, validation) for one in judgements if one.label is not None]
    left = settings.repeats - len(judgements)
    for more in range(1, left):
        for like in range(more + 1):
            matching, scored = groups.count(wanted) + like, len(groups) + more
            rest = left - more
            ends = {
                _outcome(matching + one, scored + one + other, settings)
                for one in range(rest + 1)
                for other in range(rest + 1 - one)
            }
            if len(ends) == 1:
                return more
    return left


def _outcome(matching: int, scored: int, settings: CertifySettings) -> Outcome:
    return Outcome(is_known_of(scored, settings), stable_of(matching, scored, settings))
