"""Where things stand in ``runs/NAME/``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from salitrap.errors import DiskFull, RunDirectoryError

STRAYS = frozenset({".DS_Store", ".gitignore", ".gitkeep", "lost+found"})
"""Names that tools and systems leave in folders that hold nothing."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths of one run directory."""

    root: Path

    @property
    def run_file(self) -> Path:
        """Settings, prompt hashes and domain hashes, one revision after the other."""
        return self.root / "run.yaml"

    @property
    def registry(self) -> Path:
        """Events and the current view."""
        return self.root / "registry.sqlite"

    @property
    def journal(self) -> Path:
        """Every model call."""
        return self.root / "journal.sqlite"

    @property
    def embeddings(self) -> Path:
        """Every vector that filter f5 paid for, where it is on."""
        return self.root / "embeddings.sqlite"

    @property
    def events(self) -> Path:
        """The registry's events, one a line."""
        return self.root / "events.jsonl"

    @property
    def rejects(self) -> Path:
        """Everything that came in and is no item, one a line."""
        return self.root / "rejects.jsonl"

    @property
    def reviews(self) -> Path:
        """Pairs of accepted seeds for a person to read, one a line."""
        return self.root / "reviews.jsonl"

    @property
    def lock(self) -> Path:
        """Held by the process that writes."""
        return self.root / "lock"

    def create(self) -> None:
        """Make the directory.

        Raises:
            RunDirectoryError: the path is a file, cannot be created, or is a folder with other things in it.
        """
        self.refuse_foreign()
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunDirectoryError(
                f"{self.root}: cannot be a run directory ({error.strerror or error}); choose another path"
            ) from error

    def refuse_foreign(self) -> None:
        """Check that no run would be written among files that are not a run's: a dataset's, say.

        What a start that was interrupted left is ours.

        Raises:
            RunDirectoryError: the folder has a file that is not ours, and no run was started in it.
        """
        if self.run_file.is_file() or not self.root.is_dir():
            return
        try:
            foreign = sorted(entry.name for entry in self.root.iterdir() if not self._is_ours(entry.name))
        except OSError as error:
            raise RunDirectoryError(
                f"{self.root}: cannot be read ({error.strerror or error}); choose another path"
            ) from error
        if foreign:
            raise RunDirectoryError(
                f"{self.root}: not a run directory, and not empty (it has {foreign[0]!r}); "
                "give --run the path of a run, or of a folder that is empty or not there yet"
            )

    def _is_ours(self, name: str) -> bool:
        """True for a file of a run in whatever state: SQLite's ``-wal``, a ``.part``."""
        databases, lists = (self.registry, self.journal, self.embeddings), (self.events, self.rejects)
        paths = (self.run_file, *databases, *lists, self.reviews)
        written = any(
            name == path.name or name.startswith((f"{path.name}-", f"{path.name}.")) for path in paths
        )
        return written or name in STRAYS or name == self.lock.name

    def require(self) -> None:
        """Check that a run was started here.

        Raises:
            RunDirectoryError: there is none.
        """
        if not self.run_file.is_file():
            raise RunDirectoryError(
                f"{self.root}: no run here ({self.run_file.name} is missing); check the path"
            )


def replace_file(path: Path, pieces: list[str]) -> None:
    """Write a small text file so that readers see the old one or the new one.

    Raises:
        DiskFull: it could not be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        part.replace(path)
    except OSError as error:
        raise DiskFull(
            f"{path}: could not be written ({error.strerror or error}); free some space"
        ) from error
