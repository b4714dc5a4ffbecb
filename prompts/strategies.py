"""Read the sentences that are not whole prompts: refinement strategies and scaling directives."""

from __future__ import annotations

from functools import cache

import yaml
from pydantic import Field, ValidationError

from prompts.loader import read_data
from salitrap.errors import SalitrapError
from salitrap.records.base import Record
from salitrap.records.enums import Language, Route
from salitrap.records.ids import sha256_text

FILE_NAME = "strategies.yaml"
VALUE_MARK = "<value>"


class StrategyTexts(Record):
    """Instructions by route and strategy name, and directive sentences by niche axis.

    A directive sentence holds ``<value>`` where the niche's value goes.
    """

    id: str
    version: int = Field(ge=1)
    language: Language
    strategies: dict[Route, dict[str, str]]
    directives: dict[str, str]
    sha256: str = ""

    def instruction(self, route: Route, name: str) -> str:
        """What the writer is told when it follows the strategy ``name`` of ``route``."""
        return self.strategies[route][name].strip()

    def directive(self, axis: str, value: str) -> str:
        """The sentence that steers a batch towards ``value`` of ``axis``."""
        return self.directives[axis].strip().replace(VALUE_MARK, value)


@cache
def load_strategies(language: Language) -> StrategyTexts:
    """Read ``prompts/<language>/strategies.yaml``.

    Raises:
        SalitrapError: the file is missing or malformed; the message names it.
    """
    content = read_data(language, FILE_NAME)
    where = f"prompts/{language.value}/{FILE_NAME}"
    try:
        texts = StrategyTexts.model_validate(yaml.load(content, Loader=yaml.BaseLoader))
    except (yaml.YAMLError, ValidationError) as error:
        raise SalitrapError(f"{where}: {' '.join(str(error).split())}") from error
    if texts.language is not language:
        raise SalitrapError(f"{where}: says language {texts.language.value}; make them agree")
    return texts.model_copy(update={"sha256": sha256_text(content)})
