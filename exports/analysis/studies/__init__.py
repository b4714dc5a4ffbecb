"""Studies over the label rows of items: scale, co-failure, density, pairs, as pure functions."""

from exports.analysis.studies.item_facts import Facts, ItemFacts, facts_of
from exports.analysis.studies.of_rows import studies_of

__all__ = ["Facts", "ItemFacts", "facts_of", "studies_of"]
