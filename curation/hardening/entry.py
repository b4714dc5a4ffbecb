"""Released items enter the registry of a hardening run as accepted seeds, and new seeds come after them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing

from curation.cells import CellEnd, WaveCounts, WaveRecord, cells_of
from curation.directory import Layout, read_revisions
from curation.fingerprints import scale_fingerprint
from curation.hardening.released import Cell, Release
from curation.registry import Batch, Event, EventKind, Registry
from curation.registry.events import seed_event
from curation.registry.queries import accepted_seeds, active_seeds
from curation.registry.waves import last_wave
from curation.run import Run
from salitrap.errors import ConfigError, InputError
from salitrap.records import Domain, Language, Seed, Stage
from salitrap.settings import Settings

Targets = dict[str, dict[Language, int]]


def settings_for(settings: Settings, release: Release, domains: Sequence[Domain]) -> Settings:
    """The settings with room for exactly what is entered.

    Raises:
        ConfigError: the release has a dimension or language that the settings lack.
    """
    used = with_room(settings, release.entered)
    known = {cell.key for cell in cells_of(used, domains)}
    missing = sorted(cell for cell in release.entered if cell not in known)
    if missing:
        tag, language = missing[0]
        raise ConfigError(
            f"the release has items of {tag} in {language.value!r}, the settings do not: name its domain "
            "file under 'domains' and its language under 'languages'"
        )
    return used


def with_room(settings: Settings, counts: dict[Cell, int]) -> Settings:
    """The settings with these targets and no others."""
    targets: Targets = {}
    for (tag, language), count in sorted(counts.items()):
        targets.setdefault(tag, {})[language] = count
    return settings.model_copy(update={"targets": targets})


def as_left(layout: Layout, settings: Settings) -> Settings:
    """The settings with the targets that this run was left with, if they are higher for new seeds."""
    if not layout.run_file.is_file():
        return settings
    last = read_revisions(layout)[-1].settings
    same = last.model_copy(update={"targets": settings.targets}) == settings
    lower = (
        last.target(tag, language) < count
        for tag, cell in settings.targets.items()
        for language, count in cell.items()
    )
    return last if same and not any(lower) else settings


def refuse_others(layout: Layout, release: Release) -> None:
    """Check that the directory is new or hardens this very release.

    Raises:
        InputError: it has seeds of something else.
    """
    if not layout.registry.is_file():
        return
    with closing(Registry.open_reader(layout.registry)) as registry:
        held = [seed.seed_id for seed in accepted_seeds(registry)]
    wanted = entered_ids(release)
    if held and held[: len(wanted)] != wanted:
        raise InputError(
            f"{layout.root}: holds another run, or hardens another release; give --run a new directory"
        )


def enter(run: Run, release: Release) -> None:
    """Write the seeds of a release with every cell at its end, once under the present settings of scaling."""
    fingerprint = scale_fingerprint(run.settings, run.domains, run.programs.prompts)
    if last_wave(run.registry, fingerprint) is None:
        run.registry.write(_batch(run, release, fingerprint))


def entered_ids(release: Release) -> list[str]:
    """Ids of the seeds in the order in which they are entered."""
    return [seed.seed_id for seed in _seeds(release)]


def fresh_seeds(registry: Registry, release: Release) -> tuple[Seed, ...]:
    """Active seeds that were written for this hardening, in order of acceptance."""
    entered = set(entered_ids(release))
    return tuple(seed for seed in active_seeds(registry) if seed.seed_id not in entered)


def _seeds(release: Release) -> Iterator[Seed]:
    for one in (*release.items, *release.retired):
        yield one.seed


def _batch(run: Run, release: Release, fingerprint: str) -> Batch:
    ranks, events = Counter[Cell](), list[Event]()
    for position, seed in enumerate(_seeds(release)):
        cell = (seed.dimension_tag, seed.language)
        events.append(seed_event(seed, position, ranks[cell]))
        ranks[cell] += 1
    wave = WaveRecord(
        number=0,
        counts=WaveCounts(experts=len(events)),
        cells=tuple(
            cell.model_copy(
                update={"target": ranks[cell.key], "accepted": ranks[cell.key], "end": CellEnd.TARGET}
            )
            for cell in cells_of(run.settings, run.domains)
        ),
    )
    events.append(Event(EventKind.WAVE, "wave-0", wave.model_dump(mode="json"), place="0"))
    return Batch(Stage.SCALE, fingerprint, tuple(events), summary={"finished": True, "released": len(events)})
