"""The next version of a dataset from what hardening came to, with the difference item by item."""

from exports.hardening.build import BuiltHardening, build_hardened
from exports.hardening.report import HardeningReport, report_of
from exports.hardening.source import SourceRelease, read_release
from exports.hardening.version import next_version

__all__ = [
    "BuiltHardening",
    "HardeningReport",
    "SourceRelease",
    "build_hardened",
    "next_version",
    "read_release",
    "report_of",
]
