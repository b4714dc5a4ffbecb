"""The same request gives the same reply in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from salitrap.lab.draws import Draw

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import hashlib, json
from salitrap.lab.desk import reply_to
from salitrap.lab.request import read_request
from salitrap.lab.tasks.rewrite import STYLES
from salitrap.lab.world.table import load_table
from salitrap.records.enums import Language
from tests.lab import asks
from tests.lab.asks import scale_inputs

digest = hashlib.sha256()
for language in Language:
    bodies = [asks.structured_body(asks.ScaleForm, scale_inputs(language))]
    bodies += [asks.structured_body(asks.ScaleForm, {**scale_inputs(language), "dimension": "MINE"})]
    for cell in load_table(language).cells.values():
        for entry in cell[::40]:
            base = {"prompt": entry.prompt, "trap_core": entry.trap_core, "ground_truth": "g"}
            bodies += [asks.question_body(entry.prompt, model="solver-b")]
            bodies += [asks.structured_body(asks.TruthForm, base), asks.structured_body(asks.AlignForm, base)]
            bodies += [asks.structured_body(asks.NatForm, base)]
            inputs = [asks.rewrite_inputs(entry, name) for name in STYLES]
            bodies += [asks.structured_body(asks.RewriteForm, each) for each in inputs]
    for body in bodies:
        reply = reply_to(read_request(body, 11))
        digest.update(f"{reply.content}{reply.reasoning}".encode())
print(digest.hexdigest())
"""


def digest_with(hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_replies_do_not_depend_on_the_hash_seed() -> None:
    digests = {digest_with(seed) for seed in ("0", "1", "4242")}
    assert len(digests) == 1
    assert len(digests.pop()) == 64


def test_draws_are_pinned() -> None:
    draw = Draw(0, "a")
    assert draw.unit("x") == Draw(0, "a").unit("x")
    assert draw.unit("x") != draw.unit("y")
    assert draw.unit("x") != Draw(1, "a").unit("x")


def test_draws_are_uniform_normal_and_weighted_as_named() -> None:
    draws = [Draw(number) for number in range(4000)]
    units = [draw.unit("u") for draw in draws]
    normals = [draw.normal("n", 2.0) for draw in draws]
    picks = [draw.weighted("w", {"a": 3.0, "b": 1.0}) for draw in draws]
    assert 0.48 < sum(units) / 4000 < 0.52
    assert 0.0 <= min(units) < max(units) < 1.0
    assert abs(sum(normals) / 4000) < 0.13
    assert 3.7 < sum(value * value for value in normals) / 4000 < 4.3
    assert 0.72 < picks.count("a") / 4000 < 0.78


def test_an_order_is_a_permutation() -> None:
    values = list(range(30))
    drawn = Draw("order").order("o", values)
    assert sorted(drawn) == values
    assert drawn != values
