"""Values that callers of the API give: paths and flags, and the error for those that cannot be used."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from evaltui.document.errors import DocumentError, InputError
from evaltui.file_access import exists
from evaltui.files.session_source import is_remote
from evaltui.printable import one_line, printable

AnyPath = str | os.PathLike[str]
"""A path as text or as `pathlib.Path`."""
_LONGEST = 4096
"""The most bytes of a path. No system has longer ones."""
_SHOWN = 80
"""The most characters of a wrong value that a message shows."""
_ADVICE = {
    "; load it as a recording with -r": "; give it as one of the recordings",
    "; give it with --config": "; give it as config",
    "; name it with -r": "; name it as one of the recordings",
}
"""The ends of sentences that name an option of the command line, in words of the API."""
_OF_FOLDER = (
    "; to use the responses of an eval set, give its file: ",
    "; to use a session database, give its file: ",
    "; to use it, give its file: ",
)
"""What sentences about a folder have before an option and a file."""


class EvaltuiError(ValueError):
    """An input cannot be used. The message is the sentence of the command line, with parameters in place of options."""


@contextmanager
def refusals() -> Iterator[None]:
    """Raise errors about inputs as `EvaltuiError`."""
    try:
        yield
    except (DocumentError, InputError) as error:
        raise EvaltuiError(without_options(str(error))) from None  # the inner error is of no public class


def without_options(sentence: str) -> str:
    """A sentence of the command line, safe to show, with advice for callers of the API."""
    text = printable(sentence)
    for advice, ours in _ADVICE.items():
        if text.endswith(advice):
            return text.removesuffix(advice) + ours
    for advice in _OF_FOLDER:
        text = text.replace(f"{advice}-r ", advice)
    return text


def path_of(value: AnyPath, parameter: str) -> Path:
    """The path of a file or folder. Errors name the `parameter`.

    Raises `TypeError` for another type, and `EvaltuiError` for a text that is not the name of a file, and for `-`: only
    the command line reads standard input.
    """
    name: object = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(name, str):
        raise wrong_type(parameter, "a path (str or os.PathLike[str])", value)
    if not name:
        raise EvaltuiError(f"{parameter}: the path is empty; give the name of a file")
    if name == "-":  # a library must not wait for input that nobody gives
        raise EvaltuiError(f"{parameter}: - is standard input only on the command line; give the name of a file")
    # A folder may be called `s3:`, so a path that exists is one.
    if is_remote(name) and not exists(Path(name)):
        # Without the address, which may have credentials.
        raise EvaltuiError(f"{parameter}: only `evaltui run` reads files of a store; copy them to this machine")
    try:
        data = os.fsencode(name)
    except UnicodeEncodeError:
        data = b"\0"
    if b"\0" in data or len(data) > _LONGEST:
        raise EvaltuiError(f"{parameter}: {one_line(name, _SHOWN)} is not a valid file name")
    return Path(name)


def paths_of(value: AnyPath | Iterable[AnyPath], parameter: str) -> list[Path]:
    """One path or several. Raises `TypeError` and `EvaltuiError`, as `path_of` does."""
    if isinstance(value, str | os.PathLike):
        return [path_of(value, parameter)]
    if isinstance(value, bytes | bytearray | Mapping) or not isinstance(value, Iterable):
        raise wrong_type(parameter, "a path or several paths (str or os.PathLike[str])", value)
    return [path_of(path, parameter) for path in value]


def wrong_type(parameter: str, expected: str, value: object) -> TypeError:
    """The error for a value of another type than `expected`."""
    return TypeError(f"{parameter} must be {expected}, not {type(value).__name__}")


def check_flag(parameter: str, value: object) -> None:
    """Raise `TypeError` for a value that is neither True nor False."""
    if not isinstance(value, bool):
        raise wrong_type(parameter, "True or False", value)


def shown_value(value: object) -> str:
    """A wrong value as messages show it, on one line and cut."""
    return one_line(value if isinstance(value, str) else repr(value), _SHOWN)
