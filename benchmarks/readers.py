"""Do other versions of ``datasets`` read what we build?

    python -m benchmarks.readers DATASET [--versions 5.2 4.8 3.6]

makes an environment for each version, loads every split of every configuration there, and compares columns,
rows and ids with the manifest. Exit 1 when one of them reads something else.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from exports.dataset.features import COLUMNS_OF, ID_OF, column_names
from exports.dataset.manifest import Manifest, ids_hash, read_manifest

VERSIONS = ("5.2", "4.8", "3.6")
READER = """
import json, sys
import datasets
folder, id_columns = sys.argv[1], json.loads(sys.argv[2])
for config, column in id_columns.items():
    for split, rows in datasets.load_dataset(folder, config).items():
        told = {"config": config, "split": split, "columns": rows.column_names, "ids": list(rows[column]),
                "version": datasets.__version__, "first": rows[0]}
        print("READ " + json.dumps(told, ensure_ascii=True))
"""


def main() -> int:
    """Read with every version; print one line a version and split."""
    parser = argparse.ArgumentParser(prog="benchmarks.readers")
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--versions", nargs="+", default=VERSIONS)
    given = parser.parse_args()
    manifest = read_manifest(given.dataset)
    wrong = [fault for version in given.versions for fault in faults_of(version, given.dataset, manifest)]
    for fault in wrong:
        print(f"WRONG {fault}")
    return 1 if wrong else 0


def faults_of(version: str, folder: Path, manifest: Manifest) -> list[str]:
    """Read with one version and say what differs."""
    with TemporaryDirectory(prefix="salitrap-readers-") as scratch:
        python = environment(Path(scratch) / "venv", version)
        rows = read(python, folder, manifest, Path(scratch))
    wanted = {(name, split) for name, config in manifest.configs.items() for split in config.splits}
    faults = [f"datasets {version}: did not read {missing}" for missing in sorted(wanted - set(rows))]
    for (config, split), told in rows.items():
        entry = manifest.configs[config].splits[split]
        same = ids_hash(told["ids"]) == entry.ids_sha256
        columns = tuple(told["columns"]) == column_names(COLUMNS_OF[config])
        said = "as in the manifest" if same and columns else f"WRONG: ids {same}, columns {columns}"
        print(f"datasets {told['version']}: {config}/{split}: {len(told['ids'])} rows, {said}")
        faults += [] if same and columns else [f"datasets {version}: {config}/{split}"]
    return faults


def environment(folder: Path, version: str) -> Path:
    """Make an environment with that version of ``datasets`` alone; return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    wanted = f"datasets=={version}.*"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wanted], check=True, stdout=sys.stderr)
    return python


def read(
    python: Path, folder: Path, manifest: Manifest, scratch: Path
) -> dict[tuple[str, str], dict[str, list[str]]]:
    """Load everything in that environment; rows by configuration and split."""
    columns = json.dumps({config: ID_OF[config] for config in manifest.configs})
    env = {"HF_HOME": str(scratch / "hf"), "HF_HUB_OFFLINE": "1", "PATH": str(python.parent)}
    arguments = [python, "-I", "-c", READER, folder.resolve(), columns]
    done = subprocess.run(arguments, env=env, capture_output=True, text=True, check=False, cwd=scratch)
    lines = [line.removeprefix("READ ") for line in done.stdout.splitlines() if line.startswith("READ ")]
    if done.returncode:
        print(done.stderr, file=sys.stderr)
    told = [json.loads(line) for line in lines]
    return {(one["config"], one["split"]): one for one in told}


if __name__ == "__main__":
    sys.exit(main())
