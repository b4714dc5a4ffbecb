"""Texts that end sooner than they look: to YAML a '#' after a blank begins a comment."""

from __future__ import annotations

import re

import yaml

from salitrap.yaml_source import KeyPath
from seeds.findings import Code
from seeds.tree import Tree, is_plain

_COMMENT = re.compile(r"[ \t]+(?=#)")
_TEXTS = frozenset(("scenario", "prompt", "trap_core", "ground_truth", "definition", "name"))


def note_cut_texts(tree: Tree, text: str) -> None:
    """Record each text without quotes that has a comment behind it, at its '#'."""
    seen = set[int]()
    for at, node in tree.nodes.items():
        found = _COMMENT.match(text, node.end_mark.index) if _is_text(at, node) else None
        if found is not None and found.end() not in seen:
            seen.add(found.end())
            message = f"the text ends before {_shown(text, found.end())}: everything after ' #' is a comment"
            repair = "put the text into quotes, with what belongs to it; a comment may stand behind them"
            tree.fault(Code.CUT_TEXT, at, found.end(), message, repair)


def _is_text(at: KeyPath, node: yaml.Node) -> bool:
    return is_plain(node) and bool(node.value) and bool(_TEXTS & {str(step) for step in at})


def _shown(text: str, start: int) -> str:
    comment = re.split(r"[\r\n]", text[start:], maxsplit=1)[0].rstrip()
    return repr(comment if len(comment) <= 24 else f"{comment[:23]}…")
