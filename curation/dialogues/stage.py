"""The dialogue stage: every certified seed, every pattern of the settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curation.dialogues.loop import DialogueStage, DialogueState
from curation.dialogues.outcome import outcome
from curation.dialogues.tools import DialogueTools
from curation.fingerprints import dialogue_fingerprint
from curation.registry import Registry
from curation.registry.progress import count_visited, digest_of, is_done
from curation.registry.queries import active_seeds, cell_rank_of, items_of
from curation.seed_work import SeedProgress, work_through
from curation.stage import Reporter, StopSwitch, gather_all, run_to_end
from generator.dialogues import Source
from salitrap.dialogues import Pattern
from salitrap.errors import InputError
from salitrap.records import CertifiedItem, Seed, Stage
from salitrap.settings import Settings


async def run_dialogues(
    tools: DialogueTools, registry: Registry, reporter: Reporter, switch: StopSwitch
) -> None:
    """Make the dialogues of every certified active seed that is not done under the present settings.

    Raises:
        InputError: no pattern is asked for, or no seed was certified.
        StoppedError: the run cannot go on; the same call goes on later.
    """
    require_patterns(tools.settings)
    total = count_visited(registry, Stage.CERTIFY)
    if not total:
        raise InputError(f"{registry.path.parent}: nothing is certified; run the certify stage here first")
    work = DialogueWork(tools, registry, reporter, total)
    await work_through((work,), registry, tools.settings, reporter, switch, certified_seeds(registry))


def require_patterns(settings: Settings) -> None:
    """Check that the settings ask for dialogues.

    Raises:
        InputError: they do not.
    """
    if not settings.dialogues.patterns:
        named = ", ".join(pattern.value for pattern in Pattern)
        raise InputError(f"dialogues.patterns is empty; name some of {named} in the settings")


class DialogueWork:
    """The stage as it works on a certified seed; a seed without an item has no dialogue."""

    stage = Stage.DIALOGUES

    def __init__(self, tools: DialogueTools, registry: Registry, reporter: Reporter, total: int) -> None:
        self.total = total
        self._tools, self._registry = tools, registry
        self._search = DialogueStage(tools)
        self._progress = SeedProgress(reporter, self.stage)

    async def on(self, seed: Seed) -> None:
        """Make the dialogues of ``seed`` and write what came of them.

        Raises:
            StoppedError: the run cannot go on.
        """
        certified = digest_of(self._registry, Stage.CERTIFY, seed.seed_id) or ""
        settings, wanted = self._tools.settings, self._wanted(seed)
        fingerprint = dialogue_fingerprint(settings, self._tools.prompts, seed, certified, wanted=wanted)
        if is_done(self._registry, self.stage, seed.seed_id, fingerprint):
            self._progress.skip()
            return
        source = source_of(seed, items_of(self._registry, seed.seed_id))
        patterns = settings.dialogues.patterns if wanted else ()
        states = [DialogueState(seed, source, pattern) for pattern in patterns if source is not None]
        ended = await gather_all([run_to_end(self._search, state) for state in states])
        self._registry.write(outcome(seed, ended, fingerprint))
        stable = sum(state.is_stable for state in ended)
        self._progress.add({"stable": stable, "not stable": len(ended) - stable})

    def _wanted(self, seed: Seed) -> bool:
        most = self._tools.settings.dialogues.per_cell
        return most is None or cell_rank_of(self._registry, seed.seed_id) < most


def source_of(seed: Seed, items: Sequence[CertifiedItem]) -> Source | None:
    """The seed's best item; None when it has none, since solvers see through its request."""
    if not items:
        return None
    best = items[0]
    return Source(
        seed_id=seed.seed_id,
        source_id=best.item_id,
        dimension_tag=seed.dimension_tag,
        language=seed.language,
        prompt=best.prompt,
        trap_core=seed.trap_core,
        ground_truth=seed.ground_truth,
        numbers=best.injected_numbers,
    )


def certified_seeds(registry: Registry) -> Iterator[Seed]:
    """Active seeds with an outcome of certification, in order of acceptance."""
    for seed in active_seeds(registry):
        if digest_of(registry, Stage.CERTIFY, seed.seed_id) is not None:
            yield seed
