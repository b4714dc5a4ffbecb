"""How much of a release stands word for word in a corpus: share of n-grams found, and whole texts.

An n-gram is looked for among runs of units that the release knows at all, which most of a corpus is not.
Nothing is hashed, so that nothing can collide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from exports.contamination.corpus import Corpus, Window
from exports.contamination.release_texts import ReleaseText
from exports.contamination.units import may_hold, units_of
from salitrap.records.base import Record
from salitrap.records.enums import Language

SHOWN = 20
"""Places of the canary that are named; all are counted."""

CHARACTERS_A_UNIT = 40
"""More than a unit and what parts it from the next take up in a text that could be a copy."""

Gram = tuple[str, ...]


class Sizes(Record):
    """Length of n-grams: words for English, characters for Chinese."""

    words: int = 13
    characters: int = 20

    def of(self, language: Language) -> int:
        """The length for a language."""
        return self.characters if language is Language.ZH else self.words


class TextOverlap(Record):
    """One text of the release: n-grams it has and those found, the first place, whether it is there whole.

    ``short`` marks a text that is shorter than an n-gram, and was looked for as a whole.
    """

    text_id: str
    language: Language
    dimension_tag: str
    grams: int
    found: int
    exact: bool
    short: bool
    where: str = ""

    @property
    def share(self) -> float:
        """Share of its n-grams that were found."""
        return self.found / self.grams if self.grams else 0.0


class Overlap(Record):
    """What was found: canary places (all counted, the first named), and every text of the release."""

    canary_count: int
    canary_places: tuple[str, ...]
    texts: tuple[TextOverlap, ...]

    def at_least(self, share: float) -> int:
        """Texts of which at least that share was found, and anything at all."""
        return sum(one.found > 0 and one.share >= share for one in self.texts)

    @property
    def exact(self) -> tuple[TextOverlap, ...]:
        """Texts that are there whole."""
        return tuple(one for one in self.texts if one.exact)


@dataclass
class _Known:
    """One language's texts: units known, n-grams with the texts that have them, and the texts themselves.

    ``odd`` is true when one of them has nothing by which to tell its language.
    """

    language: Language
    vocabulary: set[str] = field(default_factory=set)
    grams: dict[int, dict[Gram, list[int]]] = field(default_factory=lambda: defaultdict(dict))
    whole: dict[int, str] = field(default_factory=dict)
    odd: bool = False


def overlap_of(
    canary: str,
    texts: Sequence[ReleaseText],
    corpus: Corpus,
    sizes: Sizes,
    tell: Callable[[int], None] = lambda _: None,
) -> Overlap:
    """Read a corpus once; ``tell`` hears how many characters have been read.

    Raises:
        InputError: a file of the corpus cannot be read.
    """
    search = _Search(texts, sizes)
    marker, places, count = canary.rsplit(" ", 1)[-1], list[str](), 0
    seen = set[str]()
    for window in corpus.windows():
        for place in _marked(window, marker, corpus.overlap, seen):
            count += 1
            places += [place] if len(places) < SHOWN else []
        search.look(window)
        tell(corpus.counts.characters)
    return Overlap(canary_count=count, canary_places=tuple(places), texts=tuple(search.told()))


def overlap_needed(canary: str, texts: Iterable[ReleaseText], sizes: Sizes) -> int:
    """How many characters two windows have to share, so that no text of the release is cut in two."""
    longest = max((len(units_of(one.text, one.language)) for one in texts), default=0)
    return max(len(canary), CHARACTERS_A_UNIT * max(longest, sizes.words, sizes.characters))


def _marked(window: Window, marker: str, overlap: int, seen: set[str]) -> Iterator[str]:
    """Places of the canary; one that lies in the part that two windows share counts once."""
    file, _, character = window.where.partition(", character ")
    begin = window.text.find(marker)
    while begin >= 0:
        place = f"{file}, character {int(character) + begin}" if character else window.where
        if not character or place not in seen:
            yield place
        if character and begin >= len(window.text) - overlap - len(marker):
            seen.add(place)
        begin = window.text.find(marker, begin + len(marker))


class _Search:
    """The release's n-grams, and which of them have been found."""

    def __init__(self, texts: Sequence[ReleaseText], sizes: Sizes) -> None:
        self._texts, self._sizes = texts, sizes
        self._known = {language: _Known(language) for language in Language}
        self._all: list[set[Gram]] = [set() for _ in texts]
        self._found: list[set[Gram]] = [set() for _ in texts]
        self._exact, self._where = set[int](), dict[int, str]()
        for number, one in enumerate(texts):
            self._take(number, one)

    def look(self, window: Window) -> None:
        """Look for everything in one window."""
        for language, known in self._known.items():
            if known.whole and (known.odd or may_hold(window.text, language)):
                fewest = min(known.grams)
                for run in _runs(units_of(window.text, language), known.vocabulary):
                    if len(run) >= fewest:
                        self._look_in(run, known, window.where)

    def told(self) -> Iterator[TextOverlap]:
        """What was found of each text."""
        for number, one in enumerate(self._texts):
            length = len(units_of(one.text, one.language))
            yield TextOverlap(
                text_id=one.text_id,
                language=one.language,
                dimension_tag=one.dimension_tag,
                grams=len(self._all[number]),
                found=len(self._found[number]),
                exact=number in self._exact,
                short=length < self._sizes.of(one.language),
                where=self._where.get(number, ""),
            )

    def _take(self, number: int, one: ReleaseText) -> None:
        units, known = units_of(one.text, one.language), self._known[one.language]
        if not units:
            return
        size = min(len(units), self._sizes.of(one.language))
        known.odd = known.odd or not may_hold(one.text, one.language)
        known.vocabulary |= set(units)
        known.whole[number] = _joined(units)
        for gram in _grams(units, size):
            self._all[number].add(gram)
            known.grams[size].setdefault(gram, []).append(number)

    def _look_in(self, run: list[str], known: _Known, where: str) -> None:
        touched = set[int]()
        for size, grams in known.grams.items():
            for gram in _grams(run, size):
                for number in grams.get(gram, ()):
                    self._found[number].add(gram)
                    touched.add(number)
        whole = _joined(run) if touched else ""
        for number in touched:
            self._where.setdefault(number, where)
            if known.whole[number] in whole:
                self._exact.add(number)


def _joined(units: Sequence[str]) -> str:
    """Units with a mark around each, so that a part of a unit is no unit."""
    return "\x1f" + "\x1f".join(units) + "\x1f"


def _grams(units: Sequence[str], size: int) -> Iterator[Gram]:
    return (tuple(units[begin : begin + size]) for begin in range(len(units) - size + 1))


def _runs(units: Iterable[str], vocabulary: set[str]) -> Iterator[list[str]]:
    """Unbroken stretches of units that the release knows."""
    run = list[str]()
    for unit in units:
        if unit in vocabulary:
            run.append(unit)
        elif run:
            yield run
            run = []
    if run:
        yield run
