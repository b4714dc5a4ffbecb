"""Proxies and certificates of one endpoint: who is really asked, and what is said when that fails."""

from __future__ import annotations

import base64
import logging
import ssl
import traceback
from pathlib import Path

import pytest
import trustme

from curation.fingerprints import settings_fingerprint
from salitrap.errors import ConfigError, CredentialRejected, EndpointUnavailable, ExitCode
from salitrap.providers.build import blueprint_of
from salitrap.providers.network import Network
from salitrap.providers.open import open_access
from salitrap.records import Outcome, Role
from tests.providers.forward_proxy import proxying
from tests.providers.helpers import endpoint, journal_at, pacing, settings
from tests.providers.servers import chat, claude, serving

HOST = "models.test"
PASSWORD = "planted: p@ss/é"
LOGIN = "corp:planted%3A%20p%40ss%2F%C3%A9"
PROTOCOLS = {"openai": (chat, "/v1", "/v1/chat/completions"), "anthropic": (claude, "", "/v1/messages")}


class Authority:
    """An authority of a certificate for this machine and ``HOST``; ``file`` is what a user would be given."""

    def __init__(self, file: Path) -> None:
        ca = trustme.CA()
        self.file = file
        self.own = file.with_suffix(".own.pem")
        issued = ca.issue_cert("127.0.0.1", HOST)
        ca.cert_pem.write_to_path(file)
        issued.cert_chain_pems[0].write_to_path(self.own)
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        issued.configure_cert(self.server)


@pytest.fixture(scope="module")
def authority(tmp_path_factory) -> Authority:
    return Authority(tmp_path_factory.mktemp("ca") / "corp.pem")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory) -> Authority:
    return Authority(tmp_path_factory.mktemp("ca") / "stranger.pem")


@pytest.fixture(autouse=True)
def no_proxies_of_ours(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def opened(tmp_path, chosen, **environment):
    return open_access(chosen, journal_at(tmp_path), pacing=pacing(), environment=environment)


async def outcome_of(tmp_path, one, **environment):
    async with opened(tmp_path, settings(one), **environment) as access:
        return (await access.answer("How?")).outcome


async def stopped_by(tmp_path, one, kind, **environment):
    with pytest.raises(kind) as caught:
        await outcome_of(tmp_path, one, **environment)
    return str(caught.value)


def nowhere(monkeypatch):
    """An environment that would defeat a proxy of the settings if it were asked."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", f"*,{HOST},127.0.0.1")


@pytest.mark.parametrize("host", [HOST, "127.0.0.1"])
@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_an_endpoint_s_own_proxy_is_asked_whatever_the_environment_says(
    tmp_path, monkeypatch, authority, protocol, scheme, host
):
    say, base, path = PROTOCOLS[protocol]
    nowhere(monkeypatch)
    tls = authority.server if scheme == "https" else None
    async with serving(lambda body, number: say("ok"), tls=tls) as server, proxying() as proxy:
        there = f"{host}:{server.port}"
        one = endpoint(
            f"{protocol}/m@{scheme}://{there}{base}",
            proxy="$CORP_PROXY",
            ca=str(authority.file) if tls else None,
        )
        assert await outcome_of(tmp_path, one, CORP_PROXY=proxy.with_login(LOGIN)) is Outcome.OK
        assert proxy.asked == [f"CONNECT {there}" if tls else f"POST http://{there}{path}"]
        assert proxy.logins == [f"corp:{PASSWORD}"]
        assert "proxy-authorization" not in {name.lower() for name in server.seen[0].headers}


async def test_a_proxy_without_a_login_may_stand_in_the_file(tmp_path):
    async with serving(lambda body, number: chat("ok")) as server, proxying() as proxy:
        one = endpoint(f"openai/m@http://{HOST}:{server.port}/v1", proxy=proxy.url)
        assert await outcome_of(tmp_path, one) is Outcome.OK
        assert (len(proxy.asked), proxy.logins) == (1, [""])


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_proxy_is_spoken_to_over_tls_and_its_certificate_is_checked(
    tmp_path, authority, stranger, scheme
):
    """Guards against certificates that were not loaded since the model's own address is http."""
    tls = authority.server if scheme == "https" else None
    async with (
        serving(lambda body, number: chat("ok"), tls=tls) as server,
        proxying(tls=authority.server) as proxy,
    ):
        spec = f"openai/m@{scheme}://{HOST}:{server.port}/v1"
        trusting = endpoint(spec, proxy=proxy.url, ca=str(authority.file))
        assert await outcome_of(tmp_path, trusting) is Outcome.OK
        (tmp_path / "other").mkdir()
        refusing = endpoint(spec, proxy=proxy.url, ca=str(stranger.file))
        said = await stopped_by(tmp_path / "other", refusing, EndpointUnavailable)
        assert "certificate that is not trusted" in said
        assert len(proxy.asked) == server.requests == 1


@pytest.mark.parametrize(("scheme", "asked"), [("http", "POST http://"), ("https", "CONNECT ")])
async def test_proxies_of_the_environment_are_asked_unless_told_otherwise(
    tmp_path, monkeypatch, authority, scheme, asked
):
    tls = authority.server if scheme == "https" else None
    async with serving(lambda body, number: chat("ok"), tls=tls) as server, proxying() as proxy:
        monkeypatch.setenv(f"{scheme.upper()}_PROXY", proxy.with_login("env:secret"))
        one = endpoint(f"openai/m@{scheme}://{HOST}:{server.port}/v1", ca=str(authority.file))
        assert await outcome_of(tmp_path, one) is Outcome.OK
        assert proxy.asked[0].startswith(f"{asked}{HOST}:{server.port}")
        assert proxy.logins == ["env:secret"]
        monkeypatch.setenv("NO_PROXY", HOST)
        (tmp_path / "other").mkdir()
        await stopped_by(tmp_path / "other", one, EndpointUnavailable)
        assert len(proxy.asked) == 1


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_proxy_that_refuses_the_login_stops_the_run_and_shows_no_password(
    tmp_path, caplog, protocol, scheme
):
    caplog.set_level(logging.DEBUG)
    travels = base64.b64encode(f"corp:{PASSWORD}".encode("latin-1")).decode()
    refusal = "407 Proxy Authentication Required", f"not with {travels}, that is {PASSWORD}"
    async with proxying(refusal) as proxy:
        one = endpoint(f"{protocol}/m@{scheme}://{HOST}:9/v1", proxy="$CORP_PROXY")
        with pytest.raises(CredentialRejected) as caught:
            await outcome_of(tmp_path, one, CORP_PROXY=proxy.with_login(LOGIN))
        assert len(proxy.asked) == 1
    said = str(caught.value)
    assert caught.value.exit_code is ExitCode.STOPPED
    for word in ("since the proxy refused its user or password", "407", "'proxy:'", "HTTPS_PROXY"):
        assert word in said
    assert "check the key" not in said and "\n" not in said
    texts = [said, "".join(traceback.format_exception(caught.value)), caplog.text]
    texts += [path.read_bytes().decode("utf-8", "replace") for path in tmp_path.iterdir()]
    assert not [text for text in texts if travels in text or PASSWORD in text]


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_dead_proxy_is_told_as_such(tmp_path, scheme):
    one = endpoint(f"openai/m@{scheme}://{HOST}:9/v1", proxy="http://127.0.0.1:1")
    said = await stopped_by(tmp_path, one, EndpointUnavailable)
    assert "could not be reached through the proxy: " in said
    assert "Check the proxy ('proxy:' of the endpoint, or HTTPS_PROXY and HTTP_PROXY), the address" in said
    assert "127.0.0.1:1" in said


async def test_a_proxy_that_cannot_reach_the_host_is_told_as_such(tmp_path):
    async with proxying(("502 Bad Gateway", "")) as proxy:
        one = endpoint(f"openai/m@https://{HOST}:9/v1", proxy=proxy.url)
        said = await stopped_by(tmp_path, one, EndpointUnavailable)
        assert len(proxy.asked) == 5
    assert "could not be reached through the proxy: " in said and "502" in said


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_certificate_that_is_not_trusted_stops_the_run_and_says_what_to_do(
    tmp_path, authority, stranger, protocol
):
    say, base, _ = PROTOCOLS[protocol]
    async with serving(lambda body, number: say("ok"), tls=authority.server) as server:
        for number, ca in enumerate((None, str(stranger.file))):
            folder = tmp_path / str(number)
            folder.mkdir()
            one = endpoint(f"{protocol}/m@{server.root}{base}", ca=ca)
            said = await stopped_by(folder, one, EndpointUnavailable)
            assert "showed a certificate that is not trusted here: " in said
            assert "as 'ca:' of the endpoint" in said
        assert server.requests == 0


async def test_certificates_are_trusted_besides_those_of_the_system(
    tmp_path, monkeypatch, authority, stranger
):
    """SSL_CERT_FILE stands for the system's; ``ca`` must not take its place."""
    monkeypatch.setenv("SSL_CERT_FILE", str(stranger.file))
    async with (
        serving(lambda body, number: chat("ok"), tls=authority.server) as ours,
        serving(lambda body, number: chat("ok"), tls=stranger.server) as theirs,
    ):
        both = [endpoint(f"openai/m@{one.url}", ca=str(authority.file)) for one in (ours, theirs)]
        async with opened(tmp_path, settings(*both, role={"policy": "round_robin"})) as access:
            assert [(await access.answer("How?", slot=slot)).outcome for slot in (0, 1)] == [Outcome.OK] * 2
        assert (ours.requests, theirs.requests) == (1, 1)


async def test_a_server_s_own_certificate_can_be_trusted_alone(tmp_path, authority):
    async with serving(lambda body, number: chat("ok"), tls=authority.server) as server:
        one = endpoint(f"openai/m@{server.url}", ca=str(authority.own))
        assert await outcome_of(tmp_path, one) is Outcome.OK


async def refused(tmp_path, one, **environment) -> str:
    with pytest.raises(ConfigError) as caught:
        await outcome_of(tmp_path, one, **environment)
    assert "\n" not in str(caught.value)
    assert not journal_at(tmp_path).exists()
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file or directory"),
        (b"", "holds no certificate in PEM format"),
        (b"\x30\x82\x01", "holds no certificate in PEM format"),
        (
            b"-----BEGIN CERTIFICATE-----\nbm90aGluZw==\n-----END CERTIFICATE-----\n",
            "holds no certificate in PEM",
        ),
    ],
    ids=["missing", "empty", "binary", "broken"],
)
async def test_a_file_without_certificates_is_named_before_anything_is_sent(tmp_path, content, words):
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_bytes(content)
    said = await refused(tmp_path, endpoint(f"openai/m@https://{HOST}/v1", ca=str(path)))
    assert said.startswith(f"roles.generator.endpoints[0] (openai/m@https://{HOST}/v1): ca: {path}: {words}")
    assert "name a PEM file" in said


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "environment variable CORP_PROXY is not set"),
        ("  ", "environment variable CORP_PROXY is not set"),
        ("planted", "the value of $CORP_PROXY is no address"),
        ("http://u:planted@host", "is no address"),
        ("http://u:plan/ted@host:3128", "%2F"),
        ("http://u:plan%ce%a9ted@host:3128", "is no address"),
        ("http://u%3Ax:planted@host:3128", "is no address"),
        ("socks5://u:planted@host:3128", "is no address"),
    ],
)
async def test_a_variable_without_a_proxy_s_address_is_named_and_not_shown(tmp_path, value, words):
    environment = {} if value is None else {"CORP_PROXY": value}
    said = await refused(tmp_path, endpoint("openai/m@http://h/v1", proxy="$CORP_PROXY"), **environment)
    assert said.startswith("roles.generator.endpoints[0] (openai/m@http://h/v1): proxy: ")
    assert words in said and "planted" not in said


async def test_settings_that_were_not_read_from_a_file_are_checked_too(tmp_path):
    said = await refused(tmp_path, endpoint("openai/m@http://h/v1", proxy="http://u:planted@h:1"))
    assert "must not stand in a file" in said and "planted" not in said
    assert "lab/ specs run on this machine and take no rpm" in await refused(
        tmp_path, endpoint("lab/judge", rpm=3)
    )


async def test_endpoints_share_connections_only_when_they_are_reached_alike(tmp_path, authority):
    spec = "openai/m@https://h/v1"
    alike = {"proxy": "http://p:1", "ca": str(authority.file)}
    others = [{}, {**alike, "proxy": "http://p:2"}, {**alike, "ca": None}, {**alike, "proxy": "$LOGIN"}]
    told = [alike, {**alike, "timeout": 5.0}, {**alike, "proxy": "$ADDRESS"}, *others]
    chosen = settings(*(endpoint(spec, **one) for one in told))
    environment = {"ADDRESS": "http://p:1", "LOGIN": "http://u:planted@p:1"}
    plan = blueprint_of(chosen, environment)
    assert "planted" in plan.secrets and "planted" not in repr(plan)
    async with opened(tmp_path, chosen, **environment) as access:
        wires = [one.wire for one in access._pools[Role.JUDGE].endpoints]
    assert wires[0] is wires[1] is wires[2]
    assert len({id(wire) for wire in wires}) == 1 + len(others)


async def test_how_an_endpoint_is_reached_changes_no_key_and_no_fingerprint(tmp_path, authority):
    async with serving(lambda body, number: chat("ok")) as server, proxying() as proxy:
        told = [{}, {"proxy": proxy.url}, {"ca": str(authority.file)}, {"timeout": 7.0}]
        prints = set()
        for one in told:
            chosen = settings(endpoint(f"openai/m@{server.url}", **one))
            prints.add(settings_fingerprint(chosen))
            async with opened(tmp_path, chosen) as access:
                assert (await access.answer("How?")).outcome is Outcome.OK
        assert (server.requests, len(prints), proxy.asked) == (1, 1, [])


async def test_an_endpoint_s_timeout_stands_for_the_role_s(tmp_path):
    async with serving(lambda body, number: chat("ok"), delay=0.3) as server:
        patient = endpoint(f"openai/a@{server.url}", timeout=20.0)
        hasty = endpoint(f"openai/b@{server.url}", timeout=0.1)
        role = {"attempt_timeout": 0.2, "policy": "round_robin"}
        chosen = settings(
            patient, hasty, endpoint(f"openai/c@{server.url}"), role=role, limits={"attempts": 1}
        )
        async with opened(tmp_path, chosen) as access:
            answers = [await access.answer("How?", slot=slot) for slot in (0, 1, 2)]
    assert [one.outcome for one in answers] == [Outcome.OK, Outcome.TIMEOUT, Outcome.TIMEOUT]
    assert "no reply within 0.1 s" in answers[1].detail and "no reply within 0.2 s" in answers[2].detail


def test_no_representation_shows_a_login():
    assert "planted" not in repr(Network("http://p:1", ("planted", "planted")))
