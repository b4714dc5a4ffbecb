"""Optional filter f5: seeds whose prompts mean the same, by the cosine of their embeddings.

It comes after f1 to f4 and sees only what they keep. Decisions follow the order of the seeds and rest on
vectors that are stored when they are first paid for, so that neither timing nor a restart changes one.
Prompts of different languages are never compared. A pair that differs only in numbers or units is kept and
listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from curation.dedup.filters import Deduplicator, Duplicate, Kept, Verdict
from curation.dedup.vectors import Vector, VectorStore
from curation.pairs import Review, ReviewKind
from salitrap.errors import EndpointUnavailable
from salitrap.records import Fault, Language, Seed
from salitrap.text.units import differ_only_in_numbers_or_units

SLACK = 1e-4
"""The quick look in single precision finds everything from this much below; then the cosine is exact."""


class Embedder(Protocol):
    """Turns texts into vectors; ``identity`` names all that a vector depends on besides its text."""

    @property
    def identity(self) -> str:
        """The model, its address and how it is asked."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector a text, in order, shape (texts, dimensions)."""
        ...


@dataclass(frozen=True, slots=True)
class MeaningLimits:
    """Cosines in [-1, 1]: from ``threshold`` on a seed is rejected, from ``review_from`` on it is listed."""

    threshold: float = 0.92
    review_from: float = 0.85
    batch_size: int = 64


@dataclass(slots=True)
class _Pool:
    """Unit vectors of the kept seeds of one language, in order; rows beyond ``count`` are free."""

    rows: NDArray[np.float32]
    seeds: list[Seed] = field(default_factory=list)

    def add(self, seed: Seed, vector: Vector) -> None:
        count = len(self.seeds)
        if count == len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
        self.rows[count] = vector
        self.seeds.append(seed)

    def near(self, vector: Vector, floor: float) -> list[tuple[Seed, float]]:
        """Seeds with a cosine of at least ``floor``, in order, with the cosine in double precision."""
        rows = self.rows[: len(self.seeds)]
        places = np.flatnonzero(rows @ vector >= floor - SLACK)
        scored = [(self.seeds[place], cosine(rows[place], vector)) for place in places]
        return [(seed, score) for seed, score in scored if score >= floor]


class EmbeddingsFilter:
    """Everything kept so far, by meaning. Call ``fetch`` before ``check`` and ``add``."""

    def __init__(self, embedder: Embedder, store: VectorStore, limits: MeaningLimits) -> None:
        self.limits = limits
        self._embedder, self._store = embedder, store
        self._vectors: dict[str, Vector] = {}
        self._pools: dict[Language, _Pool] = {}
        self._released: set[str] = set()

    async def fetch(self, seeds: Iterable[Seed]) -> None:
        """Have the vectors of all ``seeds``: from the store, and the rest from the endpoint, in order.

        Raises:
            StoppedError: the endpoint refused, kept failing or changed its dimensions, or the budget is
                spent.
        """
        lacking = list[str]()
        for prompt in dict.fromkeys(seed.prompt for seed in seeds):
            known = self._store.find(self._embedder.identity, prompt)
            if known is None:
                lacking.append(prompt)
            else:
                self._enter(prompt, known)
        for start in range(0, len(lacking), self.limits.batch_size):
            await self._ask(lacking[start : start + self.limits.batch_size])

    def near(self, seed: Seed) -> list[tuple[Seed, float]]:
        """Kept seeds of the same language from ``review_from`` on, in order of arrival."""
        pool = self._pools.get(seed.language)
        if pool is None:
            return []
        found = pool.near(self._vectors[seed.prompt], self.limits.review_from)
        return [(other, score) for other, score in found if other.seed_id not in self._released]

    def add(self, seed: Seed) -> None:
        """Take in a seed that was kept."""
        vector = self._vectors[seed.prompt]
        pool = self._pools.setdefault(seed.language, _Pool(np.zeros((64, vector.size), dtype=np.float32)))
        pool.add(seed, vector)
        self._released.discard(seed.seed_id)

    def release(self, seed_id: str) -> None:
        """A seed no longer stands in anyone's way."""
        self._released.add(seed_id)

    async def restore(self, accepted: Sequence[Seed]) -> None:
        """Hold the seeds accepted so far and no others.

        Raises:
            StoppedError: as ``fetch``; with the store of the run nothing has to be asked.
        """
        await self.fetch(accepted)
        self._pools.clear()
        self._released.clear()
        for seed in accepted:
            self.add(seed)

    async def _ask(self, prompts: Sequence[str]) -> None:
        vectors = await self._embedder.embed(prompts)
        for prompt, vector in zip(prompts, vectors, strict=True):
            self._enter(prompt, vector)
        self._store.keep(self._embedder.identity, prompts, vectors)

    def _enter(self, prompt: str, vector: Vector) -> None:
        known = next(iter(self._vectors.values()), vector)
        if vector.size != known.size:
            raise EndpointUnavailable(
                f"embeddings of {self._embedder.identity} have {vector.size} dimensions, before they had "
                f"{known.size}; ask the model of before, or delete {self._store.path.name} to pay again"
            )
        self._vectors[prompt] = unit(vector)


def cosine(left: Vector, right: Vector) -> float:
    """Cosine of two unit vectors, summed in double precision, so that it does not depend on the pool."""
    return float(np.dot(left.astype(np.float64), right.astype(np.float64)))


def unit(vector: Vector) -> Vector:
    """The vector at length 1."""
    wide = vector.astype(np.float64)
    scaled: Vector = (wide / np.linalg.norm(wide)).astype(np.float32)
    return scaled


async def reserve_by_meaning(
    dedup: Deduplicator, meaning: EmbeddingsFilter, batch: Sequence[Seed]
) -> tuple[Verdict, ...]:
    """f1 to f5 for each seed against all kept before it, this batch's included.

    Embeddings are asked for the whole batch first: a few tokens for a seed that f1 to f4 then reject are
    cheaper than one request a seed.

    Raises:
        StoppedError: as ``EmbeddingsFilter.fetch``; nothing of the batch is reserved then.
    """
    await meaning.fetch(batch)
    return tuple(reserve_one(dedup, meaning, seed) for seed in batch)


def reserve_one(dedup: Deduplicator, meaning: EmbeddingsFilter, seed: Seed) -> Verdict:
    """The same for one seed whose embedding was fetched."""
    (verdict,) = dedup.reserve([seed])
    if isinstance(verdict, Duplicate):
        return verdict
    reviews, worst = list[Review](), None
    for twin, score in meaning.near(seed):
        if differ_only_in_numbers_or_units(seed.prompt, twin.prompt):
            reviews.append(_review(seed, twin, ReviewKind.NUMBERS_OR_UNITS_ONLY, score))
        elif score < meaning.limits.threshold:
            reviews.append(_review(seed, twin, ReviewKind.NEAR, score))
        elif worst is None or score > worst[1]:
            worst = (twin, score)
    if worst is None:
        meaning.add(seed)
        return Kept(seed.seed_id, (*verdict.reviews, *reviews))
    dedup.release(seed.seed_id)
    reason = f"cosine {worst[1]:.3f}, limit {meaning.limits.threshold:.3f}"
    return Duplicate(seed.seed_id, Fault.SIMILAR_MEANING, worst[0].seed_id, worst[1], reason)


REASONS = {
    ReviewKind.NEAR: "similar in meaning, below the limit",
    ReviewKind.NUMBERS_OR_UNITS_ONLY: "differs only in numbers or units",
}


def _review(seed: Seed, twin: Seed, kind: ReviewKind, score: float) -> Review:
    return Review(
        subject_id=seed.seed_id,
        twin_id=twin.seed_id,
        filter=Fault.SIMILAR_MEANING,
        kind=kind,
        score=score,
        dimension_tag=seed.dimension_tag,
        language=seed.language,
        reason=REASONS[kind],
    )
