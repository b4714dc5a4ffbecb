"""What a calibration is tied to names no address, path or key."""

from __future__ import annotations

import pytest

from checkers.judge import Judge
from exports.calibration import identity_of
from exports.calibration.identity import without_folders
from exports.evaluation import EvalOptions, judging_settings
from salitrap.records import Language

BOTH = tuple(Language)


def of(*judges: str, mode: str | None = None) -> object:
    options = EvalOptions.model_validate({"judge": judges, "judge_mode": mode})
    return identity_of(judging_settings(options), BOTH)


def test_the_prompts_are_those_that_the_judge_uses() -> None:
    found = identity_of(judging_settings(EvalOptions(judge="lab/judge")), BOTH)
    prompts = [Judge().prompts[language] for language in BOTH]
    assert found.prompts == {str(prompt.ref): prompt.sha256 for prompt in prompts}
    assert (found.name, found.mode, found.temperature) == ("lab/judge", "evidence", 0.1)


def test_two_servers_are_two_judges_and_neither_address_is_kept() -> None:
    one, two = (of(f"openai/m@http://{host}/v1") for host in ("one.example", "two.example"))
    assert one != two
    assert "example" not in f"{one}{two}"


def test_mode_and_panel_make_other_judges() -> None:
    found = [of("lab/a"), of("lab/a", mode="direct"), of("lab/a", "lab/b"), of("lab/b", "lab/a")]
    assert len({str(one) for one in found}) == 4
    assert "judge_direct@" in str(found[1])


@pytest.mark.parametrize(
    ("judge", "shown"),
    [
        ("gguf//home/me/models/small.gguf", "gguf/small.gguf"),
        (r"gguf/C:\models\small.gguf (direct)", "gguf/small.gguf (direct)"),
        ("gguf//a/x.gguf + openai/org/m", "gguf/x.gguf + openai/org/m"),
        ("openai/org/model", "openai/org/model"),
    ],
)
def test_folders_of_model_files_are_left_out(judge: str, shown: str) -> None:
    assert without_folders(judge) == shown
