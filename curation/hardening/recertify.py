"""Every solver of the pool answers an item as often as certification repeats, and some times more."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass

from curation.fingerprints import certify_fingerprint
from curation.hardening.records import Recertified, SolverRepeats, standing_of
from curation.registry import Batch, Event, EventKind, Registry, WorkState
from curation.registry.progress import is_done
from curation.seed_work import SeedProgress
from curation.stage import Reporter, StopSwitch, for_each, gather_all
from curation.tools import Tools, slot_of
from curation.validate import Solved, answer_of
from salitrap.records import Candidate, Role, Seed, Stage, content_hash
from salitrap.settings import Policy, Settings


@dataclass(frozen=True, slots=True)
class Subject:
    """An item to be answered: its id, the seed that the judge is told of, and the text."""

    item_id: str
    seed: Seed
    candidate: Candidate


def pool_size(settings: Settings) -> int:
    """Solvers that can be addressed: those of a round-robin pool; a failover pool answers as one."""
    pool = settings.roles[Role.SOLVER]
    return len(pool.endpoints) if pool.policy is Policy.ROUND_ROBIN else 1


def answers_each(settings: Settings) -> int:
    """Answers of one solver to one item: those that decide, and fresh ones."""
    return settings.certify.repeats + settings.hardening.fresh_repeats


async def recertify(
    tools: Tools,
    registry: Registry,
    reporter: Reporter,
    switch: StopSwitch,
    subjects: Sequence[Subject],
) -> None:
    """Let the pool answer ``subjects``; those done under the present settings are passed over.

    Raises:
        StoppedError: the run cannot go on; the same call goes on later.
    """
    work = _Recertifying(tools, registry, SeedProgress(reporter, Stage.RECERTIFY))
    reporter.stage_started(Stage.RECERTIFY, len(subjects))
    await for_each(iter(subjects), work.on, workers=tools.settings.seeds_at_a_time, switch=switch)
    reporter.finished(Stage.RECERTIFY)


def recertified_in(registry: Registry) -> dict[str, Recertified]:
    """What the registry holds, by item."""
    rows = registry.connection.execute("SELECT record FROM recertified ORDER BY item_id")
    return {one.item_id: one for one in (Recertified.model_validate_json(record) for (record,) in rows)}


@dataclass(frozen=True, slots=True)
class _Recertifying:
    """Recertification as it works on one item."""

    tools: Tools
    registry: Registry
    progress: SeedProgress

    async def on(self, subject: Subject) -> None:
        fingerprint = self._fingerprint(subject)
        if is_done(self.registry, Stage.RECERTIFY, subject.item_id, fingerprint):
            self.progress.skip()
            return
        found = await self._answered(subject)
        self.registry.write(_batch(found, fingerprint))
        self.progress.add({standing_of(found, self.tools.settings).value: 1})

    def _fingerprint(self, subject: Subject) -> str:
        settings, prompts = self.tools.settings, self.tools.programs.prompts
        told = certify_fingerprint(settings, prompts, subject.seed, subject.candidate.candidate_id)
        fresh = settings.hardening.fresh_repeats
        return content_hash([Stage.RECERTIFY.value, told, subject.item_id, fresh])

    async def _answered(self, subject: Subject) -> Recertified:
        every = range(1, answers_each(self.tools.settings) + 1)
        places = range(pool_size(self.tools.settings))
        calls: list[Awaitable[Solved]] = [
            self._solve(subject, place, repeat) for place in places for repeat in every
        ]
        solved = iter(await gather_all(calls))
        return Recertified(
            item_id=subject.item_id,
            solvers=tuple(_repeats(self.tools.settings, place, solved) for place in places),
        )

    async def _solve(self, subject: Subject, place: int, repeat: int) -> Solved:
        """One answer; repeats are numbered as in certification, so that one's replies serve the other."""
        tools, candidate = self.tools, subject.candidate
        answered = await tools.access.answer(candidate.prompt, slot=place, repeat=repeat)
        judgement = await tools.programs.judge.judge(
            tools.access,
            subject.seed,
            candidate,
            answered,
            repeat=repeat,
            slot=slot_of(subject.seed, candidate.ordinal),
        )
        return Solved(answer_of(candidate, repeat, answered), judgement)


def _repeats(settings: Settings, place: int, solved: Iterator[Solved]) -> SolverRepeats:
    mine = [next(solved) for _ in range(answers_each(settings))]
    return SolverRepeats(
        solver=settings.roles[Role.SOLVER].endpoints[place].spec,
        family=mine[0].answer.solver_family,
        deciding=settings.certify.repeats,
        answers=tuple(one.answer for one in mine),
        judgements=tuple(one.judgement for one in mine),
    )


def _batch(found: Recertified, fingerprint: str) -> Batch:
    """The unit is the item, since several items can descend from one seed."""
    event = Event(EventKind.RECERTIFIED, found.item_id, found.model_dump(mode="json"), found.item_id)
    return Batch(
        stage=Stage.RECERTIFY,
        fingerprint=fingerprint,
        events=(event,),
        seed_id=found.item_id,
        state=WorkState.UNSETTLED if found.unscored else WorkState.DONE,
        summary={"solvers": len(found.solvers)},
    )
