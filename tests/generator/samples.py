"""A small domain in both languages, for the generator's tests."""

from __future__ import annotations

from salitrap.records import Domain, Language, Niche, Niches, Seed
from tests.checkers.samples import seed

TOOLS = ("colander", "tea strainer", "fishing net", "birdcage", "wicker basket")
SCENES = ("camp site", "school canteen", "allotment")
AREAS = ("cooking", "garden")
TOOLS_ZH, SCENES_ZH, AREAS_ZH = ("漏勺", "竹篮", "渔网"), ("食堂", "菜园"), ("做饭", "浇水")


def expert(number: int, language: Language = Language.EN) -> Seed:
    return seed(language, key=f"d1-{language.value}-{number}", scenario=f"Soup number {number}")


def domain(experts: int = 5) -> Domain:
    return Domain(
        tag="D1",
        name={Language.EN: "Missing prerequisite", Language.ZH: "缺失前提"},
        definition={
            Language.EN: "The tool lacks what the task needs.",
            Language.ZH: "工具缺少任务所需的性质。",
        },
        niches={
            Language.EN: Niches(tools=TOOLS, scenes=SCENES, life_areas=AREAS),
            Language.ZH: Niches(tools=TOOLS_ZH, scenes=SCENES_ZH, life_areas=AREAS_ZH),
        },
        seeds=tuple(expert(number, language) for language in Language for number in range(experts)),
    )


def using(
    tool: str, scene: str = "", life_area: str = "", language: Language = Language.EN, **changes: object
) -> Seed:
    return seed(language, niche=Niche(tool=tool, scene=scene, life_area=life_area), **changes)
