"""What is done on the page: each a POST that ends with a redirect to a page that can be loaded again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import web

from curation.opinions import RejectReason
from curation.review.desk import Desk, Refused
from curation.review.opening import Reviewing
from curation.review.page.gate import Gate
from curation.review.page.query import query_of
from curation.review.page.views import CANDIDATE, Views
from curation.review.queue import key_of, neighbour
from salitrap.errors import DiskFull
from salitrap.records import Label

Act = Callable[[Desk, str, Mapping[str, str]], str]
"""Does something to a candidate with the fields of a form; returns the candidate that it was about."""

Handler = Callable[[web.Request], Awaitable[web.Response]]


class Actions:
    """Handlers of POST requests."""

    def __init__(self, review: Reviewing, gate: Gate, views: Views) -> None:
        self._review, self._gate, self._views = review, gate, views

    async def accept(self, request: web.Request) -> web.Response:
        """POST /c/ID/accept, then on to the next candidate."""
        return await self._do(request, _accept, "accepted", moves=True)

    async def reject(self, request: web.Request) -> web.Response:
        """POST /c/ID/reject, then on to the next candidate."""
        return await self._do(request, _reject, "rejected", moves=True, form="reject")

    async def undo(self, request: web.Request) -> web.Response:
        """POST /c/ID/undo."""
        return await self._do(request, _undo, "undone")

    async def edit(self, request: web.Request) -> web.Response:
        """POST /c/ID/edit."""
        return await self._do(request, _edit, "edited", form="edit")

    async def withdraw(self, request: web.Request) -> web.Response:
        """POST /c/ID/withdraw; ``edit`` is the text to take out."""
        return await self._do(request, _withdraw, "withdrawn")

    async def label(self, request: web.Request) -> web.Response:
        """POST /c/ID/label; ``repeat`` is the answer."""
        return await self._do(request, _label, "labelled")

    async def unlabel(self, request: web.Request) -> web.Response:
        """POST /c/ID/unlabel."""
        return await self._do(request, _unlabel, "unlabelled")

    async def _do(
        self, request: web.Request, act: Act, did: str, *, moves: bool = False, form: str = ""
    ) -> web.Response:
        candidate_id, fields = request.match_info["id"], await self._fields(request)
        desk = self._review.desk
        if desk is None:
            return self._views.message(request, 409, "read only: another process is working on this run")
        try:
            about = act(desk, candidate_id, fields)
        except (Refused, ValueError) as error:
            return self._refused(request, candidate_id, _told(error), form, fields)
        except DiskFull as error:
            return self._views.message(request, 507, str(error))
        raise web.HTTPSeeOther(self._goal(request, candidate_id, did, about, fields, moves=moves))

    async def _fields(self, request: web.Request) -> dict[str, str]:
        """The fields of a form.

        Raises:
            web.HTTPForbidden: the form is not ours.
        """
        posted = await request.post()
        if not self._gate.knows_form(posted.get("csrf")):
            raise web.HTTPForbidden(reason="the form is not of this review; load the page again")
        return {name: value for name, value in posted.items() if isinstance(value, str)}

    def _refused(
        self, request: web.Request, candidate_id: str, why: str, form: str, fields: Mapping[str, str]
    ) -> web.Response:
        told = self._views.dossier(candidate_id)
        if told is None:
            return self._views.message(request, 404, why)
        return self._views.show(request, told, refused=why, open_form=form, given=fields)

    def _goal(
        self,
        request: web.Request,
        candidate_id: str,
        did: str,
        about: str,
        fields: Mapping[str, str],
        *,
        moves: bool,
    ) -> str:
        """Where to go: the next candidate of the queue, or the same one with the place worked on in view."""
        wanted, registry = self._views.wanted(request), self._review.registry
        said: dict[str, Any] = {"did": did, "of": about}
        if not moves:
            repeat = fields.get("repeat", "")
            place = f"#answer-{repeat}" if repeat.isdigit() else ""
            more = {"opened": repeat} if place else {}
            return f"/c/{candidate_id}{query_of(wanted, **said, **more)}{place}"
        key = key_of(registry, candidate_id)
        following = neighbour(registry, wanted, key) if key else None
        if following is None:
            return f"/{query_of(wanted, **said, end='1')}"
        return f"/c/{following}{query_of(wanted, **said)}"


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, Refused) else "the form lacks something, or has what cannot be"


def _accept(desk: Desk, candidate_id: str, fields: Mapping[str, str]) -> str:
    return desk.accept(candidate_id, fields.get("note", "")).candidate_id


def _reject(desk: Desk, candidate_id: str, fields: Mapping[str, str]) -> str:
    if not fields.get("reason"):
        raise Refused("choose a reason")
    return desk.reject(candidate_id, RejectReason(fields["reason"]), fields.get("note", "")).candidate_id


def _undo(desk: Desk, candidate_id: str, fields: Mapping[str, str]) -> str:
    return desk.undo(candidate_id).candidate_id


def _edit(desk: Desk, candidate_id: str, fields: Mapping[str, str]) -> str:
    return desk.edit(candidate_id, fields.get("text", ""), fields.get("note", "")).candidate_id


def _withdraw(desk: Desk, candidate_id: str, fields: Mapping[str, str]) -> str:
    edit = fields.get("edit", "")
    if not CANDIDATE.fullmatch(edit):
        raise Refused("no text was named")
    return desk.withdraw(edit).candidate_id


def _label(desk: Desk, candidate_id: str, fields: Mapping[str, str]) -> str:
    label, repeat = Label(fields.get("label", "")), int(fields.get("repeat", ""))
    desk.label(candidate_id, repeat, label, fields.get("quote", ""), fields.get("note", ""))
    return candidate_id


def _unlabel(desk: Desk, candidate_id: str, fields: Mapping[str, str]) -> str:
    desk.take_label_back(candidate_id, int(fields.get("repeat", "")))
    return candidate_id
