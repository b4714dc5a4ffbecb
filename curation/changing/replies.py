"""Replies in the journal, counted by what decides whether they can serve again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from salitrap.providers.journal.store import Journal
from salitrap.providers.spec import DEFAULT_BASE_URLS, Provider, parse_spec
from salitrap.records import Role
from salitrap.settings import EndpointSettings, RoleSettings, Settings

FILE = "sha256:"
"""How the address of a model file begins in a journal."""

_LONGEST = (
    "coalesce(json_extract(sampling, '$.max_tokens'), json_extract(sampling, '$.max_completion_tokens'))"
)
_QUERY = f"""
    SELECT role, model, endpoint, json_extract(sampling, '$.temperature') AS temperature,
           {_LONGEST} AS max_tokens, prompt, prompt_sha256, count(DISTINCT ask_key) AS calls
    FROM calls WHERE outcome = 'ok'
    GROUP BY role, model, endpoint, temperature, max_tokens, prompt, prompt_sha256
"""


class Replies(NamedTuple):
    """Usable replies of one role that were asked for alike; ``prompt`` is ``id@version/language`` or empty.

    ``temperature`` is as it was sent: None where the endpoint takes none.
    """

    role: Role
    model: str
    endpoint: str
    temperature: float | None
    max_tokens: int
    prompt: str
    prompt_sha256: str
    calls: int

    @property
    def prompt_id(self) -> str:
        """The prompt without version and language."""
        return self.prompt.partition("@")[0]

    @property
    def from_file(self) -> bool:
        """True when a model file was asked; its address is its content."""
        return self.endpoint.startswith(FILE)

    @property
    def simulated(self) -> bool:
        """True when the lab was asked."""
        return self.endpoint == Provider.LAB.value


def replies_in(journal: Path) -> tuple[Replies, ...]:
    """Count the usable replies of a journal; none when there is no journal.

    Raises:
        RunDirectoryError: it cannot be read.
    """
    if not journal.is_file():
        return ()
    with closing(Journal(journal, read_only=True)) as opened:
        return tuple(Replies(Role(row["role"]), *tuple(row)[1:]) for row in opened.select(_QUERY))


def serving(
    replies: Iterable[Replies], settings: Settings, prompts: Mapping[str, str]
) -> tuple[Replies, ...]:
    """Those that are asked for by the models, sampling and prompts given."""
    return tuple(one for one in replies if _serves(one, settings, prompts))


def counted(replies: Iterable[Replies], wanted: Callable[[Replies], bool]) -> dict[Role, int]:
    """Calls by role of the replies that are ``wanted``."""
    totals = Counter[Role]()
    for one in replies:
        if wanted(one):
            totals[one.role] += one.calls
    return {role: totals[role] for role in Role if totals[role]}


def from_endpoint(replies: Replies, endpoint: EndpointSettings) -> bool:
    """True when ``endpoint`` gave the replies; a model file goes by its name, and its content if recorded."""
    spec = parse_spec(endpoint.spec, endpoint.base_url)
    if endpoint.sha256 is not None and replies.endpoint != f"{FILE}{endpoint.sha256}":
        return False
    if spec.provider in (Provider.LAB, Provider.GGUF):
        return replies.model == spec.text
    address = spec.base_url or DEFAULT_BASE_URLS[spec.provider.value]
    return (replies.model, replies.endpoint) == (spec.text, address)


def _serves(replies: Replies, settings: Settings, prompts: Mapping[str, str]) -> bool:
    pool = settings.roles.get(replies.role)
    if pool is None or (replies.prompt and prompts.get(replies.prompt) != replies.prompt_sha256):
        return False
    return replies.max_tokens == pool.max_tokens and any(
        from_endpoint(replies, endpoint) and _as_warm(replies, pool, endpoint) for endpoint in pool.endpoints
    )


def _as_warm(replies: Replies, pool: RoleSettings, endpoint: EndpointSettings) -> bool:
    """Equal temperatures, as far as the endpoint takes one; Anthropic's end at 1."""
    anthropic = parse_spec(endpoint.spec, endpoint.base_url).provider is Provider.ANTHROPIC
    sent = min(pool.temperature, 1.0) if anthropic else pool.temperature
    return replies.temperature is None or replies.temperature == sent
