"""Mutation, naturalising, camouflage and repair: new wording around unchanged figures.

What a strategy does to a text is a ``Style``; sentences come from the phrase banks, so that the
lab's checkers and solvers recognise them. Planted faults are visible in the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from salitrap.lab.draws import Draw
from salitrap.lab.phrases import Phrases, found, load_phrases
from salitrap.lab.request import Ask
from salitrap.lab.tasks.faulty_rewrite import Flaw, draw_flaw, spoil
from salitrap.lab.tasks.sentences import is_question, lower_first, sentences
from salitrap.lab.tasks.wording import swap_words
from salitrap.lab.world.compose import Filler
from salitrap.lab.world.table import load_table
from salitrap.lab.world.wordings import reworded
from salitrap.records.enums import Language


@dataclass(frozen=True, slots=True)
class Style:
    """Chances of the single changes; ``camouflage`` is a number of phrases."""

    opener: float = 0.3
    scene: float = 0.4
    closer: float = 0.4
    reorder: float = 0.3
    merge: float = 0.2
    keep_stilted: float = 0.0
    camouflage: int = 0
    alternative: bool = False
    numbers: bool = False


LONGEST_MERGED = {Language.EN: 135, Language.ZH: 45}
"""Characters of two sentences that may become one."""

REWORD_SHARE = 0.7
"""Chance that a sentence of the table comes in another of its wordings."""

FEWEST_NEW = 2
"""Sentences that a rewrite adds at least; with one, the versions of a seed are all but the same."""

CAMOUFLAGE = ("camouflage", "alternatives")

MUTATE = Style(opener=0.6, scene=0.7, closer=0.4, reorder=0.8, keep_stilted=0.5)
STYLES = {
    "keep_bait_simplify": Style(opener=0.3, scene=0.2, merge=0.9),
    "natural_scene": Style(scene=1.0, opener=0.5),
    "less_patchiness": Style(merge=1.0, scene=0.5),
    "refocus_question": Style(closer=1.0, opener=0.6),
    "remove_odd_constraints": Style(scene=0.5, closer=0.6),
    "realistic_role": Style(opener=1.0, scene=0.5),
    "clarify_binding": Style(opener=0.5, merge=0.6, scene=0.5),
    "decision_alternative": Style(camouflage=1, alternative=True),
    "relevant_numbers": Style(camouflage=1, numbers=True),
    "hide_in_task": Style(camouflage=2, reorder=0.7),
    "avoid_pressure": Style(camouflage=1, scene=0.6, merge=0.5),
}


def rewrite(ask: Ask) -> dict[str, object]:
    """Answer a rewriting request with ``{"rewritten": text}``; without a flaw it differs from the prompt."""
    prompt, phrases = ask.said("prompt"), load_phrases(ask.language)
    flaw = draw_flaw(ask.draw)
    if flaw is Flaw.COPY:
        return {"rewritten": prompt}
    text = restyled(prompt, _style(ask), ask.draw, phrases, ask.language)
    return {"rewritten": spoil(text, flaw, ask, phrases)}


def _style(ask: Ask) -> Style:
    strategy = ask.said("strategy").strip()
    for name, style in STYLES.items():
        if strategy.startswith(name):
            return style
    return Style() if strategy else MUTATE


def restyled(prompt: str, style: Style, draw: Draw, phrases: Phrases, language: Language) -> str:
    """``prompt`` in other words; every figure stays."""
    entry = load_table(language).recognise(prompt)
    names = tuple(key.casefold() for key in entry.keys) if entry else ()
    kept = _renewed(_stripped(sentences(prompt, language), style, draw, phrases), prompt, draw, phrases)
    added = _additions("".join((prompt, *kept)), style, draw, phrases)
    body, tail = _parted(kept)
    body = _reordered(body, names, style, draw, phrases, language)
    body, tail = ([_worded(part, names, phrases, draw, language) for part in parts] for parts in (body, tail))
    body = _merged(body, style, draw, phrases, language)
    if style.numbers:
        body = [*body, Filler(draw, {}).fill(draw.pick("number-sentence", phrases.number_sentences))]
    places = _places(body, tail, bool(names), draw, phrases, language)
    return _assembled(body, tail, added, places, phrases)


def _stripped(parts: list[str], style: Style, draw: Draw, phrases: Phrases) -> list[str]:
    dropped = {*phrases.openers, *phrases.scenes, *phrases.closers, *phrases.pressure}
    if not draw.chance("keep-stilted", style.keep_stilted):
        dropped |= set(phrases.stilted)
    return [part for part in parts if part not in dropped]


def _renewed(parts: list[str], prompt: str, draw: Draw, phrases: Phrases) -> list[str]:
    """Camouflage of the parent becomes other camouflage of the same bank, as much of it as before.

    Otherwise the versions of a seed would all carry the same stock sentence.
    """
    for name in CAMOUFLAGE:
        bank: tuple[str, ...] = getattr(phrases, name)
        fresh = iter(_fresh(name, bank, prompt, draw, len(bank)))
        parts = [next(fresh, part) if part in bank else part for part in parts]
    return parts


def _parted(parts: list[str]) -> tuple[list[str], list[str]]:
    """What comes before the closing question, and the question with what follows it."""
    last = range(max(len(parts) - 2, 0), len(parts))
    at = next((index for index in last if is_question(parts[index])), len(parts))
    return parts[:at], parts[at:]


def _reordered(
    body: list[str], names: tuple[str, ...], style: Style, draw: Draw, phrases: Phrases, language: Language
) -> list[str]:
    """Exchange the first two sentences when the second one names the plan and does not lean on the first.

    Only in texts of the table: in those of others nobody knows which sentence refers to which.
    """
    if not names or len(body) < 3 or not draw.chance("reorder", style.reorder):
        return body
    told = all(name in body[1].casefold() for name in names)
    return [body[1], body[0], *body[2:]] if told and _stands_alone(body[1], phrases, language) else body


def _stands_alone(sentence: str, phrases: Phrases, language: Language) -> bool:
    if language is Language.ZH:
        return not (sentence.startswith(phrases.unmovable) or found(phrases.pronouns, sentence))
    words = [word.strip(".,;:") for word in sentence.split()]
    return words[0] not in phrases.unmovable and not set(phrases.pronouns) & set(map(str.lower, words))


def _merged(body: list[str], style: Style, draw: Draw, phrases: Phrases, language: Language) -> list[str]:
    """Join one pair of short neighbours into a sentence."""
    spots = [index for index, pair in enumerate(pairwise(body)) if _mergeable(*pair, phrases, language)]
    if not spots or not draw.chance("merge", style.merge):
        return body
    spot = draw.pick("merge-at", spots)
    first, second = body[spot][:-1], body[spot + 1]
    joined = f"{first}；{second}" if language is Language.ZH else f"{first}, and {lower_first(second)}"
    return [*body[:spot], joined, *body[spot + 2 :]]


def _mergeable(first: str, second: str, phrases: Phrases, language: Language) -> bool:
    if len(first) + len(second) > LONGEST_MERGED[language] or first[-1:] not in ".。":
        return False
    if _is_stock(first, phrases) or _is_stock(second, phrases):
        return False
    return language is Language.ZH or second.split(" ", 1)[0] in phrases.mergeable


def _is_stock(sentence: str, phrases: Phrases) -> bool:
    """A sentence by which the lab's checkers and solvers recognise something; it stays as it is."""
    banks = (phrases.camouflage, phrases.alternatives, phrases.stilted, phrases.patches, phrases.escapes)
    return any(sentence in bank for bank in banks)


def _worded(sentence: str, names: tuple[str, ...], phrases: Phrases, draw: Draw, language: Language) -> str:
    """``sentence`` in other words, unless it is stock."""
    if _is_stock(sentence, phrases):
        return sentence
    if names and draw.chance(f"reword/{sentence}", REWORD_SHARE):
        sentence = reworded(sentence, draw, language)
    return swap_words(sentence, names, phrases, draw)


def _additions(taken: str, style: Style, draw: Draw, phrases: Phrases) -> dict[str, list[str]]:
    """New sentences by place, at least ``FEWEST_NEW``; none that ``taken`` has already."""
    shares = {"scene": style.scene, "opener": style.opener, "closer": style.closer}
    banks = {"scene": phrases.scenes, "opener": phrases.openers, "closer": phrases.closers}
    camouflage = _fresh("camouflage", phrases.camouflage, taken, draw, style.camouflage)
    if style.alternative:
        camouflage += _fresh("alternatives", phrases.alternatives, taken, draw)
    kinds = [name for name, share in shares.items() if draw.chance(name, share)]
    missing = max(FEWEST_NEW - len(kinds) - len(camouflage), 0)
    kinds += [name for name in draw.order("more", list(shares)) if name not in kinds][:missing]
    chosen = {name: _fresh(name, banks[name], taken, draw) for name in kinds}
    return {"scene": [], "opener": [], "closer": [], **chosen, "camouflage": camouflage}


def _places(
    body: list[str], tail: list[str], known: bool, draw: Draw, phrases: Phrases, language: Language
) -> tuple[int, int]:
    """Before which sentences of ``body`` the scene and the camouflage go: not where a word leans back.

    In texts of others the scene comes first; the camouflage comes last, unless the question begins with a
    word that refers to the sentence before it.
    """
    inside = known and len(body) > 1 and _stands_alone(body[1], phrases, language)
    scene = 1 if inside and draw.chance("scene-inside", 0.5) else 0
    close = not known and len(body) > 1 and bool(tail) and tail[0].startswith(phrases.unmovable)
    return scene, len(body) - close


def _assembled(
    body: list[str], tail: list[str], added: dict[str, list[str]], places: tuple[int, int], phrases: Phrases
) -> str:
    """The longest version that is within bounds: scene, opener and closer go first."""
    text, (scene, hidden) = "", places
    for left_out in ((), ("scene",), ("scene", "opener"), ("scene", "opener", "closer")):
        new = {name: [] if name in left_out else part for name, part in added.items()}
        start = [*new["opener"], *body[:scene], *new["scene"], *body[scene:hidden]]
        text = phrases.join([*start, *new["camouflage"], *body[hidden:], *tail, *new["closer"]])
        if len(text) <= phrases.longest:
            break
    return text


def _fresh(name: str, bank: tuple[str, ...], taken: str, draw: Draw, count: int = 1) -> list[str]:
    return [entry for entry in draw.order(f"{name}-which", bank) if entry not in taken][:count]
