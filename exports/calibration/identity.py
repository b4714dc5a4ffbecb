"""Who judges: what a calibration is tied to."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from checkers.calibration import JudgeIdentity, ModelName
from checkers.judge import by_rules, judges_asked
from checkers.judge.rules import rule_provenance
from curation.directory import Revision
from curation.fingerprints import JUDGE_PROMPTS
from exports.dataset.facts import public_model
from exports.evaluation.models import endpoint_id, judge_name
from prompts.source import prompt_source
from salitrap.providers.spec import parse_spec
from salitrap.records.enums import Language, Role
from salitrap.settings import EndpointSettings, Settings

_FOLDERS = re.compile(r"gguf/[^,+]*[/\\]")


def identity_of(settings: Settings, languages: Collection[Language]) -> JudgeIdentity:
    """The judge of ``settings`` with the instructions that they ask for, in ``languages``."""
    source = prompt_source(settings.prompts)
    prompts = [source(JUDGE_PROMPTS[settings.judging.mode], language) for language in languages]
    told = {str(prompt.ref): prompt.sha256 for prompt in prompts} if judges_asked(settings) else {}
    return named_identity(settings, {**told, **_rules(settings, languages)})


def identity_of_run(revision: Revision, languages: Collection[Language]) -> JudgeIdentity:
    """The judge of a run at its last revision, with the instructions recorded there."""
    wanted = {language.value for language in languages}
    prompts = {
        name: sha256
        for name, sha256 in revision.prompts.items()
        if name.partition("@")[0] == JUDGE_PROMPTS[revision.settings.judging.mode]
        and name.rpartition("/")[2] in wanted
    }
    told = prompts if judges_asked(revision.settings) else {}
    return named_identity(revision.settings, {**told, **_rules(revision.settings, languages)})


def named_identity(settings: Settings, prompts: Mapping[str, str], role: Role = Role.JUDGE) -> JudgeIdentity:
    """The pool of ``role`` as an identity: no address, no path, no key."""
    pool = settings.roles[role]
    models = tuple(_model(endpoint) for endpoint in pool.endpoints)
    names = ", ".join(model.name for model in models)
    return JudgeIdentity(
        name=without_folders(judge_name(settings)) if role is Role.JUDGE else names,
        models=models,
        mode=settings.judging.mode,
        panel=settings.judging.panel,
        temperature=pool.temperature,
        prompts=dict(sorted(prompts.items())),
    )


def _rules(settings: Settings, languages: Collection[Language]) -> dict[str, str]:
    """The rules that are installed, where they judge, named and hashed like instructions."""
    if not any(by_rules(endpoint) for endpoint in settings.roles[Role.JUDGE].endpoints):
        return {}
    found = [rule_provenance(language) for language in languages]
    return {one.prompt: one.prompt_sha256 for one in found}


def without_folders(judge: str) -> str:
    """The name of a judge as label rows have it, without the folders of model files."""
    return _FOLDERS.sub("gguf/", judge)


def _model(endpoint: EndpointSettings) -> ModelName:
    spec = parse_spec(endpoint.spec, endpoint.base_url)
    return ModelName(name=public_model(spec.short), endpoint_id=endpoint_id(endpoint))
