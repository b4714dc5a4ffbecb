"""One seed, a parent and views of it, for the tests of checkers and generator."""

from __future__ import annotations

from checkers import CandidateView
from salitrap.records import Candidate, Language, Niche, Origin, Seed, Triple

PROMPT = (
    "I promised soup for 12 people at the street party, and it all has to come up from the cellar "
    "kitchen in my pasta strainer. The pot holds 9 litres, the strainer takes 1.5 litres at a time, "
    "and a walk up and down takes 4 minutes. How many walks is that, and when must I start for 18:30?"
)
PROMPT_ZH = (
    "街坊聚餐我答应给12个人做汤，要用捞面的漏勺从地下室厨房一勺一勺端上来。锅里有9升汤，漏勺一次盛1.5升，"
    "上下一趟4分钟。一共要跑几趟，18点半开席的话我几点动手？"
)


def seed(language: Language = Language.EN, **changes: object) -> Seed:
    english = language is Language.EN
    fields: dict[str, object] = {
        "key": "sample",
        "dimension_tag": "D1",
        "language": language,
        "scenario": "Soup in a strainer" if english else "漏勺端汤",
        "prompt": PROMPT if english else PROMPT_ZH,
        "trap_core": "A strainer cannot hold soup." if english else "漏勺盛不住汤，不能用来端汤。",
        "ground_truth": "Soup runs through the holes of a strainer, so no number of walks helps."
        if english
        else "汤会从漏勺的孔里漏光，跑多少趟都没用。",
        "injected_numbers": ("12", "9", "1.5", "4", "18:30")
        if english
        else ("12", "9", "1.5", "4", "18点半"),
        "triple": Triple(tool="strainer", object="soup", action="carry")
        if english
        else Triple(tool="漏勺", object="汤", action="端"),
        "preserve": ("the party",),
        "avoid": ("a second pot",),
        "niche": Niche(
            tool="strainer" if english else "漏勺", scene="cellar kitchen", life_area="neighbours"
        ),
    }
    return Seed.model_validate(fields | changes)


def candidate(of: Seed, prompt: str | None = None, parent: Candidate | None = None) -> Candidate:
    return Candidate(
        seed_id=of.seed_id,
        parent_id=parent.candidate_id if parent else None,
        ordinal=1 if parent else 0,
        depth=1 if parent else 0,
        language=of.language,
        origin=Origin.MUTATE if parent else Origin.SEED,
        strategy="",
        prompt=of.prompt if prompt is None else prompt,
        injected_numbers=of.injected_numbers,
    )


def view(of: Seed | None = None, prompt: str | None = None) -> CandidateView:
    of = of or seed()
    return CandidateView(of, candidate(of, prompt))
