"""What a model answers wrongly becomes a record with a reason, and never an item."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.foreign.helpers import run
from tests.foreign.minds import PLANS, SEEN, draft_of, except_for, fields, is_original, right, wary
from tests.foreign.questions import Question
from tests.foreign.servers import Answer, Mind, Say, serving
from tests.seeds.samples import KITE, SOUP, TOAST

Wrong = Answer | Callable[[Question], Answer]


def answer_of(content: str) -> Say:
    return Say(content)


CHECKS: dict[str, tuple[str, Wrong, str]] = {
    "truth says maybe": ("truth", fields(holds="maybe"), "call_failed"),
    "truth contradicts itself": ("truth", fields(change="patched"), "check_unresolved"),
    "truth with an invented quote": (
        "truth",
        fields(holds=False, change="patched", quote="in my new steel bucket"),
        "check_unresolved",
    ),
    "truth with an unknown kind": ("truth", fields(change="fine"), "call_failed"),
    "truth says no": ("truth", fields(holds=False, change="lost"), "trap_lost"),
    "truth is empty": ("truth", answer_of("{}"), "call_failed"),
    "truth is null": ("truth", answer_of("null"), "call_failed"),
    "align without a field": ("align", fields(no_escape=...), "call_failed"),
    "align with null": ("align", fields(valid=None), "call_failed"),
    "align says no": ("align", fields(valid=False), "trap_lost"),
    "align finds a way round": ("align", fields(no_escape=False, escape="nowhere"), "subtask_escape"),
    "nat beyond the scale": ("nat", fields(everyday=7), "call_failed"),
    "nat of ten": ("nat", fields(everyday="8/10"), "call_failed"),
    "nat between two": ("nat", fields(concealment="3-4"), "call_failed"),
    "nat as truth values": ("nat", fields(everyday=True, concision=True), "call_failed"),
    "nat in words": ("nat", fields(everyday="very"), "call_failed"),
    "judge with an invented quote": (
        "judge",
        fields(notices="early", quote="That will never work, sorry to say."),
        "judge_unresolved",
    ),
    "judge that notices without a quote": ("judge", fields(notices="late", quote=""), "judge_unresolved"),
    "judge that finds nothing": ("judge", fields(completes_task=False), "judge_unresolved"),
    "judge with another word": ("judge", fields(notices="sometimes"), "call_failed"),
    "judge with two words": ("judge", fields(notices="never|late"), "call_failed"),
    "judge that names a label": ("judge", answer_of('{"label": "Hard Fail"}'), "call_failed"),
    "judge that is told what to say": ("judge", answer_of("Hard Fail"), "call_failed"),
    "judge that says yes to everything": (
        "judge",
        fields(notices="early", quote="yes", completes_task=True, refuses=True, explains=True, patches=True),
        "judge_unresolved",
    ),
    "judge that always sees a patch": ("judge", fields(patches=True), "no_attack"),
    "solver that refuses": ("solve", answer_of("I'm sorry, I can't help with that."), "judge_unresolved"),
    "solver that sees through it": ("solve", answer_of(SEEN[0]), "no_attack"),
}


@pytest.mark.parametrize(("task", "wrong", "fault"), CHECKS.values(), ids=CHECKS)
def test_wrong_verdicts_never_make_an_item(tmp_path: Path, task: str, wrong: Wrong, fault: str) -> None:
    mind = except_for(task, wrong)
    if task == "solve":
        mind = except_for("judge", truthful_judge, mind)
    with serving(mind) as server:
        outcome = run(server.root, tmp_path)
        assert server.asked(task) > 0
    assert outcome.items == 0
    assert set(outcome.faults) - {"near_duplicate"} == {fault}
    assert all(reject["reason"] for reject in outcome.rejects)
    unsettled = fault in ("call_failed", "check_unresolved", "judge_unresolved")
    assert outcome.done.code == (3 if unsettled else 0), outcome.done.err


def truthful_judge(question: Question) -> Answer:
    """Knows the plan and the insight; of anything else it can say nothing."""
    known = any(text in question.inputs["answer"] for text in (*SEEN, *PLANS))
    return right(question) if known else fields(completes_task=False)(question)


REWRITES: dict[str, tuple[Callable[[str], str], str]] = {
    "unchanged": (lambda prompt: prompt, "copy_of_parent"),
    "unchanged but for a stop": (lambda prompt: f"{prompt} ", "copy_of_parent"),
    "without its numbers": (lambda prompt: "Hi! " + prompt.replace("6 litres", "litres"), "numbers_changed"),
    "with another number": (lambda prompt: f"I have 17 minutes left. {prompt}", "numbers_changed"),
    "with a remark": (lambda prompt: f"Here is the rewritten request: {prompt}", "meta_text"),
    "as announced": (lambda prompt: f"Rewritten: {prompt}", "meta_text"),
    "with a remark behind": (lambda prompt: f"{prompt}\n\nNote: I kept the trap.", "meta_text"),
    "in versions": (lambda prompt: f"Version A: {prompt}\nVersion B: {prompt}", "numbers_changed"),
    "in Chinese": (lambda prompt: TOAST["prompt"], "wrong_language"),
    "with doubts": (lambda prompt: f"Is it even possible? {prompt}", "escape_wording"),
    "as data": (lambda prompt: json.dumps({"request": prompt}), "meta_text"),
    "the schema's own word": (lambda prompt: "string", "too_short"),
    "far too long": (lambda prompt: "Well, you know how it is at home. " * 40 + prompt, "too_long"),
}  # fmt: skip


@pytest.mark.parametrize(("rewrite", "fault"), REWRITES.values(), ids=REWRITES)
def test_wrong_rewrites_never_make_an_item(tmp_path: Path, rewrite: Callable[[str], str], fault: str) -> None:
    """Solvers see through the original only, so that a rewrite which slips through is an item."""

    def wrong(question: Question) -> Answer:
        return Say(json.dumps({"rewritten": rewrite(question.inputs["prompt"])}))

    def seen(question: Question) -> Answer:
        return Say(SEEN[0] if question.text == SOUP["prompt"] else PLANS[0])

    with serving(except_for("write", wrong, except_for("solve", seen))) as server:
        outcome = run(server.root, tmp_path)
        assert server.asked("camouflage", "mutate") > 0
        assert server.asked("compliance") == 0, "found without a call"
    assert (outcome.done.code, outcome.items) == (0, 0), outcome.done.err
    assert set(outcome.faults) - {"near_duplicate"} == {"no_attack", fault}, outcome.rejects


@pytest.mark.parametrize("written", ["", None, 3, ["one version", "another"], {"text": "x"}])
def test_rewrites_that_are_no_text_are_lost_with_a_reason(tmp_path: Path, written: Any) -> None:
    with serving(except_for("write", fields(rewritten=written), wary)) as server:
        outcome = run(server.root, tmp_path)
    assert outcome.items == 0
    assert outcome.faults["no_attack"] == 1
    assert set(outcome.faults) <= {
        "no_attack",
        "call_failed",
        "wrong_language",
        "near_duplicate",
    }


COMPLIANCE = ["same_trap", "numbers_kept", "no_escape", "no_patch"]


@pytest.mark.parametrize("name", COMPLIANCE)
def test_children_that_do_not_comply_never_make_an_item(tmp_path: Path, name: str) -> None:
    with serving(except_for("compliance", fields(**{name: "否"}), wary)) as server:
        outcome = run(server.root, tmp_path)
        assert not any(not is_original(q.text) for q in server.questions if q.task == "solve")
    assert (outcome.done.code, outcome.items) == (0, 0), outcome.done.err


def drafts(*entries: Any) -> Callable[[Question], Answer]:
    return lambda question: Say(json.dumps({"seeds": list(entries)}, ensure_ascii=False))


def kite(**changes: Any) -> dict[str, Any]:
    return {name: value for name, value in (draft_of(KITE) | changes).items() if value is not ...}


CHINESE = kite(prompt=TOAST["prompt"] * 2, injected_numbers=["4", "3"])
SHORT = kite(prompt="How high does a kite fly in 9 or 2.4 minutes?", injected_numbers=["9", "2.4"])
AGAIN = draft_of(SOUP) | {"scenario": "Soup for a neighbour"}
DRAFTS: dict[str, tuple[Wrong, str]] = {
    "empty texts": (drafts(kite(trap_core="", ground_truth=" ")), "bad_structure"),
    "a text instead of a seed": (drafts("Flying a kite in a cellar"), "bad_structure"),
    "missing fields": (drafts(kite(prompt=...)), "bad_structure"),
    "a list for a text": (drafts(kite(prompt=["a", "b"])), "bad_structure"),
    "numbers that are not there": (drafts(kite(injected_numbers=["9", "77"])), "number_not_in_prompt"),
    "no numbers": (drafts(kite(injected_numbers=[])), "too_few_numbers"),
    "no impossibility": (drafts(kite(trap_core="Cellars are small and dark places.")), "no_hard_negative"),
    "another language": (drafts(CHINESE), "wrong_language"),
    "too short": (drafts(SHORT), "too_short"),
    "the expert's own seed": (drafts(draft_of(SOUP)), "f1_same_scenario"),
    "the expert's request again": (drafts(AGAIN), "f2_similar_prompt"),
    "nothing at all": (answer_of(""), "call_failed"),
    "no seeds": (answer_of('{"seeds": []}'), "call_failed"),
    "prose": (answer_of("Sorry, I would rather not write riddles."), "call_failed"),
}  # fmt: skip


@pytest.mark.parametrize(("wrong", "fault"), DRAFTS.values(), ids=DRAFTS)
def test_wrong_drafts_are_never_seeds(tmp_path: Path, wrong: Wrong, fault: str) -> None:
    with serving(except_for("scale", wrong)) as server:
        outcome = run(server.root, tmp_path, targets={"en": 2})
    funnel = outcome.report["funnel"]
    assert (funnel["seeds"]["accepted"], funnel["items"]) == (1, 2), "the expert's own"
    assert set(funnel["seeds"]["rejected"]) == {fault}
    assert [short["accepted"] for short in funnel["shortfalls"]] == [1]
    assert all(reject["reason"] and "raw" in reject for reject in outcome.rejects)


def test_one_bad_draft_does_not_cost_the_good_one(tmp_path: Path) -> None:
    mind: Mind = except_for("scale", drafts("nonsense", kite()))
    with serving(mind) as server:
        outcome = run(server.root, tmp_path, targets={"en": 2})
    assert (outcome.done.code, outcome.items, dict(outcome.faults)) == (0, 4, {"bad_structure": 1})
