"""``salitrap contamination``: a release in a training corpus, and scores on it beside those on a holdout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salitrap.cli.console import counted, err, out, print_json, table
from salitrap.cli.datasets import DATASET_HELP, dataset_folder
from salitrap.cli.options import AsJson
from salitrap.errors import ExitCode, InputError

if TYPE_CHECKING:
    from exports.contamination import Corpus, HoldoutGap, Overlap

SHARES = (0.8, 0.5, 0.0)
COLUMNS = ("texts", "whole", "80 % or more", "50 % or more", "any n-gram")
GAP_COLUMNS = ("TAR public", "TAR holdout", "gap", "95 %", "p", "p (Holm)")
STEP = 100_000_000
"""Characters between two lines of progress."""

Files = Annotated[
    list[Path] | None,
    typer.Option("--corpus", help="Text, JSONL or parquet (also .gz), or a folder of them.", metavar="PATH"),
]
Fields = Annotated[
    list[str] | None, typer.Option("--field", help="JSON field or column with text; all by default.")
]
Labels = Annotated[list[Path] | None, typer.Option("--labels", help="Label rows of the public dataset.")]
Holdout = Annotated[list[Path] | None, typer.Option("--holdout-labels", help="Label rows of its holdout.")]


def contamination(
    dataset: Annotated[Path | None, typer.Argument(help=DATASET_HELP, metavar="[DATASET]")] = None,
    corpus: Files = None,
    field: Fields = None,
    words: Annotated[int, typer.Option(min=3, help="Words of an n-gram, English.")] = 13,
    characters: Annotated[int, typer.Option(min=5, help="Characters of an n-gram, Chinese.")] = 20,
    labels: Labels = None,
    holdout_labels: Holdout = None,
    as_json: AsJson = False,
) -> None:
    """Find a dataset's canary and wording in a corpus, or compare scores with those on a private holdout.

    Exit 1 when the canary or a whole text is in the corpus.
    """
    if dataset is not None and corpus:
        _search(dataset_folder(dataset), corpus, frozenset(field or ()), (words, characters), as_json)
    elif labels and holdout_labels:
        _compare(labels, holdout_labels, as_json)
    else:
        raise InputError(
            "give a DATASET with --corpus, or --labels with --holdout-labels; salitrap contamination --help"
        )


def _search(
    folder: Path, paths: list[Path], fields: frozenset[str], sizes: tuple[int, int], as_json: bool
) -> None:
    from exports.contamination import Corpus, Sizes, overlap_of, release_texts
    from exports.contamination.overlap import overlap_needed

    canary, texts = release_texts(folder)
    wanted = Sizes(words=sizes[0], characters=sizes[1])
    read = Corpus(paths, overlap_needed(canary, texts, wanted), fields)
    found = overlap_of(canary, texts, read, wanted, _Progress())
    if as_json:
        print_json(_record(found, read))
    else:
        _print(found, read)
    if found.canary_count or found.exact:
        raise typer.Exit(ExitCode.FINDINGS)


class _Progress:
    """A line now and then."""

    def __init__(self) -> None:
        self._next = STEP

    def __call__(self, characters: int) -> None:
        if characters >= self._next:
            err().print(f"{characters:,} characters read")
            self._next = characters + STEP


def _record(found: Overlap, read: Corpus) -> dict[str, object]:
    texts = [{**one.model_dump(mode="json"), "share": one.share} for one in found.texts]
    return {**found.model_dump(mode="json"), "texts": texts, "read": vars(read.counts)}


def _print(found: Overlap, read: Corpus) -> None:
    counts = read.counts
    out().print(f"Read {counted(counts.files, 'file')}, {counts.characters:,} characters.")
    if counts.bad_lines:
        told = f"{counts.bad_lines:,} lines are no JSON and were read as text, the first {counts.first_bad}"
        err().print(f"note: {told}", soft_wrap=True)
    if counts.undecodable:
        err().print(f"note: {counts.undecodable:,} characters are no UTF-8")
    out().print(f"Canary: {counted(found.canary_count, 'time') if found.canary_count else 'not found'}.")
    for place in found.canary_places:
        out().print(f"  {place}", soft_wrap=True)
    _print_overlap(found)


def _print_overlap(found: Overlap) -> None:
    groups = [("all", found)]
    groups += [(tag, _part(found, tag)) for tag in sorted({one.dimension_tag for one in found.texts})]
    groups += [(name, _part(found, name)) for name in sorted({one.language.value for one in found.texts})]
    rows = [
        [name, len(part.texts), len(part.exact), *(part.at_least(share) for share in SHARES)]
        for name, part in groups
    ]
    out().print(table("Found word for word", [("", False), *((name, True) for name in COLUMNS)], rows))
    worst = sorted((one for one in found.texts if one.found), key=lambda one: -one.share)[:10]
    for one in worst:
        whole = "whole, " if one.exact else ""
        out().print(f"  {one.text_id}: {whole}{one.share:.0%} of {one.grams}, {one.where}", soft_wrap=True)


def _part(found: Overlap, group: str) -> Overlap:
    texts = tuple(one for one in found.texts if group in (one.dimension_tag, one.language.value))
    return found.model_copy(update={"texts": texts})


def _compare(labels: list[Path], holdout_labels: list[Path], as_json: bool) -> None:
    from exports.analysis.read_rows import read_rows
    from exports.contamination import holdout_gaps

    gaps = holdout_gaps(read_rows(labels).rows, read_rows(holdout_labels).rows)
    if as_json:
        print_json({"models": [gap.model_dump(mode="json") for gap in gaps]})
        return
    columns = [("model", False), *((name, True) for name in GAP_COLUMNS)]
    out().print(table("Public and holdout", columns, [_gap_row(gap) for gap in gaps]))
    err().print("A gap above zero asks for a closer look; it does not prove that a model saw the data.")


def _gap_row(gap: HoldoutGap) -> list[object]:
    span = "-" if gap.low is None else f"{gap.low:+.1f} to {gap.high:+.1f}"
    told = ["-" if value is None else f"{value:.3f}" for value in (gap.p, gap.p_holm)]
    return [gap.model, f"{gap.public:.1f}", f"{gap.holdout:.1f}", f"{gap.gap:+.1f}", span, *told]
