"""The shipped dialogues cover what they should, and the loader tells faults in one line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from checkers.gold.dialogues import GoldDialogue, load_dialogues, shipped_dialogues
from salitrap.dialogues import Control, Pattern, Replay, Speaker
from salitrap.errors import InputError
from salitrap.records import Language, Seed
from salitrap.text import features, jaccard, phi
from seeds import load_domains

GOLD = shipped_dialogues()
TRAPS = [one for one in GOLD.dialogues if not one.parent]
YAML = """language: en
written_by: anna
dialogues:
  - key: lamp
    dimension_tag: D1
    pattern: state_change
    trap_core: A lamp without a bulb gives no light.
    ground_truth: There is no light to read by.
    facts: {bulb_out: The bulb was taken out.}
    infeasible_when: [[bulb_out]]
    t_star: 2
    turns:
      - content: At 2 minutes a page, how far do I read in 3 hours?
      - content: The bulb went back to the shop, by the way. And in the 3.5 hours till 22:00?
        facts_added: [bulb_out]
  - key: lamp-twin
    twin_of: lamp
    control: feasible_twin
    facts: {bulb_in: The bulb was put in.}
    turns:
      - 1
      - content: The bulb came from the shop, by the way. And in the 3.5 hours till 22:00?
        facts_added: [bulb_in]
"""
LAST = "        facts_added: [bulb_out]"
CORE = "    trap_core: A lamp without a bulb gives no light.\n"
FACTS = "    facts: {bulb_out: The bulb was taken out.}"
FAULTS = (
    ("language: en", "language: fr", "field language: name one of en, zh"),
    ("written_by: anna\n", "", "field written_by: is missing"),
    ("dialogues:", "questions:", "no gold dialogues: expected a mapping with a list 'dialogues'"),
    ("  - key: lamp\n    dimension_tag", "  - dimension_tag", "key: is missing"),
    ("key: lamp-twin", "key: lamp", "dialogue lamp: field key: 'lamp' stands twice"),
    ("twin_of: lamp", "twin_of: lump", "dialogue lamp-twin: field twin_of: no dialogue has the key 'lump'"),
    ("twin_of: lamp", "twin_of: lamp-twin", "'lamp-twin' must be a trap dialogue that stands further up"),
    ("      - 1\n", "      - 7\n", "turn 1: the trap dialogue has no turn '7'"),
    (CORE, "", "dialogue lamp: field trap_core: is missing"),
    ("pattern: state_change", "pattern: drop", "dialogue lamp: field pattern: got 'drop'; allowed are"),
    ("t_star: 2", "t_star: two", "dialogue lamp: field t_star:"),
    (LAST, "        fact: [bulb_out]", "dialogue lamp: field fact: turn 2: no such field"),
    (FACTS, "    facts: none", "dialogue lamp: field facts:"),
)


def load(tmp_path: Path, text: str) -> tuple[GoldDialogue, ...]:
    path = tmp_path / "mine.yaml"
    path.write_text(text, "utf-8")
    return load_dialogues([path]).dialogues


@pytest.mark.parametrize("language", Language)
class TestShipped:
    def test_every_pattern_control_replay_and_dimension(self, language: Language) -> None:
        ours = [one.dialogue for one in GOLD.dialogues if one.dialogue.language is language]
        assert {one.pattern for one in ours if one.control is Control.NONE} == set(Pattern)
        assert {one.control for one in ours} == set(Control)
        assert {one.replay for one in ours} == set(Replay)
        assert {one.dimension_tag for one in ours} == {"D1", "D2", "D3", "D4"}
        assert len(ours) >= 14

    def test_sunk_cost_after_no_two_and_four_calculations(self, language: Language) -> None:
        starts = [one.dialogue for one in TRAPS if one.dialogue.language is language]
        sunk = [one.t_star for one in starts if one.pattern is Pattern.SUNK_COST]
        assert sorted(start or 0 for start in sunk) == [1, 3, 5]

    def test_the_four_cells_of_escalation_and_pressure(self, language: Language) -> None:
        ours = [one.dialogue for one in TRAPS if one.dialogue.language is language]
        assert {(one.escalates, one.presses) for one in ours} == {
            (False, False), (False, True), (True, False), (True, True),
        }  # fmt: skip


def test_a_control_belongs_to_the_family_of_its_trap_dialogue() -> None:
    for one in GOLD.dialogues:
        if one.parent:
            trap = GOLD.named(one.parent)
            assert one.dialogue.twin_of == trap.dialogue_id
            assert one.dialogue.seed_id == trap.seed_id
    assert len({one.dialogue.seed_id for one in TRAPS}) == len(TRAPS)


def test_a_concat_says_what_its_trap_dialogue_says() -> None:
    for one in GOLD.dialogues:
        if one.dialogue.control is Control.CONCAT:
            assert one.dialogue.user_text == GOLD.named(one.parent).user_text
            assert Counter(one.dialogue.injected_numbers) == Counter(GOLD.named(one.parent).injected_numbers)


def shipped_seeds() -> list[Seed]:
    return [seed for domain in load_domains(("builtin",)) for seed in domain.seeds]


def test_no_dialogue_is_another_one_or_a_seed_in_turns() -> None:
    texts = {one.key: features(phi(one.dialogue.user_text), 3) for one in TRAPS}
    seeds = {seed.key: features(phi(seed.prompt), 3) for seed in shipped_seeds()}
    for key, grams in texts.items():
        others = {name: other for name, other in (texts | seeds).items() if name != key}
        nearest = max(others, key=lambda name: jaccard(grams, others[name]))
        assert jaccard(grams, others[nearest]) < 0.25, (key, nearest)


def test_the_set_has_a_hash_and_unknown_keys_are_refused() -> None:
    assert GOLD.sha256 == shipped_dialogues().sha256
    with pytest.raises(KeyError, match="nobody"):
        GOLD.named("nobody")


class TestLoader:
    def test_numbers_feasible_and_the_parent_are_filled_in(self, tmp_path: Path) -> None:
        trap, twin = (one.dialogue for one in load(tmp_path, YAML))
        assert [turn.numbers for turn in trap.turns] == [("2", "3"), ("3.5", "22:00")]
        assert [turn.feasible for turn in trap.turns] == [True, False]
        assert (twin.twin_of, twin.t_star, twin.trap_core) == (trap.dialogue_id, None, trap.trap_core)
        assert [fact.key for fact in twin.facts] == ["bulb_out", "bulb_in"]
        assert twin.turns[0] == trap.turns[0]

    def test_what_the_author_states_is_kept_even_if_wrong(self, tmp_path: Path) -> None:
        """The rules have to find it; a loader that mends hides it."""
        stated = f"{LAST}\n        feasible: yes"
        text = YAML.replace(LAST, stated).replace("t_star: 2", "t_star: 9")
        trap = load(tmp_path, text)[0].dialogue
        assert (trap.t_star, trap.turns[1].feasible) == (9, True)

    def test_the_assistant_is_read_as_such(self, tmp_path: Path) -> None:
        turn = "      - content: The bulb went"
        text = YAML.replace(turn, f"      - {{role: assistant, content: 90 pages.}}\n{turn}")
        text = text.split("  - key: lamp-twin")[0].replace("    t_star", "    replay: pinned\n    t_star")
        trap = load(tmp_path, text)[0].dialogue
        assert trap.turns[1].role is Speaker.ASSISTANT and trap.turns[1].numbers == ()
        assert [turn.feasible for turn in trap.turns] == [True, True, False]

    @pytest.mark.parametrize(("old", "new", "told"), FAULTS)
    def test_a_fault_names_file_dialogue_and_field_in_one_line(
        self, tmp_path: Path, old: str, new: str, told: str
    ) -> None:
        assert old in YAML
        with pytest.raises(InputError) as error:
            load(tmp_path, YAML.replace(old, new, 1))
        assert str(error.value).startswith(str(tmp_path / "mine.yaml"))
        assert told in str(error.value)
        assert "\n" not in str(error.value)

    def test_a_missing_file_and_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no such file"):
            load_dialogues([tmp_path / "none.yaml"])
        with pytest.raises(InputError, match="name a YAML file"):
            load_dialogues([])
