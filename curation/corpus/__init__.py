"""Deduplication of existing datasets, for texts of any origin: JSONL and parquet, one pass, in order."""

from curation.corpus.decide import CorpusDeduplicator, Decision, Language
from curation.corpus.files import Report, dedup_files

__all__ = ["CorpusDeduplicator", "Decision", "Language", "Report", "dedup_files"]
