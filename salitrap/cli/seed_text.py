"""One seed for reading, with its trap core and numbers highlighted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

    from salitrap.records import Domain, Seed

_STYLES = {"trap core": "bold magenta", "ground truth": "green"}
_LABEL_STYLE = "bold"
_NUMBER_STYLE = "bold cyan"


def seed_texts(domain: Domain, seed: Seed) -> list[Text]:
    """What ``show`` prints, field by field; styles need a terminal, the words do not."""
    from rich.text import Text

    prompt = Text(visible(seed.prompt))
    for start, end in _number_spans(seed):
        prompt.stylize(_NUMBER_STYLE, start, end)
    triple, niche = seed.triple, seed.niche
    return [
        Text(visible(seed.scenario), style=_LABEL_STYLE),
        _field("key", seed.key),
        _field("seed_id", seed.seed_id),
        _field("dimension", f"{domain.tag}, {domain.name[seed.language]}"),
        _field("language", seed.language.value),
        Text("prompt:", style=_LABEL_STYLE),
        prompt,
        _field("trap core", seed.trap_core),
        _field("ground truth", seed.ground_truth),
        _field("numbers", " | ".join(seed.injected_numbers), _NUMBER_STYLE),
        _field("triple", " / ".join((triple.tool, triple.object, triple.action))),
        _field("niche", " / ".join((niche.tool, niche.scene, niche.life_area))),
        _field("preserve", " | ".join(seed.preserve)),
        _field("avoid", " | ".join(seed.avoid)),
    ]


def visible(text: str, keep: str = "\n") -> str:
    """``text`` with control characters replaced one by one, so that no file can steer the terminal."""
    return "".join(char if char in keep or not _is_control(char) else "\ufffd" for char in text)


def _is_control(char: str) -> bool:
    return ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0


def _field(label: str, value: str, style: str = "") -> Text:
    from rich.text import Text

    return Text.assemble((f"{label}: ", _LABEL_STYLE), (visible(value), style or _STYLES.get(label, "")))


def _number_spans(seed: Seed) -> list[tuple[int, int]]:
    """Where the listed numbers stand in the prompt, each place once."""
    from salitrap.text import find_numerals, numeral_values

    left = [value for entry in seed.injected_numbers for value in numeral_values(entry)]
    spans = []
    for numeral in find_numerals(seed.prompt):
        if numeral.value in left:
            left.remove(numeral.value)
            spans.append((numeral.start, numeral.end))
    return spans
