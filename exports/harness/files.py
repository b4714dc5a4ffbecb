"""The bytes of the harness files of a release."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template

import yaml

from exports.harness.facts import HarnessFacts
from prompts.loader import load_prompt, normalised
from salitrap.errors import SalitrapError
from salitrap.records.enums import Language

JUDGE = "judge_direct"
LICENSE_LINE = "# SPDX-License-Identifier: Apache-2.0\n"
COPIES = {
    "inspect/trap_data.py": "trap_data.py",
    "inspect/trap_dialogue.py": "inspect/trap_dialogue.py",
    "inspect/trap_judge.py": "inspect/trap_judge.py",
    "inspect/trap_reply.py": "inspect/trap_reply.py",
    "inspect/trap_rules.py": "inspect/trap_rules.py",
    "inspect/tasks.py": "inspect/tasks.py",
    "lm_eval/answers.py": "lm_eval/answers.py",
    "lm_eval/trap_data.py": "trap_data.py",
    "lm_eval/utils.py": "lm_eval/utils.py",
    "lighteval/tasks.py": "lighteval/tasks.py",
}
"""Templates that are taken as they stand, by their place under ``harness/``."""

OWN = {
    "inspect/trap_quotes.py": ("checkers", "quotes.py"),
    "inspect/trap_reasoning.py": ("salitrap.providers.wire", "reasoning.py"),
    "inspect/trap_untrusted.py": ("checkers.judge", "untrusted.py"),
}
"""Modules of ours that need the standard library alone, so that answers are read there as they are here."""

IMPORTS = {"from checkers.quotes import": "from trap_quotes import"}
"""What these import of each other, by its name here and there."""


def harness_files(facts: HarnessFacts) -> Mapping[str, bytes]:
    """Return file contents by path in the dataset folder: equal facts give equal bytes.

    Raises:
        SalitrapError: a template or an instruction is missing from the installation.
    """
    texts = {path: LICENSE_LINE + _template(name) for path, name in COPIES.items()}
    texts |= {path: LICENSE_LINE + _own(*place) for path, place in OWN.items()}
    texts["lm_eval/items.yaml"] = _filled("lm_eval/items.yaml", facts)
    texts["release.json"] = json.dumps(_release(facts), ensure_ascii=False, indent=2) + "\n"
    found = {f"harness/{path}": text for path, text in texts.items()}
    found["eval.yaml"] = _filled("eval.yaml", facts)
    return {path: text.encode("utf-8") for path, text in sorted(found.items())}


def _release(facts: HarnessFacts) -> dict[str, object]:
    prompts = {language: load_prompt(JUDGE, language) for language in Language}
    judge = {
        "prompt": f"{JUDGE}@{prompts[Language.EN].version}",
        "languages": {
            language.value: {
                "sha256": prompt.sha256,
                "instructions": prompt.text.strip(),
                "reply": _template(f"judge/{language.value}.txt").strip(),
            }
            for language, prompt in prompts.items()
        },
    }
    return {**facts.model_dump(mode="json"), "slug": facts.slug, "judge": judge}


def _filled(name: str, facts: HarnessFacts) -> str:
    """A YAML file; every text that is put in is quoted."""
    about = (
        "Requests that rest on an impossible premise, hidden behind numbers "
        f"(version {facts.version}, {facts.license})"
    )
    return Template(_template(name)).substitute(
        slug=facts.slug,
        version=_quoted(facts.version),
        canary=facts.canary,
        name=_quoted(facts.name),
        description=_quoted(about),
        split=facts.first_split,
        template=_quoted(_template("judge/pass_template.txt").strip()),
        instructions=_quoted(_template("judge/pass_instructions.txt").strip()),
    )


def _quoted(text: str) -> str:
    quoted: str = yaml.safe_dump(text, allow_unicode=True, default_style='"', width=float("inf"))
    return quoted.rstrip("\n")


def _template(name: str) -> str:
    return _text("exports.harness", f"templates/{name}")


def _own(package: str, name: str) -> str:
    text = _text(package, name)
    for ours, theirs in IMPORTS.items():
        text = text.replace(ours, theirs)
    return text


def _text(package: str, name: str) -> str:
    try:
        return normalised(files(package).joinpath(*name.split("/")).read_bytes().decode("utf-8"))
    except FileNotFoundError as error:
        raise SalitrapError(f"{package}/{name}: cannot be read ({error}); reinstall the toolkit") from error
