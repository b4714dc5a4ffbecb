"""Dataset folders: build, verify, load back. Arrow and ``datasets`` are imported when first needed."""

from exports.dataset.build import BuiltDataset, build_dataset
from exports.dataset.facts import ReleaseFacts
from exports.dataset.findings import FolderFault, FolderFinding
from exports.dataset.load import items_of, load_back
from exports.dataset.manifest import Manifest, read_manifest
from exports.dataset.splits import Split, split_of
from exports.dataset.table import Composition, CompositionLine, composition
from exports.dataset.verify import verify_folder

__all__ = [
    "BuiltDataset",
    "Composition",
    "CompositionLine",
    "FolderFault",
    "FolderFinding",
    "Manifest",
    "ReleaseFacts",
    "Split",
    "build_dataset",
    "composition",
    "items_of",
    "load_back",
    "read_manifest",
    "split_of",
    "verify_folder",
]
