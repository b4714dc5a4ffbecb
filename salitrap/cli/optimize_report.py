"""What an optimisation came to, in plain words."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salitrap.cli.console import err, out
from salitrap.cli.tables import spend_line

if TYPE_CHECKING:
    from exports.optimize import Improvement
    from prompts.loader import Measured
    from salitrap.providers.money.spend import Spend
    from salitrap.records import Language

SIMULATED = "Simulated: this only tests the plumbing; nothing follows for any language model."
NOTHING = "nothing did better in the search; no file was written, and the held half was not asked"


def print_improvements(
    made: Sequence[Improvement], saved: Mapping[Language, Path], folder: Path, spend: Spend
) -> None:
    """A line for each language, what it took, and how to use what was saved."""
    console = out()
    for one in made:
        console.print(f"{one.language.value}: {_told(one)}.", soft_wrap=True)
        if one.language in saved:
            console.print(f"    {saved[one.language]}", soft_wrap=True)
    console.print(spend_line(spend), soft_wrap=True)
    if simulated(made):
        console.print(SIMULATED, soft_wrap=True)
    if saved:
        name = shlex.quote(str(folder))
        err().print(
            f"Next: salitrap calibrate --judge JUDGE --prompts {name} --out calibration.json; then --prompts "
            f"{name} with eval and judge, or 'prompts: {name}' in a settings file",
            soft_wrap=True,
        )


def report(
    made: Sequence[Improvement], saved: Mapping[Language, Path], folder: Path, spend: Spend
) -> dict[str, Any]:
    """The same for programs."""
    return {
        "out": str(folder),
        "simulated": simulated(made),
        "note": SIMULATED if simulated(made) else "",
        "languages": {
            one.language.value: {
                "parent": one.parent,
                "file": str(saved[one.language]) if one.language in saved else None,
                "score": None if one.score is None else one.score.model_dump(mode="json"),
                "better": one.better,
                "intervals_apart": one.shown,
            }
            for one in made
        },
        "spend": spend.model_dump(mode="json"),
    }


def refused(made: Sequence[Improvement]) -> str:
    """Which languages gained nothing, in one line."""
    worse = [one for one in made if not one.better]
    told = "; ".join(f"{one.language.value}: {_told(one)}" for one in worse)
    if not any(one.content for one in worse):
        return f"no better instructions found: {told}"
    return f"no gain on the held half: {told} (saved all the same; whether to use it is for you to decide)"


def simulated(made: Sequence[Improvement]) -> bool:
    """True when a simulated model had a part in it."""
    return any(one.simulated for one in made)


def _told(one: Improvement) -> str:
    score = one.score
    if score is None:
        return f"{one.parent} stays: {NOTHING}"
    figures = f"kappa on the held half {_span(score.before)} -> {_span(score.after)}"
    size = f"{score.answers} answers to {score.questions} questions"
    return f"{one.parent}: {figures}, {size}: {_verdict(one)}"


def _verdict(one: Improvement) -> str:
    if not one.better:
        return "not better"
    return "better" if one.shown else "better, but the intervals overlap: more answers would have to show it"


def _span(figures: Measured) -> str:
    value, low, high = (
        "-" if one is None else f"{one:.2f}" for one in (figures.kappa, figures.low, figures.high)
    )
    return f"{value} [{low}, {high}]"
