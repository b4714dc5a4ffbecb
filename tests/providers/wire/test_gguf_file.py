"""What can be said of a ``gguf/PATH`` spec without loading a model."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from salitrap.errors import ConfigError
from salitrap.providers.build import blueprint_of
from salitrap.providers.spec import Provider, parse_spec
from salitrap.providers.wire import gguf_file
from salitrap.providers.wire.gguf_file import (
    as_served,
    check_model_file,
    file_digest,
    local_path,
    refuse_namesakes,
    with_digests,
)
from salitrap.records import Role
from salitrap.settings import GgufSettings, load_settings
from salitrap.settings.endpoint_faults import endpoint_faults
from tests.providers.helpers import endpoint, settings


@pytest.fixture(autouse=True)
def runtime_is_there(monkeypatch):
    monkeypatch.setattr(gguf_file, "find_spec", lambda name: name)


def model(folder: Path, name: str = "m.gguf", content: bytes = b"GGUF and more") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    return folder / name


def refused(spec: str, **more) -> str:
    with pytest.raises(ConfigError) as caught:
        check_model_file(parse_spec(spec), endpoint(spec, **more))
    told = str(caught.value)
    assert "\n" not in told
    return told


def test_relative_path_is_taken_from_the_working_folder(tmp_path, monkeypatch):
    path = model(tmp_path / "models")
    monkeypatch.chdir(tmp_path)
    assert local_path(parse_spec("gguf/models/m.gguf")) == path
    check_model_file(parse_spec("gguf/models/m.gguf"), endpoint("gguf/models/m.gguf"))


def test_home_folder_can_be_written_as_a_tilde(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert local_path(parse_spec("gguf/~/m.gguf")) == model(tmp_path)


def test_link_is_known_by_its_own_name(tmp_path):
    """Download caches keep the content under its hash and link to it by name."""
    blob = model(tmp_path, "0a1b2c")
    (tmp_path / "m.gguf").symlink_to(blob)
    spec = parse_spec(f"gguf/{tmp_path}/m.gguf")
    assert local_path(spec).name == "m.gguf"
    refuse_namesakes([spec, parse_spec(f"gguf/{tmp_path}/../{tmp_path.name}/m.gguf")])


def test_extra_that_is_not_installed_is_named_with_its_command(tmp_path, monkeypatch):
    monkeypatch.setattr(gguf_file, "find_spec", lambda name: None)
    assert "pip install 'salitrap[local]'" in refused(f"gguf/{model(tmp_path)}")


def test_missing_file_says_from_where_the_path_is_taken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = refused("gguf/models/m.gguf")
    assert f"{tmp_path / 'models' / 'm.gguf'}: no such model file" in told and "working folder" in told


@pytest.mark.parametrize("content", [b"", b"GG", b"<html>not found</html>"])
def test_file_of_another_kind_is_refused_before_anything_starts(tmp_path, content):
    path = model(tmp_path, content=content)
    assert "not a GGUF file" in refused(f"gguf/{path}")
    with pytest.raises(ConfigError, match="not a GGUF file"):
        blueprint_of(settings(f"gguf/{path}"), {})


def test_folder_is_no_model_file(tmp_path):
    assert "cannot be read" in refused(f"gguf/{tmp_path}")


def test_part_of_a_split_model_is_refused(tmp_path):
    """Its digest would not notice that another part was replaced."""
    assert "--merge" in refused(f"gguf/{model(tmp_path, 'm-00001-of-00003.gguf')}")
    check_model_file(parse_spec(f"gguf/{model(tmp_path, 'm-00001-of-00001.gguf')}"), endpoint("gguf/m"))


def test_settings_of_a_model_file_are_refused_beside_other_specs():
    assert "leave it out" in refused("openai/m", gguf={"context": 4096})


def test_two_files_of_one_name_are_refused_and_one_file_written_twice_is_not(tmp_path):
    """Rates and rows would mix two models under one name."""
    one, other = model(tmp_path / "a"), model(tmp_path / "b")
    refuse_namesakes([parse_spec(f"gguf/{one}"), parse_spec(f"gguf/{tmp_path}/b/../a/m.gguf")])
    with pytest.raises(ConfigError, match="rename one"):
        blueprint_of(settings(f"gguf/{one}", f"gguf/{other}"), {})


def test_digest_is_that_of_the_content_and_follows_a_replaced_file(tmp_path):
    path = model(tmp_path, content=b"GGUF old")
    spec = parse_spec(f"gguf/{path}")
    assert file_digest(spec) == hashlib.sha256(b"GGUF old").hexdigest()
    path.write_bytes(b"GGUF new!")
    assert file_digest(spec) == hashlib.sha256(b"GGUF new!").hexdigest()


def test_digest_is_computed_once(tmp_path):
    """A large model takes seconds to read."""
    path = model(tmp_path)
    state = path.stat()
    first = file_digest(parse_spec(f"gguf/{path}"))
    path.write_bytes(b"GGUF and less")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert file_digest(parse_spec(f"gguf/{path}")) == first


def test_served_file_is_free_takes_schemas_and_seeds_and_one_request_a_slot():
    spec = parse_spec("gguf/m.gguf")
    served = as_served(endpoint("gguf/m.gguf", price_input=5.0, price_output=5.0), spec)
    assert (served.price_input, served.price_output) == (0.0, 0.0)
    assert (served.json_schema, served.sampling_seed, served.in_flight) == (True, True, 2)
    four = endpoint("gguf/m.gguf", gguf={"slots": 4}, json_schema=False, sampling_seed=False)
    assert as_served(four, spec).in_flight == 4
    assert as_served(four.model_copy(update={"in_flight": 1}), spec).in_flight == 1
    assert (as_served(four, spec).json_schema, as_served(four, spec).sampling_seed) == (False, False)


def test_other_endpoints_are_left_as_they_are():
    given = endpoint("openai/m@http://127.0.0.1:1/v1")
    assert as_served(given, parse_spec(given.spec)) is given


def test_settings_file_says_how_a_model_is_served(tmp_path):
    path = tmp_path / "c.yaml"
    pool = "{endpoints: [{spec: gguf/m.gguf, gguf: {context: 4096, slots: 1, threads: 3}}]}"
    roles = "\n".join(f"  {role}: {pool}" for role in ("generator", "writer", "checker", "solver", "judge"))
    path.write_text(f"roles:\n{roles}\n", encoding="utf-8")
    served = load_settings(path).roles["solver"].endpoints[0].gguf
    assert served == GgufSettings(context=4096, slots=1, threads=3)
    path.write_text(f"roles:\n{roles.replace('threads', 'thread')}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="did you mean 'threads'"):
        load_settings(path)


def test_nothing_of_it_is_loaded_without_a_spec_that_needs_it():
    """The runtime takes 100 MB and a tenth of a second."""
    code = (
        "import asyncio, sys, tempfile, pathlib\n"
        "from salitrap.providers.open import open_access\n"
        "from tests.providers.helpers import settings\n"
        "async def main():\n"
        "    path = pathlib.Path(tempfile.mkdtemp()) / 'journal.sqlite'\n"
        "    async with open_access(settings('openai/m@http://127.0.0.1:1/v1'), path): pass\n"
        "asyncio.run(main())\n"
        "loaded = {'xllamacpp', 'salitrap.providers.wire.gguf_wire'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": os.getcwd()})


def test_a_run_records_what_its_model_file_holds(tmp_path):
    """Another file under the same name was not noticed."""
    path = model(tmp_path)
    given = settings(f"gguf/{path}")
    first = with_digests(given)
    known = first.roles[Role.SOLVER].endpoints[0].sha256
    assert known == hashlib.sha256(path.read_bytes()).hexdigest()
    assert with_digests(first) == first
    model(tmp_path, content=b"GGUF and something else")
    assert with_digests(given) != first
    assert with_digests(settings("openai/m")) == settings("openai/m")


def test_a_file_that_the_settings_pin_must_be_that_file(tmp_path):
    path = model(tmp_path)
    right = hashlib.sha256(path.read_bytes()).hexdigest()
    check_model_file(parse_spec(f"gguf/{path}"), endpoint(f"gguf/{path}", sha256=right))
    told = refused(f"gguf/{path}", sha256="0" * 64)
    assert f"{path}: another file than the settings name" in told and right in told
    assert [field for field, _ in endpoint_faults(endpoint("openai/m", sha256=right), Provider.OPENAI)] == [
        "sha256"
    ]
