"""Two files full of planted faults, marked line by line, and how much of them mending does away with."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from seeds import Code, builtin_paths, fix_file, lint_file, lint_files, write_fixed

FILES = sorted((Path(__file__).parent / "fixtures").glob("planted.*.yaml"))
MENDED = {
    Code.AMBIGUOUS_SCALAR,
    Code.FULL_WIDTH_MARK,
    Code.BYTE_ORDER_MARK,
    Code.LINE_ENDINGS,
    Code.TRAILING_SPACE,
    Code.TAB,
}


def marks(path: Path) -> list[tuple[int, str]]:
    """Line and code of each fault that the comments of a file announce."""
    lines = path.read_bytes().decode("utf-8").split("\n")
    return sorted((at, code) for at, line in enumerate(lines, 1) for code in line.partition("#!")[2].split())


def found(path: Path) -> list[tuple[int, str]]:
    return sorted((finding.line, finding.code.value) for finding in lint_file(path))


def test_there_is_a_file_for_each_language() -> None:
    assert [path.name for path in FILES] == ["planted.en.yaml", "planted.zh.yaml"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_planted_fault_is_found_at_its_line_and_nothing_else(path: Path) -> None:
    assert len({code for _, code in marks(path)}) >= 20
    assert found(path) == marks(path)


def test_the_shipped_files_have_none_of_them() -> None:
    assert lint_files(builtin_paths()) == ()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_mending_does_away_with_what_is_safe_and_leaves_the_rest(path: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(path, tmp_path / "copy.yaml"))
    write_fixed(fix_file(copy))
    left = [(line, code) for line, code in marks(path) if Code(code) not in MENDED]
    assert len(left) < len(marks(path)) - len(MENDED) + 1
    assert found(copy) == left
    assert not fix_file(copy).changes


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_is_called_fixable_is_what_gets_mended(path: Path) -> None:
    findings = lint_file(path)
    assert {finding.code for finding in findings if finding.fixable} == MENDED
    assert {finding.code for finding in findings if not finding.fixable}.isdisjoint(MENDED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_columns_point_at_the_field(path: Path) -> None:
    lines = path.read_bytes().decode("utf-8-sig").replace("：", ": ").split("\n")
    for finding in lint_file(path):
        if finding.field and finding.column is not None and finding.code is Code.UNLISTED_NICHE:
            assert lines[finding.line - 1][finding.column - 1 :].startswith("scene:")
