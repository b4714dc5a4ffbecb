"""The paper's published records and results, read into our schema; what it does not name is not guessed."""

from exports.importing.items import ImportedItem
from exports.importing.run import ImportReport, Source, import_file

__all__ = ["ImportReport", "ImportedItem", "Source", "import_file"]
