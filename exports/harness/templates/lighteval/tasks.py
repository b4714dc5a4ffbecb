"""Lighteval task of this dataset: one answer per item, logged with its item id; no judge.

    lighteval accelerate "model_name=MODEL" TASK --custom-tasks harness/lighteval/tasks.py --save-details

TASK is the name of TASKS_TABLE below.

It loads the folder around this file, or the dataset that the environment names, and then at the tag of this
release: TRAP_DATASET=ORG/NAME. Labels come from a judge afterwards; ``specific`` has the item's id.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import SampleLevelMetric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

HARNESS = Path(__file__).resolve().parents[1]
RELEASE = json.loads((HARNESS / "release.json").read_text(encoding="utf-8"))
REPOSITORY = os.environ.get("TRAP_DATASET", "")
SPLITS = tuple(RELEASE["configs"]["items"])
ABOUT = ("item_id", "seed_id", "dimension_tag", "language", "trap_core", "ground_truth", "canary")


class Answered(SampleLevelComputation):
    """1 when there is any text: a check of the run, not a score of the model."""

    def compute(self, doc: Doc, model_response: ModelResponse, **_: Any) -> float:
        """Whether the first answer has text."""
        return float(any(text.strip() for text in model_response.final_text[:1]))


def mean(values: list[float]) -> float:
    """Arithmetic mean."""
    return sum(values) / len(values)


def prompt_function(line: dict[str, Any], task_name: str) -> Doc:
    """The column ``prompt``, nothing around it."""
    return Doc(
        task_name=task_name,
        query=line["prompt"],
        choices=[line["ground_truth"]],
        gold_index=0,
        specific={key: line[key] for key in ABOUT},
    )


answered = SampleLevelMetric(
    metric_name="answered",
    higher_is_better=True,
    category=SamplingMethod.GENERATIVE,
    sample_level_fn=Answered(),
    corpus_level_fn=mean,
)

TASKS_TABLE = [
    LightevalTaskConfig(
        name=f"{RELEASE['slug']}_items",
        prompt_function=prompt_function,
        hf_repo=REPOSITORY or str(HARNESS.parent),
        hf_subset="items",
        hf_revision=f"v{RELEASE['version']}" if REPOSITORY else None,
        hf_avail_splits=list(SPLITS),
        evaluation_splits=["test" if "test" in SPLITS else SPLITS[0]],
        generation_size=8192,
        stop_sequence=[],
        metrics=[answered],
    )
]
