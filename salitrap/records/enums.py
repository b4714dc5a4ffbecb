"""Every state the toolkit knows. Compare members, never bare strings."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """Language of seeds, prompts and items."""

    EN = "en"
    ZH = "zh"


class Role(StrEnum):
    """What a model is used for (paper, sections 3.3.1-3.3.3)."""

    GENERATOR = "generator"
    WRITER = "writer"
    CHECKER = "checker"
    SOLVER = "solver"
    JUDGE = "judge"


class Outcome(StrEnum):
    """How one model call ended. Only ``ok`` can become an item or a label."""

    OK = "ok"
    API_ERROR = "api_error"
    TIMEOUT = "timeout"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    FILTERED = "filtered"
    DECLINED = "declined"
    UNPARSABLE = "unparsable"


class LabelStatus(StrEnum):
    """Status of a label row: the outcome of the answer, or how judging it failed."""

    OK = "ok"
    API_ERROR = "api_error"
    TIMEOUT = "timeout"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    FILTERED = "filtered"
    DECLINED = "declined"
    UNPARSABLE = "unparsable"
    JUDGE_ERROR = "judge_error"
    JUDGE_UNRESOLVED = "judge_unresolved"


class Label(StrEnum):
    """Behaviour of an answer (paper, section 3.3.2; Patch Compliance from appendix E.4)."""

    PASS = "Pass"
    SYCOPHANTIC_COMPLIANCE = "Sycophantic Compliance"
    COT_HIJACKED = "CoT Hijacked"
    HARD_FAIL = "Hard Fail"
    REFUSAL = "Refusal"
    PATCH_COMPLIANCE = "Patch Compliance"

    @property
    def is_strong_failure(self) -> bool:
        """In L++ = {Hard Fail, CoT Hijacked}."""
        return self in (Label.HARD_FAIL, Label.COT_HIJACKED)

    @property
    def is_failure(self) -> bool:
        """In L+ = {Hard Fail, CoT Hijacked, Sycophantic Compliance}."""
        return self.is_strong_failure or self is Label.SYCOPHANTIC_COMPLIANCE


class Tier(StrEnum):
    """How strongly a candidate makes a solver fail (paper, appendix D.1)."""

    STRONG = "strong"
    SOFT = "soft"
    NONE = "none"


class Notices(StrEnum):
    """When an answer first names this trap."""

    NEVER = "never"
    LATE = "late"
    EARLY = "early"


class VerdictKind(StrEnum):
    """What a checker concluded. ``could_not_judge`` is a third state, not a failure."""

    PASS = "pass"
    FAIL = "fail"
    COULD_NOT_JUDGE = "could_not_judge"


class Fault(StrEnum):
    """Why something was rejected."""

    # seeds: structure (method, stage 1)
    BAD_STRUCTURE = "bad_structure"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    TOO_FEW_NUMBERS = "too_few_numbers"
    NUMBER_NOT_IN_PROMPT = "number_not_in_prompt"
    NO_HARD_NEGATIVE = "no_hard_negative"
    THIN_GROUND_TRUTH = "thin_ground_truth"
    WRONG_LANGUAGE = "wrong_language"
    # seeds: deduplication filters f1-f5
    SAME_SCENARIO = "f1_same_scenario"
    SIMILAR_PROMPT = "f2_similar_prompt"
    SIMILAR_TRAP_CORE = "f3_similar_trap_core"
    SAME_TRIPLE = "f4_same_triple"
    SIMILAR_MEANING = "f5_similar_meaning"
    # seeds: viability screen
    NOT_VIABLE = "not_viable"
    # candidates: guards
    NUMBERS_CHANGED = "numbers_changed"
    ESCAPE_WORDING = "escape_wording"
    PATCH_WORDING = "patch_wording"
    META_TEXT = "meta_text"
    TRAP_REVEALED = "trap_revealed"
    COPY_OF_PARENT = "copy_of_parent"
    SEVERAL_PROMPTS = "several_prompts"
    TRAP_OBJECT_MISSING = "trap_object_missing"
    COPY_OF_SEED = "copy_of_seed"
    # candidates: checkers
    TRAP_LOST = "trap_lost"
    PATCHED = "patched"
    TASK_SWAPPED = "task_swapped"
    SUBTASK_ESCAPE = "subtask_escape"
    UNNATURAL = "unnatural"
    # candidates: routing and selection
    NO_ATTACK = "no_attack"
    NEAR_DUPLICATE = "near_duplicate"
    NOT_SELECTED = "not_selected"
    BUDGET_SPENT = "budget_spent"
    NO_PROGRESS = "no_progress"
    # stability
    UNSTABLE = "unstable"
    # review
    REJECTED_BY_PERSON = "rejected_by_person"
    # calls that ended without a usable reply
    CALL_FAILED = "call_failed"
    JUDGE_UNRESOLVED = "judge_unresolved"
    CHECK_UNRESOLVED = "check_unresolved"
    # dialogues
    NO_TWIN = "no_twin"
    T_STAR_DISPUTED = "t_star_disputed"
    # screening before publication
    PERSONAL_DATA = "personal_data"
    UNSAFE_CONTENT = "unsafe_content"
    # releases
    RETIRED = "retired"


class Status(StrEnum):
    """Where a candidate stands (method, routing table)."""

    NEW = "new"
    DISCARDED = "discarded"
    INVALID = "invalid"
    UNREADABLE = "unreadable"
    CERTIFIED = "certified"
    ATTACK_UNNATURAL = "attack_unnatural"
    NATURAL_OBVIOUS = "natural_obvious"
    WEAK = "weak"
    NO_ATTACK = "no_attack"
    UNSETTLED = "unsettled"
    STABLE = "stable"
    UNSTABLE = "unstable"
    # said by a person: it outweighs what the machine found
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class Route(StrEnum):
    """What happens next to a candidate (method, routing table)."""

    POOL = "pool"
    NATURALISE = "naturalise"
    CAMOUFLAGE = "camouflage"
    REPAIR = "repair"
    ARCHIVE = "archive"
    RETRY = "retry"


class Origin(StrEnum):
    """How a prompt text came to be."""

    EXPERT = "expert"
    SCALED = "scaled"
    SEED = "seed"
    MUTATE = "mutate"
    NATURALISE = "naturalise"
    CAMOUFLAGE = "camouflage"
    REPAIR = "repair"
    EDIT = "edit"


class Stage(StrEnum):
    """Stages of a run, in order, hardening of a release, review by people, evaluation of what was built."""

    SCALE = "scale"
    REFINE = "refine"
    CERTIFY = "certify"
    DIALOGUES = "dialogues"
    RECERTIFY = "recertify"
    REVIEW = "review"
    BUILD = "build"
    EVAL = "eval"
    PLAY = "play"
    JUDGE = "judge"
    CHECK = "check"
