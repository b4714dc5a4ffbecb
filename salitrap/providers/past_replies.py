"""Replies that the journal has already, so that nothing is paid for twice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from salitrap.providers.batch.reuse import kept_reply
from salitrap.providers.endpoint import Endpoint
from salitrap.providers.journal.conversations import cut_short
from salitrap.providers.journal.keys import CallKeys
from salitrap.providers.journal.store import Journal
from salitrap.providers.money.spend import Ledger
from salitrap.providers.reply import Reply


class PastReplies:
    """Looks replies up; ``reasks`` is how often a reply that could not be read is asked for again."""

    def __init__(self, journal: Journal, ledger: Ledger, reasks: int) -> None:
        self._journal, self._ledger, self._reasks = journal, ledger, reasks

    def find(self, keys: CallKeys, choices: Iterable[Endpoint]) -> Reply | None:
        """Return what one of ``choices`` has said to this call, None when it has to be made."""
        for endpoint in choices:
            found = self._usable(keys, endpoint) or self._kept(keys, endpoint)
            if found is not None:
                self._ledger.reused += 1
                return found
        return None

    def _usable(self, keys: CallKeys, endpoint: Endpoint) -> Reply | None:
        key = keys.at(endpoint.identity)
        first = keys.request.root is None
        stored = self._journal.find_answer(key) if first else self._journal.find_reply(key)
        return None if stored is None else Reply.stored(stored, endpoint)

    def _kept(self, keys: CallKeys, endpoint: Endpoint) -> Reply | None:
        """A reply of no use by itself: one of a batch, or one to be parsed again so that its talk goes on."""
        key = keys.at(endpoint.identity)
        if (kept := kept_reply(self._journal, endpoint, key)) is not None:
            return kept
        if not keys.request.structured:
            return None
        stored = cut_short(self._journal, keys.ask_at(endpoint.identity), key, self._reasks)
        return None if stored is None else replace(Reply.stored(stored, endpoint), settled=False)
