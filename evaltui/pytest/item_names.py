"""Names of sets and cases as tests: unique in their file, and safe in a node id and in the log of a CI runner."""

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
    return safe_name(eval_id) or f"case_{number}"


def safe_name(text: str) -> str:
    """A name in which nothing separates node ids, and no word of which a CI runner obeys: `%3A%3Aerror`."""
    from evaltui.printable import one_line
    from evaltui.runner_words import without_runner_words

    plain = one_line(text).replace(_SEPARATOR, "%3A%3A")
    return without_runner_words(plain, lambda sign: f"%{ord(sign):02X}")


def _next(name: str, taken: set[str]) -> str:
    number = 1
    while f"{name}[{number}]" in taken:
        number += 1
    return f"{name}[{number}]"
