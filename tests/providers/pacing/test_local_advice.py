"""A model file that is too slow is told what helps, not to check an address and a key it does not have."""

from __future__ import annotations

import pytest

from salitrap.errors import EndpointUnavailable
from salitrap.providers.endpoint import Endpoint, Quirks
from salitrap.providers.pacing.advice import unavailable
from salitrap.providers.spec import parse_spec
from salitrap.providers.wire.failure_kinds import Kind
from salitrap.providers.wire.failures import Failure
from tests.providers.helpers import endpoint


def told(spec: str, kind: Kind) -> str:
    """The error of an endpoint whose requests all failed in one way."""
    where = Endpoint(
        settings=endpoint(spec),
        spec=parse_spec(spec),
        identity=spec,
        address="sha256:0",
        wire=None,  # type: ignore[arg-type]
        limiter=None,  # type: ignore[arg-type]
        quirks=Quirks(token_parameter="max_tokens"),
    )
    error = unavailable(where, Failure(kind, "no reply within 90 s"))
    assert isinstance(error, EndpointUnavailable)
    return str(error)


def test_a_local_model_that_is_too_slow_needs_time_not_a_key():
    """It said "Check the address (asked at sha256:...), the model name, the key and the service"."""
    text = told("gguf/m.gguf", Kind.TIMEOUT)
    for words in (
        "attempt_timeout",
        "timeout of the endpoint",
        "limits.deadline",
        "max_tokens",
        "gguf.slots",
    ):
        assert words in text
    assert "Check" not in text and "key" not in text and "\n" not in text


@pytest.mark.parametrize("kind", [Kind.UNREACHABLE, Kind.SERVER, Kind.DROPPED])
def test_a_local_model_that_fails_otherwise_has_no_address_to_check_either(kind):
    text = told("gguf/m.gguf", kind)
    assert "memory" in text and "Check" not in text and "attempt_timeout" not in text


def test_other_endpoints_are_checked_as_before():
    assert "Check the address" in told("openai/m@http://127.0.0.1:1/v1", Kind.TIMEOUT)
