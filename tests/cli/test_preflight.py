"""What ``plan`` and ``run`` say about models, limits and settings before anything is paid."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.call_sizes import CallSize
from curation.estimates import role_plan
from curation.run import open_run
from exports.dataset import build_dataset
from exports.evaluation import load_evalset
from salitrap.cli.preflight import self_judges
from salitrap.cli.quota_warnings import has_quotas, too_slow, too_small
from salitrap.plan import Plan
from salitrap.providers.wire import gguf_file
from salitrap.records import Role, Stage
from salitrap.settings import load_settings
from seeds import load_domains
from tests.cli.helpers import config, only_line
from tests.cli.in_process import Inside
from tests.exports.samples import facts, many

SAME = "openai/Org/Model-X@http://127.0.0.1:9/v1"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("asked") / "ds"
    build_dataset(
        many(), facts(), out=out, version="1.0.0", license="cc-by-4.0", name="SaliTrap", dev_share=0.3
    )
    return out


def judged_by(path: Path, judge: str, solver: str) -> Path:
    text = config(path).read_text(encoding="utf-8")
    text = text.replace("lab/judge", judge).replace("lab/solver-a", solver)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_judge_that_also_solves_is_named_by_plan_and_run(inside: Inside, tmp_path: Path) -> None:
    """Both took it without a word, though the labels are that model's opinion of itself."""
    path = judged_by(tmp_path / "c.yaml", "openai/model-x", SAME)
    planned = inside("plan", "-c", path)
    assert planned.code == 0
    assert f"warning: openai/model-x judges and {SAME} solves" in only_line(planned.err)
    asked = inside("run", "-c", path, "--run", tmp_path / "run")
    assert asked.err.count(f"warning: openai/model-x judges and {SAME} solves") == 1


def test_a_run_that_does_not_ask_warns_too(inside: Inside, tmp_path: Path) -> None:
    path = judged_by(tmp_path / "c.yaml", "openai/model-x@http://127.0.0.1:9/v1", SAME)
    assert inside("run", "-c", path, "--yes", "--run", tmp_path / "run").err.count("warning: ") == 1


def test_different_models_are_no_matter(inside: Inside, tmp_path: Path) -> None:
    assert self_judges(load_settings(judged_by(tmp_path / "a.yaml", "openai/model-y", SAME))) == []
    assert inside("plan", "-c", config(tmp_path / "b.yaml")).err == ""


def test_a_model_file_that_is_not_there_is_refused_by_plan_as_by_run(inside: Inside, tmp_path: Path) -> None:
    """``plan`` gave figures for a file that ``run`` then did not find."""
    path = judged_by(tmp_path / "c.yaml", "lab/judge", "gguf/none/model.gguf")
    planned = inside("plan", "-c", path)
    run = inside("run", "-c", path, "--yes", "--run", tmp_path / "run")
    assert (planned.code, run.code) == (2, 2)
    assert "model.gguf" in only_line(planned.err)
    assert planned.err == run.err
    assert not (tmp_path / "run").exists()


def test_a_dataset_folder_is_no_run_directory(inside: Inside, tmp_path: Path) -> None:
    """``run`` wrote its registry among the files of a dataset."""
    folder = tmp_path / "ds"
    folder.mkdir()
    (folder / "README.md").touch()
    told = inside("run", "-c", config(tmp_path / "c.yaml"), "--run", folder)
    assert told.code == 2
    assert only_line(told.err).startswith(f"error: {folder}: not a run directory")
    assert [path.name for path in folder.iterdir()] == ["README.md"]


@pytest.mark.parametrize(
    ("setting", "told"),
    [("ca: none.pem", "ca: "), ("proxy: $NOPE_PROXY", "environment variable NOPE_PROXY is not set")],
)
def test_certificates_and_proxies_are_checked_by_plan_as_by_run(
    inside: Inside, tmp_path: Path, setting: str, told: str
) -> None:
    """``plan`` gave figures, and ``run`` then refused the settings."""
    path = config(tmp_path / "c.yaml")
    spec = f'spec: "{SAME}", {setting}'
    path.write_text(path.read_text(encoding="utf-8").replace('spec: "lab/judge"', spec), encoding="utf-8")
    planned = inside("plan", "-c", path)
    run = inside("run", "-c", path, "--yes", "--run", tmp_path / "run")
    assert (planned.code, run.code) == (2, 2)
    assert planned.err == run.err
    assert f"roles.judge.endpoints[0] ({SAME}): " in only_line(planned.err)
    assert told in planned.err


def limited(path: Path, limit: str) -> Path:
    """Settings whose judge has a limit a minute; its ``max_tokens`` is 4000."""
    text = config(path).read_text(encoding="utf-8")
    path.write_text(text.replace('spec: "lab/judge"', f'spec: "{SAME}", {limit}'), encoding="utf-8")
    return path


def test_a_limit_that_no_call_fits_is_said_by_plan_and_run(inside: Inside, tmp_path: Path) -> None:
    """The run stood still with "requests under way"."""
    path = limited(tmp_path / "c.yaml", "tpm: 4100")
    said = f"warning: judge: {SAME}: tpm 4,100 is less than one call may use: about "
    assert said in only_line(inside("plan", "-c", path).err)
    assert "max_tokens 4,000; raise tpm" in inside("plan", "-c", path).err
    assert inside("run", "-c", path, "--run", tmp_path / "run").err.count(said) == 1


def test_a_limit_that_is_slower_than_the_plan_is_said(tmp_path: Path) -> None:
    settings = load_settings(limited(tmp_path / "c.yaml", "rpm: 1"))
    plan = Plan(roles=(role_plan(Stage.CERTIFY, Role.JUDGE, (600, 900), CallSize(100, 100, 9, 9)),))
    (line,) = too_slow(settings, plan)
    assert line.startswith(
        f"judge: {SAME}: at rpm 1 the planned 600 calls take 10.0 h or more; the wall time"
    )
    fast = load_settings(limited(tmp_path / "d.yaml", "rpm: 6000, tpm: 200000"))
    assert [*too_slow(fast, plan), *too_small(fast, plan)] == []
    whole = config(tmp_path / "e.yaml")
    assert not has_quotas(load_settings(whole))


def test_limits_do_not_hold_for_batches(tmp_path: Path) -> None:
    settings = load_settings(limited(tmp_path / "c.yaml", "rpm: 1, tpm: 1, batch: true"))
    plan = Plan(roles=(role_plan(Stage.CERTIFY, Role.JUDGE, (600, 900), CallSize(100, 100, 9, 9)),))
    assert [*too_slow(settings, plan), *too_small(settings, plan)] == []


@pytest.mark.parametrize("command", ["eval", "judge"])
@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("api_key_env: NO_SUCH_KEY", "environment variable NO_SUCH_KEY is not set"),
        ("ca: none.pem", "ca: "),
        ("proxy: $NOPE_PROXY", "environment variable NOPE_PROXY is not set"),
    ],
)
def test_eval_and_judge_check_keys_and_certificates_before_they_ask(
    inside: Inside, dataset: Path, tmp_path: Path, command: str, setting: str, told: str
) -> None:
    """The plan was shown and agreed to, and only then was the key found missing."""
    settings = tmp_path / "c.yaml"
    pool = f'{{endpoints: [{{spec: "{SAME}", {setting}}}]}}'
    settings.write_text(f"roles: {{judge: {pool}}}\n", encoding="utf-8")
    answers = tmp_path / "answers.jsonl"
    item = load_evalset(dataset, split="all").items[0].item_id
    answers.write_text(json.dumps({"model": "m", "item_id": item, "answer": "No."}) + "\n", encoding="utf-8")
    given = {
        "eval": (dataset, "--model", "lab/solver-a"),
        "judge": (answers, "--dataset", dataset),
    }[command]
    refused = inside(command, *given, "-c", settings, "--out", tmp_path / "labels.jsonl")
    assert refused.code == 2
    assert told in only_line(refused.err)


def test_a_replaced_model_file_is_told_by_plan_and_run(
    inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another file under the same name went unnoticed, and work that was finished with the old one stayed."""
    monkeypatch.setattr(gguf_file, "find_spec", lambda name: name)
    model = tmp_path / "m.gguf"
    model.write_bytes(b"GGUF and more")
    path = judged_by(tmp_path / "c.yaml", "lab/judge", f"gguf/{model}")
    settings = gguf_file.with_digests(load_settings(path))
    with open_run(tmp_path / "run", settings, load_domains(settings.domains)):
        pass
    told = "changed since revision 1: roles.solver.endpoints[0].sha256: "
    assert told not in inside("plan", "-c", path, "--run", tmp_path / "run").out
    model.write_bytes(b"GGUF and something else")
    assert told in inside("plan", "-c", path, "--run", tmp_path / "run").out
    assert told in inside("run", "-c", path, "--run", tmp_path / "run").err
