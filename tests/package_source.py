"""The source of the package: its texts, and the syntax trees of the files that a test looks at."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import evaltui
from evaltui.garbage_collection import without_collecting

PACKAGE = Path(evaltui.__file__).parent


@cache
def texts() -> dict[str, str]:
    """The text of each file, by its path in the package."""
    return {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}


def trees(*words: str, folder: str = "") -> Iterator[tuple[str, ast.Module]]:
    """The trees of the files in a folder that contain one of the words. One is made after another: all are 155 MB."""
    for path, text in texts().items():
        if path.startswith(folder) and any(word in text for word in words):
            yield path, tree_of(text)


def tree_of(text: str) -> ast.Module:
    """The tree of a text. The collector would take twice the time of the parser."""
    with without_collecting():
        return ast.parse(text)
