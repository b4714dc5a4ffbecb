"""New instructions on disk: all of them in the end, and nothing of anybody's overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports.optimize import files, prompt_file, refuse_existing, save_prompts
from salitrap.errors import InputError
from salitrap.records import Language


class KilledError(BaseException):
    """Stands for SIGKILL: nothing catches it."""


def both(out: Path, word: str) -> dict[Path, str]:
    return {prompt_file(out, language, "judge"): f"{word} {language}\n" for language in Language}


def kill_at(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Let the process die before its write number ``step``, counted from 0."""
    replace, done = files._replace, list[Path]()

    def dying(path: Path, content: str) -> None:
        if len(done) == step:
            raise KilledError
        done.append(path)
        replace(path, content)

    monkeypatch.setattr(files, "_replace", dying)


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_kill_between_the_files_is_healed_by_the_same_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """One of two files was left, and the repeat refused to overwrite it."""
    with monkeypatch.context() as patch, pytest.raises(KilledError):
        kill_at(patch, step)
        save_prompts(tmp_path, both(tmp_path, "first"))
    again = both(tmp_path, "dated otherwise")
    refuse_existing(tmp_path, again)
    save_prompts(tmp_path, again)
    assert {path: path.read_text("utf-8") for path in again} == again
    assert not (tmp_path / files.SAVING).exists() and not list(tmp_path.rglob("*.part"))


def test_a_second_kill_is_healed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for step, word in ((2, "first"), (1, "second")):
        with monkeypatch.context() as patch, pytest.raises(KilledError):
            kill_at(patch, step)
            save_prompts(tmp_path, both(tmp_path, word))
    save_prompts(tmp_path, both(tmp_path, "third"))
    assert all(path.read_text("utf-8") == text for path, text in both(tmp_path, "third").items())


def test_what_somebody_changed_after_a_kill_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch, pytest.raises(KilledError):
        kill_at(patch, 2)
        save_prompts(tmp_path, both(tmp_path, "first"))
    mine = prompt_file(tmp_path, next(iter(Language)), "judge")
    mine.write_text("my own words", encoding="utf-8")
    with pytest.raises(InputError, match="is not overwritten"):
        save_prompts(tmp_path, both(tmp_path, "again"))
    assert mine.read_text("utf-8") == "my own words"


def test_finished_files_are_not_overwritten(tmp_path: Path) -> None:
    save_prompts(tmp_path, both(tmp_path, "first"))
    with pytest.raises(InputError, match="is not overwritten"):
        save_prompts(tmp_path, both(tmp_path, "second"))
    assert all(path.read_text("utf-8") == content for path, content in both(tmp_path, "first").items())


def test_a_note_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / files.SAVING).write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"optimize\.saving\.json: cannot be read"):
        refuse_existing(tmp_path, both(tmp_path, "first"))
