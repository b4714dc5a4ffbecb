"""Only a browser on this machine that was given the address gets in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from yarl import URL

from curation.review.page.gate import Gate
from salitrap.records import Status
from tests.curation.review.browser_free import Client, reviewing
from tests.curation.review.runs import one
from tests.curation.rows import count

PATHS = ("/", "/help", "/agreement", "/static/page.css", "/static/keys.js", "/c/cand-00", "/nowhere")


@pytest.fixture
async def outside(directory: Path) -> AsyncIterator[Client]:
    async with reviewing(directory, inside=False) as client:
        yield client


@pytest.fixture
async def inside(directory: Path) -> AsyncIterator[Client]:
    async with reviewing(directory) as client:
        yield client


@pytest.mark.parametrize("path", PATHS)
async def test_nothing_without_the_token(outside: Client, path: str) -> None:
    found = await outside.get(path)
    assert found.status == 403
    assert "SaliTrap" not in found.text and "cand-" not in found.text


@pytest.mark.parametrize("token", ["", "wrong", "é" * 40, "a" * 43])
async def test_no_cookie_for_a_wrong_token(outside: Client, token: str) -> None:
    found = await outside.get(str(URL("/enter").with_query(token=token)))
    assert (found.status, "Set-Cookie" in found.headers) == (403, False)
    assert (await outside.get("/")).status == 403


async def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(outside: Client) -> None:
    found = await outside.get(f"/enter?token={outside.gate.token}")
    cookie = found.headers["Set-Cookie"]
    assert found.status == 200
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and outside.gate.cookie in cookie
    assert outside.gate.token not in cookie
    assert (await outside.get("/")).status == 200


async def test_a_guessed_cookie_does_not_help(outside: Client) -> None:
    outside.session.cookie_jar.update_cookies({outside.gate.cookie: "x" * 43}, URL(outside.base))
    assert (await outside.get("/")).status == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:80", ""])
async def test_another_name_for_this_server_is_refused(inside: Client, host: str) -> None:
    """DNS rebinding: a page elsewhere whose name was bent to 127.0.0.1 sends its own name as the host."""
    assert (await inside.get("/", headers={"Host": host})).status == 403


async def test_this_machine_may_be_called_localhost(outside: Client) -> None:
    url = f"http://localhost:{outside.gate.port}/enter?token={outside.gate.token}"
    async with outside.session.get(url) as found:
        assert found.status == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
@pytest.mark.parametrize("method", ["get", "post"])
async def test_requests_from_another_origin_are_refused(
    inside: Client, directory: Path, origin: str, method: str
) -> None:
    path = f"/c/{_stable(directory)}/accept" if method == "post" else "/"
    found = await getattr(inside, method)(path, headers={"Origin": origin})
    assert found.status == 403
    assert _opinions(directory) == 0


async def test_a_form_without_an_origin_is_refused(inside: Client, directory: Path) -> None:
    path, fields = f"/c/{_stable(directory)}/accept", {"csrf": inside.gate.form_token}
    async with inside.session.post(inside.base + path, data=fields) as found:
        assert found.status == 403
    assert _opinions(directory) == 0


@pytest.mark.parametrize("csrf", ["", "wrong"])
@pytest.mark.parametrize("action", ["accept", "reject", "undo", "edit", "withdraw", "label", "unlabel"])
async def test_a_form_needs_its_own_token(inside: Client, directory: Path, csrf: str, action: str) -> None:
    found = await inside.post(f"/c/{_stable(directory)}/{action}", {"csrf": csrf, "reason": "escape"})
    assert found.status == 403
    assert _opinions(directory) == 0


async def test_actions_are_no_links(inside: Client, directory: Path) -> None:
    assert (await inside.get(f"/c/{_stable(directory)}/accept")).status == 405
    assert _opinions(directory) == 0


@pytest.mark.parametrize("path", ["/", "/help", "/static/keys.js", "/nowhere"])
async def test_headers_on_every_response(inside: Client, path: str) -> None:
    headers = (await inside.get(path)).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"


async def test_no_page_has_a_script_or_a_style_of_its_own(inside: Client, directory: Path) -> None:
    """The policy would block them, and the page would look broken."""
    for path in ("/", f"/c/{_stable(directory)}", "/agreement", "/help"):
        page = (await inside.get(path)).text
        assert page.count("<script") == 1 and '<script src="/static/keys.js" defer></script>' in page
        assert "style=" not in page and "<style" not in page and " onclick" not in page


def test_secrets_are_new_each_time_and_in_no_repr() -> None:
    one_gate, other = Gate(1), Gate(1)
    secrets = (one_gate.token, one_gate.session, one_gate.form_token)
    assert len({*secrets, other.token, other.session, other.form_token}) == 6
    assert not any(secret in repr(one_gate) for secret in secrets)


async def test_a_body_that_is_too_large_is_refused(inside: Client, directory: Path) -> None:
    found = await inside.post(f"/c/{_stable(directory)}/accept", {"note": "x" * 300_000})
    assert found.status == 413
    assert _opinions(directory) == 0


def _stable(directory: Path) -> str:
    from curation.registry import Registry

    registry = Registry.open_reader(directory / "registry.sqlite")
    try:
        return one(registry, Status.STABLE)
    finally:
        registry.close()


def _opinions(directory: Path) -> int:
    return count(directory, "SELECT COUNT(*) FROM opinions")
