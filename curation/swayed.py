"""Fingerprints of a seed's work with what people said of it.

Where nobody said anything that matters they are those of ``curation.fingerprints``: settings alone decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curation.fingerprints import certify_fingerprint, refine_fingerprint
from curation.opinions import Edit
from curation.pool import pool_of
from curation.registry.people import edits_of, verdicts_of
from curation.registry.queries import nodes_of
from curation.registry.registry import Registry
from salitrap.records import Seed, content_hash
from salitrap.settings import Settings


def refine_key(registry: Registry, settings: Settings, prompts: Mapping[str, str], seed: Seed) -> str:
    """Fingerprint of the refinement of a seed, with the texts that people wrote for it."""
    return with_edits_told(refine_fingerprint(settings, prompts, seed), edits_of(registry, seed.seed_id))


def with_edits_told(fingerprint: str, edits: Sequence[Edit]) -> str:
    """The fingerprint of a refinement that takes ``edits`` in; as it is where there are none."""
    return content_hash([fingerprint, [edit.candidate_id for edit in edits]]) if edits else fingerprint


def certify_key(
    registry: Registry, settings: Settings, prompts: Mapping[str, str], seed: Seed, refined: str
) -> str:
    """Fingerprint of the certification of a seed, with what people decided on its candidates."""
    given = certify_fingerprint(settings, prompts, seed, refined)
    verdicts = verdicts_of(registry, seed.seed_id)
    if not verdicts:
        return given
    return pool_of(nodes_of(registry, seed.seed_id), verdicts, settings).fingerprint(given)
