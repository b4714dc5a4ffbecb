"""``salitrap demo``: the whole line on the lab, ending with the dataset loaded back."""

from __future__ import annotations

import shlex
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from salitrap.cli.build import print_built
from salitrap.cli.console import counted, err, out, table
from salitrap.cli.tables import funnel_table, spend_line

SHOWN = 8
PROMPT_CHARS = 90


def demo(
    run: Annotated[
        Path, typer.Option("--run", help="Run directory; the dataset goes to DIR/dataset.")
    ] = Path("runs/demo"),
    items: Annotated[int | None, typer.Option(min=1, help="About how many items to build.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.")] = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Seeds worked on at once; changes speed, not the result.")
    ] = None,
) -> None:
    """Build a benchmark from our seeds by the full method, with simulated models; needs no key."""
    from curation.run import stages_of
    from exports.evaluation.dataset_rows import ALL_SPLITS
    from exports.evaluation.evalset import load_evalset
    from exports.from_run import build_from_run
    from salitrap.cli.demo_rates import evaluate_demo, rates_table
    from salitrap.cli.demo_settings import demo_settings
    from salitrap.cli.pipeline import execute

    started = time.monotonic()
    settings = demo_settings(seed, items, workers)
    err().print("Every model in this demo is simulated: its rates say nothing about any real model.")
    again = ["salitrap", "demo", "--run", str(run), "--seed", str(seed)]
    again += ["--items", str(items)] if items is not None else []
    again += ["--workers", str(workers)] if workers is not None else []
    funnel, spend = execute(settings, run, stages_of(settings), yes=True, again=shlex.join(again))
    built = build_from_run(
        run, out=run / "dataset", version="0.1.0", license="cc-by-4.0", name="SaliTrap demo"
    )
    evalset = load_evalset(built.path, split=ALL_SPLITS)
    evaluated = evaluate_demo(settings, evalset, run, shlex.join(again))
    seconds = time.monotonic() - started
    out().print(funnel_table(funnel))
    out().print(spend_line(spend), soft_wrap=True)
    print_built(built)
    _print_loaded(built.path)
    out().print(rates_table(evaluated.target.out, evalset, seed))
    out().print(spend_line(evaluated.spend, "Evaluation"), soft_wrap=True)
    out().print(f"Pipeline: {seconds:.0f} s. The dataset loads with:")
    out().print(f"  datasets.load_dataset({str(built.path)!r}, 'items')", soft_wrap=True)
    err().print(
        f"Next: salitrap status {shlex.quote(str(run))}; salitrap show --run {shlex.quote(str(run))} ITEM_ID",
        soft_wrap=True,
    )


def _print_loaded(folder: Path) -> None:
    """Load the folder as a user would, but without progress bars, and show some of its items."""
    import datasets

    from exports.dataset import items_of, load_back

    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory() as cache:
        loaded = load_back(folder, Path(cache))
        held = items_of(loaded)
        counts = ", ".join(f"{name}: {counted(split.num_rows, 'row')}" for name, split in loaded.items())
    chosen = held[:: max(1, len(held) // SHOWN)][:SHOWN]
    rows: list[list[object]] = [
        [item.item_id, item.dimension_tag, item.language.value, item.attack_tier.value, _short(item.prompt)]
        for item in chosen
    ]
    columns = [("item_id", False), ("dim", False), ("lang", False), ("tier", False), ("prompt", False)]
    out().print(table(f"Loaded back by datasets.load_dataset: {counts}", columns, rows))


def _short(text: str) -> str:
    return text if len(text) <= PROMPT_CHARS else text[:PROMPT_CHARS] + "…"
