"""Whatever a file holds, the linter answers with findings; what the strict reader reads, it reads alike."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from salitrap.errors import SeedFileError
from salitrap.settings import ScaleSettings
from salitrap.yaml_source import read_yaml
from seeds import Code, lint_file
from seeds.document import read_document
from seeds.fix import fixed
from seeds.lint import document_findings
from tests.seeds.samples import as_yaml, sample_domain

FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SCALE = ScaleSettings()
FRAGMENTS = [
    *(
        "：",
        "，",
        "【",
        "】",
        "“",
        "”",
        "\t",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\r",
        "\u2028",
        "\x85",
        "\ufeff",
        "\u3000",
        "\x00",
        "\x07",
    ),
    *(
        "&a ",
        "*a ",
        "<<: ",
        "!!int ",
        "!x ",
        "---\n",
        "...\n",
        "- ",
        "? ",
        ": ",
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        "|",
        ">-",
        "#",
    ),
    *(
        "yes",
        "12:30",
        "0012",
        "NaN",
        "2024-02-30",
        "null",
        "~",
        "８",
        "四十",
        "40",
        "%YAML 1.1\n",
        "\\",
        ",",
        "😀",
    ),
]
TEXT = as_yaml(sample_domain()).replace('"', "").replace("  ", " ")
QUOTED = as_yaml(sample_domain())


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A sound file with fragments put in and pieces taken out or doubled."""
    text = draw(st.sampled_from([TEXT, QUOTED]))
    chance = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(1, 6))):
        at, length = chance.randrange(len(text)), chance.choice([0, 0, 1, 3, 20])
        middle = chance.choice([*FRAGMENTS, text[at : at + length] * 2])
        text = text[:at] + middle + text[at + length :]
    return text


@FUZZ
@given(raw=st.binary(max_size=200))
def test_any_bytes_give_findings(raw: bytes) -> None:
    check(raw)


@FUZZ
@given(text=mutated())
def test_any_mutation_gives_findings(text: str) -> None:
    check(text.encode("utf-8"))


@FUZZ
@given(pieces=st.lists(st.sampled_from([*FRAGMENTS, "tag", "seeds", "prompt", "en", "a", "b"]), max_size=30))
def test_any_heap_of_marks_gives_findings(pieces: list[str]) -> None:
    check("".join(pieces).encode("utf-8"))


def check(raw: bytes) -> None:
    """Findings with places in the file; none of them lost on the way to being mended."""
    path = Path("fuzzed.yaml")
    findings = document_findings(read_document(path, raw), SCALE)
    lines = raw.count(b"\n") + raw.count(b"\r") + 1
    assert all(1 <= finding.line <= lines + 1 and finding.message and finding.repair for finding in findings)
    result = fixed(path, raw, SCALE)
    assert fixed(path, result.after, SCALE).after == result.after
    assert result.changes <= any(finding.fixable for finding in findings)


@FUZZ
@given(text=mutated())
def test_what_the_strict_reader_reads_is_read_alike(
    text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("read") / "a.yaml"
    path.write_bytes(text.encode("utf-8"))
    try:
        strict = read_yaml(path)
    except SeedFileError:
        assert any(finding.severity == "error" for finding in lint_file(path))
        return
    lenient = read_document(path)
    if not {"<<"} & {str(step) for at in strict.lines for step in at}:
        assert lenient.source.value == strict.value


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("tag: *bold* text\n", 1, "put the value into quotes"),
        ("tag: a\nname: one: two\n", 2, "': '"),
        ('tag: a\nname: "open\n\n\n\n', 2, "close the quotes"),
        ("tag: @home\n", 1, "reserved"),
        ("tag: a\n# \x07\n", 2, "correct this first"),
    ],
)
def test_what_is_not_yaml_is_told_with_the_place_and_the_way_out(
    text: str, line: int, words: str, tmp_path: Path
) -> None:
    """An open quote was reported at the end of the file, an odd character at line 1."""
    path = tmp_path / "a.yaml"
    path.write_bytes(text.encode("utf-8"))
    (found,) = lint_file(path)
    assert (found.code, found.line) == (Code.NOT_YAML, line)
    assert words in found.repair


@pytest.mark.parametrize("chain", [40, 3000])
def test_a_chain_of_aliases_ends_in_a_finding(chain: int, tmp_path: Path) -> None:
    """A long chain was a RecursionError, a wide one took all memory."""
    path = tmp_path / "a.yaml"
    links = [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, chain)]
    path.write_text("a0: &a0 [x]\n" + "".join(links), encoding="utf-8")
    assert {finding.code for finding in lint_file(path)} >= {Code.ALIASES_WITHOUT_END}
    with pytest.raises(SeedFileError):
        read_yaml(path)


def test_several_marks_are_found_at_once_and_do_not_hide_what_is_below(tmp_path: Path) -> None:
    text = QUOTED.replace('"tag": ', "tag：").replace('"avoid":', '"avoidance":', 1)
    text = text.replace('"trap_core": ', "trap_core：", 1).replace('"ground_truth": ', '"ground_truth":\t', 1)
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")
    assert sorted(finding.code.name for finding in lint_file(path)) == [
        *("FULL_WIDTH_MARK", "FULL_WIDTH_MARK", "MISSING_FIELD", "TAB", "UNKNOWN_FIELD")
    ]
