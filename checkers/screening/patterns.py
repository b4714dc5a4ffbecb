"""Patterns of personal data on folded texts. Every repetition is bounded, so that no text takes long."""

from __future__ import annotations

import re

from salitrap.settings.screening import ScreenCategory

_UNIT = (
    r"(?!\s?(?:元|块|米|公里|千米|克|千克|公斤|吨|升|毫升|度|秒|分钟|小时|天|年|个|只|次|步|字节|人|%|"
    r"km\b|kg\b|m\b|g\b|ml\b|litres?\b|liters?\b|grams?\b|met(?:er|re)s?\b|miles?\b|dollars?\b|euros?\b|"
    r"pounds?\b|seconds?\b|minutes?\b|hours?\b|days?\b|years?\b|steps?\b|bytes?\b|people\b|yuan\b))"
)
_END = rf"(?!\d)(?![.,]\d){_UNIT}"
_START = r"(?<![\d.,:/$€£¥#])(?<!\d[ -])"
_86 = r"(?:(?:\+|00)?86[ -]?)?"
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_STREET = r"(?:street|st|road|rd|avenue|ave|lane|ln|drive|boulevard|blvd|court|terrace)"
_SITES = r"(?:twitter|x|github|instagram|facebook|linkedin|tiktok|weibo|zhihu|bilibili|space\.bilibili)"
_PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"

PATTERNS: tuple[tuple[ScreenCategory, re.Pattern[str]], ...] = tuple(
    (category, re.compile(pattern))
    for category, pattern in (
        (
            ScreenCategory.EMAIL,
            r"(?<![a-z0-9._%+-])[a-z0-9._%+-]{1,64}\s?(?:@|[(\[]\s?at\s?[)\]])\s?"
            r"(?:[a-z0-9-]{1,63}\s?(?:\.|[(\[]\s?dot\s?[)\]])\s?){1,6}[a-z]{2,24}(?![a-z0-9])",
        ),
        (ScreenCategory.PHONE, rf"{_START}{_86}1[3-9]\d[ -]?\d{{4}}[ -]?\d{{4}}{_END}"),
        (ScreenCategory.PHONE, rf"{_START}{_86}1[3-9]\d[ -]\d{{3}}[ -]\d{{5}}{_END}"),
        (ScreenCategory.PHONE, rf"{_START}1(?:[ .-]\d){{10}}{_END}"),
        (
            ScreenCategory.PHONE,
            rf"{_START}{_86}\(?0(?:10|2\d|[3-9]\d{{2}})\)?[ -]?[2-8]\d{{2,3}}[ -]?\d{{4}}{_END}",
        ),
        (
            ScreenCategory.PHONE,
            rf"{_START}(?:\+|00)86[ -]?(?:10|2\d|[3-9]\d{{2}})[ -]?\d{{3,4}}[ -]?\d{{4}}{_END}",
        ),
        (ScreenCategory.PHONE, rf"{_START}[48]00-\d{{3,4}}-\d{{3,4}}{_END}"),
        (ScreenCategory.PHONE, rf"{_START}\+\d{{1,3}}(?:[ .()-]{{1,2}}\d{{1,5}}){{2,5}}{_END}"),
        (ScreenCategory.PHONE, rf"{_START}\+\d{{9,14}}{_END}"),
        (
            ScreenCategory.PHONE,
            rf"{_START}(?:\+?1[ .-]?)?(?:\([2-9]\d{{2}}\) ?|[2-9]\d{{2}}[.-])\d{{3}}[.-]\d{{4}}{_END}",
        ),
        (ScreenCategory.PHONE, rf"{_START}0[1-9]\d{{2,3}} ?\d{{3}} ?\d{{3,4}}{_END}"),
        (
            ScreenCategory.PHONE,
            r"(?:\b(?:phone|tel|telephone|whatsapp|mobile|cell)\b|\b(?:call|text|ring) (?:me|us|her|him)\b|"
            r"电话|手机号?|座机|热线|微信号?)[^\d\n]{0,10}\+?\d(?:[ .()-]{0,2}\d){6,14}" + _END,
        ),
        (ScreenCategory.SSN, r"(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])"),
        (
            ScreenCategory.SSN,
            r"\b(?:ssn|social security(?: number| no\.?)?)\b[^\d\n]{0,10}\d{3}[ -]?\d{2}[ -]?\d{4}(?!\d)",
        ),
        (
            ScreenCategory.PASSPORT,
            r"(?:\bpassport\b|护照|通行证)[^\d\n]{0,16}?(?<![a-z])[a-z]{0,2}\d{7,9}(?!\d)" + _UNIT,
        ),
        (ScreenCategory.IP, rf"(?<![\d.])(?:{_OCTET}\.){{3}}{_OCTET}(?!\d|\.\d)"),
        (
            ScreenCategory.PLATE,
            rf"(?:车牌|牌照|号牌|车号)[^\n,.。]{{0,8}}?[{_PROVINCES}][a-z][·•・.\s-]?[a-z0-9]{{5,6}}(?![a-z0-9])",
        ),
        (ScreenCategory.PLATE, rf"[{_PROVINCES}][a-z][·•・](?=[a-z]{{0,5}}\d)[a-z0-9]{{5,6}}(?![a-z0-9])"),
        (
            ScreenCategory.ADDRESS,
            r"\b(?:lives?|living|resides?|address(?: is)?|ship(?:ped)? to|delivered to|deliver it to)\b"
            rf"[^\n\d]{{0,16}}\d{{1,5}} [a-z]{{2,20}} (?:[a-z]{{2,20}} )?{_STREET}\b",
        ),
        (
            ScreenCategory.ADDRESS,
            r"(?:家住|住在|住址|地址|收货|寄到|寄往)[^,。\n\d]{0,24}(?:路|街|巷|弄|大道|胡同|小区)[^,。\n\d]{0,6}\d{1,5}(?:号|弄|幢|栋)",
        ),
        (ScreenCategory.USER_URL, r"\b(?:https?|ftp|ssh)://[^/\s@]{1,80}@[a-z0-9.-]{3,80}"),
        (
            ScreenCategory.USER_URL,
            rf"(?<![a-z0-9-]){_SITES}\.com/(?:in/|people/|u/|@)?[a-z0-9_.-]{{2,40}}",
        ),
        (ScreenCategory.USER_URL, r"\bhttps?://[^\s/]{3,80}/(?:~|users?/|u/|people/|@)[a-z0-9_.-]{2,40}"),
        (
            ScreenCategory.HANDLE,
            r"(?<![a-z0-9@._%+/-])@(?=[a-z0-9_.]{4,30})[a-z_][a-z0-9_.]{2,28}[a-z0-9_](?![@a-z0-9])",
        ),
        (
            ScreenCategory.NAME,
            r"\b(?:full|real|legal) name(?: is|:| was)\s{0,2}[a-z'-]{2,20}(?: [a-z'-]{1,20}){1,2}\b",
        ),
        (
            ScreenCategory.NAME,
            r"(?:真实姓名|姓名|真名|本名)(?:是|叫|为|:)?\s{0,2}[\u4e00-\u9fff]{2,4}(?=[,。;、\s)]|$)",
        ),
        (
            ScreenCategory.COORDINATES,
            r"(?<![\d.])-?[0-8]?\d\.\d{4,8}\s{0,2}°?\s?[ns]?\s{0,2}[,;/ ]\s{0,2}-?1?\d{1,2}\.\d{4,8}(?!\d)",
        ),
        (
            ScreenCategory.COORDINATES,
            r"(?:北纬|南纬|纬度)[^\d\n]{0,3}\d{1,2}[.°]\d{1,8}[^\d\n]{0,6}(?:\d{1,2}[^\d\n]{0,6}){0,2}(?:东经|西经|经度)[^\d\n]{0,3}\d{1,3}[.°]\d{1,8}",
        ),
        (
            ScreenCategory.COORDINATES,
            r"\d{1,2}°\s?\d{1,2}[′']\s?(?:\d{1,2}(?:\.\d{1,4})?(?:[″\"]|′′|''))?\s?[ns]\b",
        ),
    )
)

RESIDENT_ID = re.compile(
    r"(?<!\d)[1-9]\d{5}[ -]?(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[ -]?\d{3}[\dx](?![\da-z])"  # noqa: E501
)
CARD = re.compile(
    r"(?<![\d.])(?:\d{13,19}|\d{4}(?:[ -]\d{4}){3}(?:[ -]\d{1,3})?|\d{4}[ -]\d{6}[ -]\d{5}|\d(?:[ -]\d){12,18})"  # noqa: E501
    + _END
)
IBAN = re.compile(r"(?<![a-z0-9])[a-z]{2}\d{2}(?=[ -]?[a-z0-9])")
IPV6 = re.compile(r"(?<![0-9a-z:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7}(?![0-9a-z:])")
