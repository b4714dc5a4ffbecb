"""Templates to responses: every text is escaped, none is taken for markup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from urllib.parse import urlencode

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined

from curation.review.page.words import language_of, words_in
from curation.review.segments import marked
from salitrap.records import Label, Language

UI = "ui"
"""Name of the language in an address, and of the cookie that remembers it."""


@cache
def templates() -> Environment:
    """The page's templates; a name that is not given is an error, not an empty place."""
    return Environment(
        loader=PackageLoader("curation.review.page", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def ui_language(request: web.Request) -> Language:
    """The language chosen on the page, or that of the browser."""
    chosen = request.query.get(UI) or request.cookies.get(UI, "")
    return Language(chosen) if chosen in tuple(Language) else language_of(_accepted(request))


def rendered(request: web.Request, name: str, values: Mapping[str, Any], status: int = 200) -> web.Response:
    """A page in the reader's language."""
    ui = ui_language(request)
    context = {
        "t": translate(ui),
        "ui": ui.value,
        "other_ui": _in_other_language(request, ui),
        "labels": [label.value for label in Label],
        "shown": marked,
        "query": "",
        "here": "",
        "refused": "",
        "did": "",
        **values,
    }
    text = templates().get_template(name).render(context)
    response = web.Response(
        status=status,
        body=text.encode("utf-8", "backslashreplace"),
        content_type="text/html",
        charset="utf-8",
    )
    if request.query.get(UI) in tuple(Language):
        response.set_cookie(UI, ui.value, httponly=True, samesite="Strict")
    return response


def translate(ui: Language) -> Callable[..., str]:
    """``t(name, value=...)``: a text of the page with values in it; a name that is missing is an error."""
    words = words_in(ui)

    def told(name: str, **values: object) -> str:
        text = words[name]
        for key, value in values.items():
            text = text.replace("{" + key + "}", str(value))
        return text

    return told


def _in_other_language(request: web.Request, ui: Language) -> str:
    other = Language.EN if ui is Language.ZH else Language.ZH
    kept = {name: value for name, value in request.query.items() if name not in (UI, "token")}
    return f"?{urlencode({**kept, UI: other.value})}"


def _accepted(request: web.Request) -> str:
    return request.headers.get("Accept-Language", "")
