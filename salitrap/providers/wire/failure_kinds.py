"""Kinds of failure, and what follows from each."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from salitrap.errors import CredentialRejected, EndpointUnavailable, RateLimited, StoppedError
from salitrap.records.enums import Outcome


class Kind(StrEnum):
    """Kinds of failure of one attempt."""

    UNREACHABLE = "could not be reached"
    PROXY = "could not be reached through the proxy"
    PROXY_LOGIN = "could not be reached, since the proxy refused its user or password"
    CERTIFICATE = "showed a certificate that is not trusted here"
    DROPPED = "dropped the connection"
    TIMEOUT = "did not answer in time"
    RATE_LIMIT = "asks for a slower pace"
    SERVER = "failed"
    BAD_REPLY = "sent a reply that is an error"
    NONSENSE = "does not speak the interface"
    BAD_REQUEST = "refused the request"
    CREDENTIALS = "refused the key"
    NOT_FOUND = "does not know the model or the address"
    BILLING = "refused for lack of credit"
    FILTERED = "filtered the request"


class Rule(NamedTuple):
    """What follows from a kind: the call's outcome, whether to try again, and what stops the run."""

    outcome: Outcome
    retryable: bool
    stop: type[StoppedError] | None = None


RULES: dict[Kind, Rule] = {
    Kind.UNREACHABLE: Rule(Outcome.API_ERROR, True),
    Kind.PROXY: Rule(Outcome.API_ERROR, True),
    Kind.PROXY_LOGIN: Rule(Outcome.API_ERROR, False, CredentialRejected),
    Kind.CERTIFICATE: Rule(Outcome.API_ERROR, False, EndpointUnavailable),
    Kind.DROPPED: Rule(Outcome.TIMEOUT, True),  # sent, and perhaps served: it counts like a time-out
    Kind.TIMEOUT: Rule(Outcome.TIMEOUT, True),
    Kind.RATE_LIMIT: Rule(Outcome.API_ERROR, True),
    Kind.SERVER: Rule(Outcome.API_ERROR, True),
    Kind.BAD_REPLY: Rule(Outcome.API_ERROR, True),
    Kind.NONSENSE: Rule(Outcome.API_ERROR, True),
    Kind.BAD_REQUEST: Rule(Outcome.API_ERROR, False),
    Kind.CREDENTIALS: Rule(Outcome.API_ERROR, False, CredentialRejected),
    Kind.NOT_FOUND: Rule(Outcome.API_ERROR, False, EndpointUnavailable),
    Kind.BILLING: Rule(Outcome.API_ERROR, False, RateLimited),
    Kind.FILTERED: Rule(Outcome.FILTERED, False),
}

REMEDIES: dict[Kind, str] = {
    Kind.PROXY_LOGIN: "check the address with user and password in the variable that the endpoint's 'proxy:' "
    "names, or else in HTTPS_PROXY or HTTP_PROXY",
    Kind.CERTIFICATE: "name a PEM file with the certificate of the authority that signed it, as 'ca:' of the "
    "endpoint, or correct the address",
}
"""What to do about a refusal where it is always the same."""
