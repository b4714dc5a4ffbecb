"""A domain file opened for checking: the parsed tree, its lines, and tolerant views of its seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salitrap.records import Language
from salitrap.text import in_language
from salitrap.yaml_source import KeyPath, Yaml, YamlSource, read_yaml
from seeds.findings import Code, Finding, severity_of

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
        seed, field = self._names(at)
        return Finding(
            path=str(self.path),
            line=self.source.line_of(at),
            seed=seed,
            field=field,
            code=code,
            severity=severity_of(code),
            message=message,
            repair=repair,
        )

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


def field_name(at: KeyPath) -> str | None:
    """``("triple", "tool")`` as ``triple.tool``, list entries as ``preserve[2]`` (from 1)."""
    name = ""
    for step in at:
        name += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if name else step
    return name or None
