"""Early stopping never changes the outcome, makes the same repeats everywhere, and marks the rate."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from curation.certify.early import decided, wave
from curation.certify.stability import is_known, stability_of_repeats
from salitrap.records import Judgement, Label, LabelStatus, Status
from salitrap.settings import CertifySettings, ValidateSettings
from tests.curation.test_certify import Repeats, pool
from tests.curation.world import programs, seed, settings

HF = Label.HARD_FAIL
VALIDATION = ValidateSettings()
KINDS = {"like": HF, "unlike": Label.PASS, "none": None}


def judged(*labels: Label | None) -> list[Judgement]:
    status = {True: LabelStatus.OK, False: LabelStatus.JUDGE_UNRESOLVED}
    return [
        Judgement(candidate_id="c", repeat=number, status=status[label is not None], label=label)
        for number, label in enumerate(labels, 1)
    ]


def stopped_at(labels: tuple[Label | None, ...], chosen: CertifySettings) -> int:
    """How many repeats are made of a sequence that would go on."""
    made = 0
    while made < chosen.repeats and not decided(HF, judged(*labels[:made]), chosen, VALIDATION):
        made += wave(HF, judged(*labels[:made]), chosen, VALIDATION)
    return made


@pytest.mark.parametrize("rule", ["majority", "lower-bound"])
@pytest.mark.parametrize("repeats", [1, 2, 3, 4, 5, 6, 7])
def test_the_outcome_is_that_of_all_repeats_for_every_sequence(rule: Any, repeats: int) -> None:
    chosen = CertifySettings(rule=rule, repeats=repeats, early_stop=True)
    for labels in product(KINDS.values(), repeat=repeats):
        made = stopped_at(labels, chosen)
        whole = stability_of_repeats("c", HF, judged(*labels), chosen, VALIDATION)
        part = stability_of_repeats("c", HF, judged(*labels[:made]), chosen, VALIDATION)
        assert part.stable is whole.stable, labels
        assert _known(part, chosen) is is_known(whole), labels
        assert part.stopped_early is (made < repeats)


def _known(part: Any, chosen: CertifySettings) -> bool:
    """Known by the rule for all repeats, though fewer were made."""
    return (len(part.labels) - part.unscored) * 2 > chosen.repeats


def test_it_stops_where_it_should() -> None:
    majority = CertifySettings(early_stop=True)
    assert stopped_at((HF,) * 5, majority) == 3
    assert stopped_at((HF, Label.PASS, HF, Label.PASS, HF), majority) == 5
    assert stopped_at((Label.PASS,) * 5, majority) == 3
    bound = CertifySettings(rule="lower-bound", early_stop=True)
    assert stopped_at((HF,) * 5, bound) == 5
    assert stopped_at((None, None, None, HF, HF), majority) == 3


async def certified(labels: list[str], **changes: Any) -> Any:
    from curation.certify import CertifyStage
    from curation.stage import run_to_end as certify
    from curation.tools import Tools

    repeats = Repeats({"text 0": labels})
    stage = CertifyStage(Tools(repeats.access, programs(), settings(certify=changes)))
    return await certify(stage, stage.first(seed(), pool(4.0))), repeats


async def test_repeats_beyond_the_decision_are_not_paid_and_the_item_says_so() -> None:
    from curation.certify.outcome import item_of

    state, repeats = await certified(["fails"] * 5, early_stop=True)
    assert sorted(repeat for _, _, repeat in repeats.access.messages) == [1, 2, 3]
    (tested,) = state.tested
    assert tested.stability.stable and tested.stability.stopped_early
    assert item_of(seed(), tested, pool(4.0)).stability_stopped_early
    whole, every = await certified(["fails"] * 5)
    assert len(every.access.messages) == 5
    assert not item_of(seed(), whole.tested[0], pool(4.0)).stability_stopped_early


async def test_unstable_stays_unstable_and_unknown_stays_unknown() -> None:
    from curation.certify.outcome import outcome

    for labels, status in (
        (["passes"] * 5, Status.UNSTABLE),
        (["silent", "silent", "silent", "fails", "fails"], Status.UNSETTLED),
    ):
        found = {}
        for early in (False, True):
            state, _ = await certified(labels, early_stop=early)
            events = outcome(state, pool(4.0), "f").events
            found[early] = [one.payload["status"] for one in events if one.kind == "decision"]
        assert found[True] == found[False] == [status.value]
