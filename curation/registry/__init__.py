"""The registry of a run: append-only events and the current view derived from them."""

from curation.registry.events import Batch, Event, EventKind, WorkState
from curation.registry.registry import NAME, Registry

__all__ = ["NAME", "Batch", "Event", "EventKind", "Registry", "WorkState"]
