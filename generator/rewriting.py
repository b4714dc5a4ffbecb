"""What the programs that rewrite have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from salitrap.providers.access import Asked
from salitrap.records.candidate import Candidate
from salitrap.records.provenance import Provenance
from salitrap.records.seed import Seed
from salitrap.text import locate_numbers


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A new prompt text and the call it came from."""

    prompt: str
    provenance: Provenance


def rewriting_inputs(seed: Seed, parent: Candidate) -> dict[str, Any]:
    """Input fields shared by mutation and refinement.

    The figures listed are all of the parent's, which may have more than the seed: a child has to
    keep those as well.
    """
    return {
        "prompt": parent.prompt,
        "trap_core": seed.trap_core,
        "injected_numbers": list(locate_numbers(parent.prompt, seed.injected_numbers)),
        "preserve": list(seed.preserve),
        "avoid": list(seed.avoid),
    }


def rewrite_of(asked: Asked) -> Rewrite:
    """The rewritten text without the white space around it."""
    return Rewrite(prompt=asked.fields["rewritten"].strip(), provenance=asked.provenance)
