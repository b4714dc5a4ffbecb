"""What a changed setting, prompt or domain file makes a run do again."""

from curation.changing.changes import Changes
from curation.changing.effects import EFFECTS
from curation.changing.given import Change, Given
from curation.changing.kinds import Effect, Lost
from curation.changing.outlook import Outlook, StageOutlook, differs, outlook_of

__all__ = [
    "EFFECTS",
    "Change",
    "Changes",
    "Effect",
    "Given",
    "Lost",
    "Outlook",
    "StageOutlook",
    "differs",
    "outlook_of",
]
