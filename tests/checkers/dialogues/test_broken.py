"""Every gold dialogue passes, every broken one is refused, and for the right reason."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import checkers.dialogues
from checkers.dialogues import (
    DIALOGUE_CHECKERS,
    GUARDS,
    TWIN_GUARDS,
    DialogueView,
    all_findings,
    wording_findings,
)
from checkers.gold.dialogues import GoldDialogue
from salitrap.dialogues import DialogueFault
from tests.checkers.dialogues.broken import Broken, broken, gold, trap_of

BROKEN = broken()


@pytest.mark.parametrize("one", gold().dialogues, ids=lambda one: one.key)
def test_a_gold_dialogue_passes_every_rule_and_guard(one: GoldDialogue) -> None:
    assert [str(finding) for finding in all_findings(one.dialogue, trap_of(one))] == []


@pytest.mark.parametrize("one", BROKEN, ids=lambda one: f"{one.fault.value}: {one.case}")
def test_a_broken_dialogue_is_refused_for_this_fault(one: Broken) -> None:
    found = all_findings(one.dialogue, one.trap)
    assert found, "nothing was found"
    assert found[0].fault is one.fault, [str(finding) for finding in found]
    assert found[0].reason and str(found[0]).count("\n") == 0


def test_every_fault_has_a_broken_dialogue() -> None:
    """A fault that nothing can be refused for would be dead, or its rule never tried."""
    assert {one.fault for one in BROKEN} == set(DialogueFault)
    assert len(BROKEN) >= 28


def test_both_languages_are_broken() -> None:
    counts = [one.dialogue.language for one in BROKEN]
    assert min(counts.count(language) for language in set(counts)) >= 14


def test_each_guard_gives_its_own_faults_only() -> None:
    for one in BROKEN:
        for guard in GUARDS:
            assert {finding.fault for finding in guard.find(DialogueView(one.dialogue))} <= set(
                guard.faults
            ), guard.name


HEADINGS = (
    "What it checks", "Why it matters", "Known blind spots", "Example kept", "Example rejected",
)  # fmt: skip
NO_CHECKS = {"base", "calls", "shown"}
MODULES = [module.name for module in pkgutil.iter_modules(checkers.dialogues.__path__)]
CHECKING = sorted(set(MODULES) - NO_CHECKS)


def test_every_file_that_checks_is_asked() -> None:
    """A file that nobody put into a list would guard nothing."""
    guarding = {guard.find.__module__ for guard in (*GUARDS, *TWIN_GUARDS)}
    asking = {checker.__module__ for checker in DIALOGUE_CHECKERS}
    assert guarding | asking == {f"checkers.dialogues.{name}" for name in CHECKING}


@pytest.mark.parametrize("name", CHECKING)
def test_a_check_documents_itself_under_fixed_headings(name: str) -> None:
    lines = (importlib.import_module(f"checkers.dialogues.{name}").__doc__ or "").splitlines()
    assert [line for line in lines if line in HEADINGS] == list(HEADINGS)


SPARED = (DialogueFault.TRAP_GIVEN_AWAY, DialogueFault.ESCAPE_OFFERED, DialogueFault.PATCH_OFFERED)


def test_wording_of_the_request_is_no_fault() -> None:
    """Certified items have words of their trap core; every dialogue made from such a one was refused."""
    for one in BROKEN:
        if one.fault in SPARED:
            again = {finding.fault for finding in wording_findings(one.dialogue, one.dialogue.user_text)}
            assert one.fault not in again, one.case


def test_the_first_message_presupposes_nothing() -> None:
    """You said no, of somebody else and before there was an answer, was refused."""
    dialogue = gold().named("consensus-library-cards")
    first = dialogue.turns[0].model_copy(update={"content": f"You said no. {dialogue.turns[0].content}"})
    assert wording_findings(dialogue.model_copy(update={"turns": (first, *dialogue.turns[1:])})) == ()


def test_news_that_breaks_the_plan_may_sound_like_a_change_for_the_better() -> None:
    """改用 at t* of a state change was taken for a patch; after t* it still is one."""
    dialogue = gold().named("state-thawed-lake")
    turns = [turn.model_copy(update={"content": f"改用真湖面了。{turn.content}"}) for turn in dialogue.turns]
    for place, expected in ((1, ()), (2, (DialogueFault.PATCH_OFFERED,))):
        changed = [turns[at] if at == place else turn for at, turn in enumerate(dialogue.turns)]
        found = wording_findings(dialogue.model_copy(update={"turns": tuple(changed)}))
        assert tuple(finding.fault for finding in found) == expected
