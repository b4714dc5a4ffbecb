"""A run directory held against what a start would give it: changes, standing of the work, what is to pay."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from curation.changing.changes import Changes, changes_of
from curation.changing.given import Given
from curation.changing.replies import Replies, replies_in
from curation.changing.rest import past_of, plan_rest
from curation.changing.units import Standing, Units, units_of
from curation.directory import Layout, Revision, read_revisions
from curation.directory.revisions import domain_fact
from curation.registry import Registry
from curation.whole_plan import plan_run
from salitrap.plan import Plan
from salitrap.records import Role, Stage
from salitrap.records.base import Record


class StageOutlook(Record):
    """Seeds of one stage: as they are, decided anew, to be visited again, and not there yet.

    Scaling is decided as a whole: its seeds all stay, or are all decided anew.
    """

    stage: Stage
    stays: int
    anew: int
    unsettled: int = 0
    new: int = 0


class Outlook(Record):
    """What a start would do to a run that is there; ``plan`` is what is still to be paid."""

    directory: str
    changes: Changes
    stages: tuple[StageOutlook, ...]
    plan: Plan

    @property
    def idle(self) -> bool:
        """True when a run that goes on finds nothing to do."""
        done = all(stage.anew + stage.unsettled + stage.new == 0 for stage in self.stages)
        return bool(self.stages) and done and not self.plan.roles


def outlook_of(directory: Path, given: Given) -> Outlook | None:
    """Compare a run directory with what it would be given; None when no run was started there.

    Raises:
        RunDirectoryError: ``run.yaml``, the registry or the journal is damaged or of a newer version.
        ConfigError: ``targets`` name what no domain has.
    """
    layout = Layout(directory)
    if not layout.run_file.is_file():
        return None
    last, replies = read_revisions(layout)[-1], replies_in(layout.journal)
    if not layout.registry.is_file():
        whole = plan_run(given.settings, given.domains)
        changes = changes_of(last, given, None, replies)
        return Outlook(directory=str(directory), changes=changes, stages=(), plan=whole)
    with closing(Registry.open_reader(layout.registry)) as registry:
        return _outlook(directory, last, given, registry, replies)


def differs(directory: Path, given: Given) -> bool:
    """True when a run is there and was last given something else.

    Raises:
        RunDirectoryError: ``run.yaml`` is damaged or of a newer version.
    """
    layout = Layout(directory)
    if not layout.run_file.is_file():
        return False
    last = read_revisions(layout)[-1]
    hashes = {domain.tag: domain_fact(domain).sha256 for domain in given.domains}
    same_files = {tag: fact.sha256 for tag, fact in last.domains.items()} == hashes
    return not same_files or last.settings != given.settings or last.prompts != dict(given.prompts)


def _outlook(
    directory: Path, last: Revision, given: Given, registry: Registry, replies: tuple[Replies, ...]
) -> Outlook:
    changes = changes_of(last, given, registry, replies)
    if not replies:
        changes = changes.model_copy(update={"lost_roles": tuple(Role)})
    before = Given(last.settings, given.domains, last.prompts)
    units = units_of(registry, before, given)
    return Outlook(
        directory=str(directory),
        changes=changes,
        stages=(_scaling(units), *(_stage(units, stage) for stage in _by_seed(given))),
        plan=plan_rest(given, units, changes, past_of(registry)),
    )


def _by_seed(given: Given) -> tuple[Stage, ...]:
    usual = (Stage.REFINE, Stage.CERTIFY)
    return (*usual, Stage.DIALOGUES) if given.settings.dialogues.patterns else usual


def _scaling(units: Units) -> StageOutlook:
    there = len(units.units)
    stays = there if units.scale_stays else 0
    return StageOutlook(stage=Stage.SCALE, stays=stays, anew=there - stays, new=units.missing)


def _stage(units: Units, stage: Stage) -> StageOutlook:
    return StageOutlook(
        stage=stage,
        stays=units.count(stage, Standing.STAYS),
        anew=units.count(stage, Standing.ANEW),
        unsettled=units.count(stage, Standing.UNSETTLED),
        new=units.count(stage, Standing.NEW) + units.missing,
    )
