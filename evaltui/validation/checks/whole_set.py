"""Checks of a set as a whole, by what is known of its cases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from evaltui.document import Set, json_text
from evaltui.evalset.editing.fresh_ids import fresh_id
from evaltui.printable import one_line, printable
from evaltui.validation.checks import expectations, keys, secrets, sessions, timestamps
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.facts import CaseFacts, Found
from evaltui.validation.place import Place
from evaltui.validation.rules import conversations, ids

_creatable = re.compile(r"[a-zA-Z0-9_]+").fullmatch


def check_set(
    rest: Place, cases: Sequence[CaseFacts], path: Path | None = None, source: bytes = b""
) -> Iterator[Found]:
    """The findings of a set: `rest` is the set without its cases, `cases` what is known of each, in order.

    `path` is where its file is, for what the folder tells, and `source` the text of `rest`.
    """
    of_rest = (
        _set_id(rest),
        keys.of_set(rest),
        timestamps.of_set(rest),
        secrets.check(rest, source),
        _no_cases(rest, cases),
    )
    yield from ((None, found) for found in chain(*of_rest))
    yield from _ids(cases)
    yield from expectations.check(cases)
    yield from sessions.check(cases, path)


def _set_id(rest: Place) -> Iterator[Diagnostic]:
    identifier = rest.data.get("eval_set_id") if isinstance(rest.data, dict) else None
    if not isinstance(identifier, str):
        return
    place = rest.below("eval_set_id")
    if identifier.strip() and identifier != identifier.strip():
        said = f"eval_set_id {printable(identifier)[:40]!r} begins or ends with blanks"
        fix = Fix("Take the blanks away", True, (Set(place.pointer, json_text(identifier.strip())),))
        yield ids.BLANKS_AROUND.at(place, said, fix=fix)
    elif not _creatable(identifier):
        said = (
            f"google-adk would not create a set with the eval_set_id {one_line(identifier, 40)!r}: letters, digits, _"
        )
        yield ids.ODD_EVAL_SET_ID.at(place, said)


def _no_cases(rest: Place, cases: Sequence[CaseFacts]) -> Iterator[Diagnostic]:
    if not cases and isinstance(rest.data, dict) and rest.data.get("eval_cases") == []:
        yield conversations.EMPTY_SET.at(rest.below("eval_cases"), "the set has no cases, so nothing is evaluated")


def _ids(cases: Sequence[CaseFacts]) -> Iterator[Found]:
    """Ids that are empty, or those of a case before."""
    first: dict[str, int] = {}
    taken = {facts.eval_id for facts in cases}
    for number, facts in enumerate(cases):
        if facts.eval_id is None:
            continue
        is_empty = not facts.eval_id.strip()
        if not is_empty and facts.eval_id not in first:
            first[facts.eval_id] = number
            continue
        other = fresh_id([] if is_empty else [facts.eval_id], f"case_{number + 1}", taken.__contains__)
        taken.add(other)
        fix = Fix(f"Rename it to {one_line(other, 30)}", True, (Set(facts.eval_id_pointer, json_text(other)),))
        if is_empty:
            yield number, ids.EMPTY_EVAL_ID.at(facts.eval_id_pointer, "eval_id is empty", fix=fix)
        else:
            said = f"eval_id {one_line(facts.eval_id, 40)!r} is that of case {first[facts.eval_id] + 1} as well"
            yield number, ids.DUPLICATE_EVAL_ID.at(facts.eval_id_pointer, said, fix=fix)
