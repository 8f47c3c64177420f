"""YAML text as nodes. A text that stands for far more than its own length is refused before anything is made of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from evaltui.document.scanner import POSSESSIVE
from evaltui.printable import printable

if TYPE_CHECKING:  # most commands never see a line of YAML
    import yaml

_TAG: Final = "tag:yaml.org,2002:"
YAML_NAMES: Final = (".yaml", ".yml")
# The YAML parser is slow.
LARGEST_LOOK: Final = 200_000
"""The most bytes of a text that is read only to say what it is."""
begins_like_json = re.compile(rf"(?:\s++|(?:#|//)[^\n]*+)*{POSSESSIVE}[{{\[]".encode()).match
"""After any comments, which YAML and JSON with comments have."""
has_json_in_lines = re.compile(rb"^(?:data:[ \t]*+)?[{\[]", re.MULTILINE).search
"""JSON below other text, or in server-sent events. YAML has its brackets behind keys."""
# pyyaml needs two calls to read a level, and three to write it, of the 1,000 that Python 3.11 has.
MOST_YAML_LEVELS: Final = 200
"""The most lists and mappings within each other."""
TOO_DEEP: Final = f"values are nested too deeply for YAML (more than {MOST_YAML_LEVELS} levels)"
# More than any set has. An alias counts like the value that it repeats, so a few lines can stand for billions.
_MOST_VALUES: Final = 500_000
_MOST_CHARACTERS: Final = 10_000_000


class TooManyLevelsError(RecursionError):
    """Values nest deeper than `MOST_YAML_LEVELS`; the message names the line."""


def yaml_root(text: str | bytes, most_values: int | None = None) -> yaml.Node | None:
    """The root of a YAML text; None for an empty one.

    Raises `yaml.YAMLError`, RecursionError for more than `MOST_YAML_LEVELS` levels, and ValueError with a sentence for
    too many values or characters, an alias of the value around it, or a number to base 60.
    """
    import yaml  # noqa: PLC0415 - takes 15 ms, and few files are YAML

    class Loader(yaml.SafeLoader):  # type: ignore[misc]  # pyyaml has no types
        """Counts levels where nodes begin and end. pyyaml's own limit is the calls that are under way."""

        levels = 0

        def descend_resolver(self, current_node: Any, current_index: Any) -> None:
            self.levels += 1
            if self.levels > MOST_YAML_LEVELS + 1:  # a scalar in the innermost list counts here
                raise TooManyLevelsError(f"line {self.get_mark().line + 1}: {TOO_DEEP}")

        def ascend_resolver(self) -> None:
            self.levels -= 1

    root = yaml.compose(text, Loader)
    if root is not None:
        _refuse_bombs(root, most_values or _MOST_VALUES)
    return root


def is_yaml(head: bytes, file_name: str) -> bool:
    """Whether a file that is not JSON is YAML: by its name, else a short one with a list or mapping in another one.

    Lines of a log can read as a flat mapping. `head` has the first bytes, one more than `LARGEST_LOOK` of a large file.
    """
    if file_name.lower().endswith(YAML_NAMES):
        return True
    if len(head) > LARGEST_LOOK or begins_like_json(head) or has_json_in_lines(head):
        return False
    import yaml  # noqa: PLC0415 - takes 15 ms, and few files are YAML

    try:
        root = yaml_root(head)
    except (yaml.YAMLError, ValueError, RecursionError):
        return False
    if root is None or isinstance(root, yaml.ScalarNode):
        return False
    values = root.value if isinstance(root, yaml.SequenceNode) else [value for _, value in root.value]
    return any(not isinstance(value, yaml.ScalarNode) for value in values)


def _refuse_bombs(root: Any, most_values: int) -> None:
    """Raise ValueError for values that take far more memory or time than their text, RecursionError for deep ones."""
    # A merge (`<<`) counts like the values that it merges: old releases of PyYAML copy them as often as they are named.
    sizes: dict[int, tuple[int, int, int] | None] = {}
    """Values, characters and levels of each node; None while the nodes below it are counted."""
    pending = [(root, False)]
    while pending:
        node, is_done = pending.pop()
        if is_done:
            below = [size for item in _below(node) if (size := sizes[id(item)]) is not None]
            values = 1 + sum(size[0] for size in below)
            characters = len(node.value) * isinstance(node.value, str) + sum(size[1] for size in below)
            if values > most_values:
                raise ValueError(f"the file has more than {most_values:,} values, counting aliases")
            if characters > _MOST_CHARACTERS:
                raise ValueError(f"the file has more than {_MOST_CHARACTERS:,} characters, counting aliases")
            levels = max((size[2] for size in below), default=0) + isinstance(node.value, list)
            if levels > MOST_YAML_LEVELS:  # an alias can add levels to its own
                raise TooManyLevelsError(f"line {line_of(node)}: {TOO_DEEP}")
            sizes[id(node)] = values, characters, levels
        elif id(node) not in sizes:
            sizes[id(node)] = None
            is_number = node.tag in (f"{_TAG}int", f"{_TAG}float") and isinstance(node.value, str)
            # 1:30 is 90 in YAML 1.1 and a text in YAML 1.2. The time to read one grows with the square of its length.
            if is_number and ":" in node.value:
                number = printable(node.value[:40])
                raise ValueError(f"line {line_of(node)}: {number} is a number to base 60 in YAML. Put it in quotes")
            pending.append((node, True))
            pending += [(item, False) for item in _below(node)]
        elif sizes[id(node)] is None:
            raise ValueError(f"line {line_of(node)}: an alias refers to the value that contains it")


def _below(node: Any) -> Iterator[Any]:
    for item in node.value if isinstance(node.value, list) else ():
        yield from item if isinstance(item, tuple) else (item,)


def line_of(node: Any) -> int:
    """The line of a node, from 1."""
    return int(node.start_mark.line) + 1
