"""``--callback MODULE:NAME``: the user's own DSPy callbacks, which see every model call."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any

import typer

from salitrap.cli.console import err
from salitrap.errors import InputError

Callbacks = Annotated[
    list[str] | None,
    typer.Option(
        "--callback",
        help="DSPy callback that sees every model call; may be given several times. See docs/tracing.md.",
        metavar="MODULE:NAME",
    ),
]
WANTED = "a dspy BaseCallback, a subclass of it, or a function that returns one or hooks itself in"


@contextmanager
def observing(names: Sequence[str] | None) -> Iterator[None]:
    """Let the callbacks of these names see every model call made inside.

    Raises:
        InputError: a name is not understood, not found, or not that of a callback.
    """
    if not names:
        yield
        return
    from salitrap.providers.open import keep_dspy_offline

    keep_dspy_offline()
    import dspy

    callbacks = [callback for name in names for callback in _callbacks(name)]
    with dspy.context(callbacks=[*dspy.settings.callbacks, *callbacks]):
        yield


class Guarded:
    """A callback whose errors neither stop nor lose anything: the first is told, the rest are not."""

    def __init__(self, name: str, callback: Any) -> None:
        self._name, self._callback, self._told = name, callback, False

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self._callback, attribute)
        return self._guarded(attribute, found) if attribute.startswith("on_") else found

    def _guarded(self, handler: str, call: Callable[..., Any]) -> Callable[..., None]:
        def guarded(*args: Any, **kwargs: Any) -> None:
            try:
                call(*args, **kwargs)
            except (Exception, SystemExit) as error:
                self._tell(handler, error)

        return guarded

    def _tell(self, handler: str, error: BaseException) -> None:
        if self._told:
            return
        self._told = True
        err().print(
            f"note: --callback {self._name}: {handler} failed ({_text(error)}); the run goes on, "
            "and further errors of this callback are not shown",
            soft_wrap=True,
        )


def _callbacks(name: str) -> list[Any]:
    """The callbacks a name stands for.

    What a function hooked into DSPy is there already. Where it left no callback, as tools do that
    replace DSPy's methods, one that does nothing sends every call by way of those methods.
    """
    import dspy
    from dspy.utils.callback import BaseCallback

    before = list(dspy.settings.callbacks)
    made = _made(name, _found(name), BaseCallback)
    if made is not None:
        return [Guarded(name, made)]
    return [] if dspy.settings.callbacks != before else [BaseCallback()]


def _made(name: str, found: Any, base: type) -> Any:
    """The callback ``found`` is or makes; None when it is a function that returned None."""
    if isinstance(found, base):
        return found
    if not callable(found) or (isinstance(found, type) and not issubclass(found, base)):
        raise InputError(f"--callback {name}: {_kind(found)} is not {WANTED}")
    try:
        made = found()
    except Exception as error:
        raise InputError(f"--callback {name}: calling it without arguments failed: {_text(error)}") from error
    if made is not None and not isinstance(made, base):
        raise InputError(f"--callback {name}: it returned {_kind(made)}, but must be {WANTED}")
    return made


def _found(name: str) -> Any:
    """The object of a name; the current folder is searched after installed packages."""
    module_name, colon, attribute = name.partition(":")
    if not (module_name and colon and attribute):
        raise InputError(f"--callback {name}: write MODULE:NAME, such as mylog:Printer")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    found = _module(name, module_name)
    for part in attribute.split("."):
        if not hasattr(found, part):
            where = getattr(sys.modules[module_name], "__file__", None) or f"module {module_name}"
            raise InputError(f"--callback {name}: {where} has no {attribute}")
        found = getattr(found, part)
    return found


def _module(name: str, module_name: str) -> Any:
    try:
        return import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and (module_name == error.name or module_name.startswith(f"{error.name}.")):
            raise InputError(
                f"--callback {name}: there is no module {module_name} in the current folder or installed"
            ) from error
        raise InputError(f"--callback {name}: importing {module_name} failed: {_text(error)}") from error
    except Exception as error:
        raise InputError(f"--callback {name}: importing {module_name} failed: {_text(error)}") from error


def _kind(found: Any) -> str:
    if isinstance(found, type):
        return f"the class {found.__name__}"
    name = type(found).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _text(error: BaseException) -> str:
    """Kind and message in one line; ESC and its like would steer the terminal."""
    from salitrap.providers.wire.told import shown

    return shown(f"{type(error).__name__}: {error}").removesuffix(":")
