"""A released dataset against a new pool of solvers: what holds, what is solved, and what takes its place."""

from curation.hardening.outcome import Fate, Hardened, HardenedItem, NewItem, hardened_of
from curation.hardening.process import open_hardening, run_hardening
from curation.hardening.records import Recertified, SolverRepeats, Standing
from curation.hardening.released import Release, Released, release_of

__all__ = [
    "Fate",
    "Hardened",
    "HardenedItem",
    "NewItem",
    "Recertified",
    "Release",
    "Released",
    "SolverRepeats",
    "Standing",
    "hardened_of",
    "open_hardening",
    "release_of",
    "run_hardening",
]
