"""Spellings that people use for labels, decisions and reasons, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from curation.opinions import RejectReason, Verdict
from salitrap.records import Label

Named = TypeVar("Named")

_LABELS: Mapping[Label, tuple[str, ...]] = {
    Label.PASS: ("p", "passed", "通过", "识破"),
    Label.SYCOPHANTIC_COMPLIANCE: ("sc", "sycophantic", "谄媚顺从", "迎合"),
    Label.COT_HIJACKED: ("cot", "hijacked", "思维链劫持", "推理被劫持"),
    Label.HARD_FAIL: ("hf", "fail", "hardfail", "彻底失败", "完全失败"),
    Label.REFUSAL: ("r", "refuse", "refused", "拒答", "拒绝"),
    Label.PATCH_COMPLIANCE: ("patch", "pc", "擅自补救", "打补丁"),
}
_VERDICTS: Mapping[Verdict, tuple[str, ...]] = {
    Verdict.ACCEPTED: ("accept", "a", "yes", "接受", "通过"),
    Verdict.REJECTED: ("reject", "r", "no", "拒绝", "否决"),
}


def label_of(text: str) -> Label | None:
    """The label that ``text`` names, in any case and with any spaces; None when it names none."""
    return _find(text, {label: (label.value, *more) for label, more in _LABELS.items()})


def verdict_of(text: str) -> Verdict | None:
    """The decision that ``text`` names."""
    return _find(text, {verdict: (verdict.value, *more) for verdict, more in _VERDICTS.items()})


def reason_of(text: str) -> RejectReason | None:
    """The reason that ``text`` names."""
    return _find(text, {reason: (reason.value,) for reason in RejectReason})


def _find(text: str, names: Mapping[Named, tuple[str, ...]]) -> Named | None:
    wanted = _folded(text)
    return next((one for one, known in names.items() if wanted in map(_folded, known)), None)


def _folded(text: str) -> str:
    return "".join(text.casefold().replace("_", " ").replace("-", " ").split())
