"""Is a run directory whole: its events, what they refer to, the view made of them, and the files beside?"""

from curation.integrity.findings import RunFault, RunFinding
from curation.integrity.verify import verify_run

__all__ = ["RunFault", "RunFinding", "verify_run"]
