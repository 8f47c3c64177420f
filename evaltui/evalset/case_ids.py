"""The ids that the cases of a set have, without unfolding a case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from evaltui.document.diff.sequence_diff import shared_length
from evaltui.document.node import Node
from evaltui.document.strings import decode

_MEMBER = rb'"eval_?[iI]d"\s*:\s*'
_first = re.compile(rb"\{\s*" + _MEMBER + rb'"([^"\\]*)"').match
_anywhere = re.compile(_MEMBER + rb'("(?:[^"\\]|\\.)*")').findall


class CaseIds:
    """Reads ids from the source of cases; of those that were asked for before, only where cases came, went or changed.

    Nobody need tell it of changes: the sources are compared, which takes half a millisecond for 10,000 cases.
    """

    def __init__(self) -> None:
        self._sources: list[bytes] = []
        self._ids: list[Sequence[str]] = []

    def of(self, cases: Sequence[Node]) -> set[str]:
        """The ids of these cases, and perhaps other texts in them: new ids avoid them all."""
        sources = [case.source() for case in cases]
        head = shared_length(self._sources, sources)
        tail = shared_length(self._sources[head:][::-1], sources[head:][::-1])
        self._ids[head : len(self._ids) - tail] = map(_ids_in, sources[head : len(sources) - tail])
        self._sources = sources
        return set(chain.from_iterable(self._ids))


def _ids_in(source: bytes) -> Sequence[str]:
    """Texts that may be the id of a case. Mostly the id is the first member, and spelt without escapes."""
    if first := _first(source):
        return (first[1].decode("utf-8", "surrogateescape"),)
    return [decode(literal) for literal in _anywhere(source)]
