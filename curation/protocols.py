"""What curation needs of the programs that write and check, so that any implementation fits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Protocol

from salitrap.providers.access import Access, Answered
from salitrap.records import (
    Candidate,
    Domain,
    Evaluation,
    Fault,
    Judgement,
    Language,
    Niche,
    Provenance,
    Route,
    Seed,
)
from salitrap.settings import ScaleSettings

if TYPE_CHECKING:
    from checkers.base import CandidateView
    from generator.directives import Steering
    from generator.drafts import SeedDraft
    from generator.refinement import Rewrite
    from generator.scaling import ScaledBatch
    from generator.strategies import Strategy


class Checks(Protocol):
    """One of the three checkers of stage 2."""

    async def check(self, access: Access, view: CandidateView, *, slot: int = 0) -> Evaluation:
        """Judge one candidate; a failed call is an evaluation that could not judge."""
        ...


class ChecksChild(Protocol):
    """The compliance check kappa of a child against its parent."""

    async def check_child(
        self,
        access: Access,
        seed: Seed,
        parent: Candidate,
        child: Candidate,
        *,
        adds_numbers: bool,
        slot: int = 0,
    ) -> Evaluation:
        """Judge one child; a failed call is an evaluation that could not judge."""
        ...


class Guards(Protocol):
    """What can be said of a child without a model."""

    def __call__(
        self,
        seed: Seed,
        parent: Candidate,
        child_prompt: str,
        *,
        adds_numbers: bool,
        bounds: tuple[int, int] | None = None,
        told: Sequence[str] = (),
    ) -> tuple[tuple[Fault, str], ...]:
        """Faults with their reasons, none when the child may go on."""
        ...


class Judges(Protocol):
    """Labels an answer."""

    async def judge(
        self,
        access: Access,
        seed: Seed,
        candidate: Candidate,
        answered: Answered,
        *,
        repeat: int = 0,
        slot: int = 0,
    ) -> Judgement:
        """Label one answer, or say why it has no label."""
        ...


class ScalesSeeds(Protocol):
    """Writes new seeds of a domain."""

    async def write(  # noqa: PLR0913  # one keyword for each ingredient of the paper's prompt
        self,
        access: Access,
        domain: Domain,
        language: Language,
        *,
        examples: Sequence[Seed],
        directive: str,
        niche: Niche,
        exclusions: Sequence[Seed],
        count: int,
        slot: int = 0,
        repeat: int = 0,
    ) -> ScaledBatch:
        """Write ``count`` drafts.

        Raises:
            CallFailed: no usable reply.
        """
        ...


class MakesSeed(Protocol):
    """Turns a draft into a seed."""

    def __call__(
        self, draft: SeedDraft, dimension_tag: str, language: Language, provenance: Provenance, key: str
    ) -> Seed:
        """Build the seed.

        Raises:
            ValueError: the draft is malformed.
        """
        ...


class Steers(Protocol):
    """Steers scaling towards what the accepted seeds do not cover."""

    def __call__(
        self,
        domain: Domain,
        language: Language,
        accepted: Sequence[Seed],
        ordinal: int,
        aside: Collection[tuple[str, str]] = (),
    ) -> Steering:
        """The niche to fill next, without the values of axes in ``aside``."""
        ...


class ScreensSeeds(Protocol):
    """The viability screen of a seed, before it is accepted."""

    async def check(
        self, access: Access, seed: Seed, dimension: str, lowest: str, *, slot: int = 0
    ) -> Evaluation:
        """Grade one seed; a grade below ``lowest`` fails, a failed call could not judge."""
        ...


class ChecksStructure(Protocol):
    """The deterministic checks of a seed."""

    def __call__(
        self,
        prompt: str,
        trap_core: str,
        ground_truth: str,
        injected_numbers: Sequence[str],
        language: Language,
        settings: ScaleSettings,
    ) -> tuple[tuple[Fault, str], ...]:
        """Faults with their reasons."""
        ...


class Strategies(Protocol):
    """The strategies of an objective, in the order they are tried."""

    def __call__(self, route: Route) -> Sequence[Strategy]:
        """Look up by route; none for routes that do not rewrite."""
        ...


class Mutates(Protocol):
    """The high-temperature generator."""

    async def write(
        self,
        access: Access,
        seed: Seed,
        parent: Candidate,
        siblings: Sequence[str],
        *,
        slot: int = 0,
        repeat: int = 0,
    ) -> Rewrite:
        """Write a variant unlike its siblings.

        Raises:
            CallFailed: no usable reply.
        """
        ...


class Refines(Protocol):
    """The writer."""

    async def write(
        self,
        access: Access,
        seed: Seed,
        parent: Candidate,
        strategy: Strategy,
        feedback: str,
        *,
        slot: int = 0,
        repeat: int = 0,
    ) -> Rewrite:
        """Rewrite by one strategy.

        Raises:
            CallFailed: no usable reply.
        """
        ...
