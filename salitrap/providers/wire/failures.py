"""What every exception of the SDKs and their transports means, by one table.

The table names classes by package and class, so that no SDK is imported for it; a test walks the
installed packages and fails when one of their exceptions is missing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from http import HTTPStatus
from typing import NamedTuple

from salitrap.errors import CredentialRejected, EndpointUnavailable, RateLimited, StoppedError
from salitrap.providers.api_keys import Redactor
from salitrap.providers.wire.interface import UpstreamError
from salitrap.providers.wire.told import shown, told
from salitrap.records.enums import Outcome

LONGEST_DETAIL = 400


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
    Kind.DROPPED: Rule(Outcome.API_ERROR, True),
    Kind.TIMEOUT: Rule(Outcome.TIMEOUT, True),
    Kind.RATE_LIMIT: Rule(Outcome.API_ERROR, True),
    Kind.SERVER: Rule(Outcome.API_ERROR, True),
    Kind.BAD_REPLY: Rule(Outcome.API_ERROR, True),
    Kind.NONSENSE: Rule(Outcome.API_ERROR, True),
    Kind.BAD_REQUEST: Rule(Outcome.API_ERROR, False),
    Kind.CREDENTIALS: Rule(Outcome.API_ERROR, False, CredentialRejected),
    Kind.NOT_FOUND: Rule(Outcome.API_ERROR, False, EndpointUnavailable),
    Kind.BILLING: Rule(Outcome.API_ERROR, False, RateLimited),
}

REMEDIES: dict[Kind, str] = {
    Kind.PROXY_LOGIN: "check the address with user and password in the variable that the endpoint's 'proxy:' "
    "names, or else in HTTPS_PROXY or HTTP_PROXY",
    Kind.CERTIFICATE: "name a PEM file with the certificate of the authority that signed it, as 'ca:' of the "
    "endpoint, or correct the address",
}
"""What to do about a refusal where it is always the same."""

STATUS: dict[int, Kind] = {
    401: Kind.CREDENTIALS,
    402: Kind.BILLING,
    403: Kind.CREDENTIALS,
    404: Kind.NOT_FOUND,
    407: Kind.PROXY_LOGIN,
    408: Kind.TIMEOUT,
    409: Kind.SERVER,
    425: Kind.SERVER,
    429: Kind.RATE_LIMIT,
    499: Kind.DROPPED,
    504: Kind.TIMEOUT,
}

OVERLOADED = 529

# A class stands for its subclasses unless they have a line of their own. None: look at the status.
TABLE: dict[str, Kind | None] = {
    "openai.OpenAIError": Kind.BAD_REQUEST,
    "openai.APIError": Kind.BAD_REPLY,
    "openai.APIStatusError": None,
    "openai.APIConnectionError": Kind.UNREACHABLE,
    "openai.APITimeoutError": Kind.TIMEOUT,
    "openai.APIResponseValidationError": Kind.BAD_REPLY,
    "openai.BadRequestError": Kind.BAD_REQUEST,
    "openai.AuthenticationError": Kind.CREDENTIALS,
    "openai.OAuthError": Kind.CREDENTIALS,
    "openai.PermissionDeniedError": Kind.CREDENTIALS,
    "openai.NotFoundError": Kind.NOT_FOUND,
    "openai.ConflictError": Kind.SERVER,
    "openai.UnprocessableEntityError": Kind.BAD_REQUEST,
    "openai.RateLimitError": Kind.RATE_LIMIT,
    "openai.InternalServerError": None,
    "openai.LengthFinishReasonError": Kind.BAD_REPLY,
    "openai.ContentFilterFinishReasonError": Kind.BAD_REPLY,
    "openai.InvalidWebhookSignatureError": Kind.BAD_REQUEST,
    "openai.SubjectTokenProviderError": Kind.CREDENTIALS,
    "openai.WebSocketConnectionClosedError": Kind.DROPPED,
    "openai.WebSocketQueueFullError": Kind.BAD_REQUEST,
    "openai._AmbiguousModuleClientUsageError": Kind.BAD_REQUEST,
    "anthropic.AnthropicError": Kind.BAD_REQUEST,
    "anthropic.APIError": Kind.BAD_REPLY,
    "anthropic.APIStatusError": None,
    "anthropic.APIConnectionError": Kind.UNREACHABLE,
    "anthropic.APITimeoutError": Kind.TIMEOUT,
    "anthropic.APIResponseValidationError": Kind.BAD_REPLY,
    "anthropic.APIWebhookValidationError": Kind.BAD_REPLY,
    "anthropic.BadRequestError": Kind.BAD_REQUEST,
    "anthropic.CMEKKeyDisabledError": Kind.CREDENTIALS,
    "anthropic.CMEKKeyNetworkBlockedError": Kind.CREDENTIALS,
    "anthropic.CMEKContextUnavailableError": Kind.SERVER,
    "anthropic.CMEKKeyUnreachableError": Kind.SERVER,
    "anthropic.ClaudeCodeKeyCreatorNotMemberError": Kind.CREDENTIALS,
    "anthropic.ClaudeCodeVersionTooOldError": Kind.CREDENTIALS,
    "anthropic.OrganizationOnHoldError": Kind.CREDENTIALS,
    "anthropic.OrganizationTypeNotSupportedError": Kind.CREDENTIALS,
    "anthropic.ParentOrganizationRequiredError": Kind.CREDENTIALS,
    "anthropic.WorkspaceHumanReviewDisabledError": Kind.CREDENTIALS,
    "anthropic.RequestBodyEncodingInvalidError": Kind.BAD_REQUEST,
    "anthropic.RequestBodyEncodingUnsupportedError": Kind.BAD_REQUEST,
    "anthropic.AuthenticationError": Kind.CREDENTIALS,
    "anthropic.PaymentRequiredError": Kind.BILLING,
    "anthropic.LinkedOrganizationBillingUnavailableError": Kind.BILLING,
    "anthropic.LinkedOrganizationSpendLimitReachedError": Kind.BILLING,
    "anthropic.PermissionDeniedError": Kind.CREDENTIALS,
    "anthropic.SandboxEgressRestrictedError": Kind.CREDENTIALS,
    "anthropic.NotFoundError": Kind.NOT_FOUND,
    "anthropic.RequestTimeoutError": Kind.TIMEOUT,
    "anthropic.ConflictError": Kind.SERVER,
    "anthropic.PreconditionFailedError": Kind.BAD_REQUEST,
    "anthropic.ContentTooLargeError": Kind.BAD_REQUEST,
    "anthropic.RequestBodyTooLargeAfterDecodingError": Kind.BAD_REQUEST,
    "anthropic.UnprocessableEntityError": Kind.BAD_REQUEST,
    "anthropic.RateLimitError": Kind.RATE_LIMIT,
    "anthropic.RampLimitExceededError": Kind.RATE_LIMIT,
    "anthropic.ContractSpendLimitReachedError": Kind.BILLING,
    "anthropic.EnforcedSpendLimitReachedError": Kind.BILLING,
    "anthropic.RequestHeaderFieldsTooLargeError": Kind.BAD_REQUEST,
    "anthropic.ClientClosedRequestError": Kind.DROPPED,
    "anthropic.InternalServerError": None,
    "anthropic.HTTPNotImplementedError": Kind.BAD_REQUEST,
    "anthropic.ServiceUnavailableError": Kind.SERVER,
    "anthropic.GatewayTimeoutError": Kind.TIMEOUT,
    "anthropic.OverloadedError": Kind.SERVER,
    "anthropic.RetryableError": Kind.SERVER,
    "anthropic.CredentialsError": Kind.CREDENTIALS,
    "anthropic.IdentityTokenFileError": Kind.CREDENTIALS,
    "anthropic.WorkloadIdentityError": Kind.CREDENTIALS,
    "httpx2.HTTPError": Kind.DROPPED,
    "httpx2.HTTPStatusError": None,
    "httpx2.TimeoutException": Kind.TIMEOUT,
    "httpx2.ConnectTimeout": Kind.UNREACHABLE,
    "httpx2.ConnectError": Kind.UNREACHABLE,
    "httpx2.ProxyError": Kind.PROXY,
    "httpx2.UnsupportedProtocol": Kind.NOT_FOUND,
    "httpx2.DecodingError": Kind.BAD_REPLY,
    "httpx2.TooManyRedirects": Kind.BAD_REPLY,
    "httpx2.InvalidURL": Kind.NOT_FOUND,
    "httpx2.StreamError": Kind.DROPPED,
    "httpx2.CookieConflict": Kind.BAD_REPLY,
    "httpx2.SSEError": Kind.BAD_REPLY,
    "aiohttp.ClientError": Kind.DROPPED,
    "aiohttp.ClientResponseError": None,
    "aiohttp.ClientConnectorError": Kind.UNREACHABLE,
    "aiohttp.ClientConnectorCertificateError": Kind.CERTIFICATE,
    "aiohttp.ClientProxyConnectionError": Kind.PROXY,
    "aiohttp.ClientHttpProxyError": Kind.PROXY,
    "aiohttp.ServerDisconnectedError": Kind.DROPPED,
    "aiohttp.ServerFingerprintMismatch": Kind.UNREACHABLE,
    "aiohttp.ServerTimeoutError": Kind.TIMEOUT,
    "aiohttp.ConnectionTimeoutError": Kind.UNREACHABLE,
    "aiohttp.InvalidURL": Kind.NOT_FOUND,
    "aiohttp.NonHttpUrlClientError": Kind.NOT_FOUND,
    "aiohttp.WebSocketError": Kind.BAD_REPLY,
    "aiohttp.WSMessageTypeError": Kind.BAD_REPLY,
    "aiohttp.EofStream": Kind.DROPPED,
    "ssl.SSLCertVerificationError": Kind.CERTIFICATE,
    "builtins.TimeoutError": Kind.TIMEOUT,
    "builtins.OSError": Kind.UNREACHABLE,
    "builtins.ConnectionError": Kind.DROPPED,
    "builtins.ConnectionRefusedError": Kind.UNREACHABLE,
    "salitrap.UpstreamError": None,
    "salitrap.NotAReply": Kind.NONSENSE,
    "salitrap.BatchFailure": None,
    "salitrap.BatchUnfinished": Kind.SERVER,
    "salitrap.BatchCancelled": Kind.BAD_REQUEST,
}


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed attempt.

    ``retry_after`` is the header as received, ``param`` a rejected parameter, ``batch`` the tag of the batch
    it happened in.
    """

    kind: Kind
    detail: str
    status: int | None = None
    retry_after: str | None = None
    param: str | None = None
    body: str = ""
    batch: str | None = None

    @property
    def rule(self) -> Rule:
        """What follows from it."""
        return RULES[self.kind]

    @property
    def too_fast(self) -> bool:
        """True when the endpoint asks for less at a time: 429, Anthropic's 529, 503 with a Retry-After.

        Any other 503 is a failure like a 500: going slower would not make it rarer.
        """
        wait = self.status == HTTPStatus.SERVICE_UNAVAILABLE and self.retry_after is not None
        return self.kind is Kind.RATE_LIMIT or self.status == OVERLOADED or wait

    @property
    def reason(self) -> str:
        """What the endpoint said, on one line of at most 200 characters."""
        return told(self.detail, self.body)

    def redacted(self, redactor: Redactor) -> Failure:
        """Return it without any key the endpoint may have echoed."""
        return replace(self, detail=redactor.clean(self.detail), body=redactor.clean(self.body))


def known(error: BaseException) -> bool:
    """True when the table has a line for ``error`` or one of its bases."""
    return _line(type(error)) is not None


def failure_of(error: Exception) -> Failure:
    """Explain an exception that came out of ``Wire.send``.

    Raises:
        Exception: ``error`` itself, when the table does not know it; it is then a fault of ours.
    """
    if not known(error):
        raise error
    status = _status(error)
    response = getattr(error, "response", None)
    headers = getattr(response, "headers", None) or {}
    return Failure(
        kind=_kind(error, status),
        detail=_detail(error),
        status=status,
        retry_after=_retry_after(headers),
        param=getattr(error, "param", None),
        batch=getattr(error, "batch", None),
        body=error.body if isinstance(error, UpstreamError) else getattr(response, "text", ""),
    )


def _kind(error: Exception, status: int | None) -> Kind:
    root = _root(error)
    kind = _by_table(root)
    if kind is Kind.PROXY and getattr(root, "status", None) == 407:
        return Kind.PROXY_LOGIN
    if kind is None:
        kind = _by_status(status)
    if kind is Kind.RATE_LIMIT and getattr(error, "code", None) == "insufficient_quota":
        return Kind.BILLING
    return kind


def _by_table(error: BaseException) -> Kind | None:
    line = _line(type(error))
    return TABLE[line] if line else None


def _by_status(status: int | None) -> Kind:
    if status is None or status < 400:
        return Kind.BAD_REPLY if status is None else Kind.NONSENSE
    if status in STATUS:
        return STATUS[status]
    return Kind.SERVER if status >= 500 else Kind.BAD_REQUEST


def _line(kind: type[BaseException]) -> str | None:
    for base in kind.__mro__:
        name = f"{base.__module__.partition('.')[0]}.{base.__name__}"
        if name in TABLE:
            return name
    return None


def _root(error: BaseException) -> BaseException:
    """The first cause the table knows: the SDKs call a refused connection a timeout.

    A proxy's refusal is not followed further: its cause does not say that it was the proxy's.
    """
    while error.__cause__ is not None and known(error.__cause__) and not _told_enough(error):
        error = error.__cause__
    return error


def _told_enough(error: BaseException) -> bool:
    return isinstance(error, UpstreamError) or _line(type(error)) == "aiohttp.ClientProxyConnectionError"


def _status(error: Exception) -> int | None:
    status = error.status if isinstance(error, UpstreamError) else getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _detail(error: Exception) -> str:
    root = _root(error)
    text = str(error) if root is error else _with_cause(error, root)
    text = shown(text)
    return text if len(text) <= LONGEST_DETAIL else text[: LONGEST_DETAIL - 1] + "…"


def _with_cause(error: Exception, root: BaseException) -> str:
    """The system's own words where it has some: an SDK calls a refused connection a timeout."""
    return str(root) if isinstance(root, OSError) and str(root) else f"{error} ({root})"


def _retry_after(headers: object) -> str | None:
    get = getattr(headers, "get", None)
    if get is None:
        return None
    milliseconds = get("retry-after-ms")
    if milliseconds is not None:
        try:
            return str(float(milliseconds) / 1000.0)
        except ValueError:
            return None
    value = get("retry-after")
    return None if value is None else str(value)
