"""Read prompt files: ``prompts/<language>/<id>.md``, front matter above, instructions below."""

from __future__ import annotations

from functools import cache
from importlib import resources

import yaml
from pydantic import Field, ValidationError

from salitrap.errors import SalitrapError
from salitrap.providers.access import PromptRef
from salitrap.records.base import Record
from salitrap.records.enums import Language, Role
from salitrap.records.ids import sha256_text

FENCE = "---"


class Measured(Record):
    """Cohen's kappa on held answers with its 95 % interval; None where it is undefined."""

    kappa: float | None = None
    low: float | None = None
    high: float | None = None


class PromptScore(Record):
    """How instructions did on gold answers that had no part in their making, beside their parent's.

    ``answers`` and ``questions`` count the held ones that were read; ``gold_sha256`` covers all held ones.
    """

    method: str
    judge: str
    gold: str
    gold_sha256: str
    answers: int
    questions: int
    before: Measured
    after: Measured
    date: str
    simulated: bool


class _FrontMatter(Record):
    id: str
    version: int = Field(ge=1)
    role: Role
    language: Language
    purpose: str = Field(min_length=1)
    inputs: tuple[str, ...] = Field(min_length=1)
    outputs: tuple[str, ...] = Field(min_length=1)
    parent: str | None = None
    score: PromptScore | None = None


class Prompt(Record):
    """Instructions of one program in one language; ``sha256`` covers the whole file.

    ``parent`` names the instructions they were made from, ``score`` what came of it; None where a person
    wrote them.
    """

    id: str
    version: int
    role: Role
    language: Language
    purpose: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    text: str
    sha256: str
    parent: str | None = None
    score: PromptScore | None = None

    @property
    def ref(self) -> PromptRef:
        """What a call records about the instructions it used."""
        return PromptRef(id=self.id, version=self.version, language=self.language, sha256=self.sha256)


def read_data(language: Language, name: str) -> str:
    """Text of a shipped file, with LF line ends.

    Raises:
        SalitrapError: there is no such file, or it is not UTF-8.
    """
    where = f"prompts/{language.value}/{name}"
    try:
        raw = (resources.files("prompts") / language.value / name).read_bytes()
        return normalised(raw.decode("utf-8-sig"))
    except (FileNotFoundError, UnicodeDecodeError) as error:
        raise SalitrapError(f"{where}: cannot be read ({error}); reinstall the toolkit") from error


def normalised(content: str) -> str:
    """``content`` with LF line ends, so that a checkout's settings do not change its hash."""
    return content.replace("\r\n", "\n").replace("\r", "\n")


@cache
def load_prompt(prompt_id: str, language: Language) -> Prompt:
    """Read the instructions of ``prompt_id`` in ``language``.

    Raises:
        SalitrapError: the file is missing or its front matter is wrong; the message names it.
    """
    return parse_prompt(read_data(language, f"{prompt_id}.md"), prompt_id, language)


def prompt_ids() -> tuple[str, ...]:
    """Ids that exist in any language, sorted."""
    folders = [resources.files("prompts") / language.value for language in Language]
    names = {entry.name for folder in folders for entry in folder.iterdir()}
    return tuple(sorted(name.removesuffix(".md") for name in names if name.endswith(".md")))


def parse_prompt(content: str, prompt_id: str, language: Language, where: str | None = None) -> Prompt:
    """Turn the content of a prompt file into a ``Prompt``; ``where`` names one that is not shipped.

    Raises:
        SalitrapError: no front matter, an unknown or missing key, an empty body, or an id or
            language that is not the file's own.
    """
    where = where or f"prompts/{language.value}/{prompt_id}.md"
    head, body = _split(content, where)
    front = _front_matter(head, where)
    if (front.id, front.language) != (prompt_id, language):
        raise SalitrapError(f"{where}: front matter says {front.id}/{front.language.value}; make them agree")
    if not body:
        raise SalitrapError(f"{where}: there are no instructions below the front matter")
    return Prompt(**front.model_dump(), text=body, sha256=sha256_text(content))


def _split(content: str, where: str) -> tuple[str, str]:
    first, _, rest = content.partition("\n")
    head, fence, body = rest.partition(f"\n{FENCE}\n")
    if first.strip() != FENCE or not fence:
        raise SalitrapError(f"{where}: must begin with front matter between two lines '{FENCE}'")
    return head, body.strip()


def _front_matter(head: str, where: str) -> _FrontMatter:
    try:
        # BaseLoader keeps every scalar as typed; the record converts what it declares.
        return _FrontMatter.model_validate(yaml.load(head, Loader=yaml.BaseLoader))
    except yaml.YAMLError as error:
        raise SalitrapError(f"{where}: front matter is not YAML: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        raise SalitrapError(f"{where}: front matter: {_faults(error)}") from error


def _faults(error: ValidationError) -> str:
    faults = error.errors(include_url=False)
    return "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'all'}: {fault['msg']}" for fault in faults)
