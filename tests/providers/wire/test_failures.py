"""The table of failures is complete, and says what it should."""

from __future__ import annotations

import importlib
import inspect

import aiohttp
import anthropic
import httpx2
import openai
import pytest

from salitrap.errors import CredentialRejected, EndpointUnavailable, RateLimited
from salitrap.providers.wire.failure_kinds import RULES, Kind
from salitrap.providers.wire.failure_table import STATUS, TABLE
from salitrap.providers.wire.failures import failure_of, known
from salitrap.providers.wire.interface import UpstreamError
from salitrap.records import Outcome


def exceptions_of(module):
    found = {}
    for name in sorted(set(dir(module)) | set(getattr(module, "__all__", ()))):
        value = getattr(module, name, None)
        if inspect.isclass(value) and issubclass(value, Exception) and not issubclass(value, Warning):
            found[value] = f"{value.__module__.partition('.')[0]}.{value.__name__}"
    return found


@pytest.mark.parametrize("sdk", ["openai", "openai._exceptions", "anthropic", "anthropic._exceptions"])
def test_every_sdk_exception_has_a_line_of_its_own(sdk):
    names = set(exceptions_of(importlib.import_module(sdk)).values())
    assert names
    assert sorted(names - set(TABLE)) == []


@pytest.mark.parametrize("transport", [aiohttp, httpx2])
def test_every_transport_exception_is_covered(transport):
    found = exceptions_of(transport)
    assert found
    uncovered = [name for kind, name in found.items() if not known(kind.__new__(kind))]
    assert sorted(uncovered) == []


def test_every_kind_has_a_rule_and_every_rule_an_outcome_that_is_a_failure():
    assert set(RULES) == set(Kind)
    assert {rule.outcome for rule in RULES.values()} == {
        Outcome.API_ERROR,
        Outcome.TIMEOUT,
        Outcome.FILTERED,
    }
    assert not any(rule.retryable for rule in RULES.values() if rule.stop)


def status_error(sdk, status, body=None, headers=None):
    response = httpx2.Response(
        status, json=body or {}, headers=headers, request=httpx2.Request("POST", "http://h/")
    )
    client = sdk(api_key="k", base_url="http://h/")
    return client._make_status_error_from_response(response)


@pytest.mark.parametrize("sdk", [openai.OpenAI, anthropic.Anthropic])
@pytest.mark.parametrize(
    ("status", "kind", "retryable", "stop"),
    [
        (400, Kind.BAD_REQUEST, False, None),
        (401, Kind.CREDENTIALS, False, CredentialRejected),
        (402, Kind.BILLING, False, RateLimited),
        (403, Kind.CREDENTIALS, False, CredentialRejected),
        (404, Kind.NOT_FOUND, False, EndpointUnavailable),
        (408, Kind.TIMEOUT, True, None),
        (409, Kind.SERVER, True, None),
        (413, Kind.BAD_REQUEST, False, None),
        (422, Kind.BAD_REQUEST, False, None),
        (429, Kind.RATE_LIMIT, True, None),
        (500, Kind.SERVER, True, None),
        (502, Kind.SERVER, True, None),
        (503, Kind.SERVER, True, None),
        (504, Kind.TIMEOUT, True, None),
        (529, Kind.SERVER, True, None),
    ],
)
def test_status_means_the_same_in_both_sdks(sdk, status, kind, retryable, stop):
    failure = failure_of(status_error(sdk, status))
    assert (failure.kind, failure.status) == (kind, status)
    assert (failure.rule.retryable, failure.rule.stop) == (retryable, stop)
    assert STATUS.get(status, kind) is kind


def test_exhausted_credit_is_not_taken_for_a_rate_limit():
    body = {"error": {"message": "no credit", "code": "insufficient_quota"}}
    assert failure_of(status_error(openai.OpenAI, 429, body)).kind is Kind.BILLING


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
def test_prompt_that_a_filter_refuses_is_filtered_not_an_error(code):
    """Some providers filter the prompt with a 400, not the reply with a finish reason."""
    body = {"error": {"message": "the prompt triggered our policy", "code": code}}
    failure = failure_of(status_error(openai.OpenAI, 400, body))
    assert (failure.kind, failure.rule.outcome) == (Kind.FILTERED, Outcome.FILTERED)


def test_retry_after_headers_are_passed_on():
    for headers, expected in (({"retry-after": "3"}, "3"), ({"retry-after-ms": "1500"}, "1.5"), ({}, None)):
        assert failure_of(status_error(openai.OpenAI, 429, headers=headers)).retry_after == expected


def test_upstream_error_in_a_200_goes_by_its_code():
    kinds = [failure_of(UpstreamError("m", status=code, body="")).kind for code in (502, 429, 401, None)]
    assert kinds == [Kind.SERVER, Kind.RATE_LIMIT, Kind.CREDENTIALS, Kind.BAD_REPLY]


def test_a_fault_of_ours_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        failure_of(ZeroDivisionError("ours"))


def test_a_refused_connection_is_not_told_as_a_time_out() -> None:
    """Guards against the SDK's own words, which send the user looking for a slow server."""
    refused = openai.APITimeoutError(request=httpx2.Request("POST", "http://127.0.0.1:1/v1"))
    refused.__cause__ = ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 1)")
    failure = failure_of(refused)
    assert failure.kind is Kind.UNREACHABLE
    assert "Connect call failed" in failure.detail
    assert "timed out" not in failure.detail
