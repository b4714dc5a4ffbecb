"""What people wrote into a card on the Hub stays (case 32)."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from exports.dataset.card import NOTES_LINE
from exports.dataset.layout import CARD
from exports.hub.cards import merged_card
from exports.hub.local import LocalRelease, read_local
from exports.hub.remote import Remote
from salitrap.errors import InputError
from tests.exports.conftest import Build
from tests.exports.hub.samples import PLAIN, REPO, local_of, remote_of, snapshot
from tests.exports.samples import many

FOREIGN = """---
license: mit
tags: [reasoning, salitrap]
arxiv: 1234.5678
configs:
- config_name: human
  data_files: human.csv
  default: true
---
# Our group's page

Written by hand: 手写的说明.
"""


@pytest.fixture
def local(build: Build) -> LocalRelease:
    return local_of(build)


def head_of(card: str) -> dict[str, object]:
    return dict(yaml.safe_load(card.split("---\n")[1]))


def with_card(local: LocalRelease, card: str, *, released: bool = True) -> Remote:
    there = {**local.files, CARD: card.encode()}
    first = snapshot(local.files) if released else None
    return remote_of(there, released=first)


def test_a_new_repository_gets_the_card_as_it_was_built(local: LocalRelease) -> None:
    assert merged_card(local.card, Remote(repo=REPO), replace=False) == local.card
    assert merged_card(local.card, with_card(local, local.card), replace=False) == local.card


def test_a_foreign_card_becomes_notes_and_its_metadata_stays(local: LocalRelease) -> None:
    merged = merged_card(local.card, remote_of({CARD: FOREIGN.encode()}), replace=False)
    head, generated = head_of(merged), merged.partition(NOTES_LINE)[0]
    assert merged.endswith(f"{NOTES_LINE}\n\n# Our group's page\n\nWritten by hand: 手写的说明.\n")
    assert (head["license"], head["arxiv"]) == ("cc-by-4.0", 1234.5678)
    assert "reasoning" in head["tags"] and head["tags"].count("salitrap") == 1  # type: ignore[operator, attr-defined]
    configs = head["configs"]
    assert [one["config_name"] for one in configs] == ["items", "human"]  # type: ignore[attr-defined]
    assert [one.get("default") for one in configs] == [True, None]  # type: ignore[attr-defined]
    assert generated.endswith(local.card.split("---\n", 2)[2].partition(NOTES_LINE)[0])


def test_merging_twice_is_merging_once(local: LocalRelease) -> None:
    once = merged_card(local.card, remote_of({CARD: FOREIGN.encode()}), replace=False)
    assert merged_card(local.card, with_card(local, once), replace=False) == once


def test_notes_of_both_sides_stay(local: LocalRelease) -> None:
    theirs, ours = local.card + "\nTheirs.\n", local.card + "Ours.\n"
    merged = merged_card(ours, with_card(local, theirs), replace=False)
    assert merged.partition(NOTES_LINE)[2] == "\n\nTheirs.\n\nOurs.\n"


def test_metadata_edited_on_the_hub_stays(local: LocalRelease) -> None:
    theirs = local.card.replace("pretty_name:", "extra_gated_prompt: Ask nicely.\npretty_name:")
    assert head_of(merged_card(local.card, with_card(local, theirs), replace=False))[
        "extra_gated_prompt"
    ] == ("Ask nicely.")


def test_configurations_of_an_earlier_release_go_with_it(local: LocalRelease) -> None:
    theirs = local.card.replace("- config_name: items\n", "- config_name: dialogues\n", 1)
    files = {**local.files, CARD: theirs.encode()}
    manifest = snapshot(local.files).manifest
    assert manifest is not None
    earlier = manifest.model_copy(update={"configs": {"dialogues": manifest.configs["items"]}})
    remote = remote_of(files)
    assert remote.head is not None
    remote = remote.model_copy(update={"head": remote.head.model_copy(update={"manifest": earlier})})
    configs = head_of(merged_card(local.card, remote, replace=False))["configs"]
    assert [one["config_name"] for one in configs] == ["items"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("removed", [False, True])
def test_text_in_the_generated_part_is_not_lost_without_a_word(local: LocalRelease, removed: bool) -> None:
    line = "" if removed else NOTES_LINE
    theirs = local.card.replace(NOTES_LINE, line).replace("## Splits", "## Splits\n\nWatch out here.")
    with pytest.raises(InputError, match="below the notes line"):
        merged_card(local.card, with_card(local, theirs), replace=False)
    assert "Watch out" not in merged_card(local.card, with_card(local, theirs), replace=True)


def test_the_card_of_a_half_release_is_no_edit(local: LocalRelease) -> None:
    """Without a tagged release there is nothing to compare the generated part with."""
    assert merged_card(local.card, with_card(local, local.card, released=False), replace=False) == local.card


def test_the_card_of_a_later_half_release_is_no_edit(
    local: LocalRelease, build: Build, out: Path, tmp_path: Path
) -> None:
    """It differs from that of the last tagged version, but it is what its own manifest says."""
    build(many(12), version="1.1.0", out=tmp_path / "next", previous=out)
    later = read_local(tmp_path / "next", PLAIN)
    remote = remote_of(later.files, released=snapshot(local.files))
    assert merged_card(later.card, remote, replace=False) == later.card


@pytest.mark.parametrize("head", ["---\n: [\n---\n", "---\n- a\n- b\n---\n", ""])
def test_a_head_that_is_no_mapping_does_no_harm(local: LocalRelease, head: str) -> None:
    merged = merged_card(local.card, remote_of({CARD: (head + "Text.\n").encode()}), replace=False)
    assert "Text.\n" in merged and head_of(merged)["license"] == "cc-by-4.0"
