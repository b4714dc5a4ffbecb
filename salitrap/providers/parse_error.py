"""The one error of parsing."""

from __future__ import annotations

from salitrap.records.enums import Outcome

LONGEST_QUOTE = 200


class ParseError(ValueError):
    """A reply without the structure that was asked for.

    ``declined`` tells prose (the model did not try) from broken structure. The message goes back
    to the model when it is asked again, so it says what was wrong and quotes the reply.
    """

    def __init__(self, problem: str, text: str, *, declined: bool = False) -> None:
        self.problem, self.declined = problem, declined
        super().__init__(f"{problem}; the reply was {quoted(text)}")

    @property
    def outcome(self) -> Outcome:
        """Declined or unparsable."""
        return Outcome.DECLINED if self.declined else Outcome.UNPARSABLE


def quoted(text: str) -> str:
    """Return the start and the end of ``text`` in quotes, on one line."""
    if len(text) <= LONGEST_QUOTE:
        return repr(text)
    half = LONGEST_QUOTE // 2
    return f"{text[:half]!r} ... {text[-half:]!r}"
