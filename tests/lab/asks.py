"""Requests as the adapter writes them, and the reply forms of the contract."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from salitrap.lab.desk import reply_to
from salitrap.lab.request import Ask, read_request
from salitrap.lab.tasks.rewrite import STYLES
from salitrap.lab.world.model import Entry
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language

Score = Literal[1, 2, 3, 4, 5]


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SeedForm(Form):
    scenario: str
    prompt: str
    trap_core: str
    ground_truth: str
    injected_numbers: list[str]
    tool: str
    object: str
    action: str
    preserve: list[str]
    avoid: list[str]
    scene: str
    life_area: str


class ScaleForm(Form):
    seeds: list[SeedForm]


class RewriteForm(Form):
    rewritten: str


class TruthForm(Form):
    holds: bool
    change: Literal["none", "patched", "swapped", "lost"]
    quote: str
    reason: str


class AlignForm(Form):
    valid: bool
    no_escape: bool
    subtask: str
    escape: str
    reason: str


class NatForm(Form):
    everyday: Score
    concision: Score
    concealment: Score
    numeric_context: Score
    no_escape_wording: bool
    reason: str


class ComplianceForm(Form):
    same_trap: bool
    numbers_kept: bool
    no_escape: bool
    no_patch: bool
    quote: str
    reason: str


class JudgeForm(Form):
    notices: Literal["never", "late", "early"]
    quote: str
    completes_task: bool
    refuses: bool
    explains: bool
    patches: bool
    reason: str


def structured_body(
    form: type[Form], inputs: Mapping[str, Any], *, model: str = "checker", seed: int | None = None
) -> dict[str, Any]:
    """The body of a structured call."""
    schema = json.dumps(form.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    blocks = [f"[[ ## {name} ## ]]\n{_value(value)}" for name, value in inputs.items()]
    messages = [
        {"role": "system", "content": f"Do it.\n\nONE JSON object.\n[[ ## output_schema ## ]]\n{schema}"},
        {"role": "user", "content": "\n\n".join(blocks)},
    ]
    return {"model": model, "messages": messages, "temperature": 0.2, "seed": seed}


def structured(form: type[Form], inputs: Mapping[str, Any], *, model: str = "checker", seed: int = 0) -> Ask:
    return read_request(structured_body(form, inputs, model=model, seed=seed), 0)


def question_body(
    text: str, *, model: str = "solver-a", seed: int = 0, system: str | None = None
) -> dict[str, Any]:
    """The body of a bare solver call."""
    before = [{"role": "system", "content": system}] if system else []
    messages = [*before, {"role": "user", "content": text}]
    return {"model": model, "messages": messages, "temperature": 0.2, "seed": seed}


def question(text: str, *, model: str = "solver-a", seed: int = 0, system: str | None = None) -> Ask:
    return read_request(question_body(text, model=model, seed=seed, system=system), 0)


def rewrite_inputs(entry: Entry, strategy: str | None) -> dict[str, Any]:
    """Inputs of a rewriting call; no strategy means mutation."""
    inputs: dict[str, Any] = {
        "prompt": entry.prompt,
        "trap_core": entry.trap_core,
        "injected_numbers": list(entry.numbers),
        "preserve": list(entry.preserve),
        "avoid": list(entry.avoid),
    }
    if strategy is None:
        return {**inputs, "siblings": []}
    assert strategy in STYLES
    return {**inputs, "strategy": f"{strategy}: do it well", "feedback": ""}


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def some_entries(language: Language, step: int = 10) -> Iterator[Entry]:
    cells = load_table(language).cells
    for tag in sorted(cells):
        yield from cells[tag][::step]


def ask_for(form: type[Form], inputs: Mapping[str, Any], seed: int = 0, model: str = "checker") -> Any:
    reply = reply_to(structured(form, inputs, model=model, seed=seed))
    return form.model_validate(json.loads(reply.content or ""))


def scale_inputs(language: Language, **changes: Any) -> dict[str, Any]:
    inputs: dict[str, Any] = {
        "dimension": "D2: Environmental mismatch" if language is Language.EN else "D2：环境不符",
        "definition": "The place defeats the tool." if language is Language.EN else "环境让工具失效。",
        "examples": [],
        "directive": "",
        "niche": {"tool": "", "scene": "", "life_area": ""},
        "exclusions": [],
        "count": 4,
    }
    return {**inputs, **changes}


def within(hits: int, total: int, planted: float) -> bool:
    """Within four standard errors of the planted rate."""
    return abs(hits / total - planted) <= 4.0 * (planted * (1.0 - planted) / total) ** 0.5
