"""``salitrap calls``: every model call of a run or an evaluation, from its journal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salitrap.cli.console import print_json
from salitrap.cli.options import AsJson

if TYPE_CHECKING:
    from salitrap.providers.journal.store import Journal
    from salitrap.providers.journal.view import CallFilter
    from salitrap.providers.money.spend import PriceOf

Where = Annotated[
    Path,
    typer.Argument(
        help="Run directory, label file of an evaluation, or a journal.", metavar="DIR_OR_JOURNAL"
    ),
]
ByRole = Annotated[str | None, typer.Option("--role", help="Only this role: solver, judge, ...")]
ByOutcome = Annotated[str | None, typer.Option("--outcome", help="Only this outcome: ok, timeout, ...")]
ByModel = Annotated[str | None, typer.Option("--model", help="Only models whose spec holds this text.")]
Limit = Annotated[int, typer.Option("--limit", min=0, help="Newest so many; 0 for all. Sums are over all.")]
Collect = Annotated[
    bool, typer.Option("--collect", help="Fetch the replies that wait in batches; sends nothing new.")
]
Key = Annotated[str | None, typer.Option("--show", help="One call in full: the start of its key.")]


def calls(
    where: Where,
    role: ByRole = None,
    outcome: ByOutcome = None,
    model: ByModel = None,
    limit: Limit = 50,
    show: Key = None,
    collect: Collect = False,
    as_json: AsJson = False,
) -> None:
    """List the calls of a journal, newest first, with sums by role and outcome; only --collect writes."""
    from contextlib import closing

    from salitrap.cli.calls_source import journal_file, price_source
    from salitrap.providers.journal.store import Journal

    wanted = _filter(role, outcome, model)
    path = journal_file(where)
    if collect:
        from salitrap.cli.collecting import collect as collect_now

        collect_now(where, path, as_json)
        return
    with closing(Journal(path, read_only=True)) as journal, _readers_may_leave():
        if show is not None:
            _show(journal, show, as_json)
        else:
            _list(journal, wanted, price_source(path), limit, as_json)


@contextmanager
def _readers_may_leave() -> Iterator[None]:
    """A reader that has seen enough (``| head``) is no failure; typer would make it exit code 1."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _filter(role: str | None, outcome: str | None, model: str | None) -> CallFilter:
    from salitrap.providers.journal.view import CallFilter
    from salitrap.records import Outcome, Role

    chosen_role = None if role is None else Role(_one_of("--role", role, list(Role)))
    chosen_outcome = None if outcome is None else Outcome(_one_of("--outcome", outcome, list(Outcome)))
    return CallFilter(role=chosen_role, outcome=chosen_outcome, model=model)


def _one_of(flag: str, given: str, known: list[str]) -> str:
    from salitrap.errors import InputError

    if given not in known:
        raise InputError(f"{flag} {given}: unknown; choose one of {', '.join(known)}")
    return given


def _list(journal: Journal, wanted: CallFilter, price_of: PriceOf, limit: int, as_json: bool) -> None:
    from salitrap.cli.calls_text import listing, waiting_lines
    from salitrap.providers.journal.batches import BatchBook
    from salitrap.providers.journal.view import calls_in, sums_of

    found = calls_in(journal, wanted, price_of)
    shown = found[:limit] if limit else found
    if as_json:
        print_json(
            {
                "journal": str(journal.path),
                "calls": [line.model_dump(mode="json") for line in shown],
                "matching": len(found),
                "totals": [sums.model_dump(mode="json") for sums in sums_of(found)],
                "waiting": BatchBook(journal).waiting()._asdict(),
            }
        )
        return
    if not journal.begun:
        sys.stdout.write(
            f"{journal.path}: nothing was recorded yet; the command that began it goes on with it\n"
        )
        return
    for text in (*listing(shown, found), *waiting_lines(BatchBook(journal))):
        sys.stdout.write(f"{text}\n")


def _show(journal: Journal, prefix: str, as_json: bool) -> None:
    from salitrap.cli.calls_text import in_full
    from salitrap.providers.journal.view import attempts_of, conversation_of

    attempts = attempts_of(journal, prefix)
    conversation = conversation_of(journal, attempts[0]["ask_key"])
    if as_json:
        print_json({"attempts": attempts, "conversation": conversation})
        return
    for text in in_full(attempts, conversation):
        sys.stdout.write(f"{text}\n")
