"""Do two texts differ in nothing but numbers and units? Such pairs may be different traps."""

from __future__ import annotations

import re
import unicodedata

from salitrap.text import find_numerals

ENGLISH_UNITS = (
    "%|percent|°c|°f|degrees?|celsius|fahrenheit|"
    "millimet(?:er|re)s?|centimet(?:er|re)s?|kilomet(?:er|re)s?|met(?:er|re)s?|mm|cm|dm|km|m|"
    "inch(?:es)?|foot|feet|yards?|miles?|in|ft|yd|mi|"
    "milligrams?|kilograms?|grams?|tons?|tonnes?|pounds?|ounces?|mg|kg|kilos?|g|t|lbs?|oz|"
    "millilit(?:er|re)s?|lit(?:er|re)s?|gallons?|pints?|quarts?|cups?|ml|cl|l|"
    "milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|ms|secs?|mins?|hrs?|s|h|"
    "watts?|kilowatts?|volts?|amps?|kw|w|v|a|dollars?|euros?|cents?|km/h|kph|mph|m/s"
)
# In an alternation the first match wins: longer units stand before those they begin with.
CHINESE_UNITS = (
    "毫米|厘米|分米|公分|千米|公里|海里|英里|英寸|英尺|米|里|寸|尺|"
    "毫克|千克|公斤|克|吨|斤|两|磅|盎司|毫升|升|加仑|"
    "毫秒|秒钟|秒|分钟|个小时|小时|个钟头|钟头|天|日|周|个星期|星期|个月|月|年|摄氏度|华氏度|度|"
    "千瓦|瓦|伏|块钱|块|美元|元|角|分"
)
UNIT_AFTER = re.compile(rf"\s*(?:{CHINESE_UNITS}|(?:{ENGLISH_UNITS})(?![^\W\d_]))", re.IGNORECASE)
PLACEHOLDER = "\x00"


def differ_only_in_numbers_or_units(left: str, right: str) -> bool:
    """True when the texts are unequal, and equal once every number with its unit is blanked.

    White space does not count.
    """
    left, right = (unicodedata.normalize("NFC", text) for text in (left, right))
    return _squeezed(left) != _squeezed(right) and _blanked(left) == _blanked(right)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _blanked(text: str) -> str:
    kept, at = list[str](), 0
    for numeral in find_numerals(text):
        kept += [text[at : numeral.start], PLACEHOLDER]
        unit = UNIT_AFTER.match(text, numeral.end)
        at = unit.end() if unit else numeral.end
    return _squeezed("".join([*kept, text[at:]]))
