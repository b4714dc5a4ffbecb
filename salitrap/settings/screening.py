"""How texts are screened before publication."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from salitrap.records.base import Record


class ScreenCategory(StrEnum):
    """What a text may hold that should not be published: personal data, then unsafe content.

    ``personal_data`` is what a model says without naming the kind; rules never say it.
    """

    EMAIL = "email"
    PHONE = "phone"
    RESIDENT_ID = "resident_id"
    CARD = "card"
    IBAN = "iban"
    SSN = "ssn"
    PASSPORT = "passport"
    IP = "ip"
    PLATE = "plate"
    ADDRESS = "address"
    USER_URL = "user_url"
    HANDLE = "handle"
    NAME = "name"
    COORDINATES = "coordinates"
    PERSONAL_DATA = "personal_data"
    SELF_HARM = "self_harm"
    WEAPONS = "weapons"
    DRUGS = "drugs"
    SEXUAL = "sexual"
    MINORS = "minors"
    HATE = "hate"
    VIOLENCE = "violence"
    DOSING = "dosing"

    @property
    def is_personal(self) -> bool:
        """True for personal data, False for unsafe content."""
        return self not in UNSAFE


UNSAFE = (
    ScreenCategory.SELF_HARM,
    ScreenCategory.WEAPONS,
    ScreenCategory.DRUGS,
    ScreenCategory.SEXUAL,
    ScreenCategory.MINORS,
    ScreenCategory.HATE,
    ScreenCategory.VIOLENCE,
    ScreenCategory.DOSING,
)
WARNED = (
    ScreenCategory.IP,
    ScreenCategory.PLATE,
    ScreenCategory.ADDRESS,
    ScreenCategory.USER_URL,
    ScreenCategory.HANDLE,
    ScreenCategory.NAME,
    ScreenCategory.COORDINATES,
    ScreenCategory.VIOLENCE,
    ScreenCategory.DOSING,
)
"""Categories that are reported and do not keep a text back, unless settings say otherwise."""


class ScreeningSettings(Record):
    """Personal data and unsafe content in what is to be published.

    ``rules`` screens at ``build`` without a model; ``model`` lets ``salitrap screen RUN`` ask the run's
    checker as well. A category in neither ``block`` nor ``warn`` is not looked for. ``allow`` are terms
    that are never a finding. ``on_finding`` says what a blocked text does to a build.
    """

    rules: bool = True
    model: bool = False
    block: tuple[ScreenCategory, ...] = tuple(one for one in ScreenCategory if one not in WARNED)
    warn: tuple[ScreenCategory, ...] = WARNED
    allow: tuple[str, ...] = ()
    on_finding: Literal["leave_out", "refuse", "report"] = "leave_out"
