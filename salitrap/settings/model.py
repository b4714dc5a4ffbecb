"""The settings tree; defaults are the paper's or the reference constants (method, appendix F.2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from salitrap.records.base import Record
from salitrap.records.enums import Language, Role
from salitrap.settings.calibration import CalibrationSettings
from salitrap.settings.dialogues import DialogueSettings
from salitrap.settings.endpoints import EndpointSettings, RoleSettings
from salitrap.settings.hardening import HardeningSettings
from salitrap.settings.judging import JudgingSettings
from salitrap.settings.kinds import MOST_IN_FLIGHT, Count, Positive, RunName, Seconds, Share
from salitrap.settings.screening import ScreeningSettings

FEWEST_SEEDS = 32
"""Seeds in flight, however few slots there are."""


class Budget(Record):
    """Where a run stops cleanly; absent means no limit."""

    calls: Positive | None = None
    tokens: Positive | None = None
    usd: Annotated[float, Field(gt=0.0)] | None = None


class Limits(Record):
    """Bounds that keep a run polite and finite.

    ``seeds_in_flight`` is how many seeds are worked on at a time; absent, as many as the largest pool has
    slots, and 32 at least.
    """

    seeds_in_flight: Annotated[int, Field(ge=1, le=MOST_IN_FLIGHT)] | None = None
    attempts: Annotated[int, Field(ge=1, le=40)] = 40
    deadline: Seconds = 900.0
    retry_after_cap: Seconds = 120.0
    reasks: Count = 1


class MeaningSettings(Record):
    """Filter f5: cosines from which prompts mean the same or are listed; ``batch_size`` texts a request."""

    endpoint: EndpointSettings
    threshold: Share = 0.92
    review_from: Share = 0.85
    batch_size: Positive = 64
    dimensions: Positive | None = None


class SimilaritySettings(Record):
    """Thresholds of filters f2 and f3 (method, stage 1).

    f3 compares trap cores by ``core_threshold``. Similar prompts whose cores have less than
    ``other_core_below`` are listed for a person, not rejected. ``meaning`` switches f5 on.
    """

    cjk_ngram: Positive = 2
    cjk_threshold: Share = 0.7
    alphabetic_ngram: Positive = 3
    alphabetic_threshold: Share = 0.7
    core_threshold: Share = 0.7
    other_core_below: Share = 0.25
    review_from: Share = 0.55
    near_triple_discount: Share = 0.05
    meaning: MeaningSettings | None = None


class ScaleSettings(Record):
    """Stage 1: seed scaling and its structural checks.

    ``niche_duplicates`` in a row set a niche aside. ``viability`` is the lowest grade that the optional
    screen of drafts keeps; ``off`` asks nothing.
    """

    batch_size: Positive = 4
    few_shot: Positive = 3
    exclusions: Count = 20
    empty_waves: Positive = 4
    niche_duplicates: Positive = 8
    viability: Literal["off", "A", "A-", "B"] = "off"
    prompt_chars: dict[Language, tuple[int, int]] = {Language.EN: (140, 900), Language.ZH: (60, 320)}
    min_numbers: Count = 2
    ground_truth_chars: Count = 15
    similarity: SimilaritySettings = SimilaritySettings()


class ValidateSettings(Record):
    """Stage 2: thresholds of the routing table, and how the checkers are asked.

    ``order`` is ``parallel`` (all checkers of a candidate at once) or ``cascade`` (one after the other, until
    one clearly fails): the same routes for fewer calls, later.
    """

    certify_naturalness: float = 3.5
    camouflage_naturalness: float = 3.0
    solver_naturalness: float = 2.5
    patch_tier: Literal["none", "soft"] = "none"
    order: Literal["parallel", "cascade"] = "parallel"


class ScoreWeights(Record):
    """score(c), method, stage 3."""

    strong: float = 300.0
    soft: float = 200.0
    passed: float = 20.0
    naturalness: float = 20.0
    natural_bonus: float = 40.0
    aligned: float = 20.0
    escape: float = 100.0
    near_duplicate: float = 5.0
    length_divisor: float = 100.0
    length_cap: float = 3.0


class RefineSettings(Record):
    """Stage 3: the search around one seed."""

    top_k: Positive = 5
    patience: Positive = 2
    explore_every: Positive = 3
    max_candidates: Positive = 12
    max_expansions: Positive = 18
    generator_rounds: Count = 2
    naturalise_rounds: Count = 3
    camouflage_rounds: Count = 2
    repair_progress: float = 0.5
    camouflage_progress: float = 0.3
    near_duplicate_ratio: Share = 0.88
    exact_duplicate_ratio: Share = 0.985
    weights: ScoreWeights = ScoreWeights()


class CertifySettings(Record):
    """Stability certification (appendix E.4).

    With ``early_stop`` repeats end as soon as nothing can change the outcome; the stored rate is then biased,
    and marked.
    """

    repeats: Positive = 5
    early_stop: bool = False
    rule: Literal["majority", "lower-bound"] = "majority"


class BuildSettings(Record):
    """The dataset folder: shares of families for ``dev`` and for a holdout that is never published."""

    dev_share: Share = 0.1
    holdout_share: Share = 0.0

    @model_validator(mode="after")
    def _leave_a_test_split(self) -> BuildSettings:
        if self.dev_share + self.holdout_share > 1.0:
            raise ValueError(
                "dev_share and holdout_share are shares of the same families: at most 1 together"
            )
        return self


class LabSettings(Record):
    """The simulated provider behind ``lab/NAME`` specs.

    ``latency`` in seconds a reply; ``faults`` gives the share of requests that end in each named
    fault (``http_429``, ``http_500``, ``stall``, ``malformed``, ``truncated``, ``empty``, ``filtered``).
    ``gold`` is a file or folder of gold answers whose evidence the simulated judge knows.
    """

    seed: int = 0
    latency: Annotated[float, Field(ge=0.0)] = 0.0
    faults: dict[str, Share] = {}
    gold: str | None = None


class Settings(Record):
    """Everything a run depends on.

    ``domains`` holds ``builtin`` and paths of domain files. ``prompts`` is a folder with instructions of
    one's own, ``LANGUAGE/ID.md``, in place of the shipped ones of the same id. ``targets`` gives the number
    of seeds per domain tag and language; ``default`` stands for tags not named. Expert seeds count. Reading a
    file refuses a target in a language that ``languages`` does not name, a language named twice, and
    values that make no sense (``salitrap.settings.checks``).
    """

    name: RunName = "run"
    random_seed: int = 0
    domains: tuple[str, ...] = ("builtin",)
    prompts: str | None = None
    languages: tuple[Language, ...] = (Language.EN, Language.ZH)
    targets: dict[str, dict[Language, int]] = {"default": {Language.EN: 8, Language.ZH: 8}}
    roles: dict[Role, RoleSettings] = {}
    budget: Budget = Budget()
    limits: Limits = Limits()
    scale: ScaleSettings = ScaleSettings()
    validation: ValidateSettings = ValidateSettings()
    judging: JudgingSettings = JudgingSettings()
    refine: RefineSettings = RefineSettings()
    certify: CertifySettings = CertifySettings()
    dialogues: DialogueSettings = DialogueSettings()
    build: BuildSettings = BuildSettings()
    screening: ScreeningSettings = ScreeningSettings()
    hardening: HardeningSettings = HardeningSettings()
    calibration: CalibrationSettings = CalibrationSettings()
    lab: LabSettings = LabSettings()

    @property
    def seeds_at_a_time(self) -> int:
        """``limits.seeds_in_flight`` or, absent, as many as the largest pool has slots, but some at least.

        Every seed in flight has a call to make, so slots are busy until fewer seeds than slots are left.
        """
        if self.limits.seeds_in_flight is not None:
            return self.limits.seeds_in_flight
        pools = (sum(one.in_flight for one in role.endpoints) for role in self.roles.values())
        return max(FEWEST_SEEDS, *pools, 0)

    def target(self, tag: str, language: Language) -> int:
        """Number of seeds wanted in one cell."""
        cell = self.targets.get(tag, self.targets.get("default", {}))
        return cell.get(language, 0) if language in self.languages else 0
