"""A program that has this folder in PYTHONPATH writes nothing outside EVALTUI_FENCE, and lists no folders there.

What is typed at random may well be the name of any file: a test must not change other files of the machine, nor depend
on them.
"""

import os
import sys
from errno import EACCES

_FENCE = os.environ.get("EVALTUI_FENCE", "")
_MAY_BE_LISTED = tuple(os.path.realpath(each) for each in (_FENCE, sys.prefix, sys.base_prefix, *sys.path) if each)
_MAY_BE_WRITTEN = (*_MAY_BE_LISTED[:1], "/dev")
_LISTS = frozenset(("os.listdir", "os.scandir"))
_CHANGES = frozenset((
    *("os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.setxattr", "os.symlink"),
    *("os.truncate", "os.utime"),
))  # fmt: skip
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def _is_in(path: object, folders: tuple[str, ...]) -> bool:
    if not isinstance(path, str | bytes | os.PathLike):
        return True  # a descriptor that is open already, or a folder that has none
    whole = os.path.realpath(os.fsdecode(path))
    return any(whole == folder or whole.startswith(folder + "/") for folder in folders)


def _fence(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        path, _, flags = arguments
        refused = isinstance(flags, int) and flags & _WRITES and not _is_in(path, _MAY_BE_WRITTEN)
    elif event in _CHANGES:
        path = next((each for each in arguments[:2] if not _is_in(each, _MAY_BE_WRITTEN)), None)
        refused = path is not None
    else:
        path = arguments[0] if event in _LISTS else None
        refused = event in _LISTS and not _is_in(path or ".", _MAY_BE_LISTED)
    if refused:
        raise PermissionError(EACCES, "outside the fence of the test", str(path))


if _FENCE:
    sys.addaudithook(_fence)
