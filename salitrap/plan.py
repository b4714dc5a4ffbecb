"""What a stage expects to spend, before anything is paid."""

from __future__ import annotations

from salitrap.records.base import Record
from salitrap.records.enums import Role, Stage


class RolePlan(Record):
    """Calls of one role in one stage, as a range; tokens are the expected total of the high end."""

    stage: Stage
    role: Role
    calls_low: int
    calls_high: int
    input_tokens: int
    output_tokens: int


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
