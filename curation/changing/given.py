"""What a run is given at a start, and one difference from the start before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from curation.changing.replies import Replies
from salitrap.records import Domain, Role, Stage
from salitrap.records.base import Record
from salitrap.settings import Settings


@dataclass(frozen=True, slots=True)
class Given:
    """Settings, the domains as read, and the prompts' hashes by ``id@version/language``."""

    settings: Settings
    domains: Sequence[Domain]
    prompts: Mapping[str, str]


class Change(Record):
    """One difference with what follows from it.

    ``anew`` are the stages decided anew. ``lost`` counts, by role and at most, the usable replies in the
    journal that cannot serve any more. ``decides`` is False where decisions come out as they were.
    """

    name: str
    before: str
    now: str
    consequence: str
    anew: tuple[Stage, ...] = ()
    lost: dict[Role, int] = {}
    decides: bool = True

    @property
    def told(self) -> str:
        """One line for people."""
        return f"{self.name}: {self.before} -> {self.now}: {self.consequence}"


@dataclass(frozen=True, slots=True)
class Found:
    """A change, which replies it loses, and the roles of which surely no earlier reply serves."""

    change: Change
    loses: Callable[[Replies], bool]
    surely: tuple[Role, ...] = ()


def in_words(lost: Mapping[Role, int], *, surely: bool) -> str:
    """`` (614 in the journal cannot serve)``, empty when nothing is lost."""
    total = sum(lost.values())
    most = "" if surely else "at most "
    return f" ({most}{total:,} in the journal cannot serve)" if total else ""
