"""Where things stand in ``runs/NAME/``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from salitrap.errors import DiskFull, RunDirectoryError


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
            RunDirectoryError: the path is a file or cannot be created.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunDirectoryError(
                f"{self.root}: cannot be a run directory ({error.strerror or error}); choose another path"
            ) from error

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
