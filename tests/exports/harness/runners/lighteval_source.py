"""Load the lighteval module with lighteval's own source, where torch and transformers are stand-ins.

Usage: FOLDER; prints one JSON object. lighteval itself is installed without its dependencies, which come to
gigabytes; what it imports of them is not called here.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import sys
import types
from unittest.mock import MagicMock

ABSENT = ("torch", "transformers", "accelerate", "aenum")


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that have any attribute."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        absent = name.split(".")[0] in ABSENT
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if absent else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = MagicMock(name=spec.name)
        module.__path__, module.__spec__ = [], spec
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        return None


class Metrics:
    """Its list of all metrics, with all their imports; the module names none of them."""


def load(path: str) -> types.ModuleType:
    sys.meta_path.insert(0, StandIns())
    listing = types.ModuleType("lighteval.metrics.metrics")
    listing.Metrics = Metrics  # type: ignore[attr-defined]
    sys.modules["lighteval.metrics.metrics"] = listing
    spec = importlib.util.spec_from_file_location("custom_tasks", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    module = load(f"{sys.argv[1]}/harness/lighteval/tasks.py")
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.lighteval_task import LightevalTask

    for name in [name for name in sys.modules if name.split(".")[0] in ABSENT]:
        del sys.modules[name]  # datasets asks them about types
    (config,) = module.TASKS_TABLE
    docs = LightevalTask(config).get_docs()
    (metric,) = config.metrics
    rates = [
        metric.compute_sample(doc=docs[0], model_response=ModelResponse(text=[text])) for text in ("lol", " ")
    ]
    corpus = metric.get_corpus_aggregations()["answered"]
    found = {
        "name": config.name,
        "docs": {doc.specific["item_id"]: doc.query for doc in docs},
        "golds": [doc.get_golds() for doc in docs],
        "generation_size": docs[0].generation_size,
        "rates": rates,
        "mean": corpus([rate["answered"] for rate in rates]),
    }
    sys.stdout.write(json.dumps(found))
