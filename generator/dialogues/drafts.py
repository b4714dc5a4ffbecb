"""Dialogues as a generator wrote them, before anything is believed."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from salitrap.dialogues import Move, When


class FactDraft(BaseModel):
    """A fact that some turn states."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    key: str = Field(description="short name, lower case, unique")
    text: str = Field(description="the fact in plain words")


class TurnDraft(BaseModel):
    """One message of the user."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    content: str = Field(description="the message itself")
    when: When = Field(default=When.ALWAYS, description="which answer it waits for")
    move: Move = Field(default=Move.ASK, description="what the message does")
    facts_added: list[str] = Field(default=[], description="keys of the facts it states")
    facts_removed: list[str] = Field(default=[], description="keys of facts that hold no longer")
    numbers: list[str] = Field(default=[], description="its figures, as written")


class DialogueDraft(BaseModel):
    """Facts, the sets of them that make the task impossible, and the turns."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    facts: list[FactDraft]
    infeasible_when: list[list[str]]
    turns: list[TurnDraft]
