"""A model file served in this process: llama.cpp's own server on a loopback port, spoken to as OpenAI's.

Calling the model directly would be possible too (``Server.handle_chat_completions``), but such a call
cannot be abandoned: after a time-out it would go on computing in its slot, and Ctrl-C would wait for it.
A request over a connection ends when the connection is closed. Everything else (schema, refusals,
reading replies) is the code that every other endpoint has.

Only loaded when a spec names a model file; the port answers nobody who lacks the key drawn here.
"""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

from salitrap.errors import ConfigError
from salitrap.providers.api_keys import Redactor
from salitrap.providers.wire.gguf_file import INSTALL
from salitrap.providers.wire.interface import WireReply, WireRequest
from salitrap.providers.wire.openai_wire import OpenAIWire
from salitrap.settings.endpoints import GgufSettings

try:
    import xllamacpp
except ImportError as error:
    raise ConfigError(f"xllamacpp cannot be loaded ({error}); {INSTALL}") from error

SILENT = -1
GREETING = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 1}
PROMPT_CACHE_MIB = 512
"""Memory for prompts that were read before; llama.cpp's default has no limit in this binding."""


class GgufWire:
    """A loaded model; it is unloaded by ``close``."""

    def __init__(self, path: Path, settings: GgufSettings) -> None:
        """Load ``path``; this takes seconds, during which nothing else of the process runs.

        Raises:
            ConfigError: llama.cpp cannot load it, or it does not chat.
        """
        key = token_urlsafe(24)
        self._server: Any = _loaded(path, settings, key)
        self._client = OpenAIWire(f"{self._server.listening_address}/v1", key, Redactor([key]))

    async def send(self, request: WireRequest) -> WireReply:
        """Make one attempt; the SDK's exceptions come through unchanged."""
        return await self._client.send(request)

    async def close(self) -> None:
        """Close the connections, which ends what is being computed, and free the model's memory."""
        await self._client.close()
        self._server = None


def _loaded(path: Path, settings: GgufSettings, key: str) -> Any:
    """A server that has answered once: one that is freed before its loop has begun hangs for ever."""
    try:
        server = xllamacpp.Server(_parameters(path, settings, key))
        said = server.handle_chat_completions(GREETING)
    except (RuntimeError, ValueError) as error:
        raise ConfigError(
            f"{path}: llama.cpp cannot load it; the file may be incomplete, of a kind this version of "
            "xllamacpp does not know, or too large for the memory (lower gguf.context or gguf.slots)"
        ) from error
    if "choices" not in said:
        raise ConfigError(f"{path}: this model does not chat; give an instruct model")
    return server


def _parameters(path: Path, settings: GgufSettings, key: str) -> Any:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {path.name}  # otherwise every reply names the whole path
    parameters.n_ctx = settings.context * settings.slots
    parameters.n_parallel = settings.slots
    parameters.cpuparams.n_threads = settings.threads or _spare_cpus()
    parameters.cache_ram_mib = PROMPT_CACHE_MIB
    parameters.hostnames, parameters.port = ["127.0.0.1"], 0
    parameters.api_keys = [key]
    parameters.ui = False
    parameters.verbosity = SILENT
    return parameters


def _spare_cpus() -> int:
    """CPUs this process may use, but one: the threads wait for each other, so a busy CPU holds up all."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable - 1)
