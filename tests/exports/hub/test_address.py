"""A release is named by a version's tag or by a commit, never by what can move."""

from __future__ import annotations

import pytest

from exports.hub.address import checked_repo, is_address, parse_address, version_of
from salitrap.errors import InputError

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(("text", "is_commit"), [("org/name@v1.0.0", False), (f"org/na.me-2@{SHA}", True)])
def test_a_version_and_a_commit_are_addresses(text: str, is_commit: bool) -> None:
    address = parse_address(text)
    assert (str(address), address.is_commit) == (text, is_commit)
    assert is_address(text)


@pytest.mark.parametrize(
    "text",
    ["org/name", "org/name@", "org/name@main", "org/name@1.0.0", "org/name@v1.0", "org/name@v01.0.0",
     f"org/name@{SHA[:12]}", f"org/name@{SHA.upper()}", "name@v1.0.0", "a/b/c@v1.0.0", "../name@v1.0.0"],
)  # fmt: skip
def test_what_can_move_and_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="give ORG/NAME"):
        parse_address(text)


@pytest.mark.parametrize("text", ["org", "org/", "/name", "org/na me", "org/name.git", "o--g/name", "org/名"])
def test_names_that_the_hub_refuses_are_refused_before_it_is_asked(text: str) -> None:
    with pytest.raises(InputError, match="no repository name"):
        checked_repo(text)


@pytest.mark.parametrize("text", ["runs/demo", "./a@b", "ds", "/abs/path@v1", "C:\\ds@v1"])
def test_paths_are_no_addresses(text: str) -> None:
    assert not is_address(text)


def test_only_tags_of_versions_count() -> None:
    assert [version_of(tag) for tag in ("v1.2.3", "1.2.3", "v1.2", "latest", "vv1.2.3")] == [
        "1.2.3", None, None, None, None,
    ]  # fmt: skip
