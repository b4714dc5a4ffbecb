"""Read a settings file; every fault names file, line and key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from salitrap.errors import ConfigError, SeedFileError
from salitrap.records.enums import Role
from salitrap.settings.checks import setting_faults
from salitrap.settings.endpoints import RoleSettings
from salitrap.settings.explain import fault_of
from salitrap.settings.model import Settings
from salitrap.yaml_hints import full_width_hint, is_wrongly_quoted
from salitrap.yaml_source import KeyPath, Yaml, YamlSource, read_yaml


def load_settings(path: Path, needed: Iterable[Role] = tuple(Role)) -> Settings:
    """Read and check ``path``; paths of domains, prompts and ``ca`` are resolved against its folder.

    ``needed`` are the roles that must have a pool: all for a run, none for an evaluation, whose models may
    be named on the command line.

    Raises:
        ConfigError: not YAML, an unknown key, a wrong or contradictory value, or a role without a pool.
        InputError: the file cannot be read.
    """
    source = _read(path)
    try:
        settings = Settings.model_validate(source.value)
    except ValidationError as error:
        found = [fault_of(one, Settings) for one in error.errors(include_url=False)]
        raise _refused(source, found) from error
    faults = list(setting_faults(settings))
    if faults:
        raise _refused(source, faults)
    _require_roles(settings, needed, path)
    return _located(settings, path.parent)


def _read(path: Path) -> YamlSource:
    try:
        source = read_yaml(path)
    except SeedFileError as error:
        raise ConfigError(str(error)) from error
    if not isinstance(source.value, dict):
        hint = full_width_hint(source.value) if isinstance(source.value, str) else ""
        raise ConfigError(f"{path}: expected a mapping such as 'roles: ...'{'; ' if hint else ''}{hint}")
    wrong = list(_wrongly_quoted(source.value, ()))
    if wrong:
        raise _refused(source, wrong)
    return source


def _wrongly_quoted(value: Yaml, at: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Values in typographic quotes, which YAML takes for a part of the text; a proxy's is never shown."""
    if isinstance(value, str) and is_wrongly_quoted(value) and at[-1:] != ("proxy",):
        yield at, f"got {value!r}; {full_width_hint(value)}"
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _wrongly_quoted(inner, (*at, key))
    if isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _wrongly_quoted(inner, (*at, place))


def _require_roles(settings: Settings, needed: Iterable[Role], path: Path) -> None:
    missing = [role.value for role in needed if role not in settings.roles]
    if missing:
        raise ConfigError(f"{path}: roles without a pool: {', '.join(missing)}; add each under 'roles:'")


def _located(settings: Settings, folder: Path) -> Settings:
    """``settings`` with absolute paths; model files stay as written (``providers.wire.gguf_file``)."""
    roles = {role: _pool(pool, folder) for role, pool in settings.roles.items()}
    changed: dict[str, object] = {"domains": _resolved(settings.domains, folder), "roles": roles}
    if settings.prompts is not None:
        changed["prompts"] = _absolute(settings.prompts, folder)
    if settings.lab.gold is not None:
        gold = _absolute(settings.lab.gold, folder)
        changed["lab"] = settings.lab.model_copy(update={"gold": gold})
    return settings.model_copy(update=changed)


def _pool(pool: RoleSettings, folder: Path) -> RoleSettings:
    endpoints = tuple(
        endpoint
        if endpoint.ca is None
        else endpoint.model_copy(update={"ca": _absolute(endpoint.ca, folder)})
        for endpoint in pool.endpoints
    )
    return pool.model_copy(update={"endpoints": endpoints})


def _absolute(path: str, folder: Path) -> str:
    return str((folder / Path(path).expanduser()).resolve())


def _resolved(domains: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    return tuple(name if name == "builtin" else str((folder / name).resolve()) for name in domains)


def _refused(source: YamlSource, faults: Sequence[tuple[KeyPath, str]]) -> ConfigError:
    """One line about the first of ``faults``, with the number of the others."""
    place, sentence = faults[0]
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    where = f"{source.path}:{source.line_of(place)}: " + (f"{_dotted(place)}: " if place else "")
    return ConfigError(f"{where}{sentence}{more}")


def _dotted(place: KeyPath) -> str:
    """``("roles", "solver", "endpoints", 0, "spec")`` as ``roles.solver.endpoints[0].spec``."""
    name = ""
    for step in place:
        name += f"[{step}]" if isinstance(step, int) else f".{step}" if name else step
    return name
