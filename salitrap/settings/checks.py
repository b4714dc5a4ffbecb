"""What the types of a settings file cannot say: values that contradict each other or make no sense.

They are checked when a file is read for a run, not when ``run.yaml`` is read back: a directory that
an earlier version filled stays readable.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from salitrap.errors import ConfigError
from salitrap.providers.spec import RULES_SPEC, Provider, parse_spec
from salitrap.records.enums import Language, Role
from salitrap.settings.endpoint_faults import endpoint_faults
from salitrap.settings.endpoints import EndpointSettings, Policy
from salitrap.settings.lab_faults import LabFault, fault_names
from salitrap.settings.model import Settings
from salitrap.yaml_source import KeyPath

MOST_SEEDS = 1_000_000
NATURALNESS = (1.0, 5.0)
Fault = tuple[KeyPath, str]


def setting_faults(settings: Settings) -> Iterator[Fault]:
    """Yield the key path and a sentence for every value that cannot be meant."""
    yield from _list_faults(settings)
    yield from _target_faults(settings)
    yield from _scale_faults(settings)
    yield from _validation_faults(settings)
    yield from _panel_faults(settings)
    yield from _rules_faults(settings)
    yield from _screening_faults(settings)
    yield from _lab_faults(settings)
    yield from _spec_faults(settings)
    yield from _meaning_faults(settings)
    yield from _unbounded_faults(settings.model_dump(mode="python"), ())


def _list_faults(settings: Settings) -> Iterator[Fault]:
    known = ", ".join(Language)
    if not settings.languages:
        yield ("languages",), f"is empty; name at least one of {known}"
    for place, language in enumerate(settings.languages):
        if language in settings.languages[:place]:
            yield ("languages", place), f"{language.value!r} stands twice; name each language once"
    if not settings.domains:
        yield ("domains",), "is empty; name 'builtin' or the path of a domain file"
    for place, domain in enumerate(settings.domains):
        if not domain.strip():
            yield ("domains", place), f"got {domain!r}; name 'builtin' or the path of a domain file"


def _target_faults(settings: Settings) -> Iterator[Fault]:
    if not settings.targets:
        yield ("targets",), "is empty; write, for example, 'targets: {default: {en: 8}}'"
        return
    given = "targets" in settings.model_fields_set
    for tag, cell in settings.targets.items():
        for language, wanted in cell.items():
            at = ("targets", tag, language.value)
            if not 0 <= wanted <= MOST_SEEDS:
                yield at, f"got {wanted}; allowed are 0 to {MOST_SEEDS:,} seeds"
            elif given and wanted and language not in settings.languages:
                named = ", ".join(settings.languages) or "nothing"
                yield (
                    at,
                    f"'languages' names only {named}; add {language.value!r} there or leave it out here",
                )
    if not any(wanted for cell in settings.targets.values() for wanted in cell.values()):
        yield ("targets",), "no cell wants a seed; give at least one a target of 1 or more"


def _scale_faults(settings: Settings) -> Iterator[Fault]:
    for language, (low, high) in settings.scale.prompt_chars.items():
        if not 1 <= low <= high:
            yield (
                ("scale", "prompt_chars", language.value),
                f"got [{low}, {high}]; give the fewest and the most characters, 1 or more, in that order",
            )
    if settings.scale.similarity.alphabetic_ngram == 1 and Language.EN in settings.languages:
        yield (
            ("scale", "similarity", "alphabetic_ngram"),
            "got 1, which calls nearly all English prompts duplicates; "
            "use 2 or more, or leave 'en' out of 'languages'",
        )


def _validation_faults(settings: Settings) -> Iterator[Fault]:
    low, high = NATURALNESS
    for name, value in settings.validation.model_dump().items():
        if name.endswith("_naturalness") and not low <= value <= high:
            yield ("validation", name), f"got {value:g}; naturalness goes from {low:g} to {high:g}"


def _panel_faults(settings: Settings) -> Iterator[Fault]:
    """A panel whose members cannot be asked one by one."""
    pool = settings.roles.get(Role.JUDGE)
    if settings.judging.panel != "all" or pool is None or len(pool.endpoints) == 1:
        return
    if pool.policy is not Policy.ROUND_ROBIN:
        told = "got failover, which asks others only when one fails; judging.panel: all needs round_robin"
        yield ("roles", Role.JUDGE.value, "policy"), told


def _rules_faults(settings: Settings) -> Iterator[Fault]:
    """Rules in another role than the judge's, or as one of several judges of whom one is asked."""
    for role, pool in settings.roles.items():
        for place, endpoint in enumerate(pool.endpoints):
            at = ("roles", role.value, "endpoints", place, "spec")
            if endpoint.spec != RULES_SPEC:
                continue
            if role is not Role.JUDGE:
                yield at, "rules judge and do nothing else; name a model"
            elif len(pool.endpoints) > 1 and settings.judging.panel != "all":
                yield at, "rules stand in for no model; leave them out, or write judging.panel: all"


def _screening_faults(settings: Settings) -> Iterator[Fault]:
    """A category that both blocks and warns, and terms that allow nothing."""
    screening = settings.screening
    for place, category in enumerate(screening.warn):
        if category in screening.block:
            yield ("screening", "warn", place), f"{category.value!r} stands in 'block' as well; choose one"
    for place, term in enumerate(screening.allow):
        if not term.strip():
            yield ("screening", "allow", place), "is empty; give a term that is never a finding"


def _lab_faults(settings: Settings) -> Iterator[Fault]:
    for name in settings.lab.faults:
        if name not in set(LabFault):
            yield ("lab", "faults", name), f"no such fault; {fault_names(name)}"


def _spec_faults(settings: Settings) -> Iterator[Fault]:
    """Models written in no form we know, and addresses and settings that an endpoint cannot use."""
    for role, pool in settings.roles.items():
        for place, endpoint in enumerate(pool.endpoints):
            yield from _endpoint_faults(endpoint, ("roles", role.value, "endpoints", place))


def _endpoint_faults(endpoint: EndpointSettings, at: KeyPath) -> Iterator[Fault]:
    try:
        spec = parse_spec(endpoint.spec, endpoint.base_url)
    except ConfigError as error:
        yield (*at, "spec"), str(error)
    else:
        for field, sentence in endpoint_faults(endpoint, spec.provider):
            yield (*at, field), sentence


def _meaning_faults(settings: Settings) -> Iterator[Fault]:
    """What filter f5 cannot be told: another provider, batches, thresholds in reverse."""
    meaning, at = settings.scale.similarity.meaning, ("scale", "similarity", "meaning")
    if meaning is None:
        return
    faults = list(_endpoint_faults(meaning.endpoint, (*at, "endpoint")))
    yield from faults
    if not faults and parse_spec(meaning.endpoint.spec).provider is not Provider.OPENAI:
        yield (
            (*at, "endpoint", "spec"),
            "embeddings are asked of OpenAI-compatible servers; write openai/NAME",
        )
    if meaning.endpoint.batch:
        yield (*at, "endpoint", "batch"), "embeddings are not asked in batches; leave it out"
    if meaning.review_from > meaning.threshold:
        yield (*at, "review_from"), f"got {meaning.review_from:g}, above the threshold; give a lower value"


def _unbounded_faults(value: Any, at: KeyPath) -> Iterator[Fault]:
    """Infinite numbers and those that are none, wherever they stand."""
    if isinstance(value, float) and not math.isfinite(value) and at[:1] != ("validation",):
        yield at, f"got {value}; give a finite number"
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _unbounded_faults(inner, (*at, str(key)))
    if isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            yield from _unbounded_faults(inner, (*at, place))
