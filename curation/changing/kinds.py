"""What a change of a setting can do: which stages are decided anew, and which replies cannot serve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from curation.fingerprints import CERTIFY_ROLES, DIALOGUE_ROLES, REFINE_ROLES, scale_roles
from salitrap.records import Role, Stage
from salitrap.settings import Settings


def stage_roles(settings: Settings) -> Mapping[Stage, tuple[Role, ...]]:
    """The roles that have a part in each stage; dialogues are one only where patterns are asked for."""
    usual = {
        Stage.SCALE: scale_roles(settings),
        Stage.REFINE: REFINE_ROLES,
        Stage.CERTIFY: CERTIFY_ROLES,
    }
    return {**usual, Stage.DIALOGUES: DIALOGUE_ROLES} if settings.dialogues.patterns else usual


class Lost(StrEnum):
    """Which replies in the journal cannot serve any more."""

    NONE = "none"
    ROLE = "role"
    ENDPOINTS = "endpoints"
    FILE = "file"
    LAB = "lab"
    SCALING = "scaling"
    LABELS = "labels"


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change of one setting does.

    ``anew`` are the stages decided anew; with ``of_role`` they are those in which the setting's role has
    a part, ``only`` limits that to one role; with ``Lost.LAB`` they are those of simulated models.
    ``decides`` is False where decisions come out the same.
    """

    told: str
    anew: tuple[Stage, ...] = ()
    lost: Lost = Lost.NONE
    of_role: bool = False
    only: Role | None = None
    decides: bool = True

    def stages(self, role: Role | None, settings: Settings) -> tuple[Stage, ...]:
        """Stages decided anew when the setting of ``role`` changes; None for settings without a role."""
        if role is None or not self.of_role:
            talks = bool(settings.dialogues.patterns)
            return tuple(stage for stage in self.anew if talks or stage is not Stage.DIALOGUES)
        if self.only not in (None, role):
            return ()
        return tuple(stage for stage, roles in stage_roles(settings).items() if role in roles)


SPEED = Effect("only speed: nothing is done again")
PATIENCE = Effect("only patience with failing calls: nothing is done again")
COST = Effect("only what calls cost: nothing is done again")
LIMIT = Effect("only where the run stops: nothing is done again")
REACH = Effect("only how the model is reached: nothing is done again")
SENT = Effect("only how further calls are sent: nothing is done again, replies that are there serve")
NAME = Effect("only the run's name: nothing is done again")
HARDEN = Effect("only what hardening makes of answers that are there: nothing is done again")
FILES = Effect("only where domain files lie: nothing is done again unless what they say has changed")
INSTRUCTIONS = Effect(
    "only where instructions of one's own lie: nothing is done again unless what they say has changed"
)
UNUSED = Effect("embeddings do not depend on it: nothing is done again")
TARGETS = Effect("seeds are added or set aside; what is done stays, and set-aside seeds come back unpaid")
FAMILY = Effect(
    "only the name that answers are recorded under: written anew from replies that are there",
    of_role=True,
    only=Role.SOLVER,
    decides=False,
)
SAMPLING = Effect("{role} calls are made again{lost}, and {what} decided anew", lost=Lost.ROLE, of_role=True)
ENDPOINTS = Effect(
    "{role} calls that fall to another endpoint are made again{lost}; {what} decided anew",
    lost=Lost.ENDPOINTS,
    of_role=True,
)
FILE = Effect(
    "the model file is another one than before, or was not recorded then: {role} calls are made again{lost}, "
    "and {what} decided anew",
    lost=Lost.FILE,
    of_role=True,
)
LAB = Effect(
    "calls of simulated models are made again{lost}; every stage they have a part in is decided anew",
    lost=Lost.LAB,
)
QUESTIONS = Effect(
    "scaling asks other questions: generator calls of scaling are made again{lost}; seeds that come out the "
    "same keep their work",
    (Stage.SCALE,),
    Lost.SCALING,
)
SEEDS = Effect(
    "seeds are decided anew from replies that are there; those that come out the same keep their work",
    (Stage.SCALE,),
)
SCREEN = Effect(
    "seeds are decided anew from replies that are there, with a checker call for each draft not yet graded; "
    "those that come out the same keep their work",
    (Stage.SCALE,),
)
MEANING = Effect(
    "seeds are decided anew from replies that are there, with embeddings of all prompts from this model; "
    "those that come out the same keep their work",
    (Stage.SCALE,),
)
TEXTS = Effect(
    "seeds of that language and their rewrites are decided anew from replies that are there",
    (Stage.SCALE, Stage.REFINE),
)
SEARCH = Effect(
    "every search is decided anew from replies that are there, with new calls where it goes on otherwise",
    (Stage.REFINE,),
)
POOL = Effect(
    "every search and certification is decided anew from replies that are there, with new calls where it "
    "goes on otherwise",
    (Stage.REFINE, Stage.CERTIFY),
)
TIERS = Effect(
    "every search and certification is decided anew from replies that are there, with new calls where it "
    "goes on otherwise",
    (Stage.REFINE, Stage.CERTIFY, Stage.DIALOGUES),
)
NATURAL = Effect(SEARCH.told, (Stage.REFINE, Stage.DIALOGUES))
REPEATS = Effect(
    "stability is decided anew: repeats that are there serve, only missing ones are asked for",
    (Stage.CERTIFY, Stage.DIALOGUES),
)
EARLY = Effect(
    "stability is decided anew: repeats that are there serve, only missing ones are asked for",
    (Stage.CERTIFY,),
)
RULE = Effect(
    "stability is decided anew from replies that are there, with new calls where another candidate is tested",
    (Stage.CERTIFY, Stage.DIALOGUES),
)
MORE_TALKS = Effect(
    "seeds gain dialogues or lose them; what is done stays, and dialogues that come back are not paid again"
)
TALKS = Effect(
    "every dialogue is decided anew from replies that are there, with new calls where it goes on otherwise",
    (Stage.DIALOGUES,),
)
ORDER = Effect("only which checks of a candidate that fails are made: nothing is done again", decides=False)
GATE = Effect("only which calibration of a judge counts: nothing is done again", decides=False)
LABELS = Effect(
    "every answer is labelled again by the other instructions{lost}; everything that rests on labels is "
    "decided anew",
    (Stage.REFINE, Stage.CERTIFY, Stage.DIALOGUES),
    Lost.LABELS,
)
SECOND = Effect("only whether the rules label too, from now on: nothing is done again", decides=False)
PANEL = Effect(
    "labels are decided anew: replies of judges that are asked before and after serve, others are asked for",
    (Stage.REFINE, Stage.CERTIFY, Stage.DIALOGUES),
)
BUILD = Effect("only the next dataset: nothing of the run is done again", (Stage.BUILD,))
