"""A prompt file may not change under the version it was released with."""

from __future__ import annotations

from pathlib import Path

import pytest

from prompts.loader import prompt_ids
from prompts.lock import Lock, current_hashes, lock_faults, main, read_lock, released, updated, write_lock
from salitrap.errors import SalitrapError
from salitrap.records import Language


def test_every_file_has_the_content_its_version_is_locked_with() -> None:
    assert lock_faults(read_lock(), current_hashes()) == ()


def test_the_lock_knows_all_prompts_and_strategies_in_both_languages() -> None:
    names = set(current_hashes())
    assert len(names) == len(Language) * (len(prompt_ids()) + 1)
    assert {"judge@1/en", "judge@1/zh", "strategies@1/zh"} <= names


def test_a_changed_file_is_reported_with_what_to_do() -> None:
    lock = Lock(released=("b@1/en",), sha256={"a@1/en": "old", "b@1/en": "old"})
    assert lock_faults(lock, {"a@1/en": "new", "b@1/en": "new", "c@1/en": "new"}) == (
        "a@1/en: not locked with this content; run python -m prompts.lock",
        "b@1/en: content is not the locked one; give it a new version",
        "c@1/en: not locked with this content; run python -m prompts.lock",
    )


def test_an_unreleased_version_may_be_locked_again_and_gone_ones_are_forgotten() -> None:
    lock = updated(Lock(sha256={"a@1/en": "old", "gone@1/en": "x"}), {"a@1/en": "new"})
    assert lock.sha256 == {"a@1/en": "new"}


def test_a_released_version_is_never_rewritten() -> None:
    lock = released(Lock(sha256={"a@1/en": "old"}))
    with pytest.raises(SalitrapError, match="a@1/en"):
        updated(lock, {"a@1/en": "new"})


def test_a_new_version_stands_beside_the_released_one() -> None:
    lock = updated(released(Lock(sha256={"a@1/en": "old"})), {"a@2/en": "new"})
    assert lock.sha256 == {"a@1/en": "old", "a@2/en": "new"}
    assert lock.released == ("a@1/en",)


def test_the_command_writes_what_it_reads(tmp_path: Path) -> None:
    path = tmp_path / "lock.json"
    main([], path)
    first = path.read_bytes()
    assert read_lock(path) == Lock(sha256=current_hashes())
    main(["--release"], path)
    assert set(read_lock(path).released) == set(current_hashes())
    main([], path)
    assert read_lock(path).released
    write_lock(Lock(sha256=current_hashes()), path)
    assert path.read_bytes() == first
