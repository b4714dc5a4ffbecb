"""Settings of an endpoint's network: what is refused when the file is read, and where paths lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from salitrap.errors import ConfigError
from salitrap.records.enums import Role
from salitrap.settings import EndpointSettings, load_settings
from tests.cli.helpers import config

ELSEWHERE = "openai/m@http://h/v1"


def told(path: Path, spec: str, more: str) -> Path:
    """A settings file whose judge has ``spec`` with ``more``."""
    config(path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('{spec: "lab/judge"}', f'{{spec: "{spec}", {more}}}'), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("spec", "more", "words"),
    [
        (ELSEWHERE, "proxy: 'http://user:planted@h:1'", "put the whole address into an environment variable"),
        (ELSEWHERE, "proxy: 'user:planted@h:1'", "put the whole address into an environment variable"),
        (ELSEWHERE, "proxy: '“http://user:planted@h:1”'", "put the whole address into an environment"),
        (ELSEWHERE, "proxy: 'planted:3128'", "write http://host:port"),
        (ELSEWHERE, "proxy: 'http://planted'", "write http://host:port"),
        (ELSEWHERE, "proxy: 'http://planted:1/path'", "write http://host:port"),
        (ELSEWHERE, "proxy: 'socks5://planted:1'", "write http://host:port"),
        (ELSEWHERE, "proxy: ''", "write http://host:port"),
        (ELSEWHERE, "proxy: '${PLANTED}'", "$NAME"),
        ("lab/judge", "proxy: 'http://h:1'", "lab/ specs run on this machine and take no proxy"),
        ("lab/judge", "ca: ca.pem", "take no ca"),
        ("lab/judge", "rpm: 3", "take no rpm"),
        ("gguf/m.gguf", "tpm: 3", "gguf/ specs run on this machine and take no tpm"),
        ("gguf/m.gguf", "batch: true", "take no batch"),
    ],
)
def test_what_an_endpoint_cannot_be_told_is_one_line_with_its_place(
    tmp_path: Path, spec: str, more: str, words: str
) -> None:
    path = told(tmp_path / "c.yaml", spec, more)
    with pytest.raises(ConfigError) as caught:
        load_settings(path)
    message = str(caught.value)
    line = next(n for n, one in enumerate(path.read_text("utf-8").splitlines(), 1) if "  judge:" in one)
    field = more.partition(":")[0]
    assert message.startswith(f"{path}:{line}: roles.judge.endpoints[0].{field}: ")
    assert words in message and "\n" not in message and "planted" not in message


@pytest.mark.parametrize(
    ("spec", "more"),
    [
        (ELSEWHERE, "proxy: 'http://h:3128', timeout: 5"),
        (ELSEWHERE, "proxy: 'https://[::1]:3128/'"),
        (ELSEWHERE, "proxy: $CORP_PROXY"),
        ("lab/judge", "timeout: 5, batch: false"),
    ],
)
def test_what_it_can_be_told_is_kept_as_written(tmp_path: Path, spec: str, more: str) -> None:
    settings = load_settings(told(tmp_path / "c.yaml", spec, more))
    kept = settings.roles[Role.JUDGE].endpoints[0]
    assert kept.proxy is None or kept.proxy in more


def test_a_ca_file_is_looked_for_beside_the_settings_file(tmp_path: Path) -> None:
    absolute = tmp_path.resolve() / "elsewhere.pem"
    for written, expected in (
        ("certs/corp.pem", tmp_path.resolve() / "certs" / "corp.pem"),
        (str(absolute), absolute),
        ("~/corp.pem", Path.home().resolve() / "corp.pem"),
    ):
        settings = load_settings(told(tmp_path / "c.yaml", ELSEWHERE, f"ca: '{written}'"))
        assert settings.roles[Role.JUDGE].endpoints[0].ca == str(expected)


def test_every_setting_of_an_endpoint_stands_in_the_table_of_its_document() -> None:
    document = (Path(__file__).parents[2] / "docs" / "endpoints.md").read_text(encoding="utf-8")
    rows = [line.partition(" | ")[0] for line in document.splitlines() if line.startswith("| `")]
    named = {name.strip("`| ") for row in rows for name in row.split(",")}
    assert set(EndpointSettings.model_fields) <= named


def test_the_example_of_the_document_can_be_read(tmp_path: Path) -> None:
    document = (Path(__file__).parents[2] / "docs" / "endpoints.md").read_text(encoding="utf-8")
    judge = document.partition("```yaml\nroles:\n")[2].partition("```")[0]
    lines = config(tmp_path / "c.yaml").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [judge if line.startswith("  judge:") else line for line in lines]
    (tmp_path / "c.yaml").write_text("".join(kept), encoding="utf-8")
    pool = load_settings(tmp_path / "c.yaml").roles[Role.JUDGE]
    assert [one.proxy for one in pool.endpoints] == ["$CORP_PROXY", None]
