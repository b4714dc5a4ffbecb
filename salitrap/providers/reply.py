"""What a call gives back to whoever asked."""

from __future__ import annotations

from dataclasses import dataclass

from salitrap.providers.endpoint import Endpoint
from salitrap.providers.journal.store import Stored
from salitrap.providers.money.spend import Totals
from salitrap.providers.request import CallRequest
from salitrap.records.enums import Outcome
from salitrap.records.provenance import Provenance

LAB_FINGERPRINT = "salitrap-lab"


@dataclass(frozen=True, slots=True)
class Reply:
    """The end of one call, from the network or from the journal.

    ``booked`` is how it stands in the ledger; ``settled`` says that it has been parsed before;
    ``from_journal`` that nothing was sent for it.
    """

    row_id: int
    key: str
    endpoint: Endpoint
    outcome: Outcome
    detail: str
    text: str
    reasoning: str
    returned_model: str
    simulated: bool
    booked: Totals
    settled: bool
    from_journal: bool = False

    @classmethod
    def stored(cls, found: Stored, endpoint: Endpoint) -> Reply:
        """A usable reply of the journal, as it is found there."""
        return cls(
            row_id=found.row_id,
            key=found.key,
            endpoint=endpoint,
            outcome=Outcome.OK,
            detail="",
            text=found.text,
            reasoning=found.reasoning,
            returned_model=found.returned_model,
            simulated=found.simulated,
            booked=found.booked,
            settled=found.settled,
            from_journal=True,
        )

    def provenance(self, request: CallRequest) -> Provenance:
        """Where this reply came from."""
        prompt = request.prompt
        return Provenance(
            model=self.endpoint.spec.text,
            returned_model=self.returned_model,
            prompt="" if prompt is None else str(prompt),
            prompt_sha256="" if prompt is None else prompt.sha256,
            call_key=self.key,
            simulated=self.simulated,
        )
