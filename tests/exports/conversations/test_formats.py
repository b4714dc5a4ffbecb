"""Dialogues in the formats of other tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exports.conversations import Format, converted, write_conversations
from exports.evaluation import load_dialogues
from salitrap.dialogues import Control
from salitrap.errors import InputError
from tests.cli.helpers import salitrap
from tests.curation.replay.samples import GATED, PINNED
from tests.exports.conftest import Build
from tests.exports.dialogue_samples import families
from tests.exports.evaluation.dialogues import talks_of

PIN, GATE = talks_of([PINNED, GATED]).rows


def test_openai_messages_are_the_turns() -> None:
    told = converted(PIN, Format.OPENAI)
    assert told["messages"] == [
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "given"},
        {"role": "user", "content": "two"},
    ]
    assert told["metadata"]["dialogue_id"] == PINNED.dialogue_id and told["metadata"]["t_star"] == 2


def test_sharegpt_names_human_and_gpt() -> None:
    said = converted(PIN, Format.SHAREGPT)["conversations"]
    assert [(one["from"], one["value"]) for one in said] == [
        ("human", "one"), ("gpt", "given"), ("human", "two"),
    ]  # fmt: skip


def test_mt_bench_has_the_users_turns_and_a_reference_from_t_star_on(build: Build) -> None:
    rows = load_dialogues(build(dialogues=families(1)).path, split="all").rows
    trap = next(row for row in rows if row.control is Control.NONE and row.t_star == 2)
    told = converted(trap, Format.MT_BENCH)
    assert told["turns"] == [turn.content for turn in trap.dialogue.user_turns]
    assert told["reference"][:2] == ["", trap.ground_truth]
    twin = next(row for row in rows if row.twin_of == trap.dialogue_id and row.t_star is None)
    assert set(converted(twin, Format.MT_BENCH)["reference"]) == {""}


def test_question_ids_of_mt_bench_are_whole_and_different(build: Build) -> None:
    rows = load_dialogues(build(dialogues=families(1)).path, split="all").rows
    ids = {converted(row, Format.MT_BENCH)["question_id"] for row in rows}
    assert len(ids) == len(rows) and all(isinstance(one, int) and one >= 0 for one in ids)


@pytest.mark.parametrize("to", Format)
def test_gates_stand_in_the_metadata(to: Format) -> None:
    told = converted(GATE, to)["metadata"]
    assert told["when"] == ["always", "always", "flagged", "flagged", "complied"]


def test_a_file_that_is_there_is_kept_unless_forced(tmp_path: Path) -> None:
    out = tmp_path / "new" / "talks.jsonl"
    write_conversations([PIN], Format.OPENAI, out, force=False)
    with pytest.raises(InputError, match="is there already"):
        write_conversations([GATE], Format.OPENAI, out, force=False)
    write_conversations([GATE], Format.OPENAI, out, force=True)
    [line] = out.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["metadata"]["dialogue_id"] == GATED.dialogue_id
    assert list(out.parent.iterdir()) == [out]


def test_the_command_writes_and_warns_of_gates(build: Build, tmp_path: Path) -> None:
    folder, out = build(dialogues=families(1)).path, tmp_path / "talks.jsonl"
    done = salitrap("export", folder, "--split", "all", "--format", "sharegpt", "--out", out)
    assert done.returncode == 0 and "are gated" in done.stderr
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").split("\n") if line]
    assert f"{len(lines)} dialogues" in done.stdout and len(lines) > 100
    again = salitrap("export", folder, "--out", out)
    assert again.returncode == 2 and again.stderr.count("\n") == 1
