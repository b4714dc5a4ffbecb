"""Mutation, naturalising, camouflage and repair: new wording around unchanged figures.

What a strategy does to a text is a ``Style``; sentences come from the phrase banks, so that the
lab's checkers and solvers recognise them. Planted faults are visible in the text.
"""

from __future__ import annotations

from dataclasses import dataclass

from salitrap.lab.draws import Draw
from salitrap.lab.phrases import Phrases, load_phrases
from salitrap.lab.request import Ask
from salitrap.lab.tasks.faulty_rewrite import Flaw, draw_flaw, spoil
from salitrap.lab.tasks.sentences import is_question, lower_first, sentences
from salitrap.lab.tasks.wording import swap_words
from salitrap.lab.world.compose import Filler
from salitrap.lab.world.table import load_table
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
    body = _stripped(sentences(prompt, language), style, draw, phrases)
    tail = [sentence for sentence in body[-2:] if is_question(sentence)]
    body = body[: len(body) - len(tail)]
    body = _reordered(body, style, draw, phrases, language)
    body = _merged(body, style, draw, phrases, language)
    entry = load_table(language).recognise(prompt)
    names = tuple(key.casefold() for key in entry.keys) if entry else ()
    body = [swap_words(sentence, names, phrases, draw) for sentence in body]
    tail = [swap_words(sentence, names, phrases, draw) for sentence in tail]
    if style.numbers:
        body = [*body, Filler(draw, {}).fill(draw.pick("number-sentence", phrases.number_sentences))]
    if style.alternative:
        tail = [*tail, *_fresh("alternative", phrases.alternatives, prompt, draw)]
    return _assembled(body, tail, _additions(prompt, style, draw, phrases), phrases)


def _stripped(parts: list[str], style: Style, draw: Draw, phrases: Phrases) -> list[str]:
    dropped = {*phrases.openers, *phrases.scenes, *phrases.closers, *phrases.pressure}
    if not draw.chance("keep-stilted", style.keep_stilted):
        dropped |= set(phrases.stilted)
    return [part for part in parts if part not in dropped]


def _reordered(body: list[str], style: Style, draw: Draw, phrases: Phrases, language: Language) -> list[str]:
    """Exchange two neighbours when the later one does not lean on the earlier one."""
    spots = [index for index in range(1, len(body) - 1) if _stands_alone(body[index + 1], phrases, language)]
    if not spots or not draw.chance("reorder", style.reorder):
        return body
    spot = draw.pick("reorder-at", spots)
    return [*body[:spot], body[spot + 1], body[spot], *body[spot + 2 :]]


def _stands_alone(sentence: str, phrases: Phrases, language: Language) -> bool:
    if language is Language.ZH:
        return not sentence.startswith(phrases.unmovable)
    return sentence.split(" ", 1)[0].strip(",") not in phrases.unmovable


def _merged(body: list[str], style: Style, draw: Draw, phrases: Phrases, language: Language) -> list[str]:
    """Join one pair of short neighbours into a sentence."""
    spots = [
        index
        for index in range(len(body) - 1)
        if body[index][-1:] in ".。"
        and (language is Language.ZH or body[index + 1].split(" ", 1)[0] in phrases.mergeable)
    ]
    if not spots or not draw.chance("merge", style.merge):
        return body
    spot = draw.pick("merge-at", spots)
    first, second = body[spot][:-1], body[spot + 1]
    joined = f"{first}，{second}" if language is Language.ZH else f"{first}, and {lower_first(second)}"
    return [*body[:spot], joined, *body[spot + 2 :]]


def _additions(prompt: str, style: Style, draw: Draw, phrases: Phrases) -> dict[str, list[str]]:
    """New sentences by place, at least one; none that the parent has already."""
    shares = {"scene": style.scene, "opener": style.opener, "closer": style.closer}
    banks = {"scene": phrases.scenes, "opener": phrases.openers, "closer": phrases.closers}
    chosen = {
        name: _fresh(name, banks[name], prompt, draw)
        for name, share in shares.items()
        if draw.chance(name, share)
    }
    camouflage = _fresh("camouflage", phrases.camouflage, prompt, draw, style.camouflage)
    if not chosen and not camouflage:
        chosen = {"scene": _fresh("scene", phrases.scenes, prompt, draw)}
    return {"scene": [], "opener": [], "closer": [], **chosen, "camouflage": camouflage}


def _assembled(body: list[str], tail: list[str], added: dict[str, list[str]], phrases: Phrases) -> str:
    """The longest version that is within bounds: scene, opener and closer go first."""
    text = ""
    for left_out in ((), ("scene",), ("scene", "opener"), ("scene", "opener", "closer")):
        new = {name: [] if name in left_out else part for name, part in added.items()}
        start = [*new["opener"], *body[:1], *new["scene"], *body[1:]]
        text = phrases.join([*start, *new["camouflage"], *tail, *new["closer"]])
        if len(text) <= phrases.longest:
            break
    return text


def _fresh(name: str, bank: tuple[str, ...], prompt: str, draw: Draw, count: int = 1) -> list[str]:
    return [entry for entry in draw.order(f"{name}-which", bank) if entry not in prompt][:count]
