"""Where programs get their instructions: the shipped files, or files of one's own in place of some."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from prompts.loader import Prompt, load_prompt, normalised, parse_prompt, prompt_ids, read_data
from prompts.strategies import FILE_NAME
from salitrap.errors import ConfigError, SalitrapError
from salitrap.records.enums import Language

PromptSource = Callable[[str, Language], Prompt]
"""Gives the instructions of a prompt id in a language."""


def prompt_source(folder: str | None) -> PromptSource:
    """The instructions in ``folder``, ``LANGUAGE/ID.md``, and the shipped ones where it has none.

    Raises:
        ConfigError: see ``own_prompts``.
    """
    if folder is None:
        return load_prompt
    own = own_prompts(folder)
    return lambda prompt_id, language: own.get((prompt_id, language)) or load_prompt(prompt_id, language)


@cache
def own_prompts(folder: str) -> Mapping[tuple[str, Language], Prompt]:
    """Every instruction file in ``folder`` by id and language; read once, so that a process keeps to them.

    Raises:
        ConfigError: there is none, an id is unknown, a file does not stand for the shipped one, or there is
            a file of strategies, which cannot be replaced.
    """
    root, found = Path(folder), dict[tuple[str, Language], Prompt]()
    for language, path in _files(root):
        found[path.stem, language] = _checked(_read(path, language), path)
    if not found:
        raise ConfigError(f"{root}: no instructions here; expected files such as {root / 'en' / 'judge.md'}")
    return found


def _files(root: Path) -> Iterator[tuple[Language, Path]]:
    known = prompt_ids()
    for language in Language:
        _refuse_strategies(root / language.value / FILE_NAME, language)
        for path in sorted((root / language.value).glob("*.md")):
            if path.stem not in known:
                raise ConfigError(f"{path}: no prompt is called {path.stem!r}; known are {', '.join(known)}")
            yield language, path


def _refuse_strategies(path: Path, language: Language) -> None:
    """Strategies are the shipped ones; a copy does no harm, another file would be passed over in silence."""
    if path.exists() and normalised(_text(path)) != read_data(language, FILE_NAME):
        raise ConfigError(
            f"{path}: strategies and directives cannot be replaced, only prompts (.md); remove this file, or "
            "change what the writer is told in naturalise.md, camouflage.md and repair.md"
        )


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error}); save it as UTF-8") from error


def _read(path: Path, language: Language) -> Prompt:
    content = normalised(_text(path))
    try:
        return parse_prompt(content, path.stem, language, str(path))
    except SalitrapError as error:
        raise ConfigError(str(error)) from error


def _checked(own: Prompt, path: Path) -> Prompt:
    """Hold a file to the shipped one of its id: role, inputs, outputs, and a version of its own."""
    shipped = load_prompt(own.id, own.language)
    for name in ("role", "inputs", "outputs"):
        given, wanted = getattr(own, name), getattr(shipped, name)
        if given != wanted:
            raise ConfigError(f"{path}: {name} must be {_told(wanted)}, as in the shipped {own.id}")
    if own.version == shipped.version and own.sha256 != shipped.sha256:
        raise ConfigError(
            f"{path}: version {own.version} is that of the shipped {own.id}; give other instructions "
            "another version"
        )
    return own


def _told(value: object) -> str:
    return f"[{', '.join(value)}]" if isinstance(value, tuple) else str(value)
