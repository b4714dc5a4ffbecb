"""Guards: what can be told about a child without a model, before any paid call (paper, section 3.3.3).

One guard a file, all with the interface of ``checkers.guards.base``. ``GUARDS`` is the order in which
they are asked; the first fault found is the one a discarded candidate is recorded with.
"""

from __future__ import annotations

from collections.abc import Sequence

from checkers.guards import (
    copies,
    escape_wording,
    language,
    leaks,
    length,
    mark_up,
    meta_wording,
    numbers,
    patch_wording,
    preface,
    several_prompts,
    trap_objects,
)
from checkers.guards.base import Guard, GuardFault, GuardView
from checkers.guards.copies import is_copy
from checkers.guards.leaks import leak_fault
from checkers.guards.mark_up import mark_up_fault
from checkers.guards.numbers import number_fault
from checkers.guards.preface import preface_fault
from checkers.guards.several_prompts import several_fault
from salitrap.records.candidate import Candidate
from salitrap.records.seed import Seed
from salitrap.settings.model import ScaleSettings

GUARDS: tuple[Guard, ...] = tuple(
    module.GUARD
    for module in (
        language,
        length,
        numbers,
        escape_wording,
        patch_wording,
        meta_wording,
        several_prompts,
        preface,
        mark_up,
        leaks,
        trap_objects,
        copies,
    )
)


def guard_faults(
    seed: Seed,
    parent: Candidate,
    child_prompt: str,
    *,
    adds_numbers: bool,
    bounds: tuple[int, int] | None = None,
    told: Sequence[str] = (),
) -> tuple[GuardFault, ...]:
    """Every fault of ``child_prompt`` as (fault, what was found), in the order of ``GUARDS``; () when sound.

    ``bounds`` are the fewest and the most characters, those of ``ScaleSettings`` when absent.
    """
    bounds = bounds or ScaleSettings().prompt_chars[seed.language]
    view = GuardView(seed, parent, child_prompt, bounds, adds_numbers, tuple(told))
    found = (guard.find(view) for guard in GUARDS)
    return tuple(fault for fault in found if fault is not None)


def form_fault(seed_prompt: str, child_prompt: str) -> str | None:
    """Say how the text is more than one request in running text; None when it is one."""
    checks = (several_fault, preface_fault, mark_up_fault)
    return next((found for check in checks if (found := check(seed_prompt, child_prompt))), None)


__all__ = [
    "GUARDS",
    "Guard",
    "GuardFault",
    "GuardView",
    "form_fault",
    "guard_faults",
    "is_copy",
    "leak_fault",
    "number_fault",
]
