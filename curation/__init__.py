"""Curation: registry, deduplication, scaling, validation, refinement, certification, the run directory."""
