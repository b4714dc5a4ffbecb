"""README.md of a dataset folder: the card that the Hub shows and the loader reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from string import Template

from exports.dataset.dialogue_card import column_table, dialogue_section
from exports.dataset.dialogue_rows import DialogueSelection, PublishedDialogue
from exports.dataset.facts import ReleaseFacts
from exports.dataset.features import ITEM_COLUMNS
from exports.dataset.front_matter import ConfigSizes, front_matter
from exports.dataset.layout import DIALOGUES
from exports.dataset.markdown import code, plain, table
from exports.dataset.release import Release
from exports.dataset.retired_card import retired_section
from exports.dataset.screening import screening_line
from exports.dataset.splits import SplitItems
from exports.dataset.table import Composition, CompositionLine, composition
from exports.harness import slug_of
from salitrap.records.enums import Language
from salitrap.records.item import Item, RetiredItem

NOTES_LINE = "<!-- Notes below this line are yours: the next build into this folder keeps them. -->"


def card_text(
    release: Release,
    facts: ReleaseFacts,
    splits: SplitItems,
    dialogues: DialogueSelection,
    sizes: Mapping[str, ConfigSizes],
    withheld: int,
    retired: Sequence[RetiredItem] = (),
) -> str:
    """Return the generated part of the card, which ends with ``NOTES_LINE``."""
    items = [item for split in splits.values() for item in split]
    parts = composition(items, facts.dimensions)
    languages = tuple(Language(line.label) for line in parts.languages)
    simulated = is_simulated((*items, *dialogues.rows), facts)
    banner = _simulated_banner(items) if simulated else ""
    head = front_matter(release, sizes, languages, simulated=simulated)
    body = files("exports.dataset").joinpath("templates", "card.md").read_text(encoding="utf-8")
    values = {**_identity(release, facts, splits), **_tables(facts, splits, parts, withheld)}
    talks = dialogue_section(release, dialogues.rows, sizes.get(DIALOGUES, {}))
    gone = retired_section(release, retired, dialogues.retired, sizes)
    plays = " and plays the dialogues (`tasks.py@dialogues`)" if talks else ""
    filled = Template(body).substitute(
        values, banner=banner, dialogues=talks + gone, plays=plays, notes_line=NOTES_LINE
    )
    return head + filled.rstrip("\n") + "\n"


def is_simulated(rows: Iterable[Item | PublishedDialogue], facts: ReleaseFacts) -> bool:
    """Say whether any row, or the run as a whole, involved the simulated provider."""
    return facts.simulated or any(row.simulated for row in rows)


def _simulated_banner(items: Sequence[Item]) -> str:
    count = sum(item.simulated for item in items)
    share = f"{count} of {len(items)} items were" if count else "The run that made this dataset was partly"
    return (
        f"> **SIMULATED DATA, NOT A BENCHMARK.** {share} made with a simulated model provider. "
        "Scores on it say nothing about any model.\n\n"
    )


def _identity(release: Release, facts: ReleaseFacts, splits: SplitItems) -> dict[str, str]:
    return {
        "title": plain(release.name),
        "slug": slug_of(release.name),
        "version": release.version,
        "license": release.license,
        "canary": release.canary,
        "dev_share": f"{release.dev_share:g}",
        "holdout_line": _holdout_line(release),
        "first_split": next(iter(splits)).value,
        "tool_version": plain(facts.tool_version),
        "settings_hash": code(facts.settings_hash),
    }


def _holdout_line(release: Release) -> str:
    if release.is_holdout:
        return "**These are the families that were kept back: a private holdout, never to be published.** "
    if not release.holdout_share:
        return ""
    return (
        f"A share of {release.holdout_share:g} of the families is kept back and published nowhere: scores on "
        "it, held against scores here, show whether this data was trained on. "
    )


def _tables(facts: ReleaseFacts, splits: SplitItems, parts: Composition, withheld: int) -> dict[str, str]:
    return {
        "items": f"{parts.overall.items:,}",
        "languages": ", ".join(line.label for line in parts.languages),
        "dimension_table": _composition_table("Dimension", (*parts.dimensions, parts.overall)),
        "language_table": _composition_table("Language", parts.languages),
        "split_table": _split_table(splits),
        "column_table": _column_table(),
        "funnel_table": _funnel_table(facts, withheld, parts.overall.items),
        "model_table": _model_table(facts),
        "prompt_table": _prompt_table(facts),
        "judge_line": _judge_line(facts),
        "screening_line": plain(screening_line(facts.screening)),
    }


def _composition_table(first: str, lines: Sequence[CompositionLine]) -> str:
    header = (first, "items", "families", "mean \\|n\\|", "naturalness", "stability", "strong", "soft")
    return table(header, [_composition_cells(line) for line in lines])


def _composition_cells(line: CompositionLine) -> tuple[str, ...]:
    label = plain(line.name if line.name in (line.label, "Overall") else f"{line.label} {line.name}")
    means = (f"{line.numbers_mean:.1f}", f"{line.naturalness_mean:.1f}", f"{line.stability_mean:.2f}")
    return (label, f"{line.items:,}", f"{line.families:,}", *means, f"{line.strong:,}", f"{line.soft:,}")


def _split_table(splits: SplitItems) -> str:
    rows = [
        (split.value, f"{len(items):,}", f"{len({item.seed_id for item in items}):,}")
        for split, items in splits.items()
    ]
    return table(("Split", "items", "families"), rows)


def _column_table() -> str:
    return column_table(ITEM_COLUMNS)


def _funnel_table(facts: ReleaseFacts, withheld: int, published: int) -> str:
    last = [("withheld by the build", withheld)] if withheld else []
    counts = [*facts.funnel, *last, ("published", published)]
    return table(("Stage", "count"), [(plain(label), f"{count:,}") for label, count in counts])


def _model_table(facts: ReleaseFacts) -> str:
    if not facts.models:
        return "none recorded"
    rows = [(plain(role), ", ".join(map(plain, specs))) for role, specs in facts.models.items()]
    return table(("Role", "models"), rows, numbers=False)


def _judge_line(facts: ReleaseFacts) -> str:
    """Whether the judge is calibrated, as a sentence of its own."""
    told = facts.judge.told if facts.judge is not None else "judge uncalibrated: nothing was recorded"
    return plain(told[:1].upper() + told[1:]) + "."


def _prompt_table(facts: ReleaseFacts) -> str:
    if not facts.prompts:
        return "none recorded"
    rows = [(code(prompt), code(digest)) for prompt, digest in facts.prompts.items()]
    return table(("Instructions", "SHA-256"), rows, numbers=False)
