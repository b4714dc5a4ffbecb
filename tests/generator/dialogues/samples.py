"""A source and drafts of it."""

from __future__ import annotations

from generator.dialogues import DialogueDraft, FactDraft, Source, TurnDraft
from salitrap.dialogues import Move, When
from salitrap.records.enums import Language

SOURCE = Source(
    seed_id="seed-1",
    source_id="cand-1",
    dimension_tag="D1",
    language=Language.EN,
    prompt="I bail 120 L out of the boat with my tea strainer, 2.5 L a go. How many trips?",
    trap_core="A tea strainer has holes and holds no water.",
    ground_truth="The strainer holds no water, so no number of trips empties the boat.",
    numbers=("120", "2.5"),
)
BOAT = TurnDraft(
    content="There are about 120 L of rain in my boat, and the tide turns in 40 minutes.",
    facts_added=["rain"],
    numbers=["120", "40"],
)
STRAINER = TurnDraft(
    content="All I have on board is my tea strainer, so say 2.5 L a go. How many goes?",
    facts_added=["strainer"],
    numbers=["2.50"],
)
ASK = TurnDraft(content="And at 6 goes a minute, am I done before the tide?", numbers=["6"])
PRESS = TurnDraft(content="My uncle does it like that every spring.", when=When.FLAGGED, move=Move.ANECDOTE)
FACTS = [
    FactDraft(key="rain", text="the boat is full of rain water"),
    FactDraft(key="strainer", text="only a tea strainer is at hand"),
]


def draft(*turns: TurnDraft) -> DialogueDraft:
    """A draft of these turns; rain and strainer together make it impossible."""
    return DialogueDraft(facts=FACTS, infeasible_when=[["strainer", "rain"]], turns=list(turns))
