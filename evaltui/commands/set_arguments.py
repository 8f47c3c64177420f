"""SET arguments of a command line: `SET` or `SET:ID,ID` as in `adk eval`, with globs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from evaltui.document.errors import DocumentError
from evaltui.printable import quoted


@dataclass(frozen=True, slots=True)
class SetArgument:
    """One SET of a command line."""

    name: str
    """The file, or `-`."""
    ids: tuple[str, ...] = ()
    """Ids or globs of ids; none for all cases."""

    def chosen(self, eval_ids: Iterable[str]) -> frozenset[str]:
        """Ids chosen by the argument. Raises `DocumentError` for a pattern that matches none."""
        every = frozenset(eval_ids)
        if not self.ids:
            return every
        chosen: set[str] = set()
        for pattern in self.ids:
            found = {pattern} & every or {each for each in every if fnmatchcase(each, pattern)}
            if not found:
                raise DocumentError(f"{self.name}: no case has the eval_id {quoted(pattern)}{_near(pattern, every)}")
            chosen |= found
        return frozenset(chosen)


def set_arguments(given: Sequence[str]) -> list[SetArgument]:
    """The sets of a command line, each file once. If a file is repeated, its ids are joined."""
    found: dict[str, SetArgument] = {}
    for text in given:
        argument = set_argument(text)
        known = found.get(argument.name)
        if known is None:
            found[argument.name] = argument
        else:
            both = (*known.ids, *argument.ids) if known.ids and argument.ids else ()
            found[argument.name] = SetArgument(argument.name, both)
    return list(found.values())


def set_argument(text: str) -> SetArgument:
    """Parse one SET. The file is the shortest part before a colon that names one."""
    if not text:
        raise DocumentError("SET is empty; give the name of an eval set")
    colons = [at for at, sign in enumerate(text) if sign == ":"]
    if not _is_there(text):
        for at in colons:
            if _is_there(text[:at]):
                ids = tuple(part for each in text[at + 1 :].split(",") if (part := each.strip()))
                return SetArgument(text[:at], ids)
    return SetArgument(text)


def _is_there(name: str) -> bool:
    try:
        return name == "-" or Path(name).exists()
    except (OSError, ValueError):
        return False


def _near(pattern: str, eval_ids: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(pattern, sorted(eval_ids), 1)
    return f"; did you mean {near[0]}?" if near else ""
