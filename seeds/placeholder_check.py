"""Texts of the started file that an author left as they were."""

from __future__ import annotations

from collections.abc import Iterator

from salitrap.records import Language
from salitrap.yaml_source import KeyPath
from seeds.document import Document
from seeds.findings import Code, Finding
from seeds.scaffold import default_name, template_texts

_REPAIRS = {
    "name": "give the domain a name",
    "definition": "say what makes a trap of this domain: scaling hands it to the model that writes seeds",
    "prompt": "replace the worked example by a seed of your own, or delete it",
}


def placeholder_findings(document: Document) -> Iterator[Finding]:
    """Name, definition and example seeds that still are those of ``salitrap seeds new``."""
    for language in Language:
        texts = template_texts(language)
        if _text(document, "name", language) == default_name(language):
            yield _finding(document, ("name", language.value))
        if _text(document, "definition", language) == texts.definition:
            yield _finding(document, ("definition", language.value))
    examples = {template_texts(language).prompt for language in Language}
    for view in document.seeds:
        if " ".join(view.text("prompt").split()) in examples:
            yield _finding(document, view.at("prompt"))


def _text(document: Document, part: str, language: Language) -> str:
    """An entry of the name or the definition, in one line; empty when absent or not a text."""
    texts = document.tree.get(part)
    value = texts.get(language.value) if isinstance(texts, dict) else None
    return " ".join(value.split()) if isinstance(value, str) else ""


def _finding(document: Document, at: KeyPath) -> Finding:
    repair = _REPAIRS[str(at[0] if at[0] in _REPAIRS else at[-1])]
    return document.finding(Code.PLACEHOLDER, at, "the text of the started file was left in place", repair)
