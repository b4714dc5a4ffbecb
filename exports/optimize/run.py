"""Search for better instructions on the train half, and measure what was found on the held half."""

from __future__ import annotations

from dataclasses import dataclass

from checkers.calibration import Kappa, figures_of
from checkers.calibration.records import Agreement
from checkers.judge import ModelJudge
from curation.fingerprints import uses_lab
from curation.stage import DrainingAccess, Reporter, StopSwitch
from exports.calibration.identity import without_folders
from exports.calibration.measure import judge_gold, now
from exports.evaluation import judge_name
from exports.optimize.bridge import Bridge
from exports.optimize.estimate import searched_at_most
from exports.optimize.examples import Parts
from exports.optimize.files import written_prompt
from exports.optimize.hush import hushed
from exports.optimize.methods import Method, Search, best_text
from exports.optimize.setup import optimized_judge
from exports.optimize.student import Candidates
from generator.improving import Improver
from prompts.loader import Measured, Prompt, PromptScore
from prompts.source import prompt_source
from salitrap.providers.access import Access
from salitrap.records.base import Record
from salitrap.records.enums import Language, Stage
from salitrap.settings import Settings


class Improvement(Record):
    """What came of one language; without ``content`` nothing did better in the search.

    ``content`` is the new prompt file, ``score`` what the held half says of it and of its parent.
    ``simulated`` when a simulated model had a part in it.
    """

    language: Language
    parent: str
    simulated: bool
    content: str | None = None
    score: PromptScore | None = None

    @property
    def better(self) -> bool:
        """True when kappa on the held half is higher than that of the parent."""
        if self.score is None or self.score.after.kappa is None:
            return False
        return self.score.after.kappa > (self.score.before.kappa or 0.0)

    @property
    def shown(self) -> bool:
        """True when it is higher by more than chance plays with: the two intervals lie apart."""
        score = self.score
        if not self.better or score is None or score.after.low is None or score.before.high is None:
            return False
        return score.after.low > score.before.high


@dataclass(frozen=True, slots=True)
class Workshop:
    """What an optimisation works with."""

    settings: Settings
    access: Access
    reporter: Reporter
    switch: StopSwitch
    workers: int
    method: Method


async def improve(shop: Workshop, parts: Parts) -> Improvement:
    """Better instructions in one language, if there are any.

    Raises:
        StoppedError: it cannot go on; every reply is in the journal.
    """
    judge = optimized_judge(shop.settings)
    parent = judge.prompts[parts.language]
    access = DrainingAccess(shop.access, shop.switch)
    candidates, text = await _searched(shop, judge, parts, access)
    simulated = any(map(uses_lab, shop.settings.roles.values()))
    made = Improvement(language=parts.language, parent=str(parent.ref), simulated=simulated)
    if text == parent.text:
        return made
    before = await _measured(shop, judge, parts)
    after = await _measured(shop, candidates.judge_by(text), parts)
    score = _score(shop, parts, before, after, simulated)
    return made.model_copy(update={"content": written_prompt(parent, text, score), "score": score})


async def _searched(
    shop: Workshop, judge: ModelJudge, parts: Parts, access: Access
) -> tuple[Candidates, str]:
    bridge, heard = Bridge(), _Heard(shop.reporter)
    candidates = Candidates(judge, parts.language, access, bridge, heard)
    improver = Improver(prompt_source(shop.settings.prompts))
    search = Search(candidates, improver, access, bridge, parts.learn, parts.choose, shop.workers)
    shop.reporter.stage_started(Stage.JUDGE, searched_at_most(parts, shop.method))
    with hushed():
        text = await bridge.run(lambda: best_text(search, shop.method))
    shop.reporter.finished(Stage.JUDGE)
    return candidates, text


class _Heard:
    """Counts answers that were judged for a candidate."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter, self._count = reporter, 0

    def __call__(self) -> None:
        self._count += 1
        self._reporter.advanced(Stage.JUDGE, self._count, {"judged": self._count})


async def _measured(shop: Workshop, judge: ModelJudge, parts: Parts) -> Agreement:
    read = await judge_gold(
        shop.access,
        judge,
        parts.held.answers,
        workers=shop.workers,
        reporter=shop.reporter,
        switch=shop.switch,
    )
    return figures_of(read).overall


def _score(shop: Workshop, parts: Parts, before: Agreement, after: Agreement, simulated: bool) -> PromptScore:
    return PromptScore(
        method=shop.method,
        judge=without_folders(judge_name(shop.settings)),
        gold=parts.held.name,
        gold_sha256=parts.held.sha256,
        answers=after.n,
        questions=after.questions,
        before=_figures(before.kappa),
        after=_figures(after.kappa),
        date=now(),
        simulated=simulated,
    )


def _figures(kappa: Kappa) -> Measured:
    return Measured(kappa=kappa.value, low=kappa.low, high=kappa.high)


def parent_of(settings: Settings, language: Language) -> Prompt:
    """The instructions that are to be improved."""
    return optimized_judge(settings).prompts[language]
