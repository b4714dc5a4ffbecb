"""Screen one text by rules.

What it checks
    Personal data (by form, check digit or a cue word beside it) and unsafe content (listed wording).

Why it matters
    What is published cannot be taken back.

Known blind spots
    Wording that is not listed, figures written in words, names without a cue.

Example kept
    "Tom walks 13,800 steps; 3.5 km at 5 km/h, from 18:30."

Example rejected
    "Reach me at someone@example.com."
"""

from __future__ import annotations

from collections.abc import Iterable

from checkers.screening.folding import Folded, fold
from checkers.screening.masking import masked
from checkers.screening.personal import personal_hits
from checkers.screening.records import Hit, Marks, ScreenFinding, Severity
from checkers.screening.word_lists import unsafe_hits
from salitrap.settings.screening import ScreenCategory, ScreeningSettings

_ORDER = {
    category: (category is not ScreenCategory.MINORS, place) for place, category in enumerate(ScreenCategory)
}
"""Which of two findings at one place stays: the gravest first, then as categories are listed."""


def screen_text(
    text: str, settings: ScreeningSettings | None = None, field: str = "text"
) -> tuple[ScreenFinding, ...]:
    """Findings of ``text`` in its order, at most one for each place; () when there is none."""
    settings = settings or ScreeningSettings()
    folded = fold(text)
    hits = [*personal_hits(folded.text), *unsafe_hits(folded.text)]
    wanted = [hit for hit in hits if hit.category in (*settings.block, *settings.warn)]
    kept = _apart(wanted, _allowed(folded.text, settings.allow))
    return tuple(finding_at(text, folded, hit, settings, field) for hit in kept)


def severity_of(category: ScreenCategory, settings: ScreeningSettings) -> Severity:
    """What a finding of ``category`` means."""
    return Severity.BLOCK if category in settings.block else Severity.WARN


def finding_at(text: str, folded: Folded, hit: Hit, settings: ScreeningSettings, field: str) -> ScreenFinding:
    """The finding of a hit, in places of the original text, and masked."""
    start, end = folded.span(hit.start, hit.end)
    shown = masked(text[start:end]) if hit.category.is_personal else text[start:end]
    severity = severity_of(hit.category, settings)
    return ScreenFinding(
        category=hit.category, severity=severity, field=field, start=start, end=end, shown=shown
    )


def _apart(hits: Iterable[Hit], taken: Marks) -> list[Hit]:
    """Without hits that overlap what is taken, one of an earlier category, or a longer one."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (_ORDER[hit.category], hit.start - hit.end, hit.start)):
        if not taken.touch(hit.start, hit.end):
            taken.add(hit.start, hit.end)
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.start)


def _allowed(text: str, terms: Iterable[str]) -> Marks:
    found = Marks(text)
    for term in (fold(term).text for term in terms):
        start = text.find(term) if term else -1
        while start >= 0:
            found.add(start, start + len(term))
            start = text.find(term, start + len(term))
    return found
