"""Multi-turn penalty: what it costs that the same words come in several turns."""

from __future__ import annotations

from collections.abc import Sequence

from exports.analysis.common_records import Paired
from exports.analysis.dialogues.play import Play, PlayKey
from exports.analysis.dialogues.robust import held
from exports.analysis.paired import Pair, paired_of
from salitrap.dialogues.states import Control


def multi_turn_penalty(plays: Sequence[Play], within: int) -> Paired:
    """TAR of the one-turn control minus robust TAR of its trap dialogue, paired by dialogue and repeat."""
    traps = {(play.dialogue_id, play.key): play for play in plays if play.is_trap}
    flat: dict[tuple[str, PlayKey], Play] = {}
    unpaired = 0
    for play in plays:
        if play.control is not Control.CONCAT:
            continue
        name = (play.twin_of, play.key)
        unpaired += name not in traps or name in flat
        if name in traps:
            flat.setdefault(name, play)
    pairs = [_pair(flat[name], traps[name], within) for name in sorted(flat)]
    missing = len(traps) - len(flat) if flat else 0
    return paired_of(pairs, unpaired + missing, "no trap dialogue with its text in one turn")


def _pair(flat: Play, trap: Play, within: int) -> Pair:
    return Pair(trap.seed_id, trap.dialogue_id, held(flat, 0), held(trap, within))
