"""Stage 1: new seeds in micro-batches (paper, section 3.3.1 and appendix E.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import dspy
from pydantic import TypeAdapter

from generator.drafts import SeedDraft, draft_faults, seed_to_draft
from prompts.program import Program
from salitrap.providers.access import Access
from salitrap.records.enums import Language, Role
from salitrap.records.ids import stable_int
from salitrap.records.provenance import Provenance
from salitrap.records.seed import Domain, Niche, Seed


class ScaleSignature(dspy.Signature):  # type: ignore[misc]  # dspy ships no types
    """Write new seeds for one trap domain."""

    dimension: str = dspy.InputField(desc="tag and name of the trap domain")
    definition: str = dspy.InputField(desc="what makes a trap of this domain")
    examples: list[SeedDraft] = dspy.InputField(desc="seeds that show the form")
    directive: str = dspy.InputField(desc="what this batch has to concentrate on")
    niche: Niche = dspy.InputField(desc="tool, scene and life area to work in")
    exclusions: list[str] = dspy.InputField(desc="seeds that exist already: name (tool / object / action)")
    count: int = dspy.InputField(desc="number of seeds to write")
    seeds: list[SeedDraft] = dspy.OutputField(desc="the new seeds")


@dataclass(frozen=True, slots=True)
class MalformedDraft:
    """An element of a reply that cannot become a seed; ``index`` is its place among the drafts."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class ScaledBatch:
    """Every element of a reply in order, fewer or more than asked for, and malformed ones too."""

    drafts: tuple[SeedDraft, ...]
    raw: str
    provenance: Provenance

    @property
    def malformed(self) -> tuple[MalformedDraft, ...]:
        """The drafts that ``draft_to_seed`` will refuse, with the reason."""
        found = [(index, draft_faults(draft)) for index, draft in enumerate(self.drafts)]
        return tuple(
            MalformedDraft(index, "; ".join(reason for _, reason in faults))
            for index, faults in found
            if faults
        )


class SeedScaler(Program):
    """Writes a micro-batch of seeds for one domain and language."""

    prompt_id: ClassVar[str] = "scale"
    role: ClassVar[Role] = Role.GENERATOR
    signature: ClassVar[type[dspy.Signature]] = ScaleSignature

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
        """Ask for ``count`` seeds; the domain must define ``language``.

        Raises:
            CallFailed: no usable reply.
            StoppedError: the run cannot go on.
        """
        asked = await self.ask(
            access,
            language,
            slot=slot,
            repeat=repeat,
            dimension=f"{domain.tag}: {domain.name[language]}",
            definition=domain.definition[language],
            examples=[seed_to_draft(seed) for seed in examples],
            directive=directive,
            niche=niche,
            exclusions=[exclusion_line(seed) for seed in exclusions],
            count=count,
        )
        drafts = TypeAdapter(tuple[SeedDraft, ...]).validate_python(asked.fields["seeds"])
        return ScaledBatch(drafts=drafts, raw=asked.raw, provenance=asked.provenance)


def exclusion_line(seed: Seed) -> str:
    """A seed as the exclusion list shows it; one made from a released item has no triple."""
    triple = seed.triple
    if not triple.tool:
        return seed.scenario
    return f"{seed.scenario} ({triple.tool} / {triple.object} / {triple.action})"


def few_shot(
    domain: Domain, language: Language, ordinal: int, count: int, random_seed: int = 0
) -> tuple[Seed, ...]:
    """At most ``count`` expert seeds for batch ``ordinal``, dealt like cards.

    In every round all expert seeds are dealt, in an order that is drawn anew; the last hand is filled up
    from the start of the round. So all are shown about equally often, in ever other company.
    """
    experts = domain.seeds_in(language)
    hands = -(-len(experts) // count) if count else 0
    if not hands:
        return ()
    turn, hand = divmod(ordinal, hands)
    told = (random_seed, domain.tag, language.value, turn)
    dealt = sorted(experts, key=lambda seed: (stable_int("few-shot", *told, seed.seed_id), seed.seed_id))
    return tuple((dealt[hand * count :] + dealt)[: min(count, len(experts))])
