"""Faults of the Hub and of the way there, as errors that say what to do: one table, tried from the top."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from salitrap.errors import EndpointUnavailable, InputError, RateLimited, SalitrapError, StoppedError

NO_TOKEN = "no token: run `hf auth login`, or set HF_TOKEN to a token with the right to write"
READ_ONLY = (
    "the token may not write there; give one with the right to write to this repository, and check that the "
    "account belongs to the organization"
)
AGAIN = "repeat the command; what was finished stays"


class HeadMoved(StoppedError):
    """Somebody committed between our reading and our commit."""


Made = Callable[[str, str], SalitrapError]


def _input(advice: str) -> Made:
    return lambda about, told: InputError(f"{about}: {advice}{_said(told)}")


def _stopped(kind: type[StoppedError], advice: str) -> Made:
    return lambda about, told: kind(f"{about}: {advice}{_said(told)}")


BY_STATUS: dict[int, Made] = {
    400: _input("the Hub refused the request"),
    401: _input("the Hub refused the token; run `hf auth login`, or set HF_TOKEN anew"),
    402: _input("the Hub asks for payment or more storage of this account"),
    403: _input(READ_ONLY),
    404: _input(
        "not found on the Hub, or private and your token may not see it; check the name and HF_TOKEN"
    ),
    409: _stopped(HeadMoved, f"the repository changed meanwhile; {AGAIN}"),
    412: _stopped(HeadMoved, f"somebody else committed meanwhile; {AGAIN}"),
    413: _input("too large for the Hub"),
    429: _stopped(RateLimited, f"the Hub asks to wait (rate limit); wait some minutes, then {AGAIN}"),
}
"""By HTTP status; all others from 500 on are the Hub's own trouble, all others below are refusals."""

_TROUBLE = _stopped(EndpointUnavailable, f"the Hub is in trouble; {AGAIN}")
_UNREACHED = _stopped(EndpointUnavailable, f"the Hub could not be reached; check the network, then {AGAIN}")
_INCOMPLETE = _stopped(EndpointUnavailable, f"a file came incomplete; {AGAIN}")


@contextmanager
def hub_faults(about: str) -> Iterator[None]:
    """Translate what the Hub's client raises in the block, also where it wraps it: an upload's fault, say.

    Raises:
        InputError: the name, the token or its rights, a gate, or a revision that is not there.
        HeadMoved: somebody else committed meanwhile.
        RateLimited: the Hub asks to wait.
        EndpointUnavailable: not reached, in trouble, or a reply that broke off.
    """
    try:
        yield
    except SalitrapError:
        raise
    except Exception as error:
        for one in (error, error.__cause__):
            made = _made_of(one) if isinstance(one, Exception) else None
            if one is not None and made is not None:
                raise made(about, _told_by(one)) from error
        raise


def _made_of(error: Exception) -> Made | None:
    for kinds, made in _by_kind():
        if isinstance(error, kinds):
            return made
    if isinstance(error, OSError) and "Consistency check failed" in str(error):
        return _INCOMPLETE  # the client has no class for it
    status = getattr(getattr(error, "response", None), "status_code", None)
    if not isinstance(status, int):
        return None
    refused = _TROUBLE if status >= 500 else BY_STATUS[400]  # server errors begin there
    return BY_STATUS.get(status, refused)


def _by_kind() -> tuple[tuple[tuple[type[Exception], ...], Made], ...]:
    """Narrow classes first: some of them descend from others."""
    import httpx2
    from huggingface_hub import errors

    return (
        ((errors.LocalTokenNotFoundError,), _input(NO_TOKEN)),
        ((errors.HFValidationError,), _input("no name that the Hub takes; give ORG/NAME")),
        (
            (errors.GatedRepoError,),
            _input("gated; ask for access on its page, with the account of your token"),
        ),
        ((errors.DisabledRepoError,), _input("disabled by the Hub")),
        ((errors.RevisionNotFoundError,), _input("no such version or commit there")),
        ((errors.RepositoryNotFoundError,), BY_STATUS[404]),
        ((errors.OfflineModeIsEnabled,), _input("HF_HUB_OFFLINE is set; unset it for this command")),
        ((errors.LocalEntryNotFoundError, errors.RevisionResolutionError), _UNREACHED),
        ((errors.RemoteEntryNotFoundError,), _input("lacks a file that its manifest names")),
        ((httpx2.TransportError, ConnectionError, TimeoutError), _UNREACHED),
        ((errors.FileMetadataError, errors.CorruptedCacheException), _INCOMPLETE),
    )


def _said(told: str) -> str:
    return f" (it said: {told})" if told else ""


def _told_by(error: BaseException) -> str:
    """The server's own sentence, on one line and not too long."""
    told = getattr(error, "server_message", None)
    return " ".join(str(told).split())[:200] if told else ""
