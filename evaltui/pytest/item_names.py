"""Names of cases as tests: unique in their file, and safe in a node id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

_SEPARATOR = "::"
"""pytest splits node ids here."""


def item_names(eval_ids: Sequence[str]) -> list[str]:
    """A name for each case.

    Cases with one eval_id are numbered from 1: `refund[1]`, `refund[2]`. Then pytest takes the id alone for all of
    them, as it takes the name of a parametrized test. A case without an id has its place in the set: `case_3`.
    """
    plain = [_plain(eval_id, number) for number, eval_id in enumerate(eval_ids, 1)]
    counts = Counter(plain)
    taken = {name for name, count in counts.items() if count == 1}
    names = []
    for name in plain:
        names.append(name if counts[name] == 1 else _next(name, taken))
        taken.add(names[-1])
    return names


def _plain(eval_id: str, number: int) -> str:
    from evaltui.printable import one_line

    name = one_line(eval_id).replace(_SEPARATOR, "%3A%3A")
    return name or f"case_{number}"


def _next(name: str, taken: set[str]) -> str:
    number = 1
    while f"{name}[{number}]" in taken:
        number += 1
    return f"{name}[{number}]"
