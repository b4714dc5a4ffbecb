"""The one error of parsing."""

from __future__ import annotations

from salitrap.records.enums import Outcome

LONGEST_QUOTE = 200


class ParseError(ValueError):
    """A reply without the structure that was asked for.

    ``declined`` tells prose (the model did not try) and ``truncated`` a reply that breaks off from
    broken structure. The message goes back to the model when it is asked again, so it says what was
    wrong and quotes the reply.
    """

    def __init__(self, problem: str, text: str, *, declined: bool = False, truncated: bool = False) -> None:
        self.problem, self.declined, self.truncated = problem, declined, truncated
        super().__init__(f"{problem}; the reply was {quoted(text)}")

    @property
    def outcome(self) -> Outcome:
        """Declined, truncated or unparsable."""
        if self.truncated:
            return Outcome.TRUNCATED
        return Outcome.DECLINED if self.declined else Outcome.UNPARSABLE


def quoted(text: str) -> str:
    """Return the start and the end of ``text`` in quotes, on one line."""
    if len(text) <= LONGEST_QUOTE:
        return repr(text)
    half = LONGEST_QUOTE // 2
    return f"{text[:half]!r} ... {text[-half:]!r}"
