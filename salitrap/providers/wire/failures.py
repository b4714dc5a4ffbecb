"""What an exception that came out of a wire means, by the tables beside this file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus

from salitrap.providers.api_keys import Redactor
from salitrap.providers.wire.failure_kinds import RULES, Kind, Rule
from salitrap.providers.wire.failure_table import FILTER_CODES, OVERLOADED, STATUS, TABLE
from salitrap.providers.wire.interface import UpstreamError
from salitrap.providers.wire.told import shown, told

LONGEST_DETAIL = 400


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
    def in_batch(self) -> bool:
        """True when it happened inside a batch, which the endpoint had taken."""
        return self.batch is not None

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
    code = getattr(error, "code", None)
    if kind is Kind.RATE_LIMIT and code == "insufficient_quota":
        return Kind.BILLING
    return Kind.FILTERED if kind is Kind.BAD_REQUEST and code in FILTER_CODES else kind


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
