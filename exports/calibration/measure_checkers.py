"""Have the checkers look at gold candidates, and put together what was measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence

from checkers import TRI_CHECKERS, Checker
from checkers.calibration import (
    Checked,
    CheckerCalibration,
    GoldUsed,
    JudgeIdentity,
    checker_figures,
    checker_gate,
)
from checkers.gold import CandidateSet, GoldCandidate
from curation.estimates import TYPICAL, role_plan
from curation.stage import DrainingAccess, Reporter, StopSwitch, for_each, gather_all
from exports.calibration.identity import named_identity
from exports.calibration.measure import now
from prompts.loader import load_prompt
from prompts.source import PromptSource, prompt_source
from salitrap import __version__
from salitrap.plan import Plan
from salitrap.providers.access import Access
from salitrap.records import Evaluation
from salitrap.records.enums import Role, Stage
from salitrap.settings import Settings

PROMPT_IDS = ("truth", "align", "nat")


def plan_checking(candidates: int) -> Plan:
    """Three verdicts a candidate, each asked for at most twice."""
    calls = (len(PROMPT_IDS) * candidates, 2 * len(PROMPT_IDS) * candidates)
    return Plan(roles=(role_plan(Stage.CHECK, Role.CHECKER, calls, TYPICAL[Role.CHECKER]),))


def checkers_identity(settings: Settings, candidates: CandidateSet) -> JudgeIdentity:
    """The model that checks, with the instructions of the three checkers."""
    languages = sorted({one.language for one in candidates.candidates})
    source = prompt_source(settings.prompts)
    prompts = [source(name, language) for name in PROMPT_IDS for language in languages]
    named = {str(prompt.ref): prompt.sha256 for prompt in prompts}
    return named_identity(settings, named, Role.CHECKER)


async def check_gold(
    access: Access,
    candidates: Sequence[GoldCandidate],
    *,
    workers: int,
    reporter: Reporter,
    switch: StopSwitch,
    source: PromptSource = load_prompt,
) -> dict[str, list[Checked]]:
    """Verdicts by checker, in the order of ``candidates``; ``source`` gives the instructions.

    Raises:
        StoppedError: it cannot go on; what was checked is in the journal.
    """
    draining = DrainingAccess(access, switch)
    checkers: list[Checker] = [kind(source) for kind in TRI_CHECKERS]
    found: dict[str, dict[int, Checked]] = {checker.name: {} for checker in checkers}
    counts = Counter[str]()
    reporter.stage_started(Stage.CHECK, len(candidates))

    async def work(numbered: tuple[int, GoldCandidate]) -> None:
        place, gold = numbered
        calls: list[Awaitable[Evaluation]] = [checker.check(draining, gold.view) for checker in checkers]
        for checker, evaluation in zip(checkers, await gather_all(calls), strict=True):
            found[checker.name][place] = Checked(gold, evaluation)
        counts["checked"] += 1
        reporter.advanced(Stage.CHECK, counts.total(), counts)

    await for_each(iter(enumerate(candidates)), work, workers=workers, switch=switch)
    reporter.finished(Stage.CHECK)
    return {name: [by_place[place] for place in sorted(by_place)] for name, by_place in found.items()}


def made_checker_calibration(
    identity: JudgeIdentity, gold: GoldUsed, found: Mapping[str, Sequence[Checked]], settings: Settings
) -> CheckerCalibration:
    """Figures and gate of what the checkers said."""
    threshold = settings.validation.certify_naturalness
    figures = {name: checker_figures(name, checked, threshold) for name, checked in found.items()}
    given = [one.evaluation.provenance for checked in found.values() for one in checked]
    sources = [source for source in given if source is not None]
    return CheckerCalibration(
        judge=identity,
        returned_models=tuple(sorted({source.returned_model for source in sources} - {""})),
        gold=gold,
        checkers=figures,
        gate=checker_gate(figures, settings.calibration),
        date=now(),
        version=__version__,
        simulated=any(source.simulated for source in sources),
    )
