"""Trap domains: the shipped YAML files, how they are loaded, checked and started."""

from seeds.findings import Code, Finding, Severity
from seeds.lint import has_errors, lint_file, lint_files
from seeds.loader import BUILTIN, builtin_paths, domain_paths, load_domain, load_domains
from seeds.scaffold import scaffold
from seeds.schema import domain_schema
from seeds.structure import StructuralFault, structural_faults

__all__ = [
    "BUILTIN",
    "Code",
    "Finding",
    "Severity",
    "StructuralFault",
    "builtin_paths",
    "domain_paths",
    "domain_schema",
    "has_errors",
    "lint_file",
    "lint_files",
    "load_domain",
    "load_domains",
    "scaffold",
    "structural_faults",
]
