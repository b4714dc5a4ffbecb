"""The certification stage: every refined seed once."""

from __future__ import annotations

from collections.abc import Iterator

from curation.certify.loop import CertifyStage
from curation.certify.outcome import outcome
from curation.registry import Registry
from curation.registry.people import verdicts_of
from curation.registry.progress import count_visited, digest_of, is_done
from curation.registry.queries import active_seeds, nodes_of
from curation.seed_work import SeedProgress, work_through
from curation.stage import Reporter, StopSwitch, run_to_end
from curation.swayed import certify_key
from curation.tools import Tools
from salitrap.errors import InputError
from salitrap.records import Seed, Stage


async def run_certify(tools: Tools, registry: Registry, reporter: Reporter, switch: StopSwitch) -> None:
    """Certify every refined active seed that is not done under the present settings.

    Raises:
        InputError: no seed was refined.
        StoppedError: the run cannot go on; the same call goes on later.
    """
    total = count_visited(registry, Stage.REFINE)
    if not total:
        raise InputError(f"{registry.path.parent}: no candidates to certify; run the refine stage here first")
    work = CertifyWork(tools, registry, reporter, total)
    await work_through((work,), registry, tools.settings, reporter, switch, refined_seeds(registry))


class CertifyWork:
    """Certification as it works on a refined seed."""

    stage = Stage.CERTIFY

    def __init__(self, tools: Tools, registry: Registry, reporter: Reporter, total: int) -> None:
        self.total = total
        self._tools, self._registry, self._certify = tools, registry, CertifyStage(tools)
        self._progress = SeedProgress(reporter, self.stage)

    async def on(self, seed: Seed) -> None:
        """Repeat the certified candidates of ``seed`` and write which of them are stable.

        Raises:
            StoppedError: the run cannot go on.
        """
        tools, registry = self._tools, self._registry
        refined = digest_of(registry, Stage.REFINE, seed.seed_id) or ""
        fingerprint = certify_key(registry, tools.settings, tools.programs.prompts, seed, refined)
        if is_done(registry, self.stage, seed.seed_id, fingerprint):
            self._progress.skip()
            return
        nodes = nodes_of(registry, seed.seed_id)
        first = self._certify.first(seed, nodes, verdicts_of(registry, seed.seed_id))
        state = await run_to_end(self._certify, first)
        registry.write(outcome(state, nodes, fingerprint))
        stable = len(state.stable)
        self._progress.add({"stable": stable, "not stable": len(state.tested) - stable})


def refined_seeds(registry: Registry) -> Iterator[Seed]:
    """Active seeds with an outcome of refinement, in order of acceptance."""
    for seed in active_seeds(registry):
        if digest_of(registry, Stage.REFINE, seed.seed_id) is not None:
            yield seed
