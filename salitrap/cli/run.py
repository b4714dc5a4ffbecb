"""``salitrap run`` and its stages alone: ``scale``, ``refine``, ``certify``, ``dialogues``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from salitrap.cli.callbacks import Callbacks, observing
from salitrap.cli.console import counted, err, out, print_json
from salitrap.cli.options import AsJson, Config, RunDir, Yes
from salitrap.cli.tables import funnel_table, spend_line, strategy_table
from salitrap.errors import SalitrapError, StoppedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curation.coverage import CellCoverage
    from curation.funnel import Funnel
    from curation.strategy_stats import StrategyStats
    from salitrap.providers.money.spend import Spend
    from salitrap.records import Stage


def run(
    config: Config,
    run: RunDir = None,
    yes: Yes = False,
    callback: Callbacks = None,
    as_json: AsJson = False,
) -> None:
    """Run all stages: scale, refine, certify, and dialogues where the settings name patterns.

    Resumes what is there; build the dataset with `build`.
    """
    _run("run", None, config, run, yes, callback, as_json)


def scale(
    config: Config,
    run: RunDir = None,
    yes: Yes = False,
    callback: Callbacks = None,
    as_json: AsJson = False,
) -> None:
    """Stage 1 alone: expand the expert seeds and filter what comes back."""
    from salitrap.records import Stage

    _run("scale", (Stage.SCALE,), config, run, yes, callback, as_json)


def refine(
    config: Config,
    run: RunDir = None,
    yes: Yes = False,
    callback: Callbacks = None,
    as_json: AsJson = False,
) -> None:
    """Stages 2 and 3 alone: validate candidates and search for versions that solvers fall for."""
    from salitrap.records import Stage

    _run("refine", (Stage.REFINE,), config, run, yes, callback, as_json)


def certify(
    config: Config,
    run: RunDir = None,
    yes: Yes = False,
    callback: Callbacks = None,
    as_json: AsJson = False,
) -> None:
    """Stability certification alone: fresh repeats of every certified candidate."""
    from salitrap.records import Stage

    _run("certify", (Stage.CERTIFY,), config, run, yes, callback, as_json)


def dialogues(
    config: Config,
    run: RunDir = None,
    yes: Yes = False,
    callback: Callbacks = None,
    as_json: AsJson = False,
) -> None:
    """Multi-turn dialogues alone: write, check and play them for every certified seed."""
    from curation.dialogues.stage import require_patterns
    from salitrap.records import Stage
    from salitrap.settings import load_settings

    require_patterns(load_settings(config))
    _run("dialogues", (Stage.DIALOGUES,), config, run, yes, callback, as_json)


def _run(
    name: str,
    stages: tuple[Stage, ...] | None,
    config: Path,
    chosen: Path | None,
    yes: bool,
    callbacks: list[str] | None,
    as_json: bool,
) -> None:
    from curation.run import stages_of
    from curation.strategy_stats import strategies_at
    from salitrap.cli.coverage_table import coverage_record, print_coverage
    from salitrap.cli.judge_standing import print_standing, standing_under
    from salitrap.cli.pipeline import execute, run_directory
    from salitrap.settings import load_settings

    settings = load_settings(config)
    stages = stages_of(settings) if stages is None else stages
    directory = run_directory(settings, chosen)
    more = ["--yes"] if yes else []
    more += [f"--callback={given}" for given in callbacks or ()]
    again = _command(name, config, directory, *more)
    with observing(callbacks):
        funnel, spend = execute(settings, directory, stages, yes=yes, again=again)
    coverage, unknown = _coverage(directory, stages)
    strategies = strategies_at(directory)
    judge = standing_under(settings, directory)
    if as_json:
        told = judge.model_dump(mode="json") if judge is not None else None
        record = {**_record(directory, funnel, spend), "coverage": coverage_record(coverage)}
        record["strategies"] = [line.model_dump(mode="json") for line in strategies]
        print_json({**record, "judge": told})
    else:
        _print(funnel, spend, strategies)
        print_coverage(coverage, unknown)
        print_standing(judge)
    _require_sound(funnel, again, asked=spend.sent > 0)
    if not as_json:
        err().print(f"Next: {_next(name, config, directory, funnel)}", soft_wrap=True)


def _coverage(directory: Path, stages: tuple[Stage, ...]) -> tuple[Sequence[CellCoverage], str]:
    """Coverage of niches after a command that scales; nothing after others."""
    from salitrap.cli.coverage_table import coverage_at
    from salitrap.records import Stage

    return coverage_at(directory) if Stage.SCALE in stages else ((), "")


def _record(directory: Path, funnel: Funnel, spend: Spend) -> dict[str, Any]:
    return {
        "run": str(directory),
        "funnel": funnel.model_dump(mode="json"),
        "funnel_faults": list(funnel.faults()),
        "spend": spend.model_dump(mode="json"),
    }


def _print(funnel: Funnel, spend: Spend, strategies: Sequence[StrategyStats]) -> None:
    out().print(funnel_table(funnel))
    if strategies:
        out().print(strategy_table(strategies))
    out().print(spend_line(spend), soft_wrap=True)
    for short in funnel.shortfalls:
        out().print(f"Short: {short.told}", soft_wrap=True)


def _require_sound(funnel: Funnel, again: str, *, asked: bool) -> None:
    """Let the exit code say what the counts mean, whatever they were printed as.

    ``asked`` is False when no request was sent: then every reply is in the journal, and asking again
    would change nothing.

    Raises:
        SalitrapError: the funnel does not add up.
        StoppedError: candidates wait for another attempt.
    """
    from salitrap.records import Status

    if faults := funnel.faults():
        raise SalitrapError(
            f"the funnel does not add up: {'; '.join(faults)}. This is a fault of salitrap; please report it"
        )
    if unsettled := funnel.candidates.count(Status.UNSETTLED):
        mostly = f", mostly: {reason}" if (reason := funnel.candidates.unsettled_reason) else ""
        told = f"{counted(unsettled, 'candidate')} could not be judged{mostly}; see rejects.jsonl."
        if asked:
            raise StoppedError(f"{told} To try again: {again}")
        err().print(f"{told} All replies are in the journal; a build leaves them out.", soft_wrap=True)


def _next(name: str, config: Path, directory: Path, funnel: Funnel) -> str:
    """What to do now: the next stage, the build, or where to read why there is nothing to build."""
    following = {"scale": "refine", "refine": "certify"}.get(name)
    if following is not None:
        return _command(following, config, directory)
    quoted = shlex.quote(str(directory))
    if not funnel.items:
        rejects = shlex.quote(str(directory / "rejects.jsonl"))
        return f"no item is stable, so there is nothing to build; see salitrap status {quoted} and {rejects}"
    build = f"salitrap build {quoted} --out DATASET --version 0.1.0 --license LICENSE"
    return f"salitrap status {quoted}; {build}"


def _command(name: str, config: Path, directory: Path, *more: str) -> str:
    return shlex.join(["salitrap", name, "-c", str(config), "--run", str(directory), *more])
