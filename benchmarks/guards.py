"""How often the guards of wording and objects refuse gold candidates, by kind, and texts about another thing.

    python -m benchmarks.guards

Gold candidates are written anew around their seed's trap, so figures, length and copies say nothing of them;
the guards that read words do. Which rule the guard ``trap_objects`` should have is shown beside: a fault when
any named thing is missing, or when all are. ``foreign`` are the prompts of all other shipped seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from checkers.gold.loader import shipped_candidates
from checkers.guards import GuardView, escape_wording, meta_wording, patch_wording
from salitrap.records import Candidate, Language, Niche, Origin, Seed, Triple
from salitrap.text.mentions import mentions
from seeds import load_domains

TRIPLES = Path(__file__).parent / "data" / "gold_triples.yaml"
WORDING = (escape_wording.GUARD, patch_wording.GUARD, meta_wording.GUARD)
BROKEN = ("patched", "swapped", "lost")
COLUMNS = ("any missing", "all missing", *(guard.name for guard in WORDING))


class Case(NamedTuple):
    """A text held against a seed; ``kind`` is what it is."""

    kind: str
    seed: Seed
    text: str


def gold() -> Iterator[Case]:
    triples = yaml.safe_load(TRIPLES.read_text("utf-8"))
    for one in shipped_candidates().candidates:
        tool, thing = triples[one.question]
        yield Case(one.kind, _seed(one.seed_prompt, one.trap_core, one.language, tool, thing), one.prompt)


def foreign() -> Iterator[Case]:
    seeds = [seed for domain in load_domains(("builtin",)) for seed in domain.seeds]
    for seed in seeds:
        for other in seeds:
            if other is not seed and other.language is seed.language:
                yield Case(f"foreign ({seed.language.value})", seed, other.prompt)


def _seed(prompt: str, core: str, language: Language, tool: str, thing: str) -> Seed:
    return Seed(
        key="gold", dimension_tag="D1", language=language, scenario="", prompt=prompt, trap_core=core,
        ground_truth="", injected_numbers=(), triple=Triple(tool=tool, object=thing, action=""),
        preserve=(), avoid=(), niche=Niche(tool=tool, scene="", life_area=""),
    )  # fmt: skip


def refusals(case: Case) -> Iterator[str]:
    seed = case.seed
    named = [name for name in (seed.triple.tool, seed.triple.object)
             if mentions(seed.prompt, name, seed.language)]  # fmt: skip
    missing = [name for name in named if not mentions(case.text, name, seed.language)]
    if missing:
        yield "any missing"
    if missing and missing == named:
        yield "all missing"
    view = GuardView(seed, _first(seed), case.text, (0, 10**6))
    yield from (guard.name for guard in WORDING if guard.find(view))


def _first(seed: Seed) -> Candidate:
    return Candidate(
        seed_id=seed.seed_id, parent_id=None, ordinal=0, depth=0, language=seed.language,
        origin=Origin.SEED, strategy="", prompt=seed.prompt, injected_numbers=(),
    )  # fmt: skip


def main() -> None:
    cases = [*gold(), *foreign()]
    totals = Counter(case.kind for case in cases)
    counts = Counter((case.kind, name) for case in cases for name in refusals(case))
    print(f"| kind | texts | {' | '.join(COLUMNS)} |")
    print(f"|---|---|{'---|' * len(COLUMNS)}")
    for kind, total in totals.items():
        told = f"{kind} (trap broken)" if kind in BROKEN else kind
        print(f"| {told} | {total} | {' | '.join(str(counts[kind, name]) for name in COLUMNS)} |")


if __name__ == "__main__":
    main()
