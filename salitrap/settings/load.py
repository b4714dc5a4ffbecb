"""Read a settings file; every fault names file, line and key."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from salitrap.errors import ConfigError, SeedFileError
from salitrap.records.enums import Role
from salitrap.settings.model import Settings
from salitrap.yaml_source import YamlSource, read_yaml


def load_settings(path: Path) -> Settings:
    """Read and check ``path``; domain paths are resolved against its folder.

    Raises:
        ConfigError: not YAML, an unknown key, a wrong value, or a role without a pool.
        InputError: the file cannot be read.
    """
    try:
        source = read_yaml(path)
    except SeedFileError as error:
        raise ConfigError(str(error)) from error
    if not isinstance(source.value, dict):
        raise ConfigError(f"{path}: expected a mapping such as 'roles: ...'")
    try:
        settings = Settings.model_validate(source.value)
    except ValidationError as error:
        raise ConfigError(_first_fault(source, error)) from error
    _require_roles(settings, path)
    return settings.model_copy(update={"domains": _resolved(settings.domains, path.parent)})


def _require_roles(settings: Settings, path: Path) -> None:
    missing = [role.value for role in Role if role not in settings.roles]
    if missing:
        raise ConfigError(f"{path}: roles without a pool: {', '.join(missing)}; add each under 'roles:'")


def _resolved(domains: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    return tuple(name if name == "builtin" else str((folder / name).resolve()) for name in domains)


def _first_fault(source: YamlSource, error: ValidationError) -> str:
    faults = error.errors(include_url=False)
    first = faults[0]
    location = tuple(first["loc"])
    line = source.line_of(location)
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{source.path}:{line}: {'.'.join(map(str, location))}: {first['msg']}{more}"
