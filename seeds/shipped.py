"""Tags of the shipped domains, which domains of one's own had better not take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from seeds.document import Document
from seeds.findings import Code, Finding
from seeds.loader import builtin_paths

_TAG = re.compile(r"^tag: *(\S+) *$", re.MULTILINE)


def shipped_tags() -> dict[str, Path]:
    """Tag and file of each shipped domain, without reading more of it."""
    found = ((_TAG.search(path.read_text(encoding="utf-8")), path) for path in builtin_paths())
    return {match[1]: path for match, path in found if match is not None}


def free_tag() -> str:
    """The first of D1, D2, ... that no shipped domain has."""
    taken = shipped_tags()
    return next(tag for number in count(1) if (tag := f"D{number}") not in taken)


def shipped_tag_findings(documents: Sequence[Document]) -> Iterator[Finding]:
    """Files with the tag of a shipped domain that is not checked together with them."""
    tags, checked = shipped_tags(), {document.path.resolve() for document in documents}
    for document in documents:
        owner = tags.get(document.tag)
        if owner is not None and owner.resolve() not in checked:
            yield document.finding(
                Code.SHIPPED_TAG,
                ("tag",),
                f"tag {document.tag!r} is that of the shipped domain {owner.name}",
                f"choose another, such as {free_tag()}, unless you leave builtin out of 'domains'",
            )
