"""The page over HTTP, without a script: what it shows, and what its forms do."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from curation.directory import Lock, holder_of
from curation.registry import Registry
from curation.registry.people import labels_on, opinions_of
from curation.review.page.words import words_in
from salitrap.errors import InputError
from salitrap.records import Language, Status
from tests.curation.review.browser_free import Client, reviewing, tags_of, text_of
from tests.curation.review.many import fill
from tests.curation.review.runs import ids, one, prompt_of, status_of_one
from tests.curation.review.texts import HOSTILE, put


@pytest.fixture
async def client(directory: Path) -> AsyncIterator[Client]:
    async with reviewing(directory) as opened:
        yield opened


async def test_the_queue_and_a_candidate(client: Client, registry: Registry) -> None:
    page = await client.get("/")
    assert page.status == 200 and 'lang="en"' in page.text
    found = one(registry, Status.STABLE)
    assert f'href="/c/{found}"' in page.text
    page = await client.get(f"/c/{found}?status=stable")
    assert prompt_of(registry, found) in text_of(page.text).replace("\n", " ")
    assert '<mark class="number">' in page.text and '<mark class="core' in page.text
    assert "<ins>" in page.text or "the seed&#39;s own text" in page.text


@pytest.mark.parametrize("text", HOSTILE)
async def test_text_is_shown_literally(client: Client, registry: Registry, text: str) -> None:
    harmless = put(registry, "A plain text.", child="A plain text too.")
    tags = {*tags_of((await client.get("/")).text), *tags_of((await client.get(f"/c/{harmless}")).text)}
    found = put(registry, text, child=f"{text} twice {text}")
    assert text in text_of((await client.get("/?status=certified")).text)
    page = (await client.get(f"/c/{found}")).text
    assert text_of(page).count(text) > 8
    assert set(tags_of(page)) <= {*tags, "ins", "del"}
    assert "49" not in text_of(page)


async def test_notes_names_and_quotes_are_text_too(directory: Path, registry: Registry) -> None:
    found, hostile = one(registry, Status.STABLE), "<script>alert(1)</script>"
    async with reviewing(directory, "<b>Ana</b>") as client:
        await client.post(f"/c/{found}/accept", {"note": hostile})
        await client.post(f"/c/{found}/label", {"label": "Pass", "repeat": "0", "note": hostile})
        for path in (f"/c/{found}", "/agreement", f"/?text={hostile}"):
            page = (await client.get(path)).text
            assert hostile not in page and "<b>Ana</b>" not in page
            assert "&lt;b&gt;Ana" in page


async def test_a_sign_that_turns_text_around_is_named(client: Client, registry: Registry) -> None:
    found = put(registry, "pay \u202e99 euro \x00now")
    page = (await client.get(f"/c/{found}")).text
    assert 'title="RIGHT-TO-LEFT OVERRIDE">U+202E<' in page
    prompt = page.partition('<p class="prompt"')[2].partition("</p>")[0]
    assert "\u202e" not in prompt and "\x00" not in prompt


async def test_accepting_goes_on_to_the_next_and_can_be_undone(client: Client, registry: Registry) -> None:
    first, second = ids(registry, Status.UNSTABLE)[:2]
    page = await client.post(f"/c/{first}/accept?status=unstable", {"note": "good"})
    assert page.status == 200 and f"/c/{second}?" in page.url
    assert f"{first} accepted." in text_of(page.text)
    assert status_of_one(registry, first) is Status.ACCEPTED
    page = await client.post(f"/c/{first}/undo?status=unstable")
    assert "taken back" in text_of(page.text)
    assert status_of_one(registry, first) is Status.UNSTABLE


async def test_the_last_of_a_queue_leads_back_to_it(client: Client, registry: Registry) -> None:
    page = await client.post(f"/c/{ids(registry, Status.UNSTABLE)[-1]}/accept?status=unstable")
    assert "last candidate of this queue" in text_of(page.text)


async def test_a_rejection_needs_a_reason(client: Client, registry: Registry) -> None:
    found = one(registry, Status.STABLE)
    for form in ({}, {"reason": "because"}, {"reason": "other", "note": ""}):
        page = await client.post(f"/c/{found}/reject", form)
        assert page.status == 422
    assert opinions_of(registry, found) == ()
    await client.post(f"/c/{found}/reject", {"reason": "escape", "note": "walk"})
    assert status_of_one(registry, found) is Status.REJECTED


async def test_an_edit_that_is_refused_keeps_what_was_written(client: Client, registry: Registry) -> None:
    found = one(registry, Status.STABLE)
    page = await client.post(f"/c/{found}/edit", {"text": "Only 3 words <b>", "note": "mine"})
    assert page.status == 422
    assert "too_short" in text_of(page.text) and "Only 3 words &lt;b&gt;" in page.text
    text = f"{prompt_of(registry, found)}\r\nMany thanks for any help with this."
    page = await client.post(f"/c/{found}/edit", {"text": text})
    assert page.status == 200 and "waits for the next run" in text_of(page.text)
    edit = registry.connection.execute("SELECT candidate_id FROM edits").fetchone()[0]
    assert f"/c/{found}" in (await client.get(f"/c/{edit}")).url
    await client.post(f"/c/{found}/withdraw", {"edit": edit})
    assert registry.connection.execute("SELECT withdrawn FROM edits").fetchone() == (1,)


async def test_labels_and_what_is_wrong_with_them(client: Client, registry: Registry) -> None:
    found = one(registry, Status.STABLE)
    for form in (
        {"label": "Wrong", "repeat": "0"},
        {"label": "Pass", "repeat": "x"},
        {"label": "Pass", "repeat": "0", "quote": "nobody said so"},
        {"label": "Pass", "repeat": "77"},
    ):
        assert (await client.post(f"/c/{found}/label", form)).status == 422
    page = await client.post(f"/c/{found}/label", {"label": "Hard Fail", "repeat": "1", "quote": "two trips"})
    assert page.status == 200 and 'aria-pressed="true"' in page.text
    assert [(said.repeat, said.label) for said in labels_on(registry, found)] == [(1, "Hard Fail")]
    await client.post(f"/c/{found}/unlabel", {"repeat": "1"})
    assert labels_on(registry, found) == ()


@pytest.mark.parametrize("query", ["?status=nothing", "?look=x", "?after=a.b", "?before=1"])
async def test_a_filter_that_does_not_exist_is_refused(client: Client, query: str) -> None:
    assert (await client.get(f"/{query}")).status == 400


@pytest.mark.parametrize("path", ["/c/cand-0123456789abcdef0123", "/c/../run.yaml", "/static/../gate.py"])
async def test_what_is_not_there(client: Client, path: str) -> None:
    assert (await client.get(path)).status == 404


async def test_the_page_in_chinese(client: Client) -> None:
    page = await client.get("/?ui=zh")
    assert 'lang="zh-Hans"' in page.text and "队列" in page.text
    assert "队列" in (await client.get("/help")).text
    assert "Queue" in (await client.get("/?ui=en")).text


async def test_the_language_of_the_browser(client: Client) -> None:
    page = await client.get("/", headers={"Accept-Language": "fr-FR,zh-CN;q=0.9,en;q=0.5"})
    assert 'lang="zh-Hans"' in page.text


def test_both_languages_say_the_same_things() -> None:
    english, chinese = (words_in(language) for language in Language)
    assert english.keys() == chinese.keys()
    for name, text in english.items():
        assert set(_places(text)) == set(_places(chinese[name])), name


def _places(text: str) -> list[str]:
    return [part.partition("}")[0] for part in text.split("{")[1:]]


async def test_a_run_in_progress_is_opened_to_read(directory: Path, registry: Registry) -> None:
    found = one(registry, Status.STABLE)
    with Lock(directory / "lock", holder="salitrap run"):
        async with reviewing(directory) as client:
            page = await client.get(f"/c/{found}")
            assert page.status == 200 and "Read only" in page.text and "<textarea" not in page.text
            assert (await client.post(f"/c/{found}/accept")).status == 409
    assert opinions_of(registry, found) == ()


async def test_a_review_holds_the_lock_and_says_what_it_is(directory: Path) -> None:
    async with reviewing(directory):
        assert holder_of(directory / "lock")
        with pytest.raises(InputError, match=r"in use by process \d+ \(salitrap review\)"):
            Lock(directory / "lock").__enter__()
    assert holder_of(directory / "lock") is None


async def test_lists_for_other_tools_are_written_at_the_end(directory: Path, registry: Registry) -> None:
    found = one(registry, Status.STABLE)
    async with reviewing(directory) as client:
        await client.post(f"/c/{found}/reject", {"reason": "unsafe"})
    rejects = [json.loads(line) for line in (directory / "rejects.jsonl").read_text("utf-8").splitlines()]
    assert [row["reason"] for row in rejects if row["subject_id"] == found] == ["rejected by Ana: unsafe"]
    events = (directory / "events.jsonl").read_text("utf-8").splitlines()
    assert json.loads(events[-2])["kind"] == "opinion"


async def test_pages_of_40_000_candidates_are_quick(directory: Path) -> None:
    (directory / "registry.sqlite").unlink()
    for beside in directory.glob("registry.sqlite-*"):
        beside.unlink()
    fill(directory / "registry.sqlite", 40_000)
    async with reviewing(directory) as client:
        await client.get("/")  # counts once
        for path in (
            "/",
            "/?after=1700.3",
            "/?status=unsettled",
            "/?status=stable&after=3000.1",
            "/?before=900.0",
        ):
            took = []
            for _ in range(3):
                began = time.perf_counter()
                page = await client.get(path)
                took.append(time.perf_counter() - began)
                assert page.status == 200 and "data-row" in page.text
            assert min(took) < 0.2, path
