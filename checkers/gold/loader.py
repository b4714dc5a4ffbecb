"""Read gold answers from YAML and JSONL files; the first fault is told in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from checkers.gold.candidates import CandidateSet, read_candidates
from checkers.gold.jsonl_file import read_jsonl
from checkers.gold.places import half_of, refuse_missing
from checkers.gold.records import GoldAnswer, GoldSet, Tie
from checkers.gold.reviewers import majority
from checkers.gold.yaml_file import read_answers_yaml
from salitrap.errors import InputError

SHIPPED = "shipped"
SUFFIXES = (".yaml", ".yml", ".jsonl")
ABOUT = ("question", "language", "dimension_tag", "prompt", "trap_core", "ground_truth", "answer", "half")


def shipped_answers_folder() -> Path:
    """Where the shipped gold answers lie, in the folders ``train``, ``held`` and ``fresh``."""
    return Path(__file__).parent / "answers"


def shipped_gold() -> GoldSet:
    """The shipped gold answers, all halves.

    Raises:
        InputError: none are installed.
    """
    return load_gold([shipped_answers_folder()], name=SHIPPED, checked=False)


def load_gold(paths: Sequence[Path], *, name: str | None = None, checked: bool = True) -> GoldSet:
    """Read files, and all YAML and JSONL files below folders.

    A file in a folder ``train``, ``held`` or ``fresh`` belongs to that half. An answer that several people
    labelled gets the label of the majority; ties are listed and left out. ``checked`` also holds stated
    evidence to the label and quotes to the answer.

    Raises:
        InputError: a path is missing, a file holds no gold answers, or the first faulty line or answer:
            file, answer, field and what to do.
    """
    files = list(gold_files(paths))
    if not files:
        raise InputError(f"{_named(paths)}: no gold answers here (.yaml or .jsonl); check the path")
    votes: dict[str, list[tuple[Path, GoldAnswer]]] = {}
    for path in files:
        for answer in _read(path, checked):
            votes.setdefault(answer.answer_id, []).append((path, answer))
    answers, ties = list[GoldAnswer](), list[Tie]()
    for answer_id in sorted(votes):
        settled = _settled(votes[answer_id])
        (ties if isinstance(settled, Tie) else answers).append(settled)  # type: ignore[arg-type]
    return GoldSet(name=name or _named(paths), answers=tuple(answers), ties=tuple(ties))


def shipped_candidates() -> CandidateSet:
    """The shipped gold candidates, halves ``train`` and ``held``.

    Raises:
        InputError: none are installed.
    """
    return load_candidates([Path(__file__).parent / "candidates"], name=SHIPPED)


def load_candidates(paths: Sequence[Path], *, name: str | None = None) -> CandidateSet:
    """Read YAML files of candidates, and all below folders; see ``load_gold`` for the halves.

    Raises:
        InputError: a path is missing, there is no such file, or the first fault of one.
    """
    files = [path for path in gold_files(paths) if path.suffix != ".jsonl"]
    if not files:
        raise InputError(f"{_named(paths)}: no gold candidates here (.yaml); check the path")
    return read_candidates(files, name or _named(paths))


def gold_files(paths: Sequence[Path]) -> Iterator[Path]:
    """Files that ``paths`` stand for, each once; those of a folder by name.

    Raises:
        InputError: a path does not exist.
    """
    seen = set[Path]()
    for path in paths:
        refuse_missing(path)
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in found:
            wanted = file == path or (file.suffix in SUFFIXES and file.is_file())
            if wanted and file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def _read(path: Path, checked: bool) -> Iterator[GoldAnswer]:
    reader = read_jsonl if path.suffix == ".jsonl" else read_answers_yaml
    yield from reader(path, half_of(path), checked)


def _settled(given: Sequence[tuple[Path, GoldAnswer]]) -> GoldAnswer | Tie:
    """One answer from the labels of its reviewers."""
    _require_one_answer(given)
    answers = [answer for _, answer in given]
    votes = tuple(answer.label for answer in answers)
    label = majority(votes)
    if label is None:
        return Tie(answer_id=answers[0].answer_id, votes=votes)
    agreeing = next(answer for answer in answers if answer.label is label)
    names = tuple(name for answer in answers for name in answer.labelled_by)
    return agreeing.model_copy(update={"votes": votes, "labelled_by": names})


def _require_one_answer(given: Sequence[tuple[Path, GoldAnswer]]) -> None:
    """Several labels of one id must be of one answer, each by somebody else."""
    (first_path, first), names = given[0], dict[str, Path]()
    for path, answer in given:
        name = answer.labelled_by[0]
        if name in names:
            raise InputError(
                f"{path}: answer {answer.answer_id}: field labelled_by: {name!r} labels it twice"
                f"{_also_in(names[name], path)}; keep one, or give the answers different ids"
            )
        names[name] = path
        for field in ABOUT:
            if getattr(answer, field) != getattr(first, field):
                raise InputError(
                    f"{path}: answer {answer.answer_id}: field {field}: differs from an earlier line with "
                    f"this id{_also_in(first_path, path)}; one id stands for one answer"
                )


def _also_in(earlier: Path, path: Path) -> str:
    """The file of an earlier line, where it is another one."""
    return f" (earlier in {earlier})" if earlier != path else ""


def _named(paths: Sequence[Path]) -> str:
    """Names without the folders they are in, which belong to a machine."""
    return ", ".join(path.name or str(path) for path in paths)
