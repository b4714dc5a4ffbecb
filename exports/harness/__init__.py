"""Files by which other harnesses run a dataset (Inspect, lm-eval, lighteval) without this toolkit.

The templates are whole files: Python is copied as it stands, and what differs between releases is in
``release.json`` beside it.
"""

from exports.harness.facts import HarnessFacts, slug_of
from exports.harness.files import harness_files

__all__ = ["HarnessFacts", "harness_files", "slug_of"]
