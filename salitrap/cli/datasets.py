"""A dataset that a command is given: a folder, or a release on the Hub."""

from __future__ import annotations

from pathlib import Path

from salitrap.cli.console import err

DATASET_HELP = "Dataset folder of salitrap build, or a release on the Hub: ORG/NAME@v1.0.0."


def dataset_folder(given: Path) -> Path:
    """Return the folder of a dataset; a release is fetched into the cache, verified, and its commit told.

    Raises:
        InputError: no such release, or no right to read it.
        StoppedError: the Hub could not be reached.
    """
    from exports.hub.address import is_address, parse_address

    if given.exists() or not is_address(str(given)):
        return given
    from exports.hub.fetch import cached_release

    fetched = cached_release(parse_address(str(given)))
    err().print(f"{given} is commit {fetched.sha}, verified, in {fetched.path}", soft_wrap=True)
    return fetched.path
