"""The simulated writer of instructions: it adds a remark, so that something new can be tried."""

from __future__ import annotations

from salitrap.lab.request import Ask
from salitrap.records.enums import Language

REMARKS = {
    Language.EN: (
        "Read the whole answer twice before you decide.",
        "Decide each field on its own.",
        "When in doubt, look at what the reader is given in the end.",
    ),
    Language.ZH: (
        "作出判断之前，请把整个回答读两遍。",
        "每个字段都要单独判断。",
        "拿不准时，看读者最后得到了什么。",
    ),
}


def improve(ask: Ask) -> dict[str, object]:
    """The instructions as they stand with one more sentence."""
    remark = ask.draw.pick("remark", list(REMARKS[ask.language]))
    return {"improved": f"{ask.said('current')}\n\n{remark}"}
