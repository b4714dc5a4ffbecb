"""Rules that label otherwise have another version, which is in fingerprints: old labels are made anew."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import checkers.judge.rules
from salitrap.settings.judging import RULES_VERSION

ROOM = Path(checkers.judge.rules.__file__).parent
KNOWN = {1: "756e8c3b44b8f6f4e8cf50573cfa9994e64702f3ad9cae99772da43fdd8ef4b3"}
"""What the code, words and weights of each version were, in the order of their names."""


def test_what_the_rules_are_has_not_changed_without_a_new_version() -> None:
    digest = sha256()
    for path in sorted((*ROOM.glob("*.py"), *ROOM.glob("*.yaml"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    assert digest.hexdigest() == KNOWN[RULES_VERSION], (
        "checkers/judge/rules changed. If any label may change, raise RULES_VERSION and add its hash here; "
        "if none can, put the new hash in place of the old one"
    )
