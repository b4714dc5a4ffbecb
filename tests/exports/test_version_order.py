"""A version in the place gives way to a higher one, or to its own bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports.dataset import read_manifest
from salitrap.errors import ExitCode, InputError
from tests.exports.conftest import Build, contents
from tests.exports.samples import many


@pytest.mark.parametrize("version", ["1.2.3", "1.2.2", "1.1.9", "0.9.0"])
def test_other_content_under_the_same_or_a_lower_version_is_refused(
    build: Build, out: Path, version: str
) -> None:
    """Two different datasets could bear one version, and 2.0.0 could be followed by 1.0.0 unnoticed."""
    build(many(40), version="1.2.3")
    before = contents(out)
    with pytest.raises(InputError, match=r"holds version 1\.2\.3.*such as 1\.3\.0") as caught:
        build(many(30), version=version, overwrite=False)
    assert caught.value.exit_code is ExitCode.USAGE
    assert contents(out) == before


def test_a_lower_version_is_refused_with_the_same_items_too(build: Build) -> None:
    build(many(40), version="1.2.3")
    with pytest.raises(InputError, match="higher version"):
        build(many(40), version="1.2.2", overwrite=False)


def test_the_same_bytes_under_the_same_version_change_nothing(build: Build, out: Path) -> None:
    build(many(40))
    (out / ".DS_Store").write_text("left by a file manager")
    before = contents(out)
    build(many(40), overwrite=False)
    assert contents(out) == {path: content for path, content in before.items() if path != ".DS_Store"}


def test_a_file_that_went_missing_is_not_the_same_dataset(build: Build, out: Path) -> None:
    build(many(40))
    (out / "jsonl" / "items" / "test.jsonl").unlink()
    with pytest.raises(InputError, match="holds version"):
        build(many(40), overwrite=False)


@pytest.mark.parametrize("version", ["1.2.4", "1.3.0", "2.0.0", "1.10.0"])
def test_a_higher_version_takes_the_place(build: Build, out: Path, version: str) -> None:
    build(many(40), version="1.2.3")
    build(many(30), version=version, overwrite=False)
    assert read_manifest(out).version == version


def test_version_zero_is_refused(build: Build, out: Path) -> None:
    with pytest.raises(InputError, match=r"0\.0\.0.*begin with 0\.1\.0"):
        build(version="0.0.0")
    assert not out.exists()
