"""Instructions of one's own in place of shipped ones: what is taken, refused, and what depends on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.fingerprints import certify_fingerprint, refine_fingerprint, scale_fingerprint
from curation.programs import default_programs
from exports.calibration import identity_of
from prompts.loader import load_prompt, read_data
from prompts.lock import current_hashes
from prompts.source import prompt_source
from salitrap.errors import ConfigError
from salitrap.records.enums import Language, Role
from salitrap.settings import EndpointSettings, RoleSettings, Settings, load_settings
from seeds import load_domains
from tests.checkers.samples import seed


def own(folder: Path, *changes: tuple[str, str], prompt_id: str = "judge", language: str = "en") -> Path:
    """A folder with one file: the shipped one with ``changes``, as version 2."""
    content = read_data(Language(language), f"{prompt_id}.md")
    version = load_prompt(prompt_id, Language(language)).version
    for old, new in ((f"version: {version}\n", f"version: {version + 1}\n"), *changes):
        assert old in content
        content = content.replace(old, new, 1)
    path = folder / language / f"{prompt_id}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return folder


def judged_with(folder: Path | None) -> Settings:
    pool = RoleSettings(endpoints=(EndpointSettings(spec="lab/judge"),))
    return Settings(roles={Role.JUDGE: pool}, prompts=None if folder is None else str(folder))


def test_a_file_of_ones_own_takes_the_place_of_the_shipped_one(tmp_path: Path) -> None:
    source = prompt_source(str(own(tmp_path, ("You read", "Slowly you read"))))
    mine = source("judge", Language.EN)
    assert (str(mine.ref), mine.text[:15]) == ("judge@2/en", "Slowly you read")
    assert source("judge", Language.ZH) == load_prompt("judge", Language.ZH)
    assert source("truth", Language.EN) == load_prompt("truth", Language.EN)


def test_programs_and_the_judges_identity_follow_the_settings(tmp_path: Path) -> None:
    settings = judged_with(own(tmp_path, ("You read", "Slowly you read")))
    programs = default_programs(settings)
    identity = identity_of(settings, Language)
    assert set(identity.prompts) == {"judge@2/en", "judge@1/zh"}
    assert identity.prompts["judge@2/en"] == programs.prompts["judge@2/en"]
    assert "judge@1/en" not in programs.prompts
    judge = programs.judge.judge_asked  # type: ignore[attr-defined]  # the opinion of the rules is beside it
    assert judge.predicts["en"].signature.instructions.startswith("Slowly you read")


@pytest.mark.parametrize("prompt_id", ["truth", "naturalise", "scale", "mutate"])
def test_any_prompt_can_be_replaced(tmp_path: Path, prompt_id: str) -> None:
    programs = default_programs(judged_with(own(tmp_path, prompt_id=prompt_id)))
    version = load_prompt(prompt_id, Language.EN).version
    assert f"{prompt_id}@{version + 1}/en" in programs.prompts
    every = [programs.truth, programs.scaler, programs.mutator, *programs.refiner.programs.values()]  # type: ignore[attr-defined]
    (program,) = [one for one in every if one.prompt_id == prompt_id]
    assert program.prompts[Language.EN].version == version + 1


def test_what_depends_on_changed_instructions_is_decided_anew_and_nothing_else(tmp_path: Path) -> None:
    before, now = judged_with(None), judged_with(own(tmp_path))
    hashes = [current_hashes(prompt_source(one.prompts)) for one in (before, now)]
    domains = load_domains(("builtin",))[:1]

    def prints(settings: Settings, prompts: dict[str, str], language: Language) -> tuple[str, str]:
        of = seed(language)
        return (
            refine_fingerprint(settings, prompts, of),
            certify_fingerprint(settings, prompts, of, "same"),
        )

    english = [prints(*pair, Language.EN) for pair in zip((before, now), hashes, strict=True)]
    chinese = [prints(*pair, Language.ZH) for pair in zip((before, now), hashes, strict=True)]
    scale = [
        scale_fingerprint(*(one, domains, each)) for one, each in zip((before, now), hashes, strict=True)
    ]
    assert english[0][0] != english[1][0] and english[0][1] != english[1][1]
    assert chinese[0] == chinese[1] and scale[0] == scale[1]


def test_the_folder_is_relative_to_the_settings_file(tmp_path: Path) -> None:
    own(tmp_path / "mine")
    (tmp_path / "c.yaml").write_text("prompts: mine\n", encoding="utf-8")
    assert load_settings(tmp_path / "c.yaml", needed=()).prompts == str((tmp_path / "mine").resolve())


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ([("version: 2", "version: 1"), ("You read", "We read")], "version 1 is that of the shipped judge"),
        ([("inputs: [prompt, ", "inputs: [")], "inputs must be [prompt, trap_core, ground_truth, answer]"),
        ([("explains, patches, reason]", "explains, reason]")], "outputs must be [notices, quote, "),
        ([("role: judge", "role: writer")], "role must be judge"),
        ([("language: en", "language: zh")], "front matter says judge/zh"),
        ([("id: judge", "id: other")], "front matter says other/en"),
        ([("purpose:", "reason:")], "purpose"),
    ],
)
def test_a_file_that_cannot_stand_for_the_shipped_one_is_refused(
    tmp_path: Path, changes: list[tuple[str, str]], told: str
) -> None:
    folder = own(tmp_path, *changes)
    with pytest.raises(ConfigError) as error:
        prompt_source(str(folder))
    assert told in str(error.value) and str(folder / "en" / "judge.md") in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_id_and_an_empty_folder_are_refused_in_one_line(tmp_path: Path) -> None:
    folder = own(tmp_path)
    (folder / "en" / "judgement.md").write_text("x", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"judgement\.md: no prompt is called 'judgement'; known are align"):
        prompt_source(str(folder))
    with pytest.raises(ConfigError, match="no instructions here"):
        prompt_source(str(tmp_path / "nowhere"))


def test_strategies_of_ones_own_are_refused_and_a_copy_does_no_harm(tmp_path: Path) -> None:
    """They were passed over in silence: the run went on with the shipped ones."""
    folder, shipped = own(tmp_path), read_data(Language.EN, "strategies.yaml")
    file = folder / "en" / "strategies.yaml"
    file.write_text(shipped, encoding="utf-8")
    assert (
        prompt_source(str(folder))("judge", Language.EN).version
        == 1 + load_prompt("judge", Language.EN).version
    )
    other = own(tmp_path / "other")
    (other / "en" / "strategies.yaml").write_text(shipped + "\n# mine\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"strategies\.yaml: strategies and directives cannot be replaced"):
        prompt_source(str(other))


def test_a_copy_of_the_shipped_file_may_keep_its_version(tmp_path: Path) -> None:
    path = tmp_path / "en" / "judge.md"
    path.parent.mkdir()
    path.write_text(read_data(Language.EN, "judge.md"), encoding="utf-8")
    assert prompt_source(str(tmp_path))("judge", Language.EN) == load_prompt("judge", Language.EN)
