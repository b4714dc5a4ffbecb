"""What a stage expects to spend, before anything is paid."""

from __future__ import annotations

from salitrap.records.base import Record
from salitrap.records.enums import Role, Stage


class RolePlan(Record):
    """Calls and tokens of one role in one stage, from few to many.

    Tokens are totals over the calls. ``at_once`` is the most calls the stage has under way for this
    role at a time, None when only the endpoints limit it. ``embeddings`` marks the requests of filter f5,
    which go to their own endpoint and are booked under the checker.
    """

    stage: Stage
    role: Role
    calls_low: int
    calls_high: int
    input_low: int
    input_high: int
    output_low: int
    output_high: int
    at_once: int | None = None
    embeddings: bool = False

    @property
    def name(self) -> str:
        """The role as tables name it."""
        return "embeddings" if self.embeddings else self.role.value


class Plan(Record):
    """A sum of role plans."""

    roles: tuple[RolePlan, ...] = ()

    def __add__(self, other: Plan) -> Plan:
        return Plan(roles=self.roles + other.roles)

    @property
    def calls_low(self) -> int:
        """Fewest calls expected."""
        return sum(role.calls_low for role in self.roles)

    @property
    def calls_high(self) -> int:
        """Most calls expected."""
        return sum(role.calls_high for role in self.roles)

    @property
    def tokens_low(self) -> int:
        """Fewest tokens expected, in and out."""
        return sum(role.input_low + role.output_low for role in self.roles)

    @property
    def tokens_high(self) -> int:
        """Most tokens expected, in and out."""
        return sum(role.input_high + role.output_high for role in self.roles)
