"""Hashes of everything the outcome of a unit of work depends on.

Work whose fingerprint is unchanged is not done again. What only changes speed, cost or patience
(limits, prices, concurrency, latency, keys) is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from salitrap.records import Domain, Language, Role, Seed, content_hash
from salitrap.settings import RoleSettings, Settings

SCALE_PROMPTS = ("scale", "strategies")
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
    "judge",
)
CERTIFY_PROMPTS = ("judge",)
OF_ENDPOINT = {"spec", "base_url", "family", "json_schema", "sampling_seed"}


def scale_fingerprint(settings: Settings, domains: Sequence[Domain], prompts: Mapping[str, str]) -> str:
    """Scaling as a whole: filters look across cells. Targets are left out, so that a higher one extends."""
    return content_hash(
        {
            "scale": settings.scale.model_dump(mode="json"),
            "languages": [language.value for language in settings.languages],
            "domains": [domain.model_dump(mode="json") for domain in domains],
            "prompts": _of(prompts, SCALE_PROMPTS, settings.languages),
            **_shared(settings, (Role.GENERATOR,)),
        }
    )


def refine_fingerprint(settings: Settings, prompts: Mapping[str, str], seed: Seed) -> str:
    """Validation and refinement of one seed."""
    return content_hash(
        {
            "seed": seed.model_dump(mode="json", exclude={"key", "provenance", "origin"}),
            "refine": settings.refine.model_dump(mode="json"),
            "prompt_chars": settings.scale.model_dump(mode="json")["prompt_chars"],
            "validation": settings.validation.model_dump(mode="json"),
            "prompts": _of(prompts, REFINE_PROMPTS, (seed.language,)),
            **_shared(settings, tuple(Role)),
        }
    )


def certify_fingerprint(settings: Settings, prompts: Mapping[str, str], seed: Seed, refined: str) -> str:
    """Stability of one seed's certified candidates; ``refined`` is the digest of its refinement."""
    return content_hash(
        {
            "seed_id": seed.seed_id,
            "certify": settings.certify.model_dump(mode="json"),
            "patch_tier": settings.validation.patch_tier,
            "top_k": settings.refine.top_k,
            "refined": refined,
            "prompts": _of(prompts, CERTIFY_PROMPTS, (seed.language,)),
            **_shared(settings, (Role.SOLVER, Role.JUDGE)),
        }
    )


def settings_fingerprint(settings: Settings) -> str:
    """All settings on which the outcome of a run can depend, for a reader who wants to repeat it."""
    return content_hash(
        {
            "domains": [name if name == "builtin" else name.rpartition("/")[2] for name in settings.domains],
            "languages": [language.value for language in settings.languages],
            "targets": settings.model_dump(mode="json")["targets"],
            "stages": settings.model_dump(
                mode="json", include={"scale", "validation", "refine", "certify", "build"}
            ),
            **_shared(settings, tuple(Role)),
        }
    )


def _shared(settings: Settings, roles: Sequence[Role]) -> dict[str, Any]:
    return {
        "random_seed": settings.random_seed,
        "lab": settings.lab.model_dump(mode="json", exclude={"latency"}),
        "reasks": settings.limits.reasks,
        "roles": {role.value: _pool(settings.roles[role]) for role in roles if role in settings.roles},
    }


def _pool(role: RoleSettings) -> dict[str, Any]:
    endpoints = [endpoint.model_dump(mode="json", include=OF_ENDPOINT) for endpoint in role.endpoints]
    sampling = role.model_dump(mode="json", include={"policy", "temperature", "max_tokens"})
    return {"endpoints": endpoints, **sampling}


def _of(prompts: Mapping[str, str], ids: Sequence[str], languages: Sequence[Language]) -> dict[str, str]:
    """Hashes of the prompts that matter, from keys such as ``truth@1/en``."""
    wanted = {language.value for language in languages}
    return {
        key: sha256
        for key, sha256 in sorted(prompts.items())
        if key.partition("@")[0] in ids and key.rpartition("/")[2] in wanted
    }
