"""``salitrap publish``: a dataset folder as a version on the Hugging Face Hub."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from salitrap.cli.console import err, out, print_json
from salitrap.cli.options import AsJson

if TYPE_CHECKING:
    from exports.hub import Operation, Published, PublishPlan

NOTHING_SENT = "nothing was sent"
SIMULATED = "SIMULATED DATA: no benchmark, and its card says so."


def publish(  # noqa: PLR0913  # one parameter an option
    folder: Annotated[Path, typer.Argument(help="Dataset folder of salitrap build.", metavar="DATASET")],
    repo: Annotated[str, typer.Argument(help="Repository on the Hub.", metavar="ORG/NAME")],
    dry_run: Annotated[bool, typer.Option(help="Print the operations and stop; needs no token.")] = False,
    private: Annotated[bool, typer.Option(help="Make a new repository private.")] = False,
    gated: Annotated[
        Literal["auto", "manual", "off"] | None,
        typer.Option(help="Who may read: all who ask, whom you accept, everybody."),
    ] = None,
    replace_card: Annotated[
        bool, typer.Option(help="Give up what was written into the generated part of the card there.")
    ] = False,
    allow_simulated: Annotated[
        bool, typer.Option(help="Publish simulated content, for a rehearsal.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before sending.")] = False,
    as_json: AsJson = False,
) -> None:
    """Publish a version: one commit, one tag, read back and compared. Repeat it after an interruption.

    A tag is never moved; what people wrote below the notes line of the card stays.
    """
    from exports.hub import PublishOptions, plan_publication
    from exports.hub import publish as send

    options = PublishOptions(
        private=private, gated=gated, allow_simulated=allow_simulated, replace_card=replace_card
    )
    if dry_run:
        _print_plan(plan_publication(folder, repo, options), as_json)
        return
    published = send(folder, repo, options, lambda plan: _agreed(plan, yes), _tell)
    if published is not None:
        _print_published(published, as_json)


def _agreed(plan: PublishPlan, yes: bool) -> bool:
    """Show the plan; a no ends the command."""
    from salitrap.cli.asking import ask_to_go_on

    for line in _lines(plan):
        err().print(line, soft_wrap=True)
    if not yes:
        ask_to_go_on(NOTHING_SENT)
    return True


def _print_plan(plan: PublishPlan, as_json: bool) -> None:
    if as_json:
        print_json({**plan.model_dump(mode="json", exclude={"files", "half"}), "tag": plan.tag})
        return
    for line in _lines(plan):
        out().print(line, soft_wrap=True)
    err().print(f"Dry run: {NOTHING_SENT}.")


def _lines(plan: PublishPlan) -> list[str]:
    first = [SIMULATED] if plan.simulated else []
    if not plan.operations:
        return [*first, f"{plan.repo}@{plan.tag} is there already, with this content: nothing to do."]
    head = f"To publish {plan.repo}@{plan.tag}, in this order:"
    notes = [f"note: {notice}" for notice in plan.notices]
    return [*first, head, *map(_line, plan.operations), *notes]


def _line(operation: Operation) -> str:
    size = f"{operation.bytes:,} bytes" if operation.bytes is not None else ""
    told = ", ".join(part for part in (operation.detail, size) if part)
    return f"  {operation.action.value} {operation.target}" + (f" ({told})" if told else "")


def _tell(step: str) -> None:
    err().print(step, soft_wrap=True)


def _print_published(published: Published, as_json: bool) -> None:
    if as_json:
        print_json(published.model_dump(mode="json"))
        return
    if published.simulated:
        out().print(SIMULATED)
    done = "Published" if published.changed else "Nothing to do:"
    out().print(f"{done} {published.repo}@{published.tag}, commit {published.sha}.", soft_wrap=True)
    for notice in published.notices:
        err().print(f"note: {notice}", soft_wrap=True)
    err().print(f"Check it: salitrap verify {published.repo}@{published.tag}", soft_wrap=True)
