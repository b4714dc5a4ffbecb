"""What follows from prompts and domain files that differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from curation.changing.given import Change, Found, Given, in_words
from curation.changing.replies import Replies, counted
from curation.directory import Revision
from curation.directory.revisions import domain_fact
from curation.fingerprints import (
    certify_prompts,
    dialogue_prompts,
    refine_prompts,
    scale_fingerprint,
    scale_prompts,
)
from curation.registry import Registry
from curation.registry.queries import accepted_seeds
from curation.registry.waves import last_wave, newest_wave
from salitrap.records import Domain, Language, Origin, Role, Seed, Stage
from salitrap.settings import Settings

NOTHING = "nothing"
UNUSED = "only in a language that the run does not use: nothing is done again"
HASH_DIGITS = 8
SHOWN = 3
SHOWING_STRATEGIES = ("scale", "naturalise", "camouflage", "repair")
"""Prompts whose calls are shown a strategy's text."""


def prompt_changes(before: Mapping[str, str], given: Given, replies: Sequence[Replies]) -> Iterator[Found]:
    """Yield every prompt in use that differs in a language of the run, as ``prompt judge/en``."""
    old, new = _by_id(before), _by_id(given.prompts)
    for key in sorted({*old, *new}):
        prompt_id, language = key
        stages = _stages_of(prompt_id, given.settings)
        if stages and old.get(key) != new.get(key) and language in given.settings.languages:
            shown = (old.get(key, NOTHING), new.get(key, NOTHING))
            yield _of_prompt(key, shown, stages, replies)


def domain_changes(last: Revision, given: Given, registry: Registry | None) -> Iterator[Found]:
    """Yield every domain whose content differs; what differs in it is read from the registry's seeds."""
    before = {tag: fact.sha256 for tag, fact in last.domains.items()}
    now = {domain.tag: domain for domain in given.domains}
    hashes = {tag: domain_fact(domain).sha256 for tag, domain in now.items()}
    matters = _matters(last, given, registry)
    for tag in dict.fromkeys((*before, *now)):
        if before.get(tag) != hashes.get(tag):
            shown = (_short(before.get(tag)), _short(hashes.get(tag)))
            if matters:
                yield _of_domain(tag, now.get(tag), shown, given.settings.languages, registry)
            else:
                unused = Change(name=f"domain {tag}", before=shown[0], now=shown[1], consequence=UNUSED)
                yield Found(unused, lambda one: False)


def _stages_of(prompt_id: str, settings: Settings) -> tuple[Stage, ...]:
    used = {
        Stage.SCALE: scale_prompts(settings),
        Stage.REFINE: refine_prompts(settings),
        Stage.CERTIFY: certify_prompts(settings),
        Stage.DIALOGUES: dialogue_prompts(settings),
    }
    return tuple(stage for stage, prompts in used.items() if prompt_id in prompts)


def _matters(last: Revision, given: Given, registry: Registry | None) -> bool:
    """False when the domains say what they said, in the languages of the last revision."""
    if registry is None or given.settings.languages != last.settings.languages:
        return True
    return last_wave(registry, scale_fingerprint(last.settings, given.domains, last.prompts)) is None


def _by_id(prompts: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """``1 5559a5c0`` by id and language: version and start of the hash."""
    found = {}
    for name, sha256 in prompts.items():
        prompt_id, _, rest = name.partition("@")
        version, _, language = rest.partition("/")
        found[prompt_id, language] = f"@{version} {_short(sha256)}"
    return found


def _of_prompt(
    key: tuple[str, str], shown: tuple[str, str], stages: tuple[Stage, ...], replies: Sequence[Replies]
) -> Found:
    prompt_id, language = key
    uses = SHOWING_STRATEGIES if prompt_id == "strategies" else (prompt_id,)

    def loses(one: Replies) -> bool:
        return one.prompt_id in uses and one.prompt.endswith(f"/{language}")

    lost = counted(replies, loses)
    which = "calls that are shown it" if prompt_id == "strategies" else f"{prompt_id} calls in {language}"
    told = f"{which} are made again{in_words(lost, surely=prompt_id != 'strategies')}, and what rests on them"
    change = Change(
        name=f"prompt {prompt_id}/{language}",
        before=shown[0],
        now=shown[1],
        consequence=f"{told} is decided anew",
        anew=stages,
        lost=lost,
    )
    return Found(change, loses)


def _of_domain(
    tag: str,
    domain: Domain | None,
    shown: tuple[str, str],
    languages: Sequence[Language],
    registry: Registry | None,
) -> Found:
    known = _experts(registry, tag)
    wanted = {} if domain is None else {one.key: one for one in domain.seeds if one.language in languages}
    refused = _refused(registry)
    edited = [key for key, seed in wanted.items() if key in known and not _alike(seed, known[key])]
    added = [key for key, seed in wanted.items() if key not in known and seed.seed_id not in refused]
    gone = [key for key in known if key not in wanted]
    parts = [_listed(edited, "edited"), _listed(added, "new"), _listed(gone, "gone")]
    seeds = ", ".join(part for part in parts if part) or "its seeds are as they were"
    lost = {Role.GENERATOR: calls} if (calls := _batches(registry, tag)) else {}
    told = (
        f"{seeds}; other seeds keep their work; generator calls that are shown what changed are made again"
        f"{in_words(lost, surely=False)}"
    )
    change = Change(
        name=f"domain {tag}", before=shown[0], now=shown[1], consequence=told, anew=(Stage.SCALE,), lost=lost
    )
    return Found(change, lambda one: False)


def _experts(registry: Registry | None, tag: str) -> dict[str, Seed]:
    if registry is None:
        return {}
    wanted = (one for one in accepted_seeds(registry) if one.origin is Origin.EXPERT)
    return {one.key: one for one in wanted if one.dimension_tag == tag}


def _refused(registry: Registry | None) -> set[str]:
    """Identifiers of what scaling did not accept."""
    if registry is None:
        return set()
    query = "SELECT subject_id FROM rejections WHERE stage = 'scale'"
    return {row[0] for row in registry.connection.execute(query)}


def _alike(one: Seed, other: Seed) -> bool:
    return one.model_dump() == other.model_dump()


def _listed(keys: Sequence[str], what: str) -> str:
    """``2 seeds edited (a, b)``."""
    if not keys:
        return ""
    more = ", ..." if len(keys) > SHOWN else ""
    seeds = "seed" if len(keys) == 1 else "seeds"
    return f"{len(keys)} {seeds} {what} ({', '.join(keys[:SHOWN])}{more})"


def _batches(registry: Registry | None, tag: str) -> int:
    """Micro-batches asked for in a domain so far."""
    last = newest_wave(registry) if registry is not None else None
    return sum(cell.batches for cell in last.cells if cell.tag == tag) if last else 0


def _short(sha256: str | None) -> str:
    return NOTHING if sha256 is None else sha256[:HASH_DIGITS]
