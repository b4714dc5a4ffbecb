"""What the linter reports."""

from __future__ import annotations

from enum import StrEnum

from salitrap.records.base import Record


class Severity(StrEnum):
    """An error makes the file unfit for a run; a warning wants a look."""

    ERROR = "error"
    WARNING = "warning"


class Code(StrEnum):
    """Codes of findings; ``docs/seed-lint.md`` explains each."""

    NOT_YAML = "SL001"
    NOT_A_DOMAIN = "SL002"
    NOT_UTF8 = "SL003"
    REPEATED_FIELD = "SL004"
    SEVERAL_DOCUMENTS = "SL005"
    YAML_TAG = "SL006"
    SHARED_VALUE = "SL007"
    MERGE_KEY = "SL008"
    ALIASES_WITHOUT_END = "SL009"
    MISSING_FIELD = "SL010"
    UNKNOWN_FIELD = "SL011"
    EMPTY_FIELD = "SL012"
    WRONG_TYPE = "SL013"
    UNKNOWN_LANGUAGE = "SL014"
    BAD_NAME = "SL015"
    LANGUAGE_INCOMPLETE = "SL016"
    NO_SEEDS = "SL017"
    AMBIGUOUS_SCALAR = "SL018"
    FULL_WIDTH_MARK = "SL019"
    NUMBER_NOT_IN_PROMPT = "SL020"
    NUMBER_NOT_LISTED = "SL021"
    TOO_FEW_NUMBERS = "SL022"
    NOT_A_NUMERAL = "SL023"
    TOO_SHORT = "SL030"
    TOO_LONG = "SL031"
    NO_HARD_NEGATIVE = "SL032"
    THIN_GROUND_TRUTH = "SL033"
    WRONG_LANGUAGE = "SL034"
    ESCAPE_WORDING = "SL035"
    SPACED_CHINESE = "SL036"
    PLACEHOLDER = "SL037"
    DUPLICATE_KEY = "SL040"
    DUPLICATE_SCENARIO = "SL041"
    DUPLICATE_CONTENT = "SL042"
    NEAR_DUPLICATE_PROMPT = "SL043"
    NEAR_DUPLICATE_TRAP_CORE = "SL044"
    SIMILAR_PAIR = "SL045"
    SAME_TRIPLE = "SL046"
    TAG_CLASH = "SL047"
    SHIPPED_TAG = "SL048"
    UNLISTED_NICHE = "SL050"
    BYTE_ORDER_MARK = "SL060"
    LINE_ENDINGS = "SL061"
    TRAILING_SPACE = "SL062"
    TAB = "SL063"
    TYPOGRAPHIC_QUOTES = "SL064"
    CUT_TEXT = "SL065"


WARNINGS = frozenset(
    (
        Code.SHARED_VALUE,
        Code.NO_SEEDS,
        Code.AMBIGUOUS_SCALAR,
        Code.NUMBER_NOT_LISTED,
        Code.NOT_A_NUMERAL,
        Code.SPACED_CHINESE,
        Code.SIMILAR_PAIR,
        Code.SAME_TRIPLE,
        Code.SHIPPED_TAG,
        Code.UNLISTED_NICHE,
        Code.BYTE_ORDER_MARK,
        Code.LINE_ENDINGS,
        Code.TRAILING_SPACE,
        Code.TYPOGRAPHIC_QUOTES,
        Code.CUT_TEXT,
    )
)


class Finding(Record):
    """One fault of a domain file: where it is, what it is, what to do.

    ``line`` and ``column`` count from 1; ``fixable`` says that ``salitrap seeds lint --fix`` mends it.
    """

    path: str
    line: int
    column: int | None = None
    code: Code
    severity: Severity
    seed: str | None
    field: str | None
    message: str
    repair: str
    fixable: bool = False

    @property
    def where(self) -> str:
        """``file:line``, the seed and the field."""
        named = [f"seed {self.seed}" if self.seed else "", f"field {self.field}" if self.field else ""]
        return " ".join([f"{self.path}:{self.line}:", *filter(None, [", ".join(filter(None, named))])])


def severity_of(code: Code) -> Severity:
    """Severity that goes with a code."""
    return Severity.WARNING if code in WARNINGS else Severity.ERROR
