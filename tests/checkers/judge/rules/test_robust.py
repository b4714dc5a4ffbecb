"""Any text gets the same evidence at any time, and none takes long."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkers.judge import Question
from checkers.judge.rules import find_evidence, shipped_weights
from checkers.judge.untrusted import LONGEST
from salitrap.records import Notices
from tests.checkers.judge.rules.questions import COLANDER, SIEVE, evidence

QUESTIONS = [COLANDER, SIEVE]
HUGE = [
    " " * 100_000,
    "=" * 100_000,
    "1" * 100_000,
    "(" * 100_000,
    "|1" * 50_000,
    "I  " * 35_000,
    "很多字没有标点" * 15_000,
    "🌀" * 50_000,
    "مرحبا بكم " * 10_000,
    "a can't help " * 8_000,
    "不" * 100_000,
]
SCRIPT = """
import json
from checkers.judge.rules import find_evidence, shipped_weights
from tests.checkers.judge.rules.test_evidence import EXPECTED
found = [find_evidence(question, answer, shipped_weights()) for _, question, answer in EXPECTED]
print(json.dumps([[one.evidence.model_dump(mode="json"), one.reason] for one in found]))
"""


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("text", HUGE, ids=lambda text: text[:6])
def test_a_huge_text_is_read_in_seconds(question: Question, text: str) -> None:
    """Guards against patterns that go over a text again from each of its places."""
    assert len(text) <= LONGEST
    started = time.process_time()
    evidence(question, text)
    assert time.process_time() - started < 10.0


@given(text=st.text(max_size=400), chinese=st.booleans())
def test_any_text_has_evidence_whose_quote_is_in_it(text: str, chinese: bool) -> None:
    found = evidence(SIEVE if chinese else COLANDER, text)
    assert found.quote in text
    assert (found.notices is Notices.NEVER) == (found.quote == "")


def test_a_question_without_any_text_can_be_read() -> None:
    empty = Question("", "", "", COLANDER.language)
    assert find_evidence(empty, "", shipped_weights()).evidence.notices is Notices.NEVER
    assert find_evidence(empty, "No. 3 + 3 = 6.", shipped_weights()).evidence.quote == ""


def test_processes_with_other_hash_seeds_find_the_same() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1
