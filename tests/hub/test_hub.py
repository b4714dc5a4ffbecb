"""The Hub of the tests carries the real clients: otherwise no test upon it means a thing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from huggingface_hub import CommitOperationAdd, HfApi
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from tests.hub.client import READER, STRANGER, WRITER, RunningHub

REPO = "org/plain"
CARD = "---\nlicense: cc0-1.0\nconfigs:\n- config_name: a\n  data_files: a.parquet\n---\n"
LOAD = """
import json
from datasets import load_dataset
rows = load_dataset("org/plain", "a", split="train", revision={revision!r})
print(json.dumps(rows["n"][:]))
"""


def client(hub: RunningHub, token: str | None = WRITER) -> HfApi:
    return HfApi(endpoint=hub.url, token=token or False)


def parquet(path: Path, numbers: list[int]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"n": numbers}), path)
    return path.read_bytes()


def committed(api: HfApi, path: Path, numbers: list[int], **options: str) -> str:
    adds = [
        CommitOperationAdd("README.md", CARD.encode()),
        CommitOperationAdd("a.parquet", parquet(path, numbers)),
    ]
    done = api.create_commit(REPO, adds, commit_message="data", repo_type="dataset", **options)
    return str(done.oid)


@pytest.fixture
def api(hub: RunningHub) -> HfApi:
    api = client(hub)
    api.create_repo(REPO, repo_type="dataset")
    return api


def test_two_versions_load_by_tag_and_by_sha(hub: RunningHub, api: HfApi, tmp_path: Path) -> None:
    first = committed(api, tmp_path / "a", [1, 2])
    api.create_tag(REPO, tag="v1.0.0", revision=first, repo_type="dataset")
    second = committed(api, tmp_path / "b", [1, 2, 3], parent_commit=first)
    api.create_tag(REPO, tag="v1.1.0", revision=second, repo_type="dataset")
    for revision, numbers in (("v1.0.0", [1, 2]), (second, [1, 2, 3])):
        done = hub.python(LOAD.format(revision=revision), tmp_path / revision)
        assert json.loads(done.stdout.splitlines()[-1]) == numbers, done.stderr
    listed = api.list_repo_refs(REPO, repo_type="dataset")
    assert {tag.name: tag.target_commit for tag in listed.tags} == {"v1.0.0": first, "v1.1.0": second}
    assert [one.commit_id for one in api.list_repo_commits(REPO, repo_type="dataset")][:2] == [second, first]
    tree = {entry.path: entry for entry in api.list_repo_tree(REPO, recursive=True, repo_type="dataset")}
    assert tree["a.parquet"].lfs is not None and tree["README.md"].lfs is None  # type: ignore[union-attr]
    assert api.get_paths_info(REPO, ["README.md"], repo_type="dataset")[0].path == "README.md"


def test_a_stale_parent_and_a_tag_that_exists_are_refused(api: HfApi, tmp_path: Path) -> None:
    first = committed(api, tmp_path / "a", [1])
    committed(api, tmp_path / "b", [2], parent_commit=first)
    with pytest.raises(HfHubHTTPError) as caught:
        committed(api, tmp_path / "c", [3], parent_commit=first)
    assert caught.value.response.status_code == 412
    api.create_tag(REPO, tag="v1.0.0", repo_type="dataset")
    with pytest.raises(HfHubHTTPError) as caught:
        api.create_tag(REPO, tag="v1.0.0", revision=first, repo_type="dataset")
    assert caught.value.response.status_code == 409
    with pytest.raises(RevisionNotFoundError):
        api.dataset_info(REPO, revision="v9.9.9")


def test_a_token_that_may_only_read_passes_create_and_fails_at_the_commit(
    hub: RunningHub, api: HfApi, tmp_path: Path
) -> None:
    reader = client(hub, READER)
    reader.create_repo(REPO, repo_type="dataset", exist_ok=True)
    with pytest.raises(HfHubHTTPError) as caught:
        committed(reader, tmp_path / "a", [1])
    assert caught.value.response.status_code == 403
    assert reader.whoami()["auth"]["accessToken"]["role"] == "read"
    with pytest.raises(HfHubHTTPError):
        reader.auth_check(REPO, repo_type="dataset", write=True)
    api.auth_check(REPO, repo_type="dataset", write=True)


def test_gated_and_private_repositories_are_closed_to_strangers(
    hub: RunningHub, api: HfApi, tmp_path: Path
) -> None:
    committed(api, tmp_path / "a", [1])
    api.update_repo_settings(REPO, repo_type="dataset", gated="manual")
    stranger = client(hub, STRANGER)
    assert stranger.dataset_info(REPO).gated == "manual"
    with pytest.raises(GatedRepoError):
        stranger.hf_hub_download(REPO, "README.md", repo_type="dataset", cache_dir=tmp_path / "cache")
    hub.admin("make", repo="org/secret", private=True)
    with pytest.raises(RepositoryNotFoundError):
        stranger.dataset_info("org/secret")
    assert api.dataset_info("org/secret").private


def test_faults_strike_as_often_as_asked(hub: RunningHub, api: HfApi, tmp_path: Path) -> None:
    hub.fault("POST", "/commit/", status=503)
    with pytest.raises(HfHubHTTPError):
        committed(api, tmp_path / "a", [1])
    hub.fault("POST", "/commit/", foreign="theirs.txt")
    head = api.dataset_info(REPO).sha
    with pytest.raises(HfHubHTTPError) as caught:
        committed(api, tmp_path / "a", [1], parent_commit=str(head))
    assert caught.value.response.status_code == 412
    assert "theirs.txt" in hub.repo(REPO)["files"]
    hub.fault("POST", "/commit/", cut="after")
    with pytest.raises(Exception, match=r"disconnected|closed|reset|EOF"):
        committed(api, tmp_path / "a", [1])
    assert "a.parquet" in hub.repo(REPO)["files"]
