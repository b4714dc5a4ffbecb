"""One endpoint: where calls go, what it was found to accept, and whether it works."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field, replace

from salitrap.errors import StoppedError
from salitrap.providers.batch.recorded import recorded
from salitrap.providers.journal.keys import sampling_seed
from salitrap.providers.money.price import Price
from salitrap.providers.money.prices import charged_price
from salitrap.providers.pacing.breaker import Breaker
from salitrap.providers.pacing.health import Health
from salitrap.providers.pacing.limiter import Limiter
from salitrap.providers.request import CallRequest
from salitrap.providers.spec import ModelSpec, Provider
from salitrap.providers.wire.failure_kinds import Kind
from salitrap.providers.wire.failures import Failure
from salitrap.providers.wire.interface import Wire, WireRequest
from salitrap.settings.endpoints import EndpointSettings

HIGHEST_TEMPERATURE = {Provider.ANTHROPIC: 1.0}
_LOG = logging.getLogger(__name__)
_NOT_TAKEN = re.compile(
    r"not (supported|permitted|allowed|accepted|recogni[sz]ed)|un(supported|known|recogni[sz]ed|expected)"
    r"|deprecated|\buse ['\"`]?max_",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Quirks:
    """Parameters the endpoint was found not to take; learnt from its own refusals."""

    token_parameter: str
    no_temperature: bool = False
    no_seed: bool = False
    no_schema: bool = False
    renamed: bool = False

    def apply(self, request: WireRequest) -> WireRequest:
        """Return ``request`` without what the endpoint refuses."""
        return replace(
            request,
            temperature=None if self.no_temperature else request.temperature,
            seed=None if self.no_seed else request.seed,
            schema=None if self.no_schema else request.schema,
            token_parameter=self.token_parameter,
        )

    def learn(self, failure: Failure, sent: WireRequest) -> str | None:
        """Note what a refusal was about.

        Returns what is done about it when the request is worth repeating, None otherwise.
        """
        if failure.kind is not Kind.BAD_REQUEST:
            return None
        for name in (sent.token_parameter, "temperature", "seed", "response_format"):
            if failure.param == name or (failure.param is None and _names(failure.detail, name)):
                return self._drop(name, sent, failure.detail)
        return None

    def _drop(self, name: str, sent: WireRequest, said: str) -> str | None:
        if name == "temperature" and sent.temperature is not None:
            self.no_temperature = True
            return "temperature is not sent; the model's default applies"
        if name == "seed" and sent.seed is not None:
            self.no_seed = True
            return "the sampling seed is not sent"
        if name == "response_format" and sent.schema is not None:
            self.no_schema = True
            return "the reply's JSON schema is not enforced"
        return self._rename(sent) if name == sent.token_parameter and _not_taken(said) else None

    def _rename(self, sent: WireRequest) -> str | None:
        if sent.token_parameter != self.token_parameter:
            return f"the token limit travels as {self.token_parameter}"
        if self.renamed:
            return None
        self.renamed = True
        other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
        self.token_parameter = other[self.token_parameter]
        return f"the token limit travels as {self.token_parameter}"


@dataclass(slots=True, eq=False)
class Endpoint:
    """One endpoint of a run, shared by every role that names it with the same settings.

    ``identity`` enters the call key; it holds no port of ours. ``closed`` is why nothing more is
    sent there in this process; ``left_out`` is why calls were given up while the rest of the role went on.
    """

    settings: EndpointSettings
    spec: ModelSpec
    identity: str
    address: str
    wire: Wire
    limiter: Limiter
    quirks: Quirks
    key_env: str | None = None
    health: Health = field(default_factory=Health)
    breaker: Breaker = field(default_factory=Breaker)
    closed: StoppedError | None = None
    left_out: StoppedError | None = None
    _paused: tuple[StoppedError, float] | None = None
    known_ids: dict[str, None] = field(default_factory=dict)
    price: Price | None = field(init=False)

    def __post_init__(self) -> None:
        self.price = charged_price(self.settings)

    @property
    def family(self) -> str:
        """Name under which answers of this endpoint are reported."""
        return self.settings.family or self.spec.name

    @property
    def prices(self) -> tuple[float, float] | None:
        """USD per million input and output tokens as charged; None when unknown. The lab costs nothing."""
        return None if self.price is None else self.price.pair

    def close(self, why: StoppedError) -> StoppedError:
        """Send nothing there any more; returns the first reason that was given."""
        self.closed = self.closed or why
        self.limiter.release()
        return self.closed

    def pause(self, why: StoppedError, until: float) -> None:
        """Send nothing there before monotonic time ``until``."""
        self._paused = (why, until)

    def shut(self, now: float) -> StoppedError | None:
        """Why it takes no calls at monotonic time ``now``; None when it does."""
        if self.closed is None and self._paused is not None and self._paused[1] > now:
            return self._paused[0]
        return self.closed

    @property
    def taking(self) -> bool:
        """False while it rests, and while a first request tries whether it has recovered."""
        return not self.limiter.held and not (self.breaker.probing and self.limiter.full)

    def note_served(self, claimed: int, used: int | None) -> None:
        """A request was served; tokens ``claimed`` before it, and ``used`` when that was reported."""
        self.health.note_success()
        self.breaker.served()
        self.limiter.served(claimed, used)

    def note_failure(self, failure: Failure, started: float, now: float, asked: float | None) -> None:
        """A request that was sent at monotonic time ``started`` failed: go slower, or rest.

        ``asked`` is the pause in seconds that the endpoint asked for; it knows better than we do.
        """
        if failure.kind is Kind.FILTERED:
            self.health.note_success()
            return
        if failure.in_batch:  # it took the batch, and hours lie between one failure and the next
            return
        self.health.note_failure(failure, now, started)
        if failure.too_fast:
            self.limiter.refused(started)
            if self.limiter.at_work(
                started
            ):  # refusals come before replies: a smaller window is answer enough
                return
        if failure.rule.retryable and (rest := self.breaker.failed(started, now)):
            self.limiter.rest(min(rest, self.health.longest_delay(failure)) if asked is None else asked)

    @property
    def batch(self) -> bool:
        """True when its requests travel in batches: a reply may take a day, and no time is counted."""
        return self.settings.batch

    @property
    def counts_attempts(self) -> bool:
        """True when it is told how often a call was tried: the lab draws its faults by that."""
        return self.spec.provider is Provider.LAB

    def wire_request(self, request: CallRequest, key: str, attempt: int | None = None) -> WireRequest:
        """Return what really goes out for ``request``; ``attempt`` only where attempts are counted."""
        ceiling = HIGHEST_TEMPERATURE.get(self.spec.provider, request.temperature)
        seeded = self.settings.sampling_seed
        seeded = self.spec.provider is Provider.LAB if seeded is None else seeded
        asked = WireRequest(
            model=self.spec.name,
            messages=request.messages,
            max_tokens=request.max_tokens,
            temperature=min(request.temperature, ceiling),
            seed=sampling_seed(key) if seeded else None,
            schema=request.schema if self.takes_schema else None,
            attempt=attempt,
            key=key,
            call=recorded(self.settings, request) if self.batch else "",
        )
        return self.quirks.apply(asked)

    @property
    def takes_schema(self) -> bool:
        """True when a reply's JSON schema is sent: declared, or OpenAI's own, until that refuses it."""
        own_address = self.spec.base_url or self.settings.base_url
        official = self.spec.provider is Provider.OPENAI and own_address is None
        return official if self.settings.json_schema is None else self.settings.json_schema

    def learn(self, failure: Failure, sent: WireRequest) -> bool:
        """Learn from a refusal; True when the request is worth repeating at once."""
        before = replace(self.quirks)
        remedy = self.quirks.learn(failure, sent)
        if remedy is not None and self.quirks != before:
            _LOG.warning("endpoint %s refused a parameter: %s", self.spec.text, remedy)
        return remedy is not None

    def note_model(self, returned_model: str) -> None:
        """Report an id under which the provider has not answered before in this run."""
        if not returned_model or returned_model in self.known_ids:
            return
        if self.known_ids:
            before = ", ".join(self.known_ids)
            _LOG.warning("endpoint %s answered as %s, before as %s", self.spec.text, returned_model, before)
        self.known_ids[returned_model] = None


def _names(detail: str, parameter: str) -> bool:
    """True when a refusal's text names a parameter as such, not merely in prose."""
    pattern = rf"['\"`]{parameter}['\"`]|\b{parameter}\s*:|unsupported (parameter|value)\W+{parameter}\b"
    return re.search(pattern, detail, re.IGNORECASE) is not None


def _not_taken(said: str) -> bool:
    """True when a refusal says that a parameter is not known, rather than that its value is too large."""
    return _NOT_TAKEN.search(said) is not None
