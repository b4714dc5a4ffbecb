"""Pages that are read: the queue, one candidate, agreement, help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from curation.opinions import Edit, RejectReason
from curation.review.agreement import agreement_in
from curation.review.counts import Counts
from curation.review.dossier import Dossier, dossier_of
from curation.review.opening import Reviewing
from curation.review.order import START
from curation.review.page.gate import Gate
from curation.review.page.query import filter_in, key_in, key_text, query_of
from curation.review.page.render import rendered
from curation.review.queue import Filter, Look, Page, key_of, neighbour, page_after, page_before
from curation.review.reading import seed_id_of, snapshot
from salitrap.records import Status

CANDIDATE = re.compile(r"cand-[0-9a-f]{1,40}")
DID = frozenset({"accepted", "rejected", "undone", "edited", "withdrawn", "labelled", "unlabelled"})
WAITING = frozenset({Status.CERTIFIED, Status.ATTACK_UNNATURAL, Status.UNSETTLED})
NOTHING_GIVEN = {"reason": "", "note": "", "text": ""}


class Views:
    """Handlers of GET requests."""

    def __init__(self, review: Reviewing, gate: Gate) -> None:
        self._review, self._gate = review, gate
        self._counts = Counts(review.registry)

    async def enter(self, request: web.Request) -> web.Response:
        """GET /enter: a cookie for whoever has the token.

        It answers with a page that goes on by itself. After a redirect a browser would not send a ``Strict``
        cookie if a link elsewhere had led here.
        """
        response = self.page(request, "enter.html", {})
        gate = self._gate
        response.set_cookie(gate.cookie, gate.session, httponly=True, samesite="Strict", path="/")
        return response

    async def queue(self, request: web.Request) -> web.Response:
        """GET /: a page of the queue."""
        wanted = self.wanted(request)
        with snapshot(self._review.registry):
            page, counts = self._page_of(request, wanted), self._counts.by_status()
        lines = page.lines
        values = {
            "here": "queue",
            "page": page,
            "wanted": wanted,
            "counts": counts,
            "total": sum(counts.values()),
            "looks": [look.value for look in Look],
            "dimensions": self._column("dimension_tag"),
            "languages": self._column("language"),
            "query": query_of(wanted),
            "before": "/" + query_of(wanted, before=key_text(lines[0].key)) if lines else "",
            "after": "/" + query_of(wanted, after=key_text(lines[-1].key)) if lines else "",
            **self._done(request),
        }
        return self.page(request, "queue.html", values)

    async def candidate(self, request: web.Request) -> web.Response:
        """GET /c/ID: one candidate."""
        candidate_id = request.match_info["id"]
        told = self.dossier(candidate_id)
        if told is not None:
            return self.show(request, told)
        parent = self._parent_of(candidate_id)
        if parent is not None:
            raise web.HTTPSeeOther(f"/c/{parent}#edit-{candidate_id}")
        return self.message(request, 404, f"{candidate_id}: no candidate of this run")

    def show(
        self,
        request: web.Request,
        told: Dossier,
        *,
        refused: str = "",
        open_form: str = "",
        given: Mapping[str, str] = NOTHING_GIVEN,
    ) -> web.Response:
        """The page of one candidate; ``refused`` says why what ``given`` asked for was not done."""
        registry, wanted = self._review.registry, self.wanted(request)
        key = key_of(registry, told.node.candidate_id)
        opened = request.query.get("opened", "")
        values = {
            "told": told,
            "previous": neighbour(registry, wanted, key, back=True) if key else None,
            "following": neighbour(registry, wanted, key) if key else None,
            "query": query_of(wanted),
            "accepting": _accepting(told),
            "reasons": [reason.value for reason in RejectReason],
            "refused": refused,
            "open_form": open_form,
            "given": {**NOTHING_GIVEN, **given},
            "opened": int(opened) if opened.isdigit() else -1,
            **self._done(request),
        }
        return self.page(request, "candidate.html", values, status=422 if refused else 200)

    async def agreement(self, request: web.Request) -> web.Response:
        """GET /agreement: how far reviewers agree."""
        with snapshot(self._review.registry):
            found = agreement_in(self._review.registry)
        return self.page(request, "agreement.html", {"here": "agreement", "found": found})

    async def help(self, request: web.Request) -> web.Response:
        """GET /help: what the keys do."""
        return self.page(request, "help.html", {"here": "help"})

    def message(self, request: web.Request, status: int, message: str) -> web.Response:
        """A page that says why there is no other."""
        return self.page(request, "message.html", {"status": status, "message": message}, status=status)

    def page(
        self, request: web.Request, name: str, values: Mapping[str, Any], status: int = 200
    ) -> web.Response:
        """A page with what all pages have."""
        review = self._review
        common = {
            "run": review.name,
            "directory": str(review.layout.root),
            "author": review.author,
            "writable": review.desk is not None,
            "holder": review.holder,
            "csrf": self._gate.form_token,
        }
        return rendered(request, name, {**common, **values}, status)

    def dossier(self, candidate_id: str) -> Dossier | None:
        """Everything about a candidate, None when there is none."""
        registry = self._review.registry
        with snapshot(registry):
            seed_id = seed_id_of(registry, candidate_id)
            return dossier_of(registry, self._review.settings, seed_id, candidate_id) if seed_id else None

    def wanted(self, request: web.Request) -> Filter:
        """The filter in an address.

        Raises:
            web.HTTPBadRequest: it names something that does not exist.
        """
        try:
            return filter_in(request.query, self._review.author)
        except ValueError as error:
            raise web.HTTPBadRequest(reason="no such filter") from error

    def _page_of(self, request: web.Request, wanted: Filter) -> Page:
        try:
            after, before = (key_in(request.query.get(name, "")) for name in ("after", "before"))
        except ValueError as error:
            raise web.HTTPBadRequest(reason="no such place in the queue") from error
        if before != START:
            return page_before(self._review.registry, wanted, before)
        return page_after(self._review.registry, wanted, after)

    def _done(self, request: web.Request) -> dict[str, Any]:
        """What the action before this page did, for a line at the top."""
        did, about = request.query.get("did", ""), request.query.get("of", "")
        known = did in DID and (not about or CANDIDATE.fullmatch(about))
        return {
            "did": did if known else "",
            "did_id": about if known else "",
            "at_end": request.query.get("end") == "1",
        }

    def _column(self, name: str) -> list[str]:
        rows = self._review.registry.connection.execute(f"SELECT DISTINCT {name} FROM cells ORDER BY 1")
        return [str(row[0]) for row in rows]

    def _parent_of(self, edit_id: str) -> str | None:
        query = "SELECT record FROM edits WHERE candidate_id = ?"
        row = self._review.registry.connection.execute(query, (edit_id,)).fetchone()
        return Edit.model_validate_json(row[0]).parent.candidate_id if row else None


def _accepting(told: Dossier) -> str:
    """What accepting a candidate would come to: the ending of the text that says so."""
    if told.decision.status is Status.ACCEPTED:
        return "accepted"
    if told.decision.status is Status.STABLE:
        return "stable"
    if told.machine.status is Status.UNSTABLE:
        return "unstable"
    return "waiting" if told.machine.status in WAITING else "none"
