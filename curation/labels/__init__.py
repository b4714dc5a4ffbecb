"""Labels and decisions out to a spreadsheet or to Argilla, and back by id."""

from curation.labels.apply import Applied, Problem, apply_rows
from curation.labels.argilla import argilla_records
from curation.labels.claims import ClaimReader
from curation.labels.csv_form import csv_lines
from curation.labels.read import read_rows
from curation.labels.rows import What, rows_of

__all__ = [
    "Applied",
    "ClaimReader",
    "Problem",
    "What",
    "apply_rows",
    "argilla_records",
    "csv_lines",
    "read_rows",
    "rows_of",
]
