"""Who is asked for a role, and how: pools, endpoints, model files."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from salitrap.records.base import Record
from salitrap.settings.kinds import MOST_IN_FLIGHT, Positive, Seconds


class Policy(StrEnum):
    """How a pool chooses an endpoint."""

    ROUND_ROBIN = "round_robin"
    FAILOVER = "failover"


class GgufSettings(Record):
    """How the model file of a ``gguf/PATH`` spec is served.

    ``context`` is the most tokens of one request with its reply, ``slots`` the number of requests
    at a time (each needs memory for its context), ``threads`` all CPUs but one unless given.
    """

    context: Annotated[int, Field(ge=512)] = 8192
    slots: Annotated[int, Field(ge=1, le=64)] = 2
    threads: Positive | None = None


class EndpointSettings(Record):
    """One endpoint of a pool.

    ``spec`` is ``openai/NAME``, ``openai/NAME@http://host/v1``, ``anthropic/NAME``, ``gguf/PATH``
    (a model file, served in this process as ``gguf`` says) or ``lab/NAME``; for the judge also ``rules``.
    Keys are named by environment variable, never written here. ``in_flight`` is the most requests at
    a time; how many really are is found out, starting low. ``rpm`` and ``tpm`` are the provider's
    limits on requests and tokens a minute. ``timeout`` stands for the role's ``attempt_timeout``.
    ``proxy`` is an address and ``ca`` a PEM file of certificates to trust besides the system's.
    ``sha256`` is what the model file must hold; a run fills it in, so that another file is noticed.
    ``batch`` sends requests through the provider's batch interface. Prices are USD per million tokens;
    absent ones are reported as unknown, not as zero; ``price_cached_input``, for input that the provider
    takes from its cache, is that of input where it is absent.
    """

    spec: str
    api_key_env: str | None = None
    base_url: str | None = None
    family: str | None = None
    json_schema: bool | None = None
    sampling_seed: bool | None = None
    in_flight: Annotated[int, Field(ge=1, le=MOST_IN_FLIGHT)] = 64
    rpm: Positive | None = None
    tpm: Positive | None = None
    timeout: Seconds | None = None
    proxy: str | None = None
    ca: str | None = None
    batch: bool = False
    gguf: GgufSettings | None = None
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = None
    price_input: Annotated[float, Field(ge=0.0)] | None = None
    price_output: Annotated[float, Field(ge=0.0)] | None = None
    price_cached_input: Annotated[float, Field(ge=0.0)] | None = None


class RoleSettings(Record):
    """The pool of one role and how it is sampled.

    ``attempt_timeout`` bounds one attempt and ``deadline`` all attempts at one call with the pauses
    between them; the deadline of ``limits`` holds where it is absent.
    """

    endpoints: tuple[EndpointSettings, ...] = Field(min_length=1)
    policy: Policy = Policy.FAILOVER
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.2
    max_tokens: Positive = 2048
    attempt_timeout: Seconds = 90.0
    deadline: Seconds | None = None
