"""Domain files become records word for word, or an error that says where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from salitrap.errors import InputError, SeedFileError
from salitrap.records import Language, Origin
from seeds import BUILTIN, builtin_paths, domain_paths, load_domain, load_domains
from tests.seeds.samples import KITE, SOUP, as_yaml, sample_domain, write

TYPED = [
    "yes",
    "no",
    "on",
    "off",
    "0012",
    "0089",
    "1_000",
    "12:30",
    "09:05",
    "8.50",
    "2024-02-03",
    "2024-02-30",
]


def refused(path: Path) -> SeedFileError:
    with pytest.raises(SeedFileError) as caught:
        load_domain(path)
    return caught.value


def test_a_sound_file_becomes_a_domain(tmp_path: Path) -> None:
    domain = load_domain(write(tmp_path / "a.yaml", sample_domain()))
    assert (domain.tag, domain.name[Language.ZH]) == ("X1", "样例")
    assert [seed.key for seed in domain.seeds_in(Language.EN)] == ["x1-en-soup", "x1-en-kite"]
    kite = domain.seeds[1]
    assert kite.prompt == KITE["prompt"]
    assert kite.injected_numbers == ("9", "2.4", "60%", "15")
    assert (kite.dimension_tag, kite.origin, kite.simulated) == ("X1", Origin.EXPERT, False)
    assert (kite.triple.tool, kite.niche.life_area) == ("kite", "play")


@pytest.mark.parametrize("typed", TYPED)
def test_unquoted_words_times_ids_and_dates_stay_text(typed: str, tmp_path: Path) -> None:
    text = as_yaml(sample_domain()).replace('"the cellar"', typed).replace('"a fan"', typed)
    seed = load_domain(write(tmp_path / "a.yaml", text)).seeds[1]
    assert seed.preserve == (typed,)
    assert seed.avoid == (typed,)


def test_zero_padded_keys_do_not_collide_with_their_octal_values(tmp_path: Path) -> None:
    text = as_yaml(sample_domain()).replace('"x1-en-soup"', "0012").replace('"x1-en-kite"', "10")
    assert [seed.key for seed in load_domain(write(tmp_path / "a.yaml", text)).seeds[:2]] == ["0012", "10"]


def test_a_key_called_on_does_not_become_true(tmp_path: Path) -> None:
    error = refused(write(tmp_path / "a.yaml", as_yaml(sample_domain()) + "on: launch-day\n"))
    assert "'on'" in str(error)
    assert "True" not in str(error)


def test_a_time_in_the_prompt_is_listed_as_one_number(tmp_path: Path) -> None:
    domain = sample_domain()
    domain["seeds"][0] |= {"prompt": SOUP["prompt"] + " At 12:30?", "injected_numbers": ["6", "12:30"]}
    assert load_domain(write(tmp_path / "a.yaml", domain)).seeds[0].injected_numbers == ("6", "12:30")
    domain["seeds"][0]["injected_numbers"] = ["6", "12", "30"]
    assert "'12' stands in the prompt as part of '12:30'" in str(refused(write(tmp_path / "b.yaml", domain)))


def test_an_error_names_file_line_seed_and_field(tmp_path: Path) -> None:
    domain = sample_domain()
    domain["seeds"][1]["triple"]["tool"] = ["kite"]
    path = write(tmp_path / "a.yaml", domain)
    lines = path.read_text("utf-8").splitlines()
    line = next(at for at, text in enumerate(lines, 1) if '"tool":' in text and "paper bag" not in text)
    error = refused(path)
    assert (error.path, error.line, error.seed, error.field) == (str(path), line, "x1-en-kite", "triple.tool")
    assert str(error).startswith(f"{path}:{line}: seed x1-en-kite, field triple.tool: ")


def test_the_first_fault_is_named_and_the_others_counted(tmp_path: Path) -> None:
    domain = sample_domain() | {"tag": "a b", "colour": "red"}
    error = refused(write(tmp_path / "a.yaml", domain))
    assert error.field == "tag"
    assert "1 more" in str(error)


def test_a_key_that_stands_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    domain = sample_domain()
    domain["seeds"][2]["key"] = "x1-en-soup"
    error = refused(write(tmp_path / "a.yaml", domain))
    assert (error.seed, error.field) == ("x1-en-soup", "key")
    assert re.search(r"stands on line \d+", str(error))


@pytest.mark.parametrize("listed", [["6", "41"], ["6", "6"], ["6 litres of onion"], ["6", "lentil soups"]])
def test_numbers_that_the_prompt_does_not_hold_are_refused(listed: list[str], tmp_path: Path) -> None:
    domain = sample_domain()
    domain["seeds"][0]["injected_numbers"] = listed
    error = refused(write(tmp_path / "a.yaml", domain))
    assert (error.seed, error.field) == ("x1-en-soup", "injected_numbers")
    assert repr(listed[-1]) in str(error)


def test_a_language_without_niches_is_refused(tmp_path: Path) -> None:
    domain = sample_domain()
    del domain["niches"]["zh"]
    assert refused(write(tmp_path / "a.yaml", domain)).field == "niches"


def test_a_domain_of_one_language_loads(tmp_path: Path) -> None:
    domain = sample_domain()
    for part in ("name", "definition", "niches"):
        del domain[part]["zh"]
    domain["seeds"].pop()
    assert set(load_domain(write(tmp_path / "a.yaml", domain)).name) == {Language.EN}


@pytest.mark.parametrize(
    "text", ["tag: [", "tag: A\ntag: B", "tag: \x07", "&a [*a]", "? [a, b]\n: c", "- a", "", "a: *b"]
)
def test_broken_yaml_is_an_error_with_the_file(text: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.yaml", text)
    assert str(refused(path)).startswith(str(path))


def test_a_file_with_a_byte_order_mark_loads(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + as_yaml(sample_domain()).encode("utf-8"))
    assert load_domain(path).tag == "X1"


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.yaml"):
        load_domain(tmp_path / "none.yaml")


def test_builtin_stands_for_the_shipped_files_each_once(tmp_path: Path) -> None:
    own = write(tmp_path / "a.yaml", sample_domain())
    assert domain_paths([BUILTIN, str(own), BUILTIN]) == (*builtin_paths(), own)
    assert [domain.tag for domain in load_domains([BUILTIN, str(own)])] == ["D1", "D2", "D3", "D4", "X1"]


def test_a_tag_or_key_that_two_files_share_is_refused(tmp_path: Path) -> None:
    first = write(tmp_path / "a.yaml", sample_domain())
    same_tag = write(tmp_path / "b.yaml", sample_domain() | {"seeds": []})
    same_key = write(tmp_path / "c.yaml", sample_domain() | {"tag": "X2"})
    for other, field in ((same_tag, "tag"), (same_key, "key")):
        with pytest.raises(SeedFileError) as caught:
            load_domains([str(first), str(other)])
        assert (caught.value.path, caught.value.field) == (str(other), field)
        assert str(first) in str(caught.value)


def test_hints_and_key_do_not_change_the_identity_of_a_seed(tmp_path: Path) -> None:
    domain = sample_domain()
    before = load_domain(write(tmp_path / "a.yaml", domain)).seeds[0].seed_id
    domain["seeds"][0] |= {"key": "other", "preserve": ["x"], "avoid": []}
    assert load_domain(write(tmp_path / "a.yaml", domain)).seeds[0].seed_id == before
    domain["seeds"][0]["scenario"] = "Carrying stew in a paper bag"
    assert load_domain(write(tmp_path / "a.yaml", domain)).seeds[0].seed_id != before
