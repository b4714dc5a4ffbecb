"""What a run that goes on does again because something it was given is otherwise than before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salitrap.cli.console import counted, err

if TYPE_CHECKING:
    from rich.console import Console

    from curation.changing import Changes, Given, Outlook, StageOutlook
    from salitrap.plan import Plan
    from salitrap.records import Domain, Role
    from salitrap.settings import Settings


def given_now(settings: Settings, domains: tuple[Domain, ...]) -> Given:
    """Settings and domains with the prompts that the settings ask for."""
    from curation.changing import Given
    from prompts.lock import current_hashes
    from prompts.source import prompt_source

    return Given(settings, domains, current_hashes(prompt_source(settings.prompts)))


def tell_changes(found: Outlook | None) -> None:
    """Say what differs from the last revision, a line each, and what it comes to; else nothing."""
    if found is not None and found.changes.changes:
        print_outlook(err(), found)
        err().print(
            f"{found.directory} goes on with these settings; replies in its journal are kept.",
            soft_wrap=True,
        )


def print_outlook(console: Console, found: Outlook) -> None:
    """Print changes, how the work of each stage stands, and the replies that serve."""
    changes = found.changes
    for change in changes.changes:
        console.print(f"changed since revision {changes.revision}: {change.told}", soft_wrap=True)
    for line in (*_stage_lines(found), *_reply_lines(changes), _rest_line(found.plan)):
        console.print(line, soft_wrap=True)


def outlook_record(found: Outlook) -> dict[str, Any]:
    """The outlook as JSON, without the plan, which has a form of its own."""
    told: dict[str, Any] = found.model_dump(mode="json", exclude={"plan"})
    changes = told.pop("changes")
    return {**told, **changes}


def journal_lines(journal: Path | None, settings: Settings) -> Iterator[str]:
    """How many replies of a journal serve under ``settings``; nothing without a journal or replies.

    Raises:
        RunDirectoryError: it cannot be read.
    """
    from curation.changing.replies import replies_in, serving
    from prompts.lock import current_hashes
    from prompts.source import prompt_source

    hashes = current_hashes(prompt_source(settings.prompts))
    replies = () if journal is None else replies_in(journal)
    total = sum(one.calls for one in replies)
    serve = sum(one.calls for one in serving(replies, settings, hashes))
    if total:
        others = (
            f"; {total - serve:,} were asked for in another way and cannot serve" if total > serve else ""
        )
        yield (
            f"{counted(serve, 'call')} in the journal already {'has its' if serve == 1 else 'have their'} "
            f"reply and will not be paid again{others}."
        )


def _stage_lines(found: Outlook) -> Iterator[str]:
    for stage in found.stages:
        yield f"{stage.stage.value}: {_standing(stage)}"


def _standing(stage: StageOutlook) -> str:
    parts = [f"{counted(stage.stays, 'seed')} {'stays' if stage.stays == 1 else 'stay'} as they are"]
    parts[0] = parts[0].replace("stays as they are", "stays as it is")
    told = ((stage.anew, "decided anew"), (stage.unsettled, "unsettled, tried again"), (stage.new, "to come"))
    return ", ".join([*parts, *(f"{number:,} {what}" for number, what in told if number)])


def _reply_lines(changes: Changes) -> Iterator[str]:
    lost, serve = sum(changes.lost.values()), sum(changes.serve.values())
    if lost:
        yield (
            f"replies in the journal: {serve:,} serve and are not paid again; calls made again at most: "
            f"{_by_role(changes.lost)}"
        )
    elif serve:
        yield f"replies in the journal: all {serve:,} serve and are not paid again"


def _rest_line(plan: Plan) -> str:
    """What is still to be paid; decisions that come out otherwise lead to calls that nobody can count."""
    high: dict[Role, int] = {}
    for one in plan.roles:
        high[one.role] = high.get(one.role, 0) + one.calls_high
    if not high:
        return "still to be paid: nothing"
    return f"still to be paid: {plan.calls_low:,} to {plan.calls_high:,} calls (at most {_by_role(high)})"


def _by_role(calls: Mapping[Role, int]) -> str:
    return ", ".join(f"{number:,} {role.value}" for role, number in calls.items())
