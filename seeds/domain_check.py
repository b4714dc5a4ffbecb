"""Checks of a domain file as a whole: languages and seeds."""

from __future__ import annotations

from collections.abc import Iterator

from salitrap.records import Language
from seeds.document import Document
from seeds.findings import Code, Finding

_PARTS = ("name", "definition", "niches")


def domain_findings(document: Document) -> Iterator[Finding]:
    """Faults that belong to no single seed."""
    if not document.tree:
        return
    yield from language_findings(document)
    if document.tree.get("seeds") == []:
        yield document.finding(
            Code.NO_SEEDS,
            ("seeds",),
            "the domain has no seed",
            "write some: they are the examples for scaling",
        )


def language_findings(document: Document) -> Iterator[Finding]:
    """A language that is used anywhere needs a name, a definition and niches."""
    parts = {part: document.tree.get(part) for part in _PARTS}
    used = {view.language for view in document.seeds}
    used |= {
        language
        for value in parts.values()
        if isinstance(value, dict)
        for language in Language
        if language in value
    }
    for language in (language for language in Language if language in used):
        for part, value in parts.items():
            if isinstance(value, dict) and language.value not in value:
                yield document.finding(
                    Code.LANGUAGE_INCOMPLETE,
                    (part,),
                    f"{part} has no entry for {language.value}, which the file uses elsewhere",
                    f"add '{language.value}:' under {part}",
                )
