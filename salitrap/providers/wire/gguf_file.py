"""Model files of ``gguf/PATH`` specs: found and checked before anything starts, told apart by content.

A relative path is taken from the working folder, for a settings file as for ``--model``: the spec stays
as it was written, so that the same settings have the same hash on every machine.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from salitrap.errors import ConfigError
from salitrap.providers.spec import ModelSpec, Provider, parse_spec
from salitrap.settings.endpoints import EndpointSettings, GgufSettings
from salitrap.settings.model import Settings

MAGIC = b"GGUF"
RUNTIME = "xllamacpp"
INSTALL = "pip install 'salitrap[local]'"
_PART = re.compile(r"-\d{5}-of-(?!00001)\d{5}\.gguf$")


def local_path(spec: ModelSpec) -> Path:
    """The absolute path of a spec's file, links kept as they are named; ``~`` is the home folder."""
    assert spec.path is not None
    return spec.path.expanduser().absolute()


def check_endpoints(endpoints: Iterable[EndpointSettings]) -> None:
    """Check every spec and the model files they name; nothing is loaded or started.

    Raises:
        ConfigError: a spec is not understood, or a model file cannot be used (see ``check_model_file``), or
            two files share a name.
    """
    specs = []
    for endpoint in endpoints:
        specs.append(parse_spec(endpoint.spec, endpoint.base_url))
        check_model_file(specs[-1], endpoint)
    refuse_namesakes(specs)


def check_model_file(spec: ModelSpec, endpoint: EndpointSettings) -> None:
    """Check that what ``spec`` needs is there; of a spec that names no file only that it asks for none.

    Raises:
        ConfigError: the extra is not installed, the file is missing, unreadable, no GGUF or not the one that
            ``sha256`` names, or ``gguf:`` stands beside a spec that names no file.
    """
    if spec.provider is not Provider.GGUF:
        if endpoint.gguf is not None:
            raise ConfigError(f"endpoint {spec.text}: 'gguf:' is for gguf/PATH specs; leave it out here")
        return
    if find_spec(RUNTIME) is None:
        raise ConfigError(f"endpoint {spec.text}: serving a model file needs {RUNTIME}; {INSTALL}")
    path = local_path(spec)
    if _PART.search(path.name):
        raise ConfigError(f"{path}: a part of a model; join the parts with llama-gguf-split --merge")
    if _start_of(path) != MAGIC:
        raise ConfigError(f"{path}: not a GGUF file; give an instruct model in this format")
    if endpoint.sha256 is not None and file_digest(spec) != endpoint.sha256:
        raise ConfigError(
            f"{path}: another file than the settings name (its sha256 is {file_digest(spec)}); put the right "
            "one there, or change sha256 or leave it out"
        )


def with_digests(settings: Settings) -> Settings:
    """``settings`` with the SHA-256 of every model file, so that a run notices another file of the same name.

    Raises:
        ConfigError: a file cannot be read.
    """
    roles = {
        role: pool.model_copy(update={"endpoints": tuple(_with_digest(end) for end in pool.endpoints)})
        for role, pool in settings.roles.items()
    }
    return settings.model_copy(update={"roles": roles})


def _with_digest(endpoint: EndpointSettings) -> EndpointSettings:
    spec = parse_spec(endpoint.spec, endpoint.base_url)
    if spec.provider is not Provider.GGUF:
        return endpoint
    return endpoint.model_copy(update={"sha256": file_digest(spec)})


def refuse_namesakes(specs: Iterable[ModelSpec]) -> None:
    """Results go by the file's name, so two files in use must not share one.

    Raises:
        ConfigError: two do.
    """
    paths: dict[str, Path] = {}
    for spec in specs:
        if spec.provider is Provider.GGUF:
            path = local_path(spec)
            if paths.setdefault(spec.text, path).resolve() != path.resolve():
                raise ConfigError(
                    f"two model files are named {path.name}: {paths[spec.text]} and {path}; "
                    "rename one, since results go by the name"
                )


def file_digest(spec: ModelSpec) -> str:
    """SHA-256 of a spec's file in hexadecimal; read once a process unless size or time of the file change.

    Raises:
        ConfigError: it cannot be read.
    """
    path = local_path(spec)
    try:
        state = path.stat()
        return _digest(path, state.st_size, state.st_mtime_ns)
    except OSError as error:
        raise _unreadable(path, error) from error


def as_served(endpoint: EndpointSettings, spec: ModelSpec) -> EndpointSettings:
    """``endpoint`` as a served file has it: free, one request a slot, reply schema and sampling seed on."""
    if spec.provider is not Provider.GGUF:
        return endpoint
    serving = endpoint.gguf or GgufSettings()
    return endpoint.model_copy(
        update={
            "gguf": serving,
            "in_flight": min(endpoint.in_flight, serving.slots),
            "json_schema": endpoint.json_schema is not False,
            "sampling_seed": endpoint.sampling_seed is not False,
            "price_input": 0.0,
            "price_output": 0.0,
        }
    )


@lru_cache(maxsize=8)
def _digest(path: Path, size: int, modified_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _start_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC))
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> ConfigError:
    if isinstance(error, FileNotFoundError):
        return ConfigError(
            f"{path}: no such model file; a relative gguf/PATH is taken from the working folder"
        )
    return ConfigError(f"{path}: the model file cannot be read: {error.strerror}")
