"""Bad input and broken surroundings: one clear line, the right exit code, nothing lost."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.helpers import command, config, environment, only_line
from tests.cli.helpers import salitrap as salitrap_process
from tests.cli.in_process import Inside, salitrap
from tests.providers.servers import serving

DOMAIN = """\
tag: D5
name: {en: Silent hours}
definition: {en: Things that are asked for at a time when they cannot happen.}
niches: {en: {tools: [bell], scenes: [village], life_areas: [music]}}
seeds:
  - key: d5-bell
    language: en
    scenario: A bell without a clapper
    prompt: PROMPT
    trap_core: A bell without its clapper cannot ring when its rope is pulled.
    ground_truth: The clapper is away for repair, so pulling the rope makes no sound at all.
    injected_numbers: NUMBERS
    triple: {tool: bell, object: rope, action: ring}
    preserve: [the clapper is away]
    avoid: [no second bell]
    niche: {tool: bell, scene: village, life_area: music}
"""
PROMPT = (
    "The clapper of our chapel bell is at the smith's until Friday, so only the shell and its rope are left. "
    "Tonight I ring for the 19:30 service as usual: 40 pulls at one every 3 seconds. "
    "When do I start pulling so that the last stroke sounds 5 minutes before the service?"
)


def own_domain(folder: Path, prompt: str = PROMPT, numbers: str = '["19:30", "40", "3", "5"]') -> Path:
    path = folder / "bells.yaml"
    path.write_text(
        DOMAIN.replace("PROMPT", json.dumps(prompt)).replace("NUMBERS", numbers), encoding="utf-8"
    )
    return path


def test_broken_settings_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("name: x\nroles: [unclosed\n", encoding="utf-8")
    done = salitrap("run", "-c", path)
    assert done.returncode == 2
    assert "broken.yaml:" in only_line(done.stderr)


def test_a_wrong_value_names_its_key_and_line(tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml", certify="{repeats: many}")
    done = salitrap("run", "-c", path)
    assert done.returncode == 2
    assert "certify.repeats" in only_line(done.stderr)


DEEP = "a: " + "[" * 3000 + "]" * 3000
UNREADABLE = {
    "deep": DEEP.encode(),
    "gbk": "a: 走路\n".encode("gbk"),
    "full-width": "tag：D5\nname: x\n".encode(),
}


@pytest.mark.parametrize("fault", UNREADABLE)
def test_an_unreadable_file_is_bad_input_as_settings_and_as_domain(
    inside: Inside, tmp_path: Path, fault: str
) -> None:
    """Deep nesting was a RecursionError and exit 4."""
    broken = tmp_path / "broken.yaml"
    broken.write_bytes(UNREADABLE[fault])
    path = config(tmp_path / "c.yaml", domains="[./broken.yaml]")
    for arguments in (("plan", "-c", broken), ("run", "-c", path), ("seeds", "list", "--domain", broken)):
        told = inside(*arguments)
        assert told.code == 2
        assert "broken.yaml:1: " in only_line(told.err)
    assert inside("seeds", "lint", broken).code == 1


def test_an_unknown_fault_of_the_lab_is_bad_input(inside: Inside, tmp_path: Path) -> None:
    """The lab process died of it with its usage text, and the run with exit 4."""
    path = config(tmp_path / "c.yaml", lab="{faults: {http_500x: 0.5}}")
    told = inside("run", "-c", path, "--run", tmp_path / "run")
    assert told.code == 2
    assert "did you mean 'http_500'? known are http_429, http_500, stall" in only_line(told.err)
    assert not (tmp_path / "run").exists()


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    done = salitrap_process("run", "-c", tmp_path / "none.yaml")
    assert done.returncode == 2
    assert "none.yaml" in only_line(done.stderr)


def test_an_unknown_dimension_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml", targets="{D9: {en: 1}}")
    done = salitrap("run", "-c", path, "--run", tmp_path / "run")
    assert done.returncode == 2
    assert "D9" in only_line(done.stderr)
    assert not (tmp_path / "run" / "journal.sqlite").exists()


def test_numbers_that_are_not_in_the_prompt_name_seed_and_field(tmp_path: Path) -> None:
    own_domain(tmp_path, numbers='["19", "30", "41"]')
    path = config(tmp_path / "c.yaml", domains="[./bells.yaml]")
    done = salitrap("seeds", "lint", tmp_path / "bells.yaml")
    assert done.returncode == 1
    assert "41" in done.stdout
    assert "d5-bell" in done.stdout
    run = salitrap("run", "-c", path, "--run", tmp_path / "run")
    assert run.returncode in (0, 2)
    assert "Traceback" not in run.stderr


def test_a_key_that_is_not_set_is_named(tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml", spec="openai/some-model")
    done = salitrap("run", "-c", path, "--yes", "--run", tmp_path / "run")
    assert done.returncode == 2
    assert "OPENAI_API_KEY" in only_line(done.stderr)


def test_a_key_that_is_not_set_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    done = salitrap(
        "run", "-c", config(tmp_path / "c.yaml", spec="openai/some-model"), "--run", tmp_path / "run"
    )
    assert done.returncode == 2
    assert "OPENAI_API_KEY" in done.stderr.strip().splitlines()[-1]
    assert not (tmp_path / "run").exists()


def test_an_unreachable_endpoint_stops_resumably(tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml", spec="openai/m@http://127.0.0.1:9/v1")
    done = salitrap("run", "-c", path, "--yes", "--run", tmp_path / "run")
    assert done.returncode == 3
    assert "127.0.0.1:9" in done.stderr
    assert "To go on: salitrap run" in done.stderr
    assert "Traceback" not in done.stderr


async def test_a_rejected_key_stops_resumably_and_is_never_printed(tmp_path: Path) -> None:
    async with serving(lambda body, n: (401, {"error": {"message": "bad key"}})) as server:
        path = config(tmp_path / "c.yaml", spec=f"openai/m@{server.url}")
        text = path.read_text(encoding="utf-8").replace('"}', '", api_key_env: PLANTED_KEY}')
        path.write_text(text, encoding="utf-8")
        process = await _run(tmp_path, path, PLANTED_KEY="sk-planted-secret")
    assert process.returncode == 3
    assert "PLANTED_KEY" in process.stderr
    assert "sk-planted-secret" not in process.stdout + process.stderr
    for file in (tmp_path / "run").iterdir():
        assert b"sk-planted-secret" not in file.read_bytes()


async def _run(tmp_path: Path, path: Path, **env: str) -> subprocess.CompletedProcess[str]:
    import asyncio

    return await asyncio.to_thread(
        salitrap_process, "run", "-c", path, "--yes", "--run", tmp_path / "run", **env
    )


def test_nobody_to_ask_means_no_payment(tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml", spec="openai/m@http://127.0.0.1:9/v1")
    done = salitrap("run", "-c", path, "--run", tmp_path / "run")
    assert done.returncode == 2
    assert "--yes" in done.stderr


def test_stages_in_the_wrong_order_say_which_is_missing(tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml")
    done = salitrap("certify", "-c", path, "--run", tmp_path / "run")
    assert done.returncode == 2
    assert "refine" in done.stderr
    built = salitrap(
        "build", tmp_path / "run", "--out", tmp_path / "ds", "--version", "1.0.0", "--license", "mit"
    )
    assert built.returncode == 2
    assert not (tmp_path / "ds").exists()


@pytest.mark.parametrize("name", ["status", "show"])
def test_a_directory_without_a_run_is_refused(tmp_path: Path, name: str) -> None:
    arguments = {"status": [tmp_path], "show": ["item-1", "--run", tmp_path]}[name]
    done = salitrap(name, *arguments)
    assert done.returncode == 2
    assert "no run here" in only_line(done.stderr)


def test_a_fifth_dimension_needs_no_code(tmp_path: Path) -> None:
    own_domain(tmp_path)
    path = config(
        tmp_path / "c.yaml", domains="[builtin, ./bells.yaml]", targets="{D5: {en: 3}, D1: {zh: 1}}"
    )
    done = salitrap("run", "-c", path, "--run", tmp_path / "run", "--json")
    assert done.returncode == 0, done.stderr
    cells = {
        (cell["dimension_tag"], cell["language"]): cell
        for cell in json.loads(salitrap("status", tmp_path / "run", "--json").stdout)["cells"]
    }
    assert cells["D5", "en"]["experts"] == 1
    assert cells["D5", "en"]["generated"] == 2
    assert cells["D2", "en"]["target"] == 0


def test_a_second_process_is_refused_while_the_first_works(tmp_path: Path) -> None:
    path = config(tmp_path / "c.yaml", lab="{latency: 0.5}")
    first = subprocess.Popen(
        command("run", "-c", path, "--run", tmp_path / "run"),
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert first.stderr is not None
    first.stderr.readline()
    second = salitrap_process("run", "-c", path, "--run", tmp_path / "run")
    first.terminate()
    first.communicate(timeout=30)
    assert second.returncode == 2
    assert f"process {first.pid}" in second.stderr
