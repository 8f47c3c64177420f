"""The sign that keeps a repeated group from giving back what it took, where Python has it right.

Python 3.11.0 to 3.11.4 go on in the middle of a repetition that failed (python/cpython#106052): `(?:a?b,)*+` then
takes all of `ab,ab`. There the group is repeated without the sign, which finds the same in more time and memory.
"""

import re

_is_right = re.compile(r"(?:a?b,)*+").match("ab,ab").end() == 3  # type: ignore[union-attr]
POSSESSIVE = "+" if _is_right else ""
"""Stands behind `*` or `?` of a group; a repeated character needs no such care."""
