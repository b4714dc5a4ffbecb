"""How many tokens a call takes, from the instructions, seeds and settings that it will really use.

Characters are counted, tokens are not: four characters of an alphabetic script or one and a half
Chinese characters make about a token. Tokenisers differ by a third either way, hence ``LEAST`` and
``MOST``. What a model writes is not known: answers have an assumed range, and a model that reasons
writes more, up to ``max_tokens`` a call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from curation.cells import cells_of
from curation.fingerprints import JUDGE_PROMPTS
from prompts.loader import load_prompt
from prompts.source import PromptSource, prompt_source
from salitrap.records import Domain, Language, Role, Seed, Stage
from salitrap.settings import Settings

ALPHABETIC_CHARACTERS = 4.0
CJK_CHARACTERS = 1.5
LEAST, MOST = 0.75, 1.35
ANSWER = (200.0, 1500.0)
"""Tokens of a solver's answer, exposed reasoning included."""

VERDICT = (40.0, 200.0)
"""Tokens of a checker's or the judge's JSON."""

GROWTH = 1.5
"""Length of a rewritten prompt beside the seed's own, at most."""

FORM_CHARACTERS = {
    "feasibility": 660, "dialogue_truth_align": 1273, "dialogue_naturalness": 1976, "screen": 1484,
    "scale": 1450, "mutate": 280, "naturalise": 290, "camouflage": 290, "repair": 290, "truth": 730,
    "align": 930, "nat": 1360, "compliance": 1180, "judge": 1320,
    "judge_direct": 664, "viability": 1400, "improve": 290,
    "dialogue_consensus": 1991,
    "dialogue_correction": 584,
    "dialogue_drip": 1991,
    "dialogue_escalation": 1991,
    "dialogue_pushback": 1991,
    "dialogue_state_change": 1991,
    "dialogue_sunk_cost": 1991,
    "dialogue_twin": 929,
}  # fmt: skip
"""Characters that the form of the answer and its JSON schema add to the instructions."""

_FIELD_MARKS = 25.0
"""Tokens of field names and marks in a user message."""

_DRAFT_NAMES = 70.0
"""Tokens of the field names of one seed as JSON."""

_SIBLINGS = 3
_STRATEGY = 120.0
_CJK = re.compile("[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]")


class CallSize(NamedTuple):
    """Tokens of one call, from few to many."""

    input_low: float
    input_high: float
    output_low: float
    output_high: float

    def times(self, share: float) -> CallSize:
        """The size, weighted."""
        return CallSize(*(share * figure for figure in self))

    def plus(self, other: CallSize) -> CallSize:
        """The sum, figure by figure."""
        return CallSize(*(mine + more for mine, more in zip(self, other, strict=True)))


NOTHING = CallSize(0.0, 0.0, 0.0, 0.0)
Sizes = Mapping[tuple[Stage, Role], CallSize]


@dataclass(frozen=True, slots=True)
class SeedSize:
    """Mean tokens of the parts of a seed."""

    prompt: float
    trap_core: float
    ground_truth: float
    hints: float
    names: float

    @property
    def draft(self) -> float:
        """The whole seed as JSON."""
        return self.prompt + self.trap_core + self.ground_truth + self.hints + self.names + _DRAFT_NAMES


def rough_tokens(text: str) -> float:
    """Estimated tokens of ``text``, each character by its script."""
    cjk = len(_CJK.findall(text))
    return cjk / CJK_CHARACTERS + (len(text) - cjk) / ALPHABETIC_CHARACTERS


def sizes_of(settings: Settings, domains: Sequence[Domain]) -> Sizes:
    """Sizes of a run's calls, its languages weighted by the seeds wanted in each."""
    shares = _shares(settings, domains)
    by_language = [(share, _sizes_in(settings, domains, language)) for language, share in shares.items()]
    totals: dict[tuple[Stage, Role], CallSize] = {}
    for share, sizes in by_language:
        for key, size in sizes.items():
            totals[key] = totals.get(key, NOTHING).plus(size.times(share))
    return totals


def judge_size(
    language: Language,
    question: float,
    answer: tuple[float, float],
    prompt_id: str = "judge",
    source: PromptSource = load_prompt,
) -> CallSize:
    """One reading of the judge: ``question`` is prompt, trap core and ground truth in tokens."""
    fixed = _instructions(prompt_id, language, source) + question
    return CallSize(LEAST * (fixed + answer[0]), MOST * (fixed + answer[1]), *_written(VERDICT))


def mean_size(sizes: Sequence[CallSize]) -> CallSize:
    """The mean, figure by figure; nothing of none."""
    total = NOTHING
    for size in sizes:
        total = total.plus(size)
    return total.times(1.0 / len(sizes)) if sizes else NOTHING


def answer_size(prompt: float, max_tokens: int) -> CallSize:
    """One answer of a solver to ``prompt`` tokens."""
    low, high = (min(figure, max_tokens) for figure in ANSWER)
    return CallSize(LEAST * prompt, MOST * prompt, low, high)


def _shares(settings: Settings, domains: Sequence[Domain]) -> dict[Language, float]:
    wanted = {language: 0 for language in settings.languages}
    for cell in cells_of(settings, domains):
        wanted[cell.language] += cell.target
    total = sum(wanted.values()) or 1
    return {language: count / total for language, count in wanted.items() if count}


def _sizes_in(settings: Settings, domains: Sequence[Domain], language: Language) -> Sizes:
    seed = _seed_size(domains, language)
    question = seed.prompt + seed.trap_core + seed.ground_truth
    answer = answer_size(seed.prompt, settings.roles[Role.SOLVER].max_tokens)
    source = prompt_source(settings.prompts)
    judged = judge_size(language, question, answer[2:], JUDGE_PROMPTS[settings.judging.mode], source)
    answer = answer._replace(input_high=GROWTH * answer.input_high)
    return {
        (Stage.SCALE, Role.GENERATOR): _scaling(settings, domains, language, seed),
        (Stage.SCALE, Role.CHECKER): _screening(domains, language, question, source),
        (Stage.REFINE, Role.GENERATOR): _rewriting(
            ("mutate",), language, seed, _SIBLINGS * seed.prompt, source
        ),
        (Stage.REFINE, Role.WRITER): _rewriting(
            ("naturalise", "camouflage", "repair"), language, seed, _STRATEGY, source
        ),
        (Stage.REFINE, Role.CHECKER): _checking(language, question, source),
        (Stage.REFINE, Role.SOLVER): answer,
        (Stage.REFINE, Role.JUDGE): judged,
        (Stage.CERTIFY, Role.SOLVER): answer,
        (Stage.CERTIFY, Role.JUDGE): judged,
    }


def _scaling(settings: Settings, domains: Sequence[Domain], language: Language, seed: SeedSize) -> CallSize:
    scale, source = settings.scale, prompt_source(settings.prompts)
    fixed = _instructions("scale", language, source) + _told(domains, language)
    examples = scale.few_shot * seed.draft
    exclusions = scale.exclusions * seed.names / 2
    written = scale.batch_size * seed.draft
    return CallSize(
        LEAST * (fixed + examples), MOST * (fixed + examples + exclusions), *_written((written / 2, written))
    )


def _screening(
    domains: Sequence[Domain], language: Language, question: float, source: PromptSource
) -> CallSize:
    given = _instructions("viability", language, source) + _told(domains, language) + question
    return CallSize(LEAST * given, MOST * given, *_written(VERDICT))


def _told(domains: Sequence[Domain], language: Language) -> float:
    """Mean tokens of a domain's definition."""
    told = [domain.definition[language] for domain in domains if language in domain.definition]
    return _mean([rough_tokens(text) for text in told])


def _rewriting(
    names: Sequence[str], language: Language, seed: SeedSize, more: float, source: PromptSource
) -> CallSize:
    fixed = _mean([_instructions(name, language, source) for name in names])
    given = fixed + seed.prompt + seed.trap_core + seed.hints
    return CallSize(LEAST * given, MOST * (given + more), *_written((seed.prompt, GROWTH * seed.prompt)))


def _checking(language: Language, question: float, source: PromptSource) -> CallSize:
    known = [_instructions(name, language, source) for name in ("truth", "align", "nat", "compliance")]
    return CallSize(LEAST * _mean(known), MOST * (_mean(known) + question), *_written(VERDICT))


def _written(tokens: tuple[float, float]) -> tuple[float, float]:
    return LEAST * tokens[0], MOST * tokens[1]


def _instructions(name: str, language: Language, source: PromptSource) -> float:
    """System message and field marks of one program."""
    text = rough_tokens(source(name, language).text)
    return text + FORM_CHARACTERS[name] / ALPHABETIC_CHARACTERS + _FIELD_MARKS


def _seed_size(domains: Sequence[Domain], language: Language) -> SeedSize:
    """Means over the expert seeds of a language; over those of every language when it has none."""
    every = [seed for domain in domains for seed in domain.seeds]
    seeds = [seed for seed in every if seed.language is language] or every
    return SeedSize(
        prompt=_mean([rough_tokens(seed.prompt) for seed in seeds]),
        trap_core=_mean([rough_tokens(seed.trap_core) for seed in seeds]),
        ground_truth=_mean([rough_tokens(seed.ground_truth) for seed in seeds]),
        hints=_mean([_joined((*seed.injected_numbers, *seed.preserve, *seed.avoid)) for seed in seeds]),
        names=_mean([_names(seed) for seed in seeds]),
    )


def _names(seed: Seed) -> float:
    triple, niche = seed.triple, seed.niche
    return _joined(
        (seed.scenario, triple.tool, triple.object, triple.action, niche.tool, niche.scene, niche.life_area)
    )


def _joined(parts: Sequence[str]) -> float:
    return rough_tokens(" ".join(parts))


def _mean(figures: Sequence[float]) -> float:
    return sum(figures) / len(figures) if figures else 0.0
