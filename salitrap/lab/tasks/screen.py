"""The simulated screen: it finds planted flags, ``[[flag:KIND words]]``, and nothing else."""

from __future__ import annotations

import re

from salitrap.lab.request import Ask

KINDS = (
    "personal_data", "self_harm", "weapons", "drugs", "sexual", "minors", "hate", "violence", "dosing",
)  # fmt: skip
_FLAG = re.compile(r"\[\[flag:([a-z_]{1,20}) [^\]]{1,200}\]\]")


def check_screen(ask: Ask) -> dict[str, object]:
    """Yes to each kind that the text is flagged with; the flags are the quotes."""
    flags = {match[1]: match[0] for match in _FLAG.finditer(ask.said("prompt")) if match[1] in KINDS}
    return {**{kind: kind in flags for kind in KINDS}, "quotes": list(flags.values()), "reason": "flagged"}
