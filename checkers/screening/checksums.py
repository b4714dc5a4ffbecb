"""Check digits: what tells a card, an account or an identity number from any other figure."""

from __future__ import annotations

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10x98765432"
_CARD_LENGTHS = range(13, 20)
IBAN_LENGTHS = {
    "ad": 24, "ae": 23, "at": 20, "be": 16, "bg": 22, "ch": 21, "cy": 28, "cz": 24, "de": 22, "dk": 18,
    "ee": 20, "es": 24, "fi": 18, "fr": 27, "gb": 22, "gi": 23, "gr": 27, "hr": 21, "hu": 28, "ie": 22,
    "il": 23, "is": 26, "it": 27, "li": 21, "lt": 20, "lu": 20, "lv": 21, "mc": 27, "mt": 31, "nl": 18,
    "no": 15, "pl": 28, "pt": 25, "ro": 24, "sa": 24, "se": 24, "si": 19, "sk": 24, "sm": 27, "tr": 26,
}  # fmt: skip
"""Characters of an account number by country code."""


def is_card(digits: str) -> bool:
    """True for 13 to 19 digits that begin like a card and end in the Luhn check digit."""
    if len(digits) not in _CARD_LENGTHS or digits[0] not in "23456" or len(set(digits)) == 1:
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def is_resident_id(number: str) -> bool:
    """True when the 18th sign of a Chinese resident id (digits, or x) is its check sign."""
    total = sum(int(digit) * weight for digit, weight in zip(number[:17], _WEIGHTS, strict=True))
    return number[17] == _CHECKS[total % 11]


def is_iban(number: str) -> bool:
    """True when an account number in lower case, without spaces, is 1 modulo 97."""
    turned = number[4:] + number[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1
