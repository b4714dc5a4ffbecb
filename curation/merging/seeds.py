"""The seeds of the merged run, decided anew as one: who is worked on, who is set aside, who repeats whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from curation.cells import CellEnd, WaveCounts, WaveRecord, cells_of
from curation.dedup import Deduplicator, Kept
from curation.merging.sources import Source
from curation.pairs import Review
from curation.registry import Batch, Event
from curation.registry.events import (
    EventKind,
    rejection_event,
    review_event,
    seed_event,
    viability_event,
)
from curation.registry.queries import accepted_seeds, active_seeds, viability_of
from curation.registry.waves import counts_so_far
from curation.rejects import of_duplicate
from salitrap.records import Domain, Fault, Language, Rejection, Seed, Stage
from salitrap.settings import Settings, SimilaritySettings

Targets = dict[str, dict[Language, int]]


@dataclass(slots=True)
class SeedBook:
    """``chosen`` seeds in the order of the merged run: those worked on (``active``), then those set aside."""

    dedup: Deduplicator
    chosen: dict[str, Seed] = field(default_factory=dict)
    active: set[str] = field(default_factory=set)
    rejections: list[Event] = field(default_factory=list)
    new: Counter[str] = field(default_factory=Counter)

    @property
    def targets(self) -> Targets:
        """Seeds worked on, by dimension and language."""
        found: Targets = {}
        for seed_id in self.active:
            seed = self.chosen[seed_id]
            cell = found.setdefault(seed.dimension_tag, {})
            cell[seed.language] = cell.get(seed.language, 0) + 1
        return found


def decide(sources: Sequence[Source], settings: SimilaritySettings) -> SeedBook:
    """Take the seeds that were worked on, source by source, then those set aside.

    The first source's seeds are reserved first. A seed that is there already, or that the filters find to
    repeat one, is a rejection with its reason, so that the funnel adds up over all runs.
    """
    book = SeedBook(Deduplicator(settings))
    worked = {source.name: {seed.seed_id for seed in active_seeds(source.registry)} for source in sources}
    for wanted in (True, False):
        for number, source in enumerate(sources):
            for at, seed in enumerate(accepted_seeds(source.registry)):
                if (seed.seed_id in worked[source.name]) is wanted:
                    _take(book, seed, source.name, f"merge{number}/{at}", active=wanted)
    return book


def scale_batch(
    book: SeedBook, sources: Sequence[Source], fingerprint: str, settings: Settings, domains: Sequence[Domain]
) -> Batch:
    """All that the registry holds of scaling, with every cell at its end, so that a resume asks nothing."""
    ranks, events = Counter[tuple[str, str]](), list[Event]()
    for position, seed in enumerate(book.chosen.values()):
        cell = (seed.dimension_tag, seed.language.value)
        events.append(seed_event(seed, position, ranks[cell]))
        ranks[cell] += 1
    events += book.rejections
    for number, source in enumerate(sources):
        events += _carried(source, book, f"merge{number}")
    wave = WaveRecord(
        number=0,
        counts=_counts(sources),
        cells=tuple(
            cell.model_copy(update={"accepted": cell.target, "end": CellEnd.TARGET})
            for cell in cells_of(settings, domains)
        ),
    )
    events.append(Event(EventKind.WAVE, Stage.SCALE.value, wave.model_dump(mode="json"), place="0"))
    names = [source.name for source in sources]
    return Batch(Stage.SCALE, fingerprint, tuple(events), summary={"finished": True, "merged": names})


def _take(book: SeedBook, seed: Seed, name: str, place: str, *, active: bool) -> None:
    if seed.seed_id in book.chosen:
        book.rejections.append(rejection_event(_shared(seed, name), place))
        return
    (verdict,) = book.dedup.reserve([seed])
    if not isinstance(verdict, Kept):
        book.rejections.append(rejection_event(of_duplicate(seed, verdict, seed.prompt), place))
        return
    book.chosen[seed.seed_id] = seed
    book.new[name] += active
    if active:
        book.active.add(seed.seed_id)


def _carried(source: Source, book: SeedBook, place: str) -> Iterator[Event]:
    """What a source rejected, listed and graded."""
    rows = source.registry.connection.execute
    for record, where in rows(
        "SELECT record, place FROM rejections WHERE stage = 'scale' ORDER BY place, subject_id"
    ):
        yield rejection_event(Rejection.model_validate_json(record), f"{place}/{where}")
    for (record,) in rows("SELECT record FROM reviews ORDER BY subject_id, place"):
        review = Review.model_validate_json(record)
        if review.subject_id in book.chosen:
            yield review_event(review)
    for (seed_id,) in rows("SELECT seed_id FROM viability ORDER BY seed_id"):
        verdict = viability_of(source.registry, seed_id)
        if verdict is not None and seed_id in book.chosen:
            yield viability_event(verdict, seed_id)


def _counts(sources: Sequence[Source]) -> WaveCounts:
    total = WaveCounts()
    for source in sources:
        total = total + counts_so_far(source.registry)
    return total


def _shared(seed: Seed, name: str) -> Rejection:
    return Rejection(
        stage=Stage.SCALE,
        subject_id=seed.seed_id,
        seed_id=None,
        dimension_tag=seed.dimension_tag,
        language=seed.language,
        fault=Fault.SAME_SCENARIO,
        reason=f"{name} has the very seed of another run that was merged",
        score=1.0,
        twin_id=seed.seed_id,
        raw=seed.prompt,
    )
