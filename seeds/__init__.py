"""Trap domains: the shipped YAML files, how they are loaded, checked and started."""

from seeds.findings import Code, Finding, Severity
from seeds.fix import Fixed, fix_file, write_fixed
from seeds.lint import has_errors, lint_file, lint_files
from seeds.loader import BUILTIN, builtin_paths, domain_paths, load_domain, load_domains
from seeds.scaffold import scaffold
from seeds.schema import domain_schema, schema_text
from seeds.structure import StructuralFault, structural_faults

__all__ = [
    "BUILTIN",
    "Code",
    "Finding",
    "Fixed",
    "Severity",
    "StructuralFault",
    "builtin_paths",
    "domain_paths",
    "domain_schema",
    "fix_file",
    "has_errors",
    "lint_file",
    "lint_files",
    "load_domain",
    "load_domains",
    "scaffold",
    "schema_text",
    "structural_faults",
    "write_fixed",
]
