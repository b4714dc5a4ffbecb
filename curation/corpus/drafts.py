"""Output files that appear under their names all together, when all of them are complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Drafts:
    """Files in the making, each beside its place under a name that begins with a dot."""

    def __init__(self) -> None:
        self._places = dict[Path, Path]()

    def of(self, final: Path) -> Path:
        """Where to write what will be ``final``."""
        draft = final.with_name(f".{final.name}.{os.getpid()}.part")
        self._places[draft] = final
        return draft

    def publish(self) -> None:
        """Give every draft its name, in the order in which they were asked for."""
        for draft, final in self._places.items():
            os.replace(draft, final)

    def discard(self) -> None:
        """Remove the drafts that have not been published."""
        for draft in self._places:
            draft.unlink(missing_ok=True)


@contextmanager
def drafting(folder: Path) -> Iterator[Drafts]:
    """Drafts for files in ``folder``, which is made; published unless the block raises, Ctrl-C included."""
    made = not folder.exists()
    drafts = Drafts()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield drafts
        drafts.publish()
    except BaseException:  # also Ctrl-C; it is raised again
        drafts.discard()
        if made and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        raise
