"""Names of sets and cases as tests: unique in their file, and safe in a node id and in the log of a CI runner."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from itertools import count

_SEPARATOR = "::"
"""pytest splits node ids here."""


def item_names(eval_ids: Sequence[str]) -> list[str]:
    """A name for each case.

    Cases with one eval_id are numbered from 1: `refund[1]`, `refund[2]`. A case without an id has its place in the set:
    `case_3`.
    """
    # In brackets, as for a parametrized test: then pytest takes the id alone for all of them.
    safe = (safe_name(eval_id) or f"case_{number}" for number, eval_id in enumerate(eval_ids, 1))
    # pytest 9.2 takes `a[b` and `a[b]` for one id (`NodeId.parse`).
    plain = [name if name.endswith("]") else name.replace("[", "%5B") for name in safe]
    counts = Counter(plain)
    used = {name for name in plain if counts[name] == 1}
    names = []
    for name in plain:
        numbered = (f"{name}[{number}]" for number in count(1))
        names.append(name if counts[name] == 1 else next(free for free in numbered if free not in used))
        used.add(names[-1])
    return names


def safe_name(text: str) -> str:
    """A name in which nothing separates node ids, and no word of which a CI runner obeys: `%3A%3Aerror`.

    If the locale lacks a character of a name, the name is escaped.
    """
    from evaltui.printable import one_line
    from evaltui.workflow_commands import without_runner_words

    plain = one_line(text).replace(_SEPARATOR, "%3A%3A")
    # pytest puts names into the environment (`PYTEST_CURRENT_TEST`), and escapes the ids of its own tests in this way
    # (`_pytest.compat.ascii_escaped`).
    try:
        os.fsencode(plain)
    except UnicodeEncodeError:
        plain = plain.encode("unicode_escape").decode("ascii")
    return without_runner_words(plain, lambda sign: f"%{ord(sign):02X}")
