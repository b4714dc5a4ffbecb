"""The weights of ``weights.yaml``: five sums of signs, each a probability after the logistic function.

``benchmarks.rule_judge`` fits them to the training half of the gold answers and measures them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType

from checkers.judge.rules.signs import Signs
from salitrap.errors import SeedFileError
from salitrap.yaml_source import Yaml, read_yaml

FILE = Path(__file__).parent / "weights.yaml"
BIAS = "bias"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class Decision(StrEnum):
    """What is decided by a sum: of a sentence, and of an answer."""

    IS_NOTICE = "is_notice"
    COMPLETES = "completes"
    NOTICES = "notices"
    EXPLAINS = "explains"
    PATCHES = "patches"


Weights = Mapping[str, float]


def likelihood(weights: Weights, signs: Signs) -> float:
    """Probability, from 0 to 1, that the weighted signs stand for."""
    total = sum(weight * (1.0 if name == BIAS else signs[name]) for name, weight in weights.items())
    return 1 / (1 + math.exp(-max(min(total, 60.0), -60.0)))


@cache
def shipped_weights() -> Mapping[Decision, Weights]:
    """The shipped weights.

    Raises:
        SeedFileError: a decision is missing or unknown, or a weight is no number.
    """
    source = read_yaml(FILE)
    if not isinstance(source.value, dict) or set(source.value) != set(Decision):
        raise SeedFileError(f"expected weights for {', '.join(Decision)}", path=FILE)
    return MappingProxyType({Decision(name): _weights(name, given) for name, given in source.value.items()})


def _weights(name: str, given: Yaml) -> Weights:
    values = {str(sign): _NUMBER.fullmatch(str(value)) for sign, value in _items(given)}
    if BIAS not in values or not all(values.values()):
        raise SeedFileError(f"{name}: expected a number for each sign, and {BIAS}", path=FILE)
    return MappingProxyType({sign: float(match.group()) for sign, match in values.items() if match})


def _items(given: Yaml) -> list[tuple[object, object]]:
    return list(given.items()) if isinstance(given, dict) else []
