"""Signal competition: how likely a simulated solver is to see the trap (paper, appendix C)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from salitrap.lab.draws import Draw
from salitrap.lab.phrases import Phrases, found, load_phrases
from salitrap.lab.plan import PLANTED, of
from salitrap.lab.request import Ask
from salitrap.lab.world.model import Entry
from salitrap.lab.world.table import load_table
from salitrap.text import find_numerals

MOST_CAMOUFLAGE = 3
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Margin:
    """What decides one answer: Z > 0 is a pass, with logistic noise around ``value``.

    ``dimension`` is a tag or ``other``; ``numerals`` counts the distractors of the message; ``habit``
    draws what stays the same whenever this model meets this item.
    """

    dimension: str
    numerals: int
    value: float
    entry: Entry | None
    habit: Draw

    @property
    def pass_probability(self) -> float:
        """sigma(value)."""
        return 1.0 / (1.0 + math.exp(-self.value))


def margin_of(ask: Ask) -> Margin:
    """The margin of the model asked, for the message at hand."""
    phrases = load_phrases(ask.language)
    entry = load_table(ask.language).recognise(ask.text)
    dimension = entry.tag if entry else OTHER
    numerals = len(find_numerals(ask.text))
    value = of(PLANTED.margin, dimension) + of(PLANTED.ability, ask.model)
    item = item_key(ask, entry)
    value += Draw(ask.seed, "item", item).normal("effect", PLANTED.item_spread)
    value -= of(PLANTED.load, dimension) * numerals
    value -= PLANTED.camouflage_load * min(MOST_CAMOUFLAGE, _camouflage(ask.text, phrases))
    if _hinted(ask, phrases) or numerals == 0:
        value += PLANTED.hint_gain
    return Margin(dimension, numerals, value, entry, Draw(ask.seed, "habit", ask.model, item))


def item_key(ask: Ask, entry: Entry | None) -> list[str]:
    """What makes two texts the same item, for all models and wordings.

    A table seed is known by its tool and object, another text by its figures, which rewriting keeps.
    """
    return list(entry.keys) if entry else sorted(numeral.value for numeral in find_numerals(ask.text))


def _camouflage(text: str, phrases: Phrases) -> int:
    return len(found(phrases.camouflage, text)) + len(found(phrases.alternatives, text))


def _hinted(ask: Ask, phrases: Phrases) -> bool:
    """The message asks to look at feasibility first (interventions, liberation conditions)."""
    return bool(found(phrases.hints, f"{ask.system}\n{ask.text}".casefold()))
