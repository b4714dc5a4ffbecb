"""Settings of calibration: when a judge counts as calibrated."""

from __future__ import annotations

from salitrap.records.base import Record
from salitrap.settings.kinds import Count, Share


class CalibrationSettings(Record):
    """The gate of ``salitrap calibrate``.

    ``floor`` is the Cohen's kappa that a judge must be shown to reach, ``min_answers`` how many labelled
    answers it takes to show that.
    """

    floor: Share = 0.6
    min_answers: Count = 100
