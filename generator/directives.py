"""Steer scaling towards what the accepted seeds lack (paper, section 3.3.1: dir(d, b)).

For each axis of a domain's niches the values are ranked by how few accepted seeds use them. Batches
of one wave see the same accepted seeds, so the batch's ordinal walks through the least used
values of all three axes at once and meets every combination before one comes back. Values that were
set aside, because they brought nothing but duplicates, are not asked for again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from prompts.strategies import load_strategies
from salitrap.records.enums import Language
from salitrap.records.seed import Domain, Niche, Seed
from salitrap.text import normalise_name

MIN_CHOICE = 4
AXES = ("tool", "scene", "life_area")
Corner = tuple[str, str]
"""An axis and one of its values; ("", "") where a domain has no niches."""


@dataclass(frozen=True, slots=True)
class Steering:
    """Where a batch is sent: the niche, the sentence that says so, and the value which it stresses."""

    niche: Niche
    directive: str
    stressed: Corner


@dataclass(frozen=True, slots=True)
class _Choice:
    """A value of one axis and how many accepted seeds use it."""

    axis: str
    value: str
    used: int


def steer(
    domain: Domain,
    language: Language,
    accepted: Sequence[Seed],
    ordinal: int,
    aside: Collection[Corner] = (),
) -> Steering:
    """The niche of batch ``ordinal`` and the sentence that stresses its least covered value.

    ``accepted`` may hold seeds of other domains and languages; those do not count. Values in ``aside``
    are left out, unless an axis has no others. Equal arguments give equal results. Ties between axes
    go round with the ordinal.
    """
    counted = [seed for seed in accepted if seed.dimension_tag == domain.tag and seed.language is language]
    axes = [(axis, _without(axis, values, aside)) for axis, values in axes_of(domain, language)]
    choices = _walk([_ranked(axis, values, counted) for axis, values in axes], ordinal)
    stressed = min(_rotated(choices, ordinal), key=lambda choice: _urgency(choice, aside))
    niche = Niche(**{choice.axis: choice.value for choice in choices})
    sentence = load_strategies(language).directive(stressed.axis, stressed.value)
    return Steering(niche, sentence, (stressed.axis, stressed.value))


def next_niche(
    domain: Domain, language: Language, accepted: Sequence[Seed], ordinal: int
) -> tuple[Niche, str]:
    """Niche and sentence of ``steer`` while nothing is set aside."""
    steering = steer(domain, language, accepted, ordinal)
    return steering.niche, steering.directive


def axes_of(domain: Domain, language: Language) -> list[tuple[str, tuple[str, ...]]]:
    """The values that a domain wants covered in a language, by axis."""
    niches = domain.niches[language]
    return list(zip(AXES, (niches.tools, niches.scenes, niches.life_areas), strict=True))


def uses_of(axis: str, values: Sequence[str], seeds: Sequence[Seed]) -> dict[str, int]:
    """How many of ``seeds`` use each value of an axis, alone or among other words."""
    taken = _taken(axis, seeds)
    return {value: _uses(value, taken) for value in values}


def _urgency(choice: _Choice, aside: Collection[Corner]) -> tuple[bool, bool, int]:
    return (not choice.value, (choice.axis, choice.value) in aside, choice.used)


def _without(axis: str, values: tuple[str, ...], aside: Collection[Corner]) -> tuple[str, ...]:
    """The values that are not set aside; all of them when none would be left."""
    return tuple(value for value in values if (axis, value) not in aside) or values


def _walk(ranked: list[list[_Choice]], ordinal: int) -> list[_Choice]:
    """Step ``ordinal`` of a walk through all combinations, in which every step changes the first axis.

    The ordinal's digits in the mixed base of the axes' lengths are summed up from axis to axis, so
    that the later axes change along with the first one and not only when it has gone round.
    """
    chosen, rest, running = [], ordinal, 0
    for choices in ranked:
        rest, digit = divmod(rest, len(choices))
        running += digit
        chosen.append(choices[running % len(choices)])
    return chosen


def _ranked(axis: str, values: Sequence[str], accepted: Sequence[Seed]) -> list[_Choice]:
    """The values nobody uses, or at least the ``MIN_CHOICE`` least used, in file order if equal."""
    choices = [_Choice(axis, value, used) for value, used in uses_of(axis, values, accepted).items()]
    ranked = sorted(choices, key=lambda choice: choice.used)
    least = [choice for choice in ranked if choice.used == ranked[0].used]
    return ranked[: max(len(least), MIN_CHOICE)] or [_Choice(axis, "", 0)]


def _taken(axis: str, seeds: Sequence[Seed]) -> list[str]:
    return [f" {normalise_name(used)} " for seed in seeds if (used := getattr(seed.niche, axis))]


def _uses(value: str, taken: Sequence[str]) -> int:
    """How many of ``taken`` name ``value``, alone or among other words ("metal ladle" uses "ladle")."""
    wanted = normalise_name(value)
    needle = f" {wanted} " if wanted.isascii() else wanted
    return sum(needle in used for used in taken)


def _rotated(choices: list[_Choice], ordinal: int) -> list[_Choice]:
    start = ordinal % len(choices)
    return choices[start:] + choices[:start]
