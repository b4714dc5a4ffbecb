"""What is said of an endpoint that fails, and what to do about it."""

from __future__ import annotations

from salitrap.errors import CredentialRejected, EndpointUnavailable, RateLimited, StoppedError
from salitrap.providers.api_keys import KEY_NAMED_BY
from salitrap.providers.endpoint import Endpoint
from salitrap.providers.pacing.local_model import local_advice
from salitrap.providers.wire.failure_kinds import REMEDIES, Kind
from salitrap.providers.wire.failures import Failure


def sentence(endpoint: Endpoint, failure: Failure) -> str:
    """Who failed, how, and what it said."""
    status = f" (HTTP {failure.status})" if failure.status else ""
    return f"endpoint {endpoint.spec.text} {failure.kind.value}{status}: {failure.reason}"


def unavailable(endpoint: Endpoint, failure: Failure) -> StoppedError:
    """The error of an endpoint that keeps failing."""
    health = endpoint.health
    served = "since it last served one" if health.succeeded else "and none was served"
    text = f"{sentence(endpoint, failure)}; {health.failed} requests failed {served}"
    if failure.kind is Kind.RATE_LIMIT:
        return RateLimited(f"{text}. Wait, or ask for less at a time (in_flight)")
    proxied = endpoint.settings.proxy is not None or failure.kind is Kind.PROXY
    what = "the proxy ('proxy:' of the endpoint, or HTTPS_PROXY and HTTP_PROXY), " if proxied else ""
    what += f"the address (asked at {endpoint.address}), the model name, the key and the service"
    return EndpointUnavailable(f"{text}. {local_advice(endpoint.spec, failure.kind) or f'Check {what}'}")


def refusal(endpoint: Endpoint, failure: Failure) -> StoppedError:
    """The error of an answer that no repetition will change."""
    stop = failure.rule.stop or EndpointUnavailable
    if failure.kind in REMEDIES:
        hint = REMEDIES[failure.kind]
    elif stop is CredentialRejected:
        named = f"check the key in {endpoint.key_env}"
        hint = named if endpoint.key_env else f"give it a key: {KEY_NAMED_BY}"
    elif failure.kind is Kind.NOT_FOUND:
        hint = f"check the model name and the address in the spec (asked at {endpoint.address})"
    else:
        hint = "add credit or raise the limit there"
    return stop(f"{sentence(endpoint, failure)}. Please {hint}")
