"""Play dialogues with a model: live, gated or pinned; shared by construction and evaluation.

An error is never a turn of the assistant: the conversation ends there, with the outcome as its status, and a
later run goes on from that turn, since all replies before it are in the journal. Reasoning is kept beside an
answer and never sent back.
"""

from curation.replay.estimate import ReplayCalls, replay_calls
from curation.replay.gate import opens
from curation.replay.play import Player
from curation.replay.question import question_at
from curation.replay.transcript import PlayedTurn, Transcript

__all__ = [
    "PlayedTurn",
    "Player",
    "ReplayCalls",
    "Transcript",
    "opens",
    "question_at",
    "replay_calls",
]
