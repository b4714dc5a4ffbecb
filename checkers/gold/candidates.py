"""Gold candidates: requests with the verdicts that people gave them, for truth, align and nat."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from checkers.base import CandidateView
from checkers.gold.forms import MaybeText, Text
from checkers.gold.places import half_of, told
from checkers.gold.records import PLAIN, Half
from checkers.gold.yaml_file import refuse
from checkers.naturalness import FREE_OF_ESCAPE, RATED, WITH_ESCAPE
from checkers.truth import FAULT_OF_CHANGE, Change
from salitrap.errors import InputError
from salitrap.records import (
    Candidate,
    Fault,
    Language,
    Niche,
    Origin,
    Seed,
    Triple,
    content_hash,
    sha256_text,
)
from salitrap.records.base import Record
from salitrap.yaml_source import read_yaml

Score = Annotated[int, Field(ge=1, le=5)]


class TruthForm(Record):
    """Whether the trap core still holds, and what happened to it."""

    holds: bool
    change: Change
    quote: MaybeText = ""

    @property
    def fault(self) -> Fault | None:
        """The fault that a right verdict names."""
        return FAULT_OF_CHANGE[self.change]


class AlignForm(Record):
    """Whether the request carries its trap, and whether there is no way round."""

    valid: bool
    no_escape: bool
    escape: MaybeText = ""

    @property
    def fault(self) -> Fault | None:
        """The fault that a right verdict names; a lost trap outweighs an escape."""
        if not self.valid:
            return Fault.TRAP_LOST
        return None if self.no_escape else Fault.SUBTASK_ESCAPE


class NatForm(Record):
    """Four scores of 1 to 5 and one yes or no."""

    everyday: Score
    concision: Score
    concealment: Score
    numeric_context: Score
    no_escape_wording: bool

    @property
    def mean(self) -> float:
        """The mean of five; the yes or no counts 5 or 1."""
        scores = [float(getattr(self, name)) for name in RATED]
        return (sum(scores) + (FREE_OF_ESCAPE if self.no_escape_wording else WITH_ESCAPE)) / 5.0


class _CandidateForm(Record):
    key: Text
    kind: Text = PLAIN
    truth: TruthForm
    align: AlignForm
    nat: NatForm
    rationale: MaybeText = ""
    prompt: Text


class _SeedForm(Record):
    key: Text
    dimension_tag: Text
    prompt: Text
    trap_core: Text
    ground_truth: Text
    candidates: tuple[_CandidateForm, ...] = Field(min_length=1)


class _FileForm(Record):
    language: Language
    labelled_by: Text
    seeds: tuple[_SeedForm, ...] = Field(min_length=1)


class GoldCandidate(Record):
    """One request with its verdicts; ``question`` is the seed's key, by which intervals are clustered."""

    candidate_id: str
    question: str
    language: Language
    dimension_tag: str
    prompt: str
    trap_core: str
    ground_truth: str
    seed_prompt: str
    truth: TruthForm
    align: AlignForm
    nat: NatForm
    labelled_by: tuple[str, ...]
    kind: str = PLAIN
    rationale: str = ""
    half: Half | None = None

    @property
    def view(self) -> CandidateView:
        """What a checker is shown; parts of a seed that no checker reads are left empty."""
        empty = Triple(tool="", object="", action=""), Niche(tool="", scene="", life_area="")
        seed = Seed(
            key=self.question,
            dimension_tag=self.dimension_tag,
            language=self.language,
            scenario=self.question,
            prompt=self.seed_prompt,
            trap_core=self.trap_core,
            ground_truth=self.ground_truth,
            injected_numbers=(),
            triple=empty[0],
            preserve=(),
            avoid=(),
            niche=empty[1],
        )
        candidate = Candidate(
            seed_id=seed.seed_id,
            parent_id=None,
            ordinal=0,
            depth=0,
            language=self.language,
            origin=Origin.SEED,
            strategy="",
            prompt=self.prompt,
            injected_numbers=(),
        )
        return CandidateView(seed, candidate)


class CandidateSet(Record):
    """Gold candidates, ordered by id."""

    name: str
    candidates: tuple[GoldCandidate, ...]

    @property
    def sha256(self) -> str:
        """Hash of the candidates and their verdicts."""
        return content_hash([one.model_dump(mode="json") for one in self.candidates])

    @property
    def labelled_by(self) -> tuple[str, ...]:
        """Everybody who labelled, in alphabetical order."""
        return tuple(sorted({name for one in self.candidates for name in one.labelled_by}))

    def part(
        self, *, half: Half | None = None, languages: Collection[Language] = (), limit: int | None = None
    ) -> CandidateSet:
        """Those of one half and of some languages, at most ``limit``; see ``GoldSet.part``."""
        kept = [one for one in self.candidates if half is None or one.half is half]
        kept = [one for one in kept if not languages or one.language in languages]
        if limit is not None and limit < len(kept):
            kept = sorted(kept, key=lambda one: sha256_text(one.candidate_id))[:limit]
            kept.sort(key=lambda one: one.candidate_id)
        return self.model_copy(update={"candidates": tuple(kept)})


def read_candidates(files: Sequence[Path], name: str) -> CandidateSet:
    """Read YAML files of gold candidates.

    Raises:
        InputError: a file is none, its first fault with line, seed, candidate and field, or an id twice.
    """
    found: dict[str, GoldCandidate] = {}
    places: dict[str, Path] = {}
    for path in files:
        for one in _read(path):
            if one.candidate_id in found:
                earlier = places[one.candidate_id]
                where = f" (earlier in {earlier})" if earlier != path else ""
                raise InputError(
                    f"{path}: candidate {one.candidate_id}: the key stands twice{where}; choose another"
                )
            found[one.candidate_id], places[one.candidate_id] = one, path
    return CandidateSet(name=name, candidates=tuple(found[key] for key in sorted(found)))


def _read(path: Path) -> list[GoldCandidate]:
    source = read_yaml(path)
    if source.value is None:
        raise InputError(f"{path}: the file is empty; give one with gold candidates")
    if not isinstance(source.value, dict) or "seeds" not in source.value:
        raise InputError(f"{path}: no gold candidates: expected a mapping with 'seeds'")
    try:
        form = _FileForm.model_validate(source.value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        refuse(source, tuple(first["loc"]), told(first))
    half = half_of(path)
    return [_record(form, seed, one, half) for seed in form.seeds for one in seed.candidates]


def _record(form: _FileForm, seed: _SeedForm, one: _CandidateForm, half: Half | None) -> GoldCandidate:
    return GoldCandidate(
        candidate_id=f"{seed.key}/{one.key}",
        question=seed.key,
        language=form.language,
        dimension_tag=seed.dimension_tag,
        prompt=one.prompt.strip(),
        trap_core=seed.trap_core.strip(),
        ground_truth=seed.ground_truth.strip(),
        seed_prompt=seed.prompt.strip(),
        truth=one.truth,
        align=one.align,
        nat=one.nat,
        labelled_by=(form.labelled_by,),
        kind=one.kind,
        rationale=one.rationale.strip(),
        half=half,
    )
