"""Bring ``injected_numbers`` into line with the prompt, where only one thing can be meant.

Numerals of the prompt that are not listed are listed, in the order of the prompt. A listed number that the
prompt writes in another notation is listed as written there. A number that the prompt does not have is taken
off, but only when all numerals of the prompt are listed: otherwise it may be a misprint for one of them. It
stays when the prompt spells it out (two nights).

A part of a numeral of equal value is made whole (60 of 60%).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import yaml

from salitrap.settings import ScaleSettings
from salitrap.text import as_written, find_listed, find_numerals, missing_numbers, numeral_values
from seeds.document import SeedView
from seeds.edits import LINE_BREAK, Edit
from seeds.number_words import spelled_out
from seeds.reading import Reading
from seeds.structure import number_faults


@dataclass(frozen=True, slots=True)
class _Plan:
    """The new list: ``origins`` tells for each entry its index in the old one, None for a new entry."""

    entries: tuple[str, ...]
    origins: tuple[int | None, ...]


def number_edits(view: SeedView, reading: Reading, settings: ScaleSettings) -> tuple[Edit, ...]:
    """Edits of one list; empty when it is right, or when what to do is not clear."""
    prompt, listed = view.text("prompt"), view.raw.get("injected_numbers")
    node = reading.tree.nodes.get(view.at("injected_numbers"))
    if not prompt or not isinstance(listed, list) or not isinstance(node, yaml.SequenceNode):
        return ()
    if not _is_simple(node, listed, reading.text):
        return ()
    plan = _plan(prompt, tuple(str(entry) for entry in listed))
    if plan is None or plan.entries == tuple(listed) or not _is_right(plan, prompt, settings):
        return ()
    edits = (_flow_edits if node.flow_style else _block_edits)(node, plan, reading.text)
    return tuple(edits) if edits is not None else ()


def _is_simple(node: yaml.SequenceNode, listed: list[object], text: str) -> bool:
    """True for a list of scalars, each on one line, without tags and the like before them."""
    return (
        bool(listed or node.flow_style)
        and text[node.start_mark.index] in "[-"
        and all(isinstance(entry, str) for entry in listed)
        and all(_is_simple_entry(entry, text) for entry in node.value)
    )


def _is_simple_entry(node: yaml.Node, text: str) -> bool:
    if not isinstance(node, yaml.ScalarNode) or node.start_mark.line != node.end_mark.line:
        return False
    written = text[node.start_mark.index : node.end_mark.index]
    return written == node.value if node.style is None else written.startswith(node.style)


def _plan(prompt: str, listed: tuple[str, ...]) -> _Plan | None:
    """The list as it should be; None when that is not clear."""
    wanted = _in_notation(prompt, listed)
    surplus = _surplus(prompt, wanted)
    known = find_listed(prompt, wanted)
    unlisted = [numeral for numeral in find_numerals(prompt) if numeral not in known]
    if surplus and (unlisted or not all(_is_one_numeral(listed[index]) for index in surplus)):
        return None
    if any(spelled_out(listed[index], prompt) for index in surplus):
        return None
    kept = [index for index in range(len(wanted)) if index not in surplus]
    plan = _Plan(tuple(wanted[index] for index in kept), tuple(kept))
    for numeral in unlisted:
        before = [other.raw for other in find_numerals(prompt) if other.start < numeral.start]
        plan = _inserted(plan, numeral.raw, before)
    return plan


def _in_notation(prompt: str, listed: tuple[str, ...]) -> tuple[str, ...]:
    """Entries that are one numeral in the notation of the prompt; the others as they are."""
    written = as_written(prompt, listed)
    return tuple(
        there if (entry not in prompt or entry in there) and _is_one_numeral(entry) else entry
        for entry, there in zip(listed, written, strict=True)
    )


def _is_one_numeral(entry: str) -> bool:
    found = find_numerals(entry)
    whole = len(found) == 1 and found[0].raw == entry
    return (whole or not found) and len(numeral_values(entry)) == 1


def _surplus(prompt: str, wanted: tuple[str, ...]) -> tuple[int, ...]:
    """Indices of entries that the prompt lacks; of doubles the last ones."""
    absent = [index for index, entry in enumerate(wanted) if not entry.strip() or entry not in prompt]
    present = [index for index in range(len(wanted)) if index not in absent]
    for entry in missing_numbers([wanted[index] for index in present], prompt):
        absent.append(max(index for index in present if wanted[index] == entry and index not in absent))
    return tuple(sorted(absent))


def _inserted(plan: _Plan, raw: str, before: list[str]) -> _Plan:
    """The plan with ``raw`` behind the entries for ``before``, the numerals that the prompt has before it."""
    place, left = 0, list(before)
    for index, entry in enumerate(plan.entries):
        if entry in left:
            left.remove(entry)
            place = index + 1
    entries, origins = list(plan.entries), list[int | None](plan.origins)
    entries.insert(place, raw)
    origins.insert(place, None)
    return replace(plan, entries=tuple(entries), origins=tuple(origins))


def _is_right(plan: _Plan, prompt: str, settings: ScaleSettings) -> bool:
    """True when the new list leaves nothing to be said about it."""
    known = find_listed(prompt, plan.entries)
    complete = all(numeral in known for numeral in find_numerals(prompt))
    return complete and not any(True for _ in number_faults(prompt, plan.entries, settings))


def _flow_edits(node: yaml.SequenceNode, plan: _Plan, text: str) -> list[Edit] | None:
    """Edits of ``["6", "40"]``."""
    spans = [(entry.start_mark.index, entry.end_mark.index) for entry in node.value]
    if not spans:
        at = node.start_mark.index + 1
        return [Edit(at, at, ", ".join(f'"{entry}"' for entry in plan.entries))]
    edits = _rewritten(node, plan)
    last: int | None = None
    for entry, origin in zip(plan.entries, plan.origins, strict=True):
        if origin is not None:
            last = origin
        elif last is not None:
            edits.append(Edit(spans[last][1], spans[last][1], f', "{entry}"'))
        else:
            edits.append(Edit(spans[0][0], spans[0][0], f'"{entry}", '))
    for index in (index for index in range(len(spans)) if index not in plan.origins):
        following = index + 1 < len(spans)
        start, end = (
            (spans[index][0], spans[index + 1][0]) if following else (spans[index - 1][1], spans[index][1])
        )
        if "#" in text[start : spans[index][0]] + text[spans[index][1] : end] or LINE_BREAK.search(
            text, start, end
        ):
            return None
        edits.append(Edit(start, end, ""))
    return _joined(edits)


def _block_edits(node: yaml.SequenceNode, plan: _Plan, text: str) -> list[Edit] | None:
    """Edits of a list with one entry to a line."""
    lines = [_line_of(text, entry.start_mark.index) for entry in node.value]
    starts = [
        text[start : entry.start_mark.index] for (start, _), entry in zip(lines, node.value, strict=True)
    ]
    if len(set(starts)) != 1 or starts[0].strip() != "-":
        return None
    edits, last = _rewritten(node, plan), None
    for entry, origin in zip(plan.entries, plan.origins, strict=True):
        if origin is not None:
            last = origin
        elif last is not None:
            edits.append(Edit(lines[last][1], lines[last][1], f'\n{starts[0]}"{entry}"'))
        else:
            edits.append(Edit(lines[0][0], lines[0][0], f'{starts[0]}"{entry}"\n'))
    for index in (index for index in range(len(lines)) if index not in plan.origins):
        start, end = lines[index]
        if text[node.value[index].end_mark.index : end].strip():
            return None
        found = LINE_BREAK.match(text, end)
        edits.append(Edit(start, found.end() if found else end, ""))
    return _joined(edits)


def _rewritten(node: yaml.SequenceNode, plan: _Plan) -> list[Edit]:
    """Entries in another notation."""
    pairs = [
        (node.value[origin], entry)
        for entry, origin in zip(plan.entries, plan.origins, strict=True)
        if origin is not None
    ]
    return [
        Edit(old.start_mark.index, old.end_mark.index, f'"{entry}"')
        for old, entry in pairs
        if old.value != entry
    ]


def _joined(edits: list[Edit]) -> list[Edit]:
    """Edits with those that insert at the same place put into one, in order."""
    joined: dict[tuple[int, int], str] = {}
    for edit in edits:
        joined[(edit.start, edit.end)] = joined.get((edit.start, edit.end), "") + edit.new
    return [Edit(start, end, new) for (start, end), new in joined.items()]


def _line_of(text: str, index: int) -> tuple[int, int]:
    """Span of the line that holds a character, without its break."""
    start = max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1
    found = LINE_BREAK.search(text, index)
    return start, found.start() if found else len(text)
