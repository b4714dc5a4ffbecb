"""The states of a dialogue, each an enum."""

from __future__ import annotations

from enum import StrEnum


class Pattern(StrEnum):
    """How the turns lead a model past the condition."""

    DRIP = "drip"
    """Facts come one by one; only together they make the task impossible."""
    STATE_CHANGE = "state_change"
    """Feasible at first; an update in passing breaks it."""
    SUNK_COST = "sunk_cost"
    """Sound calculations first (0, 2 or 4 turns), then the trap."""
    ESCALATION = "escalation"
    """After a flag more numbers, and no social pressure."""
    PUSHBACK = "pushback"
    """After a flag social pressure, never twice in the same words; with figures added: the crossed cell."""
    CONSENSUS = "consensus"
    """Pushback that says that everyone does it."""


class Control(StrEnum):
    """What a dialogue is for beside its pattern."""

    NONE = "none"
    """The trap dialogue itself."""
    FEASIBLE_TWIN = "feasible_twin"
    """Same numbers, same turns; the premise holds."""
    VALID_CORRECTION = "valid_correction"
    """The user mends the premise; the model should come round."""
    CONCAT = "concat"
    """All the user says, in one turn."""
    NEUTRAL = "neutral"
    """After a flag only "are you sure?"."""


class Replay(StrEnum):
    """How a dialogue is played with a model."""

    LIVE = "live"
    """All user turns are sent, each natural after a flag and after a compliance."""
    GATED = "gated"
    """Some user turns are sent only after a flag, or only after a compliance."""
    PINNED = "pinned"
    """The assistant's turns are given; only the reply to the last user turn is the model's."""


class Speaker(StrEnum):
    """Whose turn it is."""

    USER = "user"
    ASSISTANT = "assistant"


class When(StrEnum):
    """The gate before a user turn: what the answer before it must have been."""

    ALWAYS = "always"
    FLAGGED = "flagged"
    COMPLIED = "complied"


class Move(StrEnum):
    """What a user turn does."""

    ASK = "ask"
    """States facts and asks for the task."""
    CALCULATE = "calculate"
    """Asks for a sound part of the calculation."""
    NUMBERS = "numbers"
    """Gives more figures and goes on asking (escalation)."""
    CONFUSION = "confusion"
    REASSERTION = "reassertion"
    ANECDOTE = "anecdote"
    AUTHORITY = "authority"
    CONSENSUS = "consensus"
    NEUTRAL = "neutral"
    """Asks whether the answer is sure, without an argument."""
    CORRECTION = "correction"
    """Mends the premise."""

    @property
    def is_social(self) -> bool:
        """True for the moves of pushback."""
        return self in SOCIAL


SOCIAL = frozenset({Move.CONFUSION, Move.REASSERTION, Move.ANECDOTE, Move.AUTHORITY, Move.CONSENSUS})


class Ended(StrEnum):
    """How the playing of a dialogue ended."""

    COMPLETE = "complete"
    """Every turn that was to be sent has an answer."""
    ANSWER_FAILED = "answer_failed"
    """A turn has no usable answer; nothing after it was sent."""
    GATE_UNKNOWN = "gate_unknown"
    """The answer before a gated turn could not be labelled; nothing after it was sent."""


class DialogueFault(StrEnum):
    """Why a dialogue is refused."""

    # form
    NO_TURNS = "no_turns"
    EMPTY_TURN = "empty_turn"
    ROLES_DO_NOT_ALTERNATE = "roles_do_not_alternate"
    LAST_TURN_NOT_USER = "last_turn_not_user"
    ASSISTANT_CARRIES_FACTS = "assistant_carries_facts"
    GATE_OUTSIDE_GATED = "gate_outside_gated"
    NO_GATE = "no_gate"
    FIRST_TURN_GATED = "first_turn_gated"
    NUMBER_NOT_IN_TURN = "number_not_in_turn"
    NUMBER_NOT_LISTED = "number_not_listed"
    # facts and t*
    UNKNOWN_FACT = "unknown_fact"
    FACT_ADDED_TWICE = "fact_added_twice"
    FACT_NEVER_ADDED = "fact_never_added"
    FACT_NOT_THERE = "fact_not_there"
    GATED_TURN_CHANGES_FACTS = "gated_turn_changes_facts"
    NO_CONDITION = "no_condition"
    CONDITION_NOT_MINIMAL = "condition_not_minimal"
    T_STAR_OUT_OF_RANGE = "t_star_out_of_range"
    T_STAR_WRONG = "t_star_wrong"
    FEASIBLE_WRONG = "feasible_wrong"
    # patterns and controls
    PATTERN_BROKEN = "pattern_broken"
    CONTROL_BROKEN = "control_broken"
    PUSHBACK_REPEATED = "pushback_repeated"
    NO_PARENT = "no_parent"
    # twins
    TWIN_OF_ANOTHER = "twin_of_another"
    TWIN_TURNS_DIFFER = "twin_turns_differ"
    TWIN_NUMBERS_DIFFER = "twin_numbers_differ"
    TWIN_TEXT_DIFFERS = "twin_text_differs"
    TWIN_IDENTICAL = "twin_identical"
    # wording (checkers/dialogues)
    TRAP_GIVEN_AWAY = "trap_given_away"
    ESCAPE_OFFERED = "escape_offered"
    PATCH_OFFERED = "patch_offered"
    UNNATURAL_AFTER_FLAG = "unnatural_after_flag"
    UNNATURAL_AFTER_COMPLIANCE = "unnatural_after_compliance"
    PUSHBACK_SIMILAR = "pushback_similar"
    WRONG_LANGUAGE = "wrong_language"
    META_TEXT = "meta_text"
