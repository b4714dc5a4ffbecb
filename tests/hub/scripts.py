"""Code for a client in a process of its own: what it was told comes back as one JSON object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.hub.client import WRITER, RunningHub

REPO = "org/traps"
PRELUDE = """
import json, warnings
from pathlib import Path
from huggingface_hub import CommitOperationAdd as Add, CommitOperationDelete as Delete, HfApi
warnings.simplefilter("ignore")
REPO, KIND, TOLD = "org/traps", {"repo_type": "dataset"}, {}
api = HfApi()

def refused(call, *given, **options):
    try:
        call(*given, **options)
    except Exception as error:
        return [type(error).__name__, getattr(getattr(error, "response", None), "status_code", None)]

def send(files, **options):
    adds = [Add(path, text if isinstance(text, bytes) else text.encode()) for path, text in files.items()]
    return api.create_commit(REPO, adds, commit_message="data", **KIND, **options).oid

def read(path, **options):
    return Path(api.hf_hub_download(REPO, path, **KIND, **options)).read_bytes()
"""
FIRST = """
api.create_repo(REPO, **KIND)
"""


def ask(hub: RunningHub, home: Path, code: str, token: str | None = WRITER) -> dict[str, Any]:
    """Run code that fills ``TOLD``, and return it."""
    done = hub.python(f"{PRELUDE}{code}\nprint('TOLD', json.dumps(TOLD))", home, token)
    lines = [line for line in done.stdout.splitlines() if line.startswith("TOLD ")]
    assert lines, done.stderr
    return dict(json.loads(lines[-1].removeprefix("TOLD ")))
