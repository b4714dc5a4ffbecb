"""A scripted world for whole runs: replies follow from what is asked, never from when."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from typing import Any

from curation.programs import Programs, default_programs
from salitrap.errors import CallFailed, EndpointUnavailable, StoppedError
from salitrap.providers.access import Answered, Asked, PromptRef
from salitrap.records import (
    Domain,
    Language,
    Niche,
    Niches,
    Origin,
    Outcome,
    Role,
    Seed,
    Triple,
    canonical_json,
    stable_int,
)
from salitrap.settings import EndpointSettings, Policy, RoleSettings, Settings
from tests.fakes import ScriptedAccess, answered

TOOLS = (
    "colander",
    "birdcage",
    "tea strainer",
    "fishing net",
    "wicker basket",
    "garden rake",
    "tennis racket",
)
OBJECTS = ("broth", "lemonade", "paint", "olive oil", "rain water", "milk", "vinegar", "petrol", "syrup")
PLACES = (
    "the allotment",
    "the school canteen",
    "the camp site",
    "my aunt's flat",
    "the boat club",
    "the depot",
)
GOALS = ("before the guests arrive", "while the bus waits", "ahead of the fair", "during the lunch break")
OPENERS = (
    "Quick planning question for the weekend.",
    "I am helping out at a street party soon.",
    "My neighbours asked me to sort this out.",
    "We are short of hands today and I am in charge.",
    "Could you run the figures for me, please.",
    "There is a small job waiting for me this evening.",
    "I want to get the order of steps right.",
    "Our club has a tight timetable on Saturday.",
)
ANSWER = "Take two trips of equal size. The vessel lets liquid through, so this is a risk."
QUOTE = "The vessel lets liquid through"


DETAILS = (
    "The path is flat but my shoes are old and the gate sticks.",
    "Two cousins lend a hand, though one has to leave early.",
    "It has been raining since dawn and everything is slippery.",
    "A cart would be nice; the only one is at the repair shop.",
    "Everybody wants the same share and nobody likes to queue.",
    "The clock in the hall runs slow, so I go by the church bell.",
    "My phone counts steps and I would love a tidy number.",
    "There is a bench halfway where one can sit down and rest.",
    "The caretaker locks up at dusk and never makes exceptions.",
    "Last year we did it with twice the people and half the mess.",
    "The dog comes along, which usually costs a little time.",
)
QUESTIONS = (
    "How many trips do I have to plan and how long will each of them take me?",
    "When should I set out at the latest if I walk at a normal pace?",
    "Please draw up a timetable with the number of rounds and the breaks.",
    "What is the fastest order of doing this, and what does it cost in minutes?",
    "Which share goes into each round so that nobody has to wait for long?",
)
DENIALS = (
    "A {tool} is full of holes and cannot hold {thing} on the way to {place} {goal}.",
    "No {thing} stays in a {tool}: all of it is lost before anyone gets to {place} {goal}.",
    "Because it has gaps, the {tool} does not keep {thing} in, so none arrives at {place} {goal}.",
)


def prompt_of(number: int, tool: str, thing: str, place: str, goal: str, numbers: tuple[int, int]) -> str:
    return (
        f"{OPENERS[number % len(OPENERS)]} I am carrying {thing} in a {tool} from the kitchen to {place}, "
        f"{numbers[0]} metres away, and I need {numbers[1]} portions there {goal}. "
        f"{DETAILS[number // 2 % len(DETAILS)]} {QUESTIONS[number // 4 % len(QUESTIONS)]}"
    )


def fields_of(number: int) -> dict[str, Any]:
    """The fields of a seed, the same for the same number."""
    tool, thing = TOOLS[number % len(TOOLS)], OBJECTS[number // 7 % len(OBJECTS)]
    place, goal = PLACES[number // 3 % len(PLACES)], GOALS[number // 5 % len(GOALS)]
    numbers = (20 + number % 61, 4 + number % 37)
    return {
        "scenario": f"{tool} with {thing} to {place} {number}",
        "prompt": prompt_of(number, tool, thing, place, goal, numbers),
        "trap_core": DENIALS[number // 6 % len(DENIALS)].format(
            tool=tool, thing=thing, place=place, goal=goal
        ),
        "ground_truth": f"The {thing} runs out of the {tool} at once, so no trip brings any of it.",
        "injected_numbers": [str(value) for value in numbers],
        "tool": tool,
        "object": thing,
        "action": f"carry to {place} {goal}",
        "preserve": ["the figures"],
        "avoid": ["lids"],
        "scene": place,
        "life_area": "errands",
    }


def seed(number: int = 0, tag: str = "D1", **changes: Any) -> Seed:
    fields = fields_of(number)
    triple = Triple(tool=fields["tool"], object=fields["object"], action=fields["action"])
    built = {
        "key": f"{tag.lower()}-en-{number}",
        "dimension_tag": tag,
        "language": Language.EN,
        **{name: fields[name] for name in ("scenario", "prompt", "trap_core", "ground_truth")},
        "injected_numbers": tuple(fields["injected_numbers"]),
        "triple": triple,
        "preserve": ("the figures",),
        "avoid": ("lids",),
        "niche": Niche(tool=fields["tool"], scene=fields["scene"], life_area="errands"),
        "origin": Origin.EXPERT,
    }
    return Seed.model_validate({**built, **changes})


def domain(tag: str = "D1", experts: tuple[int, ...] = (1, 40, 90)) -> Domain:
    return Domain(
        tag=tag,
        name={Language.EN: f"Domain {tag}"},
        definition={Language.EN: "The vessel lacks what the errand needs."},
        niches={Language.EN: Niches(tools=TOOLS, scenes=PLACES, life_areas=("errands", "cooking"))},
        seeds=tuple(seed(number, tag) for number in experts),
    )


def settings(target: int = 6, **changes: Any) -> Settings:
    def pool(*names: str, policy: Policy = Policy.FAILOVER) -> RoleSettings:
        endpoints = tuple(EndpointSettings(spec=f"openai/{name}@http://127.0.0.1:9/v1") for name in names)
        return RoleSettings(endpoints=endpoints, policy=policy)

    roles = {role: pool(role.value) for role in Role}
    roles[Role.SOLVER] = pool("solver-a", "solver-b", policy=Policy.ROUND_ROBIN)
    made = {
        "name": "test",
        "languages": (Language.EN,),
        "targets": {"default": {Language.EN: target}},
        "roles": roles,
    }
    return Settings.model_validate({**made, **changes})


def draw(*parts: Any) -> float:
    """A number in [0, 1) that depends on ``parts`` alone."""
    return (stable_int(*parts) % 10_000) / 10_000


class World:
    """What models reply; ``failing`` is the share of structured calls that end without a reply."""

    def __init__(self, failing: float = 0.0, repeating: float = 0.3) -> None:
        self.failing, self.repeating = failing, repeating

    def asks(self, role: Role, prompt_id: str, inputs: Mapping[str, Any], slot: int, repeat: int) -> Any:
        told = canonical_json({name: _plain(value) for name, value in inputs.items()})
        if draw("fails", prompt_id, told, repeat) < self.failing:
            return CallFailed(Outcome.TRUNCATED, "cut at the token limit", raw='{"half": "a rep')
        return getattr(self, f"_{prompt_id}")(inputs, told, repeat)

    def answers(self, message: str, slot: int, repeat: int) -> Answered:
        if draw("silent", message, repeat) < self.failing:
            return answered(outcome=Outcome.TIMEOUT, detail="no reply in time")
        return answered(f"{ANSWER} ({draw('answer', message, slot, repeat):.4f})")

    def _scale(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        drafts = [self._draft(told, repeat, number) for number in range(inputs["count"])]
        return {"seeds": drafts}

    def _draft(self, told: str, repeat: int, number: int) -> dict[str, Any]:
        kind = draw("kind", told, repeat, number)
        if kind < self.repeating:
            return fields_of(stable_int("repeated", told, number) % 4)
        drafted = fields_of(stable_int("fresh", told, repeat, number) % 5000)
        if kind > 0.97:
            drafted["trap_core"] = ""
        elif kind > 0.94:
            drafted["prompt"] = "Too short to be a seed with 2 numbers."
        return drafted

    def _rewrite(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        text = str(inputs["prompt"])
        body = text.partition(". ")[2]
        opener = OPENERS[stable_int("opener", told, repeat) % len(OPENERS)]
        if draw("loses", told, repeat) < 0.1:
            body = body.replace(" metres", "0 metres", 1)
        closing = stable_int("closing", told, repeat) % 1000
        name = f"{chr(65 + closing % 26)}{chr(97 + closing // 26 % 26)}"
        return {"rewritten": f"{opener} {body} Colleague {name} asks too."}

    _mutate = _naturalise = _camouflage = _repair = _rewrite

    def _truth(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        holds = draw("truth", told) < 0.93
        quote = str(inputs["prompt"])[:12]
        return {"holds": holds, "change": "none" if holds else "lost", "quote": quote, "reason": "seen"}

    def _align(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        good = draw("align", told) < 0.93
        return {"valid": True, "no_escape": good, "escape": "", "reason": "read"}

    def _nat(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        names = ("everyday", "concision", "concealment", "numeric_context")
        scores = {name: 2 + stable_int("nat", name, told) % 4 for name in names}
        return {**scores, "no_escape_wording": draw("wording", told) < 0.8, "reason": "rated"}

    def _compliance(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        kept = draw("compliance", told) < 0.9
        return {
            "same_trap": kept,
            "numbers_kept": True,
            "no_escape": True,
            "no_patch": True,
            "reason": "compared",
        }

    def _judge(self, inputs: Mapping[str, Any], told: str, repeat: int) -> Any:
        fails = draw("hard", inputs["prompt"])
        share = draw("label", told, repeat)
        named = {"quote": QUOTE, "reason": "judged"}
        flags = {"completes_task": True, "refuses": False, "explains": False, "patches": False}
        if share < fails:
            return {"notices": "never", **flags, "quote": "", "reason": "judged"}
        if share < fails + 0.1:
            return {"notices": "early", **flags, **named}
        if share > 0.99:
            return {"notices": "never", **flags, "completes_task": False, "quote": "", "reason": "unclear"}
        return {
            "notices": "early",
            **named,
            "completes_task": False,
            "refuses": True,
            "explains": True,
            "patches": False,
        }


class RestlessAccess:
    """The scripted world with replies that arrive in another order each time."""

    def __init__(self, world: World, seed: int = 0, longest: float = 0.002) -> None:
        self.inner = ScriptedAccess(world.asks, world.answers)
        self._random, self._longest = random.Random(seed), longest
        self.in_flight = self.most_in_flight = 0

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
        await self._wait()
        return await self.inner.ask(role, predict, inputs, prompt, slot=slot, repeat=repeat)

    async def answer(self, message: str, *, slot: int = 0, repeat: int = 0) -> Answered:
        await self._wait()
        return await self.inner.answer(message, slot=slot, repeat=repeat)

    async def _wait(self) -> None:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        await asyncio.sleep(self._random.random() * self._longest)
        self.in_flight -= 1


class JournaledAccess:
    """Keeps every good reply, as the journal does, and stops the run at call number ``stops_at``."""

    def __init__(self, world: World, replies: dict[str, Any], stops_at: int | None = None) -> None:
        self.inner = ScriptedAccess(world.asks, world.answers)
        self.replies, self._left = replies, stops_at
        self.paid = 0

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
        told = {name: _plain(value) for name, value in inputs.items()}
        key = canonical_json([str(prompt), told, slot, repeat])
        if key not in self.replies:
            await self._pay()
            self.replies[key] = await self.inner.ask(role, predict, inputs, prompt, slot=slot, repeat=repeat)
        return self.replies[key]

    async def answer(self, message: str, *, slot: int = 0, repeat: int = 0) -> Answered:
        key = canonical_json([message, slot, repeat])
        if key not in self.replies:
            await self._pay()
            reply = await self.inner.answer(message, slot=slot, repeat=repeat)
            if reply.outcome is not Outcome.OK:
                return reply
            self.replies[key] = reply
        return self.replies[key]

    async def _pay(self) -> None:
        await asyncio.sleep(0)
        self.paid += 1
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise _stopped()


def programs() -> Programs:
    """The real programs; only what is behind them is scripted."""
    return default_programs()


def _stopped() -> StoppedError:
    return EndpointUnavailable("the server went away")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value
