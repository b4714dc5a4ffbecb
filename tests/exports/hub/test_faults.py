"""Every fault of the Hub's client becomes one line that says what to do."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import httpx2
import pytest
from huggingface_hub import errors

from exports.hub.faults import BY_STATUS, HeadMoved, hub_faults
from salitrap.errors import EndpointUnavailable, InputError, RateLimited, SalitrapError

ABOUT = "org/name"


def reply(status: int) -> httpx2.Response:
    return httpx2.Response(status, request=httpx2.Request("GET", "http://127.0.0.1/x"))


def of_the_hub() -> Iterator[type[errors.HfHubHTTPError]]:
    """Every error of the client that stands for a reply of the server."""
    for _, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, errors.HfHubHTTPError):
            yield kind


def translated(error: Exception) -> SalitrapError:
    with pytest.raises(SalitrapError) as caught, hub_faults(ABOUT):
        raise error
    return caught.value


@pytest.mark.parametrize("kind", of_the_hub())
def test_no_error_of_a_reply_passes_untranslated(kind: type[errors.HfHubHTTPError]) -> None:
    told = str(translated(kind("long text\nwith lines", response=reply(404), server_message="why so")))
    assert told.startswith(f"{ABOUT}: ") and "\n" not in told and "why so" in told


@pytest.mark.parametrize(
    "status", [400, 401, 402, 403, 404, 409, 412, 413, 418, 422, 429, 500, 502, 503, 504]
)
def test_every_status_says_whose_turn_it_is(status: int) -> None:
    error = translated(errors.HfHubHTTPError("x", response=reply(status)))
    expected: type[SalitrapError] = InputError
    if status >= 500:
        expected = EndpointUnavailable
    elif status in (409, 412):
        expected = HeadMoved
    elif status == 429:
        expected = RateLimited
    assert type(error) is expected


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (httpx2.ConnectError("x"), EndpointUnavailable, "could not be reached"),
        (httpx2.ReadTimeout("x"), EndpointUnavailable, "could not be reached"),
        (errors.OfflineModeIsEnabled("x"), InputError, "HF_HUB_OFFLINE"),
        (errors.LocalTokenNotFoundError("x"), InputError, "HF_TOKEN"),
        (errors.LocalEntryNotFoundError("x"), EndpointUnavailable, "could not be reached"),
        (OSError("Consistency check failed: file should be of size 7"), EndpointUnavailable, "incomplete"),
    ],
)
def test_the_way_there_has_faults_too(error: Exception, kind: type[SalitrapError], words: str) -> None:
    told = translated(error)
    assert type(told) is kind and words in str(told)


def test_what_is_no_fault_of_the_hub_is_left_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError), hub_faults(ABOUT):
        _ = 1 / 0
    with pytest.raises(PermissionError), hub_faults(ABOUT):
        raise PermissionError(13, "no")


def test_the_table_has_advice_for_each() -> None:
    assert all(str(made(ABOUT, "")).startswith(f"{ABOUT}: ") for made in BY_STATUS.values())
