"""Hashes of everything the outcome of a unit of work depends on.

Work whose fingerprint is unchanged is not done again. What only changes speed, cost or patience
(limits, prices, concurrency, latency, keys) is left out, and so is what only changes how further calls
are sent (``json_schema``, ``sampling_seed``) or in which order checks are made (``order``: the routes are the
same): replies that are there serve. ``curation.changing.effects``
says the same in words, setting by setting; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from salitrap.providers.spec import Provider, parse_spec
from salitrap.records import Domain, Language, Role, Seed, content_hash
from salitrap.settings import JudgingSettings, RoleSettings, Settings
from salitrap.settings.judging import RULES_VERSION
from salitrap.settings.screening import ScreeningSettings

SCALE_PROMPTS = ("scale", "strategies")
SCREEN_PROMPT = "viability"
REFINE_PROMPTS = (
    "mutate",
    "strategies",
    "naturalise",
    "camouflage",
    "repair",
    "truth",
    "align",
    "nat",
    "compliance",
)
JUDGE_PROMPTS: Mapping[str, str] = {"evidence": "judge", "direct": "judge_direct"}
"""The judge's prompt in each mode."""

OF_ENDPOINT = {"spec", "base_url"}
PUBLISHED_OF_ENDPOINT = OF_ENDPOINT | {"family", "json_schema", "sampling_seed"}
SCALE_ROLES = (Role.GENERATOR,)
REFINE_ROLES = tuple(Role)
CERTIFY_ROLES = (Role.SOLVER, Role.JUDGE)
DIALOGUE_ROLES = (Role.GENERATOR, Role.CHECKER, Role.SOLVER, Role.JUDGE)
OF_DIALOGUES = {"certify_naturalness", "patch_tier"}
"""Settings of validation that dialogues go by, too."""

DIALOGUE_PROMPTS = (
    "dialogue_twin",
    "dialogue_correction",
    "feasibility",
    "dialogue_truth_align",
    "dialogue_naturalness",
)


def scale_roles(settings: Settings) -> tuple[Role, ...]:
    """Roles that have a part in scaling: the checker only while the viability screen is on."""
    return SCALE_ROLES if settings.scale.viability == "off" else (*SCALE_ROLES, Role.CHECKER)


def scale_prompts(settings: Settings) -> tuple[str, ...]:
    """Prompts that scaling uses."""
    return SCALE_PROMPTS if settings.scale.viability == "off" else (*SCALE_PROMPTS, SCREEN_PROMPT)


def refine_prompts(settings: Settings) -> tuple[str, ...]:
    """Prompts that validation and refinement use."""
    return (*REFINE_PROMPTS, *certify_prompts(settings))


def certify_prompts(settings: Settings) -> tuple[str, ...]:
    """Prompts that the stability repeats use."""
    return (JUDGE_PROMPTS[settings.judging.mode],)


def dialogue_prompts(settings: Settings) -> tuple[str, ...]:
    """Prompts that the dialogue stage uses: none without a pattern."""
    patterns = [f"dialogue_{pattern.value}" for pattern in settings.dialogues.patterns]
    return (*patterns, *DIALOGUE_PROMPTS, *certify_prompts(settings)) if patterns else ()


def scale_fingerprint(settings: Settings, domains: Sequence[Domain], prompts: Mapping[str, str]) -> str:
    """Scaling as a whole: filters look across cells. Targets are left out, so that a higher one extends."""
    return content_hash(
        {
            "random_seed": settings.random_seed,
            "scale": _scale(settings, {"prompt_chars"}),
            "prompt_chars": [settings.scale.prompt_chars.get(language) for language in settings.languages],
            "languages": [language.value for language in settings.languages],
            "domains": [_domain(domain, settings.languages) for domain in domains],
            "prompts": _of(prompts, scale_prompts(settings), settings.languages),
            **_models(settings, scale_roles(settings)),
        }
    )


def refine_fingerprint(settings: Settings, prompts: Mapping[str, str], seed: Seed) -> str:
    """Validation and refinement of one seed."""
    return content_hash(
        {
            "seed": seed.model_dump(mode="json", exclude={"key", "provenance", "origin"}),
            "refine": settings.refine.model_dump(mode="json"),
            "prompt_chars": settings.scale.prompt_chars.get(seed.language),
            "validation": settings.validation.model_dump(mode="json", exclude={"order"}),
            "prompts": _of(prompts, refine_prompts(settings), (seed.language,)),
            **_judging(settings),
            **_models(settings, REFINE_ROLES),
        }
    )


def certify_fingerprint(settings: Settings, prompts: Mapping[str, str], seed: Seed, refined: str) -> str:
    """Stability of one seed's certified candidates; ``refined`` is the digest of its refinement."""
    return content_hash(
        {
            "seed_id": seed.seed_id,
            "certify": _certify(settings),
            "patch_tier": settings.validation.patch_tier,
            "top_k": settings.refine.top_k,
            "refined": refined,
            "prompts": _of(prompts, certify_prompts(settings), (seed.language,)),
            **_judging(settings),
            **_models(settings, CERTIFY_ROLES),
        }
    )


def dialogue_fingerprint(
    settings: Settings, prompts: Mapping[str, str], seed: Seed, certified: str, *, wanted: bool = True
) -> str:
    """Dialogues of one seed; ``certified`` is the digest of its certification.

    ``wanted`` is False for a seed beyond ``dialogues.per_cell``, which has none.
    """
    return content_hash(
        {
            "seed_id": seed.seed_id,
            "wanted": wanted,
            "dialogues": settings.dialogues.model_dump(mode="json", exclude={"per_cell"}),
            "certify": settings.certify.model_dump(mode="json", include={"repeats", "rule"}),
            "validation": settings.validation.model_dump(mode="json", include=OF_DIALOGUES),
            "certified": certified,
            "prompts": _of(prompts, dialogue_prompts(settings), (seed.language,)),
            **_judging(settings),
            **_models(settings, DIALOGUE_ROLES),
        }
    )


def settings_fingerprint(settings: Settings) -> str:
    """All settings on which the outcome of a run can depend, for a reader who wants to repeat it."""
    published = {"policy", "temperature", "max_tokens"}
    return content_hash(
        {
            "domains": [name if name == "builtin" else name.rpartition("/")[2] for name in settings.domains],
            "languages": [language.value for language in settings.languages],
            "targets": settings.model_dump(mode="json")["targets"],
            "stages": {
                "scale": _scale(settings),
                "validation": settings.validation.model_dump(mode="json", exclude={"order"}),
                **settings.model_dump(mode="json", include=_published_stages(settings)),
            },
            "random_seed": settings.random_seed,
            "lab": _lab(settings),
            "reasks": settings.limits.reasks,
            **_judging(settings),
            "roles": {
                role.value: {
                    "endpoints": _endpoints(settings.roles[role], PUBLISHED_OF_ENDPOINT),
                    **settings.roles[role].model_dump(mode="json", include=published),
                }
                for role in Role
                if role in settings.roles
            },
        }
    )


def _published_stages(settings: Settings) -> set[str]:
    """Sections beside scaling and validation; dialogues and screening only where they are asked for."""
    dialogues = {"dialogues"} if settings.dialogues.patterns else set()
    screening = {"screening"} if settings.screening != ScreeningSettings() else set()
    return {"refine", "certify", "build"} | dialogues | screening


def uses_lab(role: RoleSettings) -> bool:
    """True when an endpoint of the pool is the simulated provider."""
    return _uses(role, Provider.LAB)


def _uses(role: RoleSettings, provider: Provider) -> bool:
    specs = [parse_spec(endpoint.spec, endpoint.base_url) for endpoint in role.endpoints]
    return any(spec.provider is provider for spec in specs)


def _certify(settings: Settings) -> dict[str, Any]:
    """Settings of the repeats; early stopping only where it is on, so that older work keeps its name."""
    without = set() if settings.certify.early_stop else {"early_stop"}
    return settings.certify.model_dump(mode="json", exclude=without)


def _scale(settings: Settings, without: Collection[str] = ()) -> dict[str, Any]:
    """Settings of scaling; of filter f5 what decides, and nothing while it is off."""
    dumped = settings.scale.model_dump(mode="json", exclude=set(without))
    meaning = dumped["similarity"].pop("meaning")
    if meaning is not None:
        endpoint = {name: meaning["endpoint"][name] for name in sorted(OF_ENDPOINT)}
        decides = {name: meaning[name] for name in ("threshold", "review_from", "dimensions")}
        dumped["similarity"]["meaning"] = {"endpoint": endpoint, **decides}
    return dumped


def _judging(settings: Settings) -> dict[str, Any]:
    """How answers are labelled, where it is not the usual way; a second opinion decides nothing."""
    decides = settings.judging.model_copy(update={"second_opinion": JudgingSettings().second_opinion})
    other = decides != JudgingSettings()
    told = {"judging": decides.model_dump(mode="json", exclude={"second_opinion"})} if other else {}
    return told if not _judged_by_rules(settings) else {**told, "rules": RULES_VERSION}


def _judged_by_rules(settings: Settings) -> bool:
    pool = settings.roles.get(Role.JUDGE)
    return pool is not None and _uses(pool, Provider.RULES)


def _models(settings: Settings, roles: Sequence[Role]) -> dict[str, Any]:
    """What the replies to ``roles`` depend on beside the question; the lab only where it replies."""
    pools = {role: settings.roles[role] for role in roles if role in settings.roles}
    simulated = any(uses_lab(pool) for pool in pools.values())
    return {
        "roles": {role.value: _pool(role, pool) for role, pool in pools.items()},
        "lab": _lab(settings) if simulated else None,
    }


def _lab(settings: Settings) -> dict[str, Any]:
    """What the lab's replies depend on; gold answers only where it is given some."""
    given = settings.lab
    without = {"latency"} if given.gold is not None else {"latency", "gold"}
    return given.model_dump(mode="json", exclude=without)


def _pool(role: Role, pool: RoleSettings) -> dict[str, Any]:
    """Endpoints and sampling; answers record the solver's family, and a single endpoint has no policy."""
    recorded = OF_ENDPOINT | {"family"} if role is Role.SOLVER else OF_ENDPOINT
    policy = pool.policy.value if len(pool.endpoints) > 1 else None
    sampling = pool.model_dump(mode="json", include={"temperature", "max_tokens"})
    return {"endpoints": _endpoints(pool, recorded), "policy": policy, **sampling}


def _endpoints(pool: RoleSettings, fields: set[str]) -> list[dict[str, Any]]:
    """Of a model file its content too; where it was not recorded, the name alone."""
    dumped = [endpoint.model_dump(mode="json", include=fields | {"sha256"}) for endpoint in pool.endpoints]
    return [
        {name: value for name, value in one.items() if (name, value) != ("sha256", None)} for one in dumped
    ]


def _domain(domain: Domain, languages: Sequence[Language]) -> dict[str, Any]:
    """A domain without what it says in languages that the run does not use."""
    texts = {
        name: {
            language.value: part for language, part in getattr(domain, name).items() if language in languages
        }
        for name in ("name", "definition")
    }
    niches = {
        language.value: niche.model_dump(mode="json")
        for language, niche in domain.niches.items()
        if language in languages
    }
    seeds = [seed.model_dump(mode="json") for seed in domain.seeds if seed.language in languages]
    return {"tag": domain.tag, **texts, "niches": niches, "seeds": seeds}


def _of(prompts: Mapping[str, str], ids: Sequence[str], languages: Sequence[Language]) -> dict[str, str]:
    """Hashes of the prompts that matter, from keys such as ``truth@1/en``."""
    wanted = {language.value for language in languages}
    return {
        key: sha256
        for key, sha256 in sorted(prompts.items())
        if key.partition("@")[0] in ids and key.rpartition("/")[2] in wanted
    }
