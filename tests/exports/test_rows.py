"""Everything that comes in is a row, or a record that says why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.dataset.history import Added
from exports.dataset.release import checked_release
from exports.dataset.rows import select_rows
from salitrap.errors import InputError
from salitrap.records.enums import Fault, Tier
from salitrap.records.item import item_content, item_content_hash
from tests.exports.conftest import Build
from tests.exports.samples import certified, many

RELEASE = checked_release("SaliTrap", "1.2.0", "mit", 0.1)


def test_rows_carry_version_canary_and_content_hash() -> None:
    source = certified(3)
    (item,) = select_rows([source], RELEASE, {}).items
    content = item_content(
        source.seed_id, source.prompt, source.trap_core, source.ground_truth, source.injected_numbers
    )
    assert item.version_added == "1.2.0"
    assert item.canary == RELEASE.canary
    assert item.content_hash == item_content_hash(content)


def test_rows_are_sorted_by_dimension_language_seed_and_id() -> None:
    items = select_rows(reversed(many()), RELEASE, {}).items
    keys = [(item.dimension_tag, item.language.value, item.seed_id, item.item_id) for item in items]
    assert keys == sorted(keys)
    assert len(keys) == len(many())


@pytest.mark.parametrize(
    ("changes", "fault", "word"),
    [
        ({"prompt": " \n"}, Fault.BAD_STRUCTURE, "prompt"),
        ({"ground_truth": ""}, Fault.BAD_STRUCTURE, "ground_truth"),
        ({"seed_id": ""}, Fault.BAD_STRUCTURE, "seed_id"),
        ({"naturalness_score": float("nan")}, Fault.BAD_STRUCTURE, "naturalness_score"),
        ({"naturalness_score": 5.5}, Fault.BAD_STRUCTURE, "naturalness_score"),
        ({"stability_rate": float("inf")}, Fault.BAD_STRUCTURE, "stability_rate"),
        ({"attack_tier": Tier.NONE}, Fault.NO_ATTACK, "attack_tier"),
        ({"injected_numbers": ("40", "41")}, Fault.NUMBER_NOT_IN_PROMPT, "'41'"),
    ],
)
def test_what_breaks_the_schema_is_withheld_with_its_reason(changes, fault: Fault, word: str) -> None:
    bad = certified(0, item_id="item-bad", **changes)
    selection = select_rows([bad, certified(1)], RELEASE, {})
    assert [item.item_id for item in selection.items] == [certified(1).item_id]
    (held,) = selection.withheld
    assert (held.subject_id, held.fault, held.raw) == ("item-bad", fault, bad.prompt)
    assert word in held.reason


def test_one_of_two_items_with_the_same_content_is_withheld_and_names_its_twin() -> None:
    twins = [certified(0, candidate_id=name) for name in ("cand-a", "cand-b")]
    selection = select_rows(twins, RELEASE, {})
    (held,) = selection.withheld
    assert held.fault is Fault.NEAR_DUPLICATE
    assert held.twin_id == selection.items[0].item_id != held.subject_id


def test_a_published_item_is_never_displaced_by_a_new_twin() -> None:
    twins = [certified(0, candidate_id=f"cand-{ordinal}") for ordinal in range(6)]
    for published in twins:
        selection = select_rows(twins, RELEASE, {published.item_id: Added(version="1.0.0")})
        (item,) = selection.items
        assert (item.item_id, item.version_added) == (published.item_id, "1.0.0")


def test_a_repeated_id_is_refused_and_named() -> None:
    with pytest.raises(InputError, match=certified(4).item_id):
        select_rows([*many(), certified(4)], RELEASE, {})


def test_addresses_and_paths_of_this_machine_stay_out_of_the_rows() -> None:
    family = "openai/m@http://user:secret@10.0.0.7/v1"
    (item,) = select_rows([certified(0, solver_family=family)], RELEASE, {}).items
    assert item.solver_family == "openai/m"


@given(st.lists(st.sampled_from(range(12)), unique=True), st.sets(st.sampled_from(range(12))))
def test_every_item_is_a_row_or_a_record(chosen: list[int], bad: set[int]) -> None:
    sources = [certified(o, attack_tier=Tier.NONE if o in bad else Tier.SOFT) for o in chosen]
    selection = select_rows(sources, RELEASE, {})
    seen = [item.item_id for item in selection.items] + [held.subject_id for held in selection.withheld]
    assert sorted(seen) == sorted(source.item_id for source in sources)


def test_withheld_items_reach_the_result_the_manifest_and_the_card(build: Build) -> None:
    built = build([*many(), certified(98, attack_tier=Tier.NONE)])
    (held,) = built.withheld
    assert held.fault is Fault.NO_ATTACK
    assert any(held.subject_id in notice for notice in built.notices)
    assert held.subject_id in (built.path / "manifest.json").read_text(encoding="utf-8")
    assert "| withheld by the build | 1 |" in (built.path / "README.md").read_text(encoding="utf-8")
