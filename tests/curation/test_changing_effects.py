"""The table of what depends on each setting is whole, and says what fingerprints and call keys do."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel

from curation.cells import cells_of
from curation.changing.differences import LISTS, differences
from curation.changing.effects import EFFECTS
from curation.changing.from_settings import setting_changes
from curation.changing.kinds import Lost
from curation.changing.replies import Replies, serving
from curation.fingerprints import (
    certify_fingerprint,
    dialogue_fingerprint,
    dialogue_prompts,
    refine_fingerprint,
    scale_fingerprint,
)
from curation.programs import default_programs
from curation.scale.state import ScaleState
from curation.scale.wave import plan_cell
from curation.tools import Tools
from prompts.lock import current_hashes
from salitrap.providers.access import ChatMessage, PromptRef
from salitrap.providers.build import _identity
from salitrap.providers.journal.keys import call_key
from salitrap.providers.pool import Pool
from salitrap.providers.request import CallRequest
from salitrap.providers.spec import parse_spec
from salitrap.records import Language, Role, Seed, Stage
from salitrap.settings import EndpointSettings, Policy, RoleSettings, Settings
from seeds import load_domains

DOMAINS = load_domains(("builtin",))[:1]
PROGRAMS = default_programs()
PROMPTS = current_hashes()
EN = next(seed for seed in DOMAINS[0].seeds if seed.language is Language.EN)
ZH = next(seed for seed in DOMAINS[0].seeds if seed.language is Language.ZH)
CHANGED: dict[str, Any] = {
    "hardening.solved_by": "any",
    "hardening.generate": False,
    "name": "other",
    "domains.*": ("builtin", "elsewhere.yaml"),
    "languages.*": ("en",),
    "policy": "round_robin",
    "spec": "openai/another",
    "base_url": "http://127.0.0.1:7/v1",
    "patch_tier": "soft",
    "order": "cascade",
    "rule": "lower-bound",
    "json_schema": True,
    "sampling_seed": True,
    "batch": True,
    "sha256": "1" * 64,
    "exclusions": 2,
    "viability": "B",
    "mode": "direct",
    "second_opinion": False,
    "panel": "all",
    "seeds_in_flight": 5,
    "early_stop": True,
    "screening.rules": False,
    "screening.model": True,
    "screening.on_finding": "report",
    "screening.block.*": "email",
    "screening.warn.*": "ip",
    "screening.allow.*": "kill time",
    "dialogues.patterns.*": ("drip", "pushback"),
    "dialogues.controls.*": ("neutral",),
}
"""Other values than the base's, by entry of the table or last part of it; numbers grow by a little."""


def base() -> Settings:
    """Two endpoints a role, every optional value set; the judge and the solver are the lab's."""

    def endpoint(name: str, simulated: bool) -> EndpointSettings:
        known: dict[str, Any] = {
            "api_key_env": "A_KEY",
            "family": "f",
            "json_schema": False,
            "sampling_seed": False,
            "rpm": 5,
            "tpm": 5,
            "timeout": 5.0,
            "proxy": "http://127.0.0.1:5",
            "ca": "a.pem",
            "gguf": {"threads": 1},
            "sha256": "0" * 64,
            "price_input": 1.0,
            "price_output": 1.0,
            "price_cached_input": 0.5,
        }
        if not simulated:
            known["base_url"] = "http://127.0.0.1:9/v1"
        spec = f"lab/{name}" if simulated else f"openai/{name}"
        return EndpointSettings.model_validate({"spec": spec, **known})

    roles = {}
    for role in Role:
        simulated = role in (Role.JUDGE, Role.SOLVER)
        names = ("solver-a", "solver-b") if role is Role.SOLVER else (role.value, f"{role.value}-2")
        roles[role] = RoleSettings(
            endpoints=tuple(endpoint(name, simulated) for name in names), deadline=700.0
        )
    return Settings.model_validate(
        {
            "roles": roles,
            "budget": {"calls": 5, "tokens": 5, "usd": 5.0},
            "limits": {"attempts": 5},
            "screening": {"block": ["card"], "warn": ["name"], "allow": ["brake drum"]},
            "refine": {"exact_duplicate_ratio": 0.9},
            "dialogues": {"patterns": ["drip"], "controls": ["concat"], "per_cell": 3},
            "scale": {
                "similarity": {"meaning": {"endpoint": endpoint("embed", simulated=False), "dimensions": 9}}
            },
            "lab": {"faults": {"stall": 0.01}},
        }
    )


def schema_leaves(kind: Any, name: str) -> Iterator[str]:
    """Every leaf of a record's type, written as the table writes it."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        (inner,) = [one for one in arguments if one is not type(None)]
        yield from schema_leaves(inner, name)
    elif origin is dict:
        yield from schema_leaves(arguments[1], f"{name}.*")
    elif origin is tuple:
        yield from schema_leaves(arguments[0], f"{name}.*")
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        for field, info in kind.model_fields.items():
            yield from schema_leaves(info.annotation, f"{name}.{field}" if name else field)
    elif origin is not None and hasattr(kind, "__metadata__"):
        yield from schema_leaves(arguments[0], name)
    else:
        yield name


def test_every_leaf_of_the_settings_is_in_the_table_and_nothing_else() -> None:
    """A new setting without a word about what depends on it fails here."""
    assert sorted(set(schema_leaves(Settings, ""))) == sorted(EFFECTS)


def paths(value: Any, parts: list[str], at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths in a dumped record that fit an entry; a list of names is one value."""
    if not parts or (parts == ["*"] and isinstance(value, list) and at[-1] in LISTS):
        yield at
        return
    head, rest = parts[0], parts[1:]
    keys = (range(len(value)) if isinstance(value, list) else value) if head == "*" else [head]
    for key in keys:
        yield from paths(value[key], rest, (*at, key))


def changed(before: Settings, entry: str, at: tuple[Any, ...]) -> Settings:
    """``before`` with another value at a path."""
    dumped = before.model_dump(mode="json")
    holder: Any = dumped
    for step in at[:-1]:
        holder = holder[step]
    known = CHANGED.get(entry, CHANGED.get(entry.rpartition(".")[2]))
    old = holder[at[-1]]
    grown = (
        old + 1
        if isinstance(old, int) and old != 1
        else old * 1.01 + 0.01
        if isinstance(old, float)
        else None
    )
    value = known if known is not None else grown if grown is not None else f"{old}x"
    holder[at[-1]] = 2 if old == 1 and isinstance(old, int) and known is None else value
    if at[0] == "roles" and at[-1] in ("spec", "base_url"):
        holder.update(spec="openai/another", base_url="http://127.0.0.1:7/v1")
    return Settings.model_validate(dumped)


CASES = [
    pytest.param(entry, at, id=".".join(map(str, at)))
    for entry in EFFECTS
    for at in paths(base().model_dump(mode="json"), entry.split("."))
    if "endpoints" not in at or at[3] == 1
]


def prints(settings: Settings, seed: Seed) -> dict[Stage, str]:
    """Fingerprints of the stages, with a refinement and a certification that came to the same."""
    return {
        Stage.SCALE: scale_fingerprint(settings, DOMAINS, PROMPTS),
        Stage.REFINE: refine_fingerprint(settings, PROMPTS, seed),
        Stage.CERTIFY: certify_fingerprint(settings, PROMPTS, seed, "same"),
        Stage.DIALOGUES: dialogue_fingerprint(settings, PROMPTS, seed, "same"),
    }


def stages_that_change(before: Settings, now: Settings) -> set[Stage]:
    pairs = [(prints(before, seed), prints(now, seed)) for seed in (EN, ZH)]
    return {stage for old, new in pairs for stage in old if old[stage] != new[stage]}


def keys(settings: Settings) -> dict[tuple[Role, int], set[str]]:
    """Call keys of one question to each role, by place in the pool: those that a reply may have."""
    found = {}
    for role, chosen in settings.roles.items():
        specs = [(end, parse_spec(end.spec, end.base_url)) for end in chosen.endpoints]
        pool = Pool(chosen, tuple(_identity(end, spec, settings.lab, "a") for end, spec in specs))
        for slot in (0, 1):
            request = CallRequest(
                role=role,
                messages=(ChatMessage("user", "?"),),
                temperature=chosen.temperature,
                max_tokens=chosen.max_tokens,
                attempt_timeout=chosen.attempt_timeout,
                prompt=PromptRef("p", 1, Language.EN, "0"),
                slot=slot,
            )
            found[role, slot] = {call_key(request, identity) for identity in pool.choices(slot)}
    return found


def roles_that_lose(before: Settings, now: Settings) -> set[Role]:
    """Roles of which a reply that may have been given before is not found any more."""
    new = keys(now)
    return {role for (role, slot), given in keys(before).items() if not given <= new[role, slot]}


def questions(settings: Settings) -> list[Any]:
    """What the first wave of scaling asks in one cell that both have."""
    cell = cells_of(settings, DOMAINS)[0]
    seeds = DOMAINS[0].seeds_in(cell.language)
    state = ScaleState(wave=1, cells=(cell,), accepted=seeds)
    tools = Tools(access=None, programs=PROGRAMS, settings=settings)  # type: ignore[arg-type]
    plans = plan_cell(tools, state, cell.model_copy(update={"target": 40}), DOMAINS[0])
    return [(plan.count, plan.examples, plan.exclusions, plan.steering) for plan in plans]


@pytest.mark.parametrize(("entry", "at"), CASES)
def test_the_table_says_what_fingerprints_and_keys_do(entry: str, at: tuple[Any, ...]) -> None:
    before, effect = base(), EFFECTS[entry]
    now = changed(before, entry, at)
    (found,) = setting_changes(before, now, ())
    assert [one.entry for one in differences(before, now)] in ([entry], ["roles.*.endpoints.*.spec"])
    assert stages_that_change(before, now) == set(found.change.anew) - {Stage.BUILD}
    role = Role(at[1]) if at[0] == "roles" else None
    lost = {
        Lost.NONE: set[Role](),
        Lost.SCALING: set[Role](),
        Lost.LABELS: set[Role](),
        Lost.ROLE: {role},
        Lost.FILE: set[Role](),  # these models have none; see the test below
        Lost.ENDPOINTS: {role},
        Lost.LAB: {Role.JUDGE, Role.SOLVER},
    }[effect.lost]
    assert roles_that_lose(before, now) == lost
    assert (questions(before) != questions(now)) == (effect.lost is Lost.SCALING)
    assert set(found.surely) <= lost


def with_file(sha256: str | None) -> Settings:
    dumped = base().model_dump(mode="json")
    dumped["roles"]["solver"]["endpoints"] = [{"spec": "gguf/models/m.gguf", "sha256": sha256}]
    return Settings.model_validate(dumped)


def replies_of(sha256: str, role: Role = Role.SOLVER) -> Replies:
    return Replies(role, "gguf/m.gguf", f"sha256:{sha256}", 0.2, 2048, "", "", 5)


def test_another_model_file_under_the_same_name_decides_its_work_anew() -> None:
    """Work that was finished with the old file stayed, since the settings were the same."""
    old, new = "a" * 64, "b" * 64
    before, now = with_file(old), with_file(new)
    (found,) = setting_changes(before, now, (replies_of(old), replies_of(new), replies_of(old, Role.JUDGE)))
    assert found.change.told.startswith(
        "roles.solver.endpoints[0].sha256: aaaaaaaa -> bbbbbbbb: the model file"
    )
    assert found.change.lost == {Role.SOLVER: 5}
    after = {Stage.REFINE, Stage.CERTIFY, Stage.DIALOGUES}
    assert stages_that_change(before, now) == set(found.change.anew) == after
    assert serving((replies_of(old), replies_of(new)), now, {}) == (replies_of(new),)


def test_a_file_that_was_not_recorded_is_taken_by_what_the_journal_says() -> None:
    (found,) = setting_changes(with_file(None), with_file("a" * 64), (replies_of("a" * 64),))
    assert found.change.lost == {}
    assert not list(setting_changes(with_file("a" * 64), with_file("a" * 64), ()))


def test_settings_of_the_lab_matter_only_where_it_replies() -> None:
    """The seed of the lab made runs on real models decide everything anew."""
    dumped = base().model_dump(mode="json")
    for pool in dumped["roles"].values():
        pool["endpoints"] = [{"spec": "openai/m"}]
    before = Settings.model_validate(dumped)
    now = Settings.model_validate({**dumped, "lab": {"seed": 9}})
    anew = {stage for found in setting_changes(before, now, ()) for stage in found.change.anew}
    assert stages_that_change(before, now) == anew == set()


def test_a_single_endpoint_has_no_policy() -> None:
    dumped = base().model_dump(mode="json")
    for pool in dumped["roles"].values():
        del pool["endpoints"][1]
    before = Settings.model_validate(dumped)
    dumped["roles"]["judge"]["policy"] = Policy.ROUND_ROBIN
    assert stages_that_change(before, Settings.model_validate(dumped)) == set()


def test_a_prompt_reaches_the_stages_and_languages_that_use_it() -> None:
    for name in PROMPTS:
        other = {**PROMPTS, name: "0" * 64}
        seen = {
            (stage, seed.language.value)
            for seed in (EN, ZH)
            for stage, value in {
                Stage.REFINE: refine_fingerprint(base(), other, seed),
                Stage.CERTIFY: certify_fingerprint(base(), other, seed, "same"),
                Stage.DIALOGUES: dialogue_fingerprint(base(), other, seed, "same"),
            }.items()
            if value != prints(base(), seed)[stage]
        }
        prompt_id, language = name.partition("@")[0], name.rpartition("/")[2]
        unused = ("scale", "viability", "judge_direct", "improve", "screen", "feasibility")
        talks = prompt_id in dialogue_prompts(base())
        refines = prompt_id not in unused and not prompt_id.startswith("dialogue_")
        stages = {Stage.REFINE} if refines else set[Stage]()
        stages |= {Stage.CERTIFY} if prompt_id == "judge" else set()
        stages |= {Stage.DIALOGUES} if talks else set()
        assert seen == {(stage, language) for stage in stages}, name
        scales = scale_fingerprint(base(), DOMAINS, other) != scale_fingerprint(base(), DOMAINS, PROMPTS)
        assert scales == (prompt_id in ("scale", "strategies")), name


def test_the_prompt_of_the_mode_in_use_is_the_one_that_matters() -> None:
    """With labels named directly, the instructions for evidence no longer decide anything anew."""
    direct = changed(base(), "judging.mode", ("judging", "mode"))
    for prompt_id, matters in (("judge", False), ("judge_direct", True)):
        other = {**PROMPTS, f"{prompt_id}@1/en": "0" * 64}
        for print_of in (refine_fingerprint, lambda *given: certify_fingerprint(*given, "same")):
            assert (print_of(direct, PROMPTS, EN) != print_of(direct, other, EN)) is matters


def test_the_screen_makes_the_checker_a_part_of_scaling() -> None:
    """With the screen on, another checker or other instructions for it decide the seeds anew."""
    screening = base().model_copy(update={"scale": base().scale.model_copy(update={"viability": "A-"})})
    for entry in ("roles.checker.temperature", "roles.checker.max_tokens"):
        now = changed(screening, entry, ("roles", "checker", entry.rpartition(".")[2]))
        (found,) = setting_changes(screening, now, ())
        assert stages_that_change(screening, now) == set(found.change.anew)
        assert Stage.SCALE in found.change.anew
    other = {**PROMPTS, "viability@1/en": "0" * 64}
    assert scale_fingerprint(screening, DOMAINS, other) != scale_fingerprint(screening, DOMAINS, PROMPTS)


def test_a_domain_matters_in_the_languages_of_the_run() -> None:
    """An edit of the Chinese half decided the seeds of an English run anew."""
    english = base().model_copy(update={"languages": (Language.EN,)})
    edited = [
        DOMAINS[0].model_copy(update={"definition": {**DOMAINS[0].definition, Language.ZH: "x"}}),
        *DOMAINS[1:],
    ]
    same = scale_fingerprint(english, DOMAINS, PROMPTS)
    assert scale_fingerprint(english, edited, PROMPTS) == same
    assert scale_fingerprint(base(), edited, PROMPTS) != scale_fingerprint(base(), DOMAINS, PROMPTS)
