"""The optional viability screen: one call for each draft that the filters would keep as things stand.

It is asked before the drafts of a wave are decided, all at once, so that the order of replies plays no
part. Drafts that repeat an accepted seed are not asked about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curation.dedup import Deduplicator, Duplicate
from curation.pending import PendingDraft
from curation.stage import gather_all
from curation.tools import Tools, slot_of
from salitrap.records import Domain, Seed, VerdictKind


async def screened(
    tools: Tools, drafts: Sequence[PendingDraft], dedup: Deduplicator, domains: Mapping[str, Domain]
) -> tuple[PendingDraft, ...]:
    """The drafts with their verdicts, in their order; unchanged when the screen is off.

    Raises:
        StoppedError: the run cannot go on; nothing was decided.
    """
    if tools.settings.scale.viability == "off":
        return tuple(drafts)
    return tuple(await gather_all([_screened(tools, draft, dedup, domains) for draft in drafts]))


def ruled_out(draft: PendingDraft) -> bool:
    """Whether the screen decides against a draft that the filters keep."""
    return draft.verdict is not None and draft.verdict.verdict is not VerdictKind.PASS


async def _screened(
    tools: Tools, draft: PendingDraft, dedup: Deduplicator, domains: Mapping[str, Domain]
) -> PendingDraft:
    seed = draft.seed
    if _repeats(seed, dedup):
        return draft
    domain, lowest = domains[seed.dimension_tag], tools.settings.scale.viability
    dimension = f"{domain.tag}: {domain.name[seed.language]}\n{domain.definition[seed.language]}"
    verdict = await tools.programs.viability.check(
        tools.access, seed, dimension, lowest, slot=slot_of(seed, 0)
    )
    return draft.model_copy(update={"verdict": verdict})


def _repeats(seed: Seed, dedup: Deduplicator) -> bool:
    """Whether the filters reject it beside the seeds accepted so far; nothing stays reserved."""
    (verdict,) = dedup.reserve([seed])
    if isinstance(verdict, Duplicate):
        return True
    dedup.release(seed.seed_id)
    return False
