"""YAML that a keyboard, an editor or a mistake made unreadable: one line that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from salitrap.errors import InputError, SeedFileError
from salitrap.yaml_source import DEEPEST, read_yaml


def refusal(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    with pytest.raises(SeedFileError) as caught:
        read_yaml(path)
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        "a: " + "[" * 3000 + "]" * 3000,
        "a: " + "{b: " * 3000 + "1" + "}" * 3000,
        "\n".join("  " * depth + "a:" for depth in range(200)),
        "- " * 5000 + "1",
    ],
)
def test_deep_nesting_is_refused_by_name(tmp_path: Path, content: str) -> None:
    """It once ended as a RecursionError, which is exit 4."""
    assert f"more than {DEEPEST} levels" in refusal(tmp_path / "deep.yaml", content)


def test_ordinary_nesting_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deep.yaml"
    path.write_text("[" * 40 + "]" * 40, encoding="utf-8")
    assert read_yaml(path).value


@pytest.mark.parametrize(
    ("content", "line", "mark", "ascii_mark"),
    [
        ("a: 1\nname：x\n", 2, "：", ":"),
        ("name：x\n", 1, "：", ":"),
        ("a: 1\nroles：\n  solver: {a: 1}\n", 2, "：", ":"),
        ("a: 1\nb: {en：3}\n", 2, "：", ":"),
        ("a: 1\nb: {en: 3， zh: 4}\n", 2, "，", ","),
        ("a: 1\nb: 【en, zh】\n", 2, "【", "["),
        ("a: 1\nb: 【“40”，“3”】\n", 2, "【", "["),
        ("a: 1\nb: ｛en: 1｝\n", 2, "｛", "{"),
        ("a: 1\nb: “x: y”\n", 2, "“", '"'),
        ("a: [1， 2\nb: 3\n", 1, "，", ","),
        ("targets:\n  default：{zh: 2}\n", 2, "：", ":"),
        ("targets: {default：{zh: 2}}\n", 1, "：", ":"),
        ("a: 1\nname：“x”: y\n", 2, "：", ":"),
    ],
)
def test_a_full_width_mark_where_yaml_wants_its_twin_is_named(
    tmp_path: Path, content: str, line: int, mark: str, ascii_mark: str
) -> None:
    told = refusal(tmp_path / "c.yaml", content)
    assert told.startswith(f"{tmp_path / 'c.yaml'}:{line}: ")
    assert repr(mark) in told
    assert f"write {ascii_mark!r}" in told


@pytest.mark.parametrize(
    "text",
    ["“走路”还是“开车”？", "【通知】今晚停水", "他说：好，走吧。", "五十米，走路【不开车】"],
)
def test_chinese_prose_keeps_its_marks(tmp_path: Path, text: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(f"a: {text}\nb:\n  - {text}\nc: |\n  {text}\n  注：{text}\n", encoding="utf-8")
    value = read_yaml(path).value
    assert isinstance(value, dict)
    assert value["a"] == text


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("gbk", "GBK"),
        ("gb18030", "GBK"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"),
    ],
)
@pytest.mark.parametrize("text", ["a: 1\nname: 走路还是开车\n", "a: 1\nname: 走\n"])
def test_another_encoding_is_guessed_and_the_cure_named(
    tmp_path: Path, text: str, encoding: str, name: str
) -> None:
    told = refusal(tmp_path / "c.yaml", text.encode(encoding))
    assert name in told
    assert "save as UTF-8" in told


def test_the_line_of_the_first_foreign_byte_is_named(tmp_path: Path) -> None:
    assert f"{tmp_path / 'c.yaml'}:3: " in refusal(tmp_path / "c.yaml", "a: 1\nb: 2\nc: 走\n".encode("gbk"))


def test_utf_16_without_a_mark_of_byte_order_is_no_mystery(tmp_path: Path) -> None:
    """ASCII in UTF-16 is valid UTF-8 with zeros in it, and was called a special character."""
    assert "UTF-16" in refusal(tmp_path / "c.yaml", "name: x\n".encode("utf-16-le"))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_yaml(tmp_path)


ALIASES = {
    "wide": "a0: &a0 x\n"
    + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)),
    "long": "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 3000)),
    "own": "a: &a [*a]\n",
}


@pytest.mark.parametrize(
    ("kind", "words"), [("wide", "aliases make more"), ("long", "levels deep"), ("own", "contains itself")]
)
def test_aliases_without_end_are_refused(tmp_path: Path, kind: str, words: str) -> None:
    """Ten levels of ten aliases took all memory, and a long chain of them ended as a RecursionError."""
    assert words in refusal(tmp_path / "a.yaml", ALIASES[kind])


def test_ordinary_aliases_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: &a [x, y]\nb: [*a, *a]\n", encoding="utf-8")
    assert read_yaml(path).value == {"a": ["x", "y"], "b": [["x", "y"], ["x", "y"]]}
