"""Settings that differ between two starts of a run, by name and by their place in the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from curation.changing.effects import EFFECTS, effect_of
from curation.changing.kinds import Effect
from salitrap.records import Role
from salitrap.settings import EndpointSettings, RoleSettings, Settings

NOTHING = "nothing"
HASH_DIGITS = 8
LISTS = ("domains", "languages", "patterns", "controls")
"""Settings whose value is a list of names."""

SPEC = "roles.*.endpoints.*.spec"
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One setting, as a reader names it and as the table does; values as text."""

    name: str
    entry: str
    role: Role | None
    before: str
    now: str

    @property
    def effect(self) -> Effect:
        """What depends on it."""
        return effect_of(self.entry)


def differences(before: Settings, now: Settings) -> Iterator[Difference]:
    """Yield every setting that differs, in the order of the settings; pools come last."""
    old, new = (dict(leaves(_without_endpoints(one), ())) for one in (before, now))
    for path in dict.fromkeys((*old, *new)):
        if old.get(path) != new.get(path):
            yield _difference(path, old.get(path), new.get(path))
    for role in Role:
        if role in before.roles and role in now.roles:
            yield from _of_pool(role, before.roles[role], now.roles[role])


def leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Paths and plain values of a dumped record; ``None`` is left out, plain lists of names are one value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and path[-1] in LISTS:
        yield path, ", ".join(value)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    elif value is not None:
        yield path, value


def entry_of(path: Path) -> str:
    """Name in the table of the setting at ``path``.

    Raises:
        KeyError: the table lacks it.
    """
    steps = (*path, "*") if path[-1] in LISTS else path
    for entry in EFFECTS:
        parts = entry.split(".")
        if len(parts) == len(steps) and all(
            part in ("*", step) for part, step in zip(parts, steps, strict=True)
        ):
            return entry
    raise KeyError(path)


def named(endpoint: EndpointSettings) -> str:
    """The model of an endpoint, with its address."""
    return f"{endpoint.spec}@{endpoint.base_url}" if endpoint.base_url else endpoint.spec


def _without_endpoints(settings: Settings) -> dict[str, Any]:
    dumped = settings.model_dump(mode="json")
    for pool in dumped["roles"].values():
        del pool["endpoints"]
    return dumped


def _difference(path: Path, before: Any, now: Any) -> Difference:
    role = Role(str(path[1])) if path[0] == "roles" else None
    return Difference(_dotted(path), entry_of(path), role, _shown(before), _shown(now))


def _of_pool(role: Role, before: RoleSettings, now: RoleSettings) -> Iterator[Difference]:
    """Which endpoints there are, in order, then what else differs of those that stayed."""
    name = f"roles.{role.value}.endpoints"
    told = tuple(", ".join(map(named, pool.endpoints)) for pool in (before, now))
    if told[0] != told[1]:
        yield Difference(name, SPEC, role, *told)
    stayed = {named(endpoint): endpoint for endpoint in before.endpoints}
    for place, endpoint in enumerate(now.endpoints):
        if named(endpoint) in stayed:
            yield from _of_endpoint((role, place, name), stayed[named(endpoint)], endpoint)


def _of_endpoint(
    at: tuple[Role, int, str], before: EndpointSettings, now: EndpointSettings
) -> Iterator[Difference]:
    role, place, name = at
    old, new = (dict(leaves(one.model_dump(mode="json"), ())) for one in (before, now))
    for path in dict.fromkeys((*old, *new)):
        if old.get(path) != new.get(path):
            entry = entry_of(("roles", role.value, "endpoints", place, *path))
            shown = f"{name}[{place}].{_dotted(path)}"
            yield Difference(shown, entry, role, _told(path, old.get(path)), _told(path, new.get(path)))


def _dotted(path: Path) -> str:
    name = ""
    for step in path:
        name += f"[{step}]" if isinstance(step, int) else f".{step}" if name else step
    return name


def _told(path: Path, value: Any) -> str:
    """A value of an endpoint; of a hash its start."""
    return _shown(value)[:HASH_DIGITS] if path == ("sha256",) else _shown(value)


def _shown(value: Any) -> str:
    return NOTHING if value is None else str(value)
