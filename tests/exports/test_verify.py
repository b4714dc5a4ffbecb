from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from exports.dataset import FolderFault, read_manifest, verify_folder
from exports.dataset.manifest import MANIFEST, manifest_bytes
from exports.dataset.verify import is_inside
from salitrap.errors import InputError
from tests.exports.conftest import Build


def faults(folder: Path) -> list[tuple[FolderFault, str]]:
    return [(found.fault, found.path) for found in verify_folder(folder)]


def rewrite(folder: Path, **changes: object) -> None:
    manifest = read_manifest(folder).model_copy(update=changes)
    (folder / MANIFEST).write_bytes(manifest_bytes(manifest))


def test_a_fresh_folder_is_sound_and_every_file_is_covered(build: Build, out: Path) -> None:
    built = build()
    assert verify_folder(out) == ()
    manifest = read_manifest(out)
    assert {entry.path for entry in manifest.files} | {MANIFEST} == set(built.files)
    for entry in manifest.files:
        data = (out / entry.path).read_bytes()
        assert (entry.sha256, entry.bytes) == (hashlib.sha256(data).hexdigest(), len(data))


def test_id_hash_can_be_recomputed_from_the_lines_alone(build: Build, out: Path) -> None:
    build()
    for split in read_manifest(out).configs["items"].splits.values():
        text = (out / split.jsonl).read_text(encoding="utf-8")
        ids = [json.loads(line)["item_id"] for line in text.splitlines()]
        assert split.ids_sha256 == hashlib.sha256("\n".join(ids).encode()).hexdigest()
        assert split.rows == len(ids)


def test_one_flipped_bit_is_found_in_any_file(build: Build, out: Path) -> None:
    built = build()
    for name in built.files:
        if name == MANIFEST:
            continue
        sound = (out / name).read_bytes()
        damaged = bytearray(sound)
        damaged[len(damaged) // 2] ^= 1
        (out / name).write_bytes(damaged)
        assert (FolderFault.CHANGED_FILE, name) in faults(out)
        (out / name).write_bytes(sound)
    assert faults(out) == []


def test_missing_and_extra_files_are_found(build: Build, out: Path) -> None:
    build()
    (out / "CHANGELOG.md").unlink()
    (out / "data/items/extra.parquet").write_bytes(b"PAR1")
    assert faults(out) == [
        (FolderFault.MISSING_FILE, "CHANGELOG.md"),
        (FolderFault.UNLISTED_FILE, "data/items/extra.parquet"),
    ]


def test_what_the_hub_and_file_managers_add_is_passed_over(build: Build, out: Path) -> None:
    build()
    for name in (".gitattributes", ".git/HEAD", ".cache/huggingface/x.lock", "data/.DS_Store"):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("x")
    assert faults(out) == []


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b"[]", b"{}", b'{"kind": "salitrap-dataset", "format": 99}']
)
def test_a_bad_manifest_is_one_finding_not_a_crash(build: Build, out: Path, content: bytes) -> None:
    build()
    (out / MANIFEST).write_bytes(content)
    assert faults(out) == [(FolderFault.BAD_MANIFEST, MANIFEST)]


def test_a_folder_without_manifest_is_a_finding_and_no_folder_an_error(tmp_path: Path) -> None:
    assert faults(tmp_path) == [(FolderFault.BAD_MANIFEST, MANIFEST)]
    with pytest.raises(InputError, match="no such folder"):
        verify_folder(tmp_path / "nothing")


def test_a_manifest_that_claims_other_rows_or_ids_is_caught(build: Build, out: Path) -> None:
    build()
    config = read_manifest(out).configs["items"]
    test, dev = config.splits["test"], config.splits["dev"]
    wrong = {
        "test": test.model_copy(update={"rows": test.rows + 1}),
        "dev": dev.model_copy(update={"ids_sha256": "0" * 64}),
    }
    rewrite(out, configs={"items": config.model_copy(update={"splits": wrong})})
    assert faults(out) == [
        (FolderFault.WRONG_ROWS, test.parquet),
        (FolderFault.WRONG_IDS, dev.parquet),
    ]


def test_a_family_in_two_splits_is_caught(build: Build, out: Path) -> None:
    build()
    manifest = read_manifest(out)
    config = manifest.configs["items"]
    test, dev = config.splits["test"], config.splits["dev"]
    data = (out / test.parquet).read_bytes()
    (out / dev.parquet).write_bytes(data)
    copied = test.model_copy(update={"parquet": dev.parquet, "jsonl": dev.jsonl})
    entries = tuple(
        entry.model_copy(update={"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)})
        if entry.path == dev.parquet
        else entry
        for entry in manifest.files
    )
    splits = {"test": test, "dev": copied}
    rewrite(out, files=entries, configs={"items": config.model_copy(update={"splits": splits})})
    assert {fault for fault, _ in faults(out)} == {FolderFault.SHARED_FAMILY}


def test_a_split_whose_file_the_manifest_forgets_is_caught(build: Build, out: Path) -> None:
    build()
    manifest = read_manifest(out)
    forgotten = manifest.configs["items"].splits["dev"].parquet
    rewrite(out, files=tuple(entry for entry in manifest.files if entry.path != forgotten))
    assert (FolderFault.UNLISTED_FILE, forgotten) in faults(out)
    assert (FolderFault.BAD_MANIFEST, MANIFEST) in faults(out)


def test_a_card_of_another_version_or_license_is_caught(build: Build, out: Path) -> None:
    build()
    rewrite(out, version="1.0.1", license="mit")
    assert faults(out) == [(FolderFault.WRONG_CARD, "README.md")] * 2


@pytest.mark.parametrize("path", ["../outside", "/etc/passwd", "a/../../b", "C:/x", "a\\b"])
def test_paths_that_leave_the_folder_are_refused(build: Build, out: Path, path: str) -> None:
    build()
    assert not is_inside(path)
    manifest = read_manifest(out)
    rewrite(out, files=(*manifest.files, manifest.files[0].model_copy(update={"path": path})))
    assert faults(out) == [(FolderFault.BAD_PATH, path)]


def test_a_link_that_leaves_the_folder_is_refused(build: Build, out: Path, tmp_path: Path) -> None:
    build()
    outside = tmp_path / "outside.md"
    (out / "CHANGELOG.md").rename(outside)
    (out / "CHANGELOG.md").symlink_to(outside)
    assert faults(out) == [(FolderFault.BAD_PATH, "CHANGELOG.md")]
