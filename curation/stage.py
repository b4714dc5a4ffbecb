"""What every stage has in common: steps on an explicit state, a plan, progress, and a clean stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from salitrap.errors import StoppedError
from salitrap.plan import Plan
from salitrap.providers.access import Access, Answered, Asked, ChatMessage, Converses, PromptRef
from salitrap.records import Role, Stage

StateT = TypeVar("StateT")
UnitT = TypeVar("UnitT")


class StageContract(Protocol[StateT]):
    """A stage as an engine sees it. States are immutable and hold everything a step needs."""

    async def step(self, state: StateT) -> StateT:
        """Do the next piece of work and return the state after it.

        Raises:
            StoppedError: the run cannot go on; ``state`` can be stepped again later.
        """
        ...

    def finished(self, state: StateT) -> bool:
        """True when there is nothing left to step."""
        ...

    def estimate(self, state: StateT) -> Plan:
        """Calls from ``state`` to the end, as a range; pays nothing."""
        ...


async def run_to_end(stage: StageContract[StateT], state: StateT) -> StateT:
    """Step until nothing is left to step.

    Raises:
        StoppedError: the run cannot go on.
    """
    while not stage.finished(state):
        state = await stage.step(state)
    return state


class Reporter(Protocol):
    """Who hears of progress."""

    def stage_started(self, stage: Stage, total: int) -> None:
        """A stage begins; ``total`` counts seeds (wanted ones while scaling)."""
        ...

    def advanced(self, stage: Stage, done: int, counts: Mapping[str, int]) -> None:
        """``done`` of the total are through; ``counts`` are running totals by name."""
        ...

    def finished(self, stage: Stage) -> None:
        """The stage has nothing left to do."""
        ...


class Silence:
    """A reporter that tells nobody."""

    def stage_started(self, stage: Stage, total: int) -> None:
        """Say nothing."""

    def advanced(self, stage: Stage, done: int, counts: Mapping[str, int]) -> None:
        """Say nothing."""

    def finished(self, stage: Stage) -> None:
        """Say nothing."""


class StopSwitch:
    """One reason to stop, shared by all workers of a run; the first one counts."""

    def __init__(self, *listeners: Callable[[StoppedError], None]) -> None:
        """``listeners`` hear the reason when somebody stops."""
        self.error: StoppedError | None = None
        self._listeners = listeners

    def stop(self, error: StoppedError) -> None:
        """Start no further call; those under way may end and be journaled."""
        if self.error is not None:
            return
        self.error = error
        for listener in self._listeners:
            listener(error)

    def check(self) -> None:
        """Raise the reason to stop, if there is one.

        Raises:
            StoppedError: somebody stopped the run.
        """
        if self.error is not None:
            raise self.error


class DrainingAccess:
    """Access that starts no call once the switch is thrown, and lets those under way end."""

    def __init__(self, access: Access, switch: StopSwitch) -> None:
        self._access, self._switch = access, switch

    async def ask(
        self,
        role: Role,
        predict: Any,
        inputs: Mapping[str, Any],
        prompt: PromptRef,
        *,
        slot: int = 0,
        repeat: int = 0,
    ) -> Asked:
        """See ``Access.ask``."""
        self._switch.check()
        return await self._guarded(self._access.ask(role, predict, inputs, prompt, slot=slot, repeat=repeat))

    async def answer(self, message: str, *, slot: int = 0, repeat: int = 0) -> Answered:
        """See ``Access.answer``."""
        self._switch.check()
        return await self._guarded(self._access.answer(message, slot=slot, repeat=repeat))

    async def _guarded(self, call: Awaitable[UnitT]) -> UnitT:
        try:
            return await call
        except StoppedError as error:
            self._switch.stop(error)
            raise


class DrainingConversations(DrainingAccess):
    """The same for an access that holds conversations."""

    def __init__(self, access: Converses, switch: StopSwitch) -> None:
        super().__init__(access, switch)
        self._conversing = access

    async def converse(self, messages: Sequence[ChatMessage], *, slot: int = 0, repeat: int = 0) -> Answered:
        """See ``Converses.converse``."""
        self._switch.check()
        return await self._guarded(self._conversing.converse(messages, slot=slot, repeat=repeat))


async def gather_all(calls: list[Awaitable[UnitT]]) -> list[UnitT]:
    """Await all, also when one fails, then return the results in order or raise the first failure.

    Nothing is left running behind the caller's back, so a reply that was paid for is journaled.
    """
    ended = await asyncio.gather(*calls, return_exceptions=True)
    results = list[UnitT]()
    for outcome in ended:
        if isinstance(outcome, BaseException):
            raise outcome
        results.append(outcome)
    return results


async def gather_two(first: Awaitable[StateT], second: Awaitable[UnitT]) -> tuple[StateT, UnitT]:
    """Await both, also when one fails; see ``gather_all``."""
    one, other = await asyncio.gather(first, second, return_exceptions=True)
    for outcome in (one, other):
        if isinstance(outcome, BaseException):
            raise outcome
    assert not isinstance(one, BaseException) and not isinstance(other, BaseException)
    return one, other


async def for_each(
    units: Iterator[UnitT], work: Callable[[UnitT], Awaitable[None]], *, workers: int, switch: StopSwitch
) -> None:
    """Work through ``units``, at most ``workers`` at a time, taking each only when a worker is free.

    A failure stops the taking of further units; what is under way ends first.

    Raises:
        StoppedError: the reason why the run cannot go on.
    """

    async def worker() -> None:
        for unit in units:
            if switch.error is not None or failed:
                return
            try:
                await work(unit)
            except BaseException as error:
                failed.append(error)
                raise

    failed: list[BaseException] = []
    await gather_all([worker() for _ in range(workers)])
    switch.check()
