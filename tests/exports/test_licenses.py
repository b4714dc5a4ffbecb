"""License identifiers are those that the Hub knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from exports.dataset.licenses import LIST_AT, check_license, known_licenses
from salitrap.errors import InputError
from tests.exports.conftest import Build


def test_the_list_is_one_of_identifiers_each_once() -> None:
    known = known_licenses()
    assert len(known) == len(set(known)) > 70
    assert all(name == name.lower().strip() and " " not in name for name in known)
    for name in known:
        check_license(name)


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("Apache-2.0", "'apache-2.0'"),
        ("MIT", "'mit'"),
        ("CC BY 4.0", "'cc-by-4.0'"),
        ("cc-by", "'cc-by-4.0'"),
        ("cc-by-4", "'cc-by-4.0'"),
        ("apache", "'apache-2.0'"),
        ("proprietary", "known are cc-by-4.0"),
        ("", "known are cc-by-4.0"),
        ("mit\nlanguage: x", ""),
    ],
)
def test_any_other_is_refused_with_a_hint(given: str, hint: str) -> None:
    """Whatever looked like an identifier was accepted, and the Hub then refused the card."""
    with pytest.raises(InputError) as caught:
        check_license(given)
    message = str(caught.value)
    assert hint in message
    assert LIST_AT in message
    assert "'other'" in message
    assert "\n" not in message


def test_other_is_accepted_with_a_notice(build: Build, tmp_path: Path) -> None:
    (notice,) = build(license="other").notices
    assert "name and the terms" in notice
    assert "'unknown'" in build(license="unknown", out=tmp_path / "unknown").notices[0]
    assert build(license="mit", out=tmp_path / "mit").notices == ()
