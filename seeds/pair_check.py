"""Checks between seeds: doubles, near-duplicates, clashing tags; within a file and across files."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from salitrap.records import Language
from salitrap.settings import SimilaritySettings
from salitrap.text import Script, features, jaccard, normalise_name, phi, script_of
from salitrap.text.units import differ_only_in_numbers_or_units
from seeds.document import Document, SeedView
from seeds.findings import Code, Finding

_COMPARED = {"prompt": Code.NEAR_DUPLICATE_PROMPT, "trap_core": Code.NEAR_DUPLICATE_TRAP_CORE}


@dataclass(frozen=True, slots=True)
class _Fingerprint:
    """What the similarity filters see of one text."""

    view: SeedView
    text: str
    form: str
    grams: frozenset[str]
    threshold: float


def pair_findings(documents: Sequence[Document], settings: SimilaritySettings) -> Iterator[Finding]:
    """Findings about pairs, reported at the later one of a pair, in the order of the files."""
    views = [view for document in documents for view in document.seeds]
    yield from _doubles(views, Code.DUPLICATE_KEY, "key", lambda view: view.text("key"), "choose another key")
    yield from _doubles(
        views, Code.DUPLICATE_SCENARIO, "scenario", _scenario, "name what sets this one apart"
    )
    yield from _doubles(
        views, Code.SAME_TRIPLE, "triple", _triple, "check that the trap differs; f4 rejects such pairs"
    )
    twins = list(_doubles(views, Code.DUPLICATE_CONTENT, "prompt", _content, "keep one of the two"))
    yield from twins
    yield from _near_duplicates(views, settings)
    yield from _tag_clashes(documents)


def _doubles(
    views: Sequence[SeedView], code: Code, field: str, value_of: Callable[[SeedView], Hashable], repair: str
) -> Iterator[Finding]:
    first: dict[Hashable, SeedView] = {}
    for view in views:
        value = value_of(view)
        if not value:
            continue
        other = first.setdefault(value, view)
        if other is not view:
            yield view.document.finding(code, view.at(field), f"the same {field} as {_place(other)}", repair)


def _scenario(view: SeedView) -> Hashable:
    name = view.text("scenario")
    return (view.language, normalise_name(name)) if name else None


def _triple(view: SeedView) -> Hashable:
    parts = tuple(normalise_name(view.text("triple", part)) for part in ("tool", "object", "action"))
    return (view.language, view.document.tag, parts) if all(parts) else None


def _content(view: SeedView) -> Hashable:
    prompt = " ".join(view.text("prompt").split())
    return prompt or None


def _near_duplicates(views: Sequence[SeedView], settings: SimilaritySettings) -> Iterator[Finding]:
    for field, code in _COMPARED.items():
        for language in Language:
            prints = [_fingerprint(view, field, settings) for view in views if _usable(view, field, language)]
            for one, other in combinations(prints, 2):
                if one.text != other.text or field != "prompt":
                    yield from _compare(one, other, field, code, settings)


def _usable(view: SeedView, field: str, language: Language) -> bool:
    return view.language is language and bool(view.text(field))


def _fingerprint(view: SeedView, field: str, settings: SimilaritySettings) -> _Fingerprint:
    text = " ".join(view.text(field).split())
    is_cjk = script_of(text) is Script.CJK
    form, n = phi(text), settings.cjk_ngram if is_cjk else settings.alphabetic_ngram
    threshold = settings.cjk_threshold if is_cjk else settings.alphabetic_threshold
    if field == "trap_core":
        threshold = settings.core_threshold
    return _Fingerprint(view, text, form, features(form, n), threshold)


def _compare(
    one: _Fingerprint, other: _Fingerprint, field: str, code: Code, settings: SimilaritySettings
) -> Iterator[Finding]:
    score = jaccard(one.grams, other.grams)
    if score < settings.review_from:
        return
    close = score >= min(one.threshold, other.threshold)
    figures_only = differ_only_in_numbers_or_units(one.text, other.text)
    about = f"similarity {score:.2f} with {_place(one.view)}"
    if close and not figures_only:
        yield other.view.document.finding(
            code, other.view.at(field), f"nearly the same {field}: {about}", "tell another situation"
        )
        return
    why = "; they differ in numbers or units only" if figures_only else ""
    yield other.view.document.finding(
        Code.SIMILAR_PAIR,
        other.view.at(field),
        f"similar {field}: {about}{why}",
        "check that the two hold different traps",
    )


def _tag_clashes(documents: Sequence[Document]) -> Iterator[Finding]:
    first: dict[str, Document] = {}
    for document in documents:
        if document.tag:
            other = first.setdefault(document.tag, document)
            if other is not document:
                yield document.finding(
                    Code.TAG_CLASH,
                    ("tag",),
                    f"tag {document.tag!r} belongs to {other.path} too",
                    "choose a tag that no other file uses",
                )


def _place(view: SeedView) -> str:
    return f"seed {view.label} ({view.document.path}:{view.document.source.line_of(view.at())})"
