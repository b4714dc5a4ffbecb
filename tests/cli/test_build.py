"""``salitrap build`` and the version that stands in its way."""

from __future__ import annotations

from pathlib import Path

from exports.dataset import read_manifest
from tests.cli.helpers import only_line, tree
from tests.cli.in_process import Inside


def test_a_version_is_built_again_only_with_the_same_bytes(
    inside: Inside, directory: Path, tmp_path: Path
) -> None:
    """``build`` replaced a version by another dataset of the same number, or of a lower one."""
    out = tmp_path / "ds"
    place = ("build", directory, "--out", out, "--name", "Named")
    assert inside(*place, "--version", "0.2.0", "--license", "mit").code == 0
    before = tree(out)
    assert inside(*place, "--version", "0.2.0", "--license", "mit").code == 0
    for version, license in (("0.2.0", "isc"), ("0.1.0", "mit")):
        told = inside(*place, "--version", version, "--license", license)
        assert told.code == 2
        assert "holds version 0.2.0" in only_line(told.err)
        assert "such as 0.3.0" in told.err
    assert tree(out) == before
    assert inside(*place, "--version", "0.3.0", "--license", "isc").code == 0
    assert read_manifest(out).version == "0.3.0"


def test_what_cannot_be_released_is_refused_in_one_line(
    inside: Inside, directory: Path, tmp_path: Path
) -> None:
    place = ("build", directory, "--out", tmp_path / "ds")
    zero = inside(*place, "--version", "0.0.0", "--license", "mit")
    mistyped = inside(*place, "--version", "1.0.0", "--license", "cc-by-4")
    assert (zero.code, mistyped.code) == (2, 2)
    assert "begin with 0.1.0" in only_line(zero.err)
    assert "did you mean 'cc-by-4.0'?" in only_line(mistyped.err)
    assert not (tmp_path / "ds").exists()


def test_another_license_is_built_with_a_notice(inside: Inside, directory: Path, tmp_path: Path) -> None:
    told = inside("build", directory, "--out", tmp_path / "ds", "--version", "1.0.0", "--license", "other")
    assert told.code == 0
    assert "note: license 'other'" in told.err
