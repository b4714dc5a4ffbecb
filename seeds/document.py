"""A domain file opened for checking: the parsed tree, its lines, and tolerant views of its seeds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salitrap.records import Language
from salitrap.text import in_language
from salitrap.yaml_source import KeyPath, Yaml, YamlSource, read_yaml
from seeds.findings import Code, Finding, severity_of
from seeds.reading import Reading, read_bytes, read_domain
from seeds.tree import SourceFault

_OF_FILE = frozenset((Code.NOT_YAML, Code.NOT_UTF8, Code.SEVERAL_DOCUMENTS, Code.ALIASES_WITHOUT_END))
Report = Callable[[Code, KeyPath, str, str], None]


@dataclass(frozen=True, slots=True)
class SeedView:
    """One entry of ``seeds`` as far as it is usable; unusable fields are empty."""

    document: Document
    index: int
    raw: dict[str, Any]

    @property
    def label(self) -> str:
        """The key, or ``#3`` for a third seed without one."""
        return self.text("key") or f"#{self.index + 1}"

    @property
    def language(self) -> Language | None:
        """Language when it is one we know."""
        name = self.text("language")
        return Language(name) if name in set(Language) else None

    @property
    def written_in(self) -> Language:
        """Language that the seed names, or the one its texts seem to be in when it names none we know."""
        texts = " ".join(self.text(name) for name in ("prompt", "trap_core", "ground_truth"))
        guessed = Language.ZH if in_language(texts, Language.ZH) else Language.EN
        return self.language or guessed

    def text(self, *path: str) -> str:
        """A text field, stripped; empty when absent or not a text."""
        value: Any = self.raw
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        return value.strip() if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """The usable entries of a list field."""
        value = self.raw.get(name)
        return tuple(entry for entry in value if isinstance(entry, str)) if isinstance(value, list) else ()

    def at(self, *path: str | int) -> KeyPath:
        """Key path of a field of this seed."""
        return ("seeds", self.index, *path)


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed domain file."""

    path: Path
    source: YamlSource
    reading: Reading | None = None

    @property
    def tree(self) -> dict[str, Yaml]:
        """The top mapping; empty when the file holds something else."""
        return self.source.value if isinstance(self.source.value, dict) else {}

    @property
    def seeds(self) -> tuple[SeedView, ...]:
        """Views of all entries of ``seeds`` that are mappings."""
        entries = self.tree.get("seeds")
        listed = enumerate(entries) if isinstance(entries, list) else ()
        return tuple(SeedView(self, index, entry) for index, entry in listed if isinstance(entry, dict))

    @property
    def tag(self) -> str:
        """The tag, empty when absent."""
        tag = self.tree.get("tag")
        return tag.strip() if isinstance(tag, str) else ""

    def finding(self, code: Code, at: KeyPath, message: str, repair: str) -> Finding:
        """Build a finding at a key path; seed and field follow from the path."""
        line, column = self.source.line_of(at), self._column_of(at)
        return self._finding(SourceFault(code, at, line, column, message, repair), at)

    def source_findings(self) -> tuple[Finding, ...]:
        """What is wrong with the text of the file, apart from what it says."""
        if self.reading is None:
            return ()
        faults = self.reading.tree.faults
        begun = self.reading.tree.in_text_order() if faults else []
        return tuple(self._finding(fault, self._path_at(fault, begun)) for fault in faults)

    def _finding(self, fault: SourceFault, at: KeyPath) -> Finding:
        seed, field = self._names(at)
        return Finding(
            path=str(self.path),
            line=fault.line,
            column=fault.column,
            seed=seed,
            field=field,
            code=fault.code,
            severity=severity_of(fault.code),
            message=fault.message,
            repair=fault.repair,
        )

    def _column_of(self, at: KeyPath) -> int | None:
        if self.reading is None or not self.reading.is_whole:
            return None
        tree = self.reading.tree
        while at and at not in tree.starts:
            at = at[:-1]
        return tree.places.column(tree.starts[at]) if at in tree.starts else None

    def _path_at(self, fault: SourceFault, begun: list[tuple[int, KeyPath]]) -> KeyPath:
        """The value in which a fault of the text stands; empty for the file itself."""
        if self.reading is None or fault.at or fault.code in _OF_FILE:
            return fault.at
        places = self.reading.tree.places.starts
        end = places[fault.line] if fault.line < len(places) else len(self.reading.text) + 1
        index = places[fault.line - 1] + fault.column if fault.column is not None else end
        before = bisect_left(begun, index, key=lambda one: one[0])
        return begun[before - 1][1] if before else ()

    def _names(self, at: KeyPath) -> tuple[str | None, str | None]:
        inside_seed = len(at) > 1 and at[0] == "seeds"
        label = (
            next((view.label for view in self.seeds if view.index == at[1]), None) if inside_seed else None
        )
        if inside_seed and label is None:
            label = f"#{int(at[1]) + 1}"
        return label, field_name(at[2:] if inside_seed else at)


def open_document(path: Path) -> Document:
    """Read ``path``.

    Raises:
        InputError: the file is missing, a folder, or unreadable.
        SeedFileError: not UTF-8 or not YAML.
    """
    return Document(path, read_yaml(path))


def read_document(path: Path, raw: bytes | None = None) -> Document:
    """Open ``path``, or ``raw`` in its place, for the linter: what is wrong with the text is in the reading.

    Raises:
        InputError: the file is missing, a folder, or unreadable.
    """
    reading = read_domain(read_bytes(path) if raw is None else raw, str(path))
    tree = reading.tree
    lines = {at: tree.places.line(start) for at, start in tree.starts.items()}
    return Document(path, YamlSource(path, tree.value, lines), reading)


def field_name(at: KeyPath) -> str | None:
    """``("triple", "tool")`` as ``triple.tool``, list entries as ``preserve[2]`` (from 1)."""
    name = ""
    for step in at:
        name += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if name else step
    return name or None
