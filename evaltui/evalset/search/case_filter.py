"""The language of the filter, and going through cases with it a slice at a time.

    oslo "next week" -refund tool:book_flight is:dirty

Words are combined by *and*; `-` negates. A bare word looks into ids, tool names, texts and arguments. Where no case
holds it literally, ids and tool names that hold its letters in order count as well (`bkfl` finds `book_flight`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.search.case_text import CaseText, CaseTexts
from evaltui.printable import one_line

_SAID = {"text", "inline_data", "file_data", "tool_uses", "function_call", "starting_prompt", "conversation_plan"}

Predicate = Callable[[Node, CaseText], bool]

MARKS: dict[str, Predicate] = {
    "is:empty": lambda _, case: not case.members & _SAID,
    "has:rubric": lambda _, case: "rubrics" in case.members,
    "has:scenario": lambda _, case: bool(case.members & {"conversation_scenario", "user_scenario"}),
    "has:call": lambda _, case: bool(case.calls),
    "has:response": lambda _, case: bool(case.members & {"final_response", "responses"}),
    "has:reference": lambda _, case: "reference" in case.members,
    "has:session": lambda _, case: "session_input" in case.members,
}
"""Predicates behind `is:` and `has:`; the session adds its own (is the case dirty?)."""

FIELDS = ("is", "has", "tool", "id", "text")
"""Words that may stand before a colon."""
_named = re.compile("([A-Za-z_]+):(?!//|$)").match
"""Words that look as if they named a field; addresses of the web do not."""
_TERM = re.compile(rf'(?=\S)(?P<minus>-?)(?:(?P<field>{"|".join(FIELDS)}):)?(?:"(?P<quoted>[^"]*)"?|(?P<word>\S*))')
_EVERY = 16
"""Cases between two looks at the clock."""


class Term(NamedTuple):
    """One condition."""

    field: str
    """Part of a case to search: "" for all, `text` (also for quoted words), `id`, `tool`; `is` and `has` for marks."""
    word: str
    negated: bool = False

    def test(self, marks: Mapping[str, Predicate], *, fuzzy: bool = False) -> Predicate:
        """A function that tells whether a case fulfils this condition; with `fuzzy`, similar names count."""
        found = self._finder(marks, fuzzy and not self.negated)
        return (lambda node, case: not found(node, case)) if self.negated else found

    def _finder(self, marks: Mapping[str, Predicate], fuzzy: bool) -> Predicate:
        word = self.word
        match self.field:
            case "id":
                return lambda _, case: word in case.eval_id
            case "tool":
                return lambda _, case: word in case.tools
            case "text":
                return lambda _, case: word in case.texts
            case "is" | "has":
                return marks[f"{self.field}:{word}"]
        if not fuzzy:
            return lambda _, case: word in case.texts or word in case.eval_id or word in case.tools
        similar = letters_in_order(word)
        called = lru_cache(similar)  # sets have few tools, whatever their size
        return lambda _, case: bool(word in case.texts or similar(case.eval_id) or called(case.tools))

    def narrows(self, other: Term) -> bool:
        """Whether what fulfils this condition fulfils the `other` one: it is the same, or more letters of it."""
        is_longer = self.field == other.field not in ("is", "has") and not self.negated and not other.negated
        return self == other or (is_longer and other.word in self.word)


@dataclass(frozen=True)
class Query:
    """A parsed filter; `problem` is a sentence about a part that is invalid."""

    terms: tuple[Term, ...] = ()
    problem: str = ""
    hint: str = ""
    """A sentence about what was understood as plain words, and perhaps not meant so, for where nothing is found."""

    @cached_property
    def said(self) -> tuple[Term, ...]:
        """The conditions that a turn, and not only a whole case, can fulfil."""
        return tuple(term for term in self.terms if term.field in ("", "text", "tool") and not term.negated)

    def narrows(self, other: Query) -> bool:
        """Whether all that this finds literally is among what `other` finds."""
        pairs = zip(self.terms, other.terms, strict=False)
        return len(self.terms) >= len(other.terms) and all(own.narrows(its) for own, its in pairs)

    @cached_property
    def has_bare_words(self) -> bool:
        """Whether any condition can be met by similar names."""
        return any(not term.field and not term.negated and len(term.word) > 1 for term in self.terms)


def parse(text: str, marks: Mapping[str, Predicate] = MARKS) -> Query:
    """The query that `text` is; never fails: what is not understood, or half typed, is left out and said."""
    terms: list[Term] = []
    problems: list[str] = []
    hint = ""
    for found in _TERM.finditer(text):
        field, quoted = found["field"] or "", found["quoted"]
        word = (quoted if quoted is not None else found["word"] or "").casefold()
        if field in ("is", "has"):
            if f"{field}:{word}" not in marks:
                problems.append(_no_such_mark(field, word, marks))
                continue
        elif not word:
            continue
        elif quoted is not None and not field:
            field = "text"
        elif not field and (named := _named(word)):
            hint = _no_such_field(named[1])
        terms.append(Term(field, word, bool(found["minus"])))
    return Query(tuple(terms), problems[0] if problems else "", hint)


def _no_such_mark(field: str, word: str, marks: Mapping[str, Predicate]) -> str:
    names = [name.partition(":")[2] for name in marks if name.startswith(f"{field}:")]
    asked = f"No filter {field}:{one_line(word, 20)}."
    near = [] if not word or any(name.startswith(word) for name in names) else get_close_matches(word, names, 1)
    meant = f" Did you mean {field}:{near[0]}?" if near else ""
    return f"{asked}{meant} Options: {', '.join(names)}"


def _no_such_field(name: str) -> str:
    near = get_close_matches(name, FIELDS, 1)
    meant = f"Did you mean {near[0]}:? " if near else ""
    return f"No field {one_line(name, 12)}:. {meant}Options: {' '.join(f'{field}:' for field in FIELDS)}"


READ_ALL = Query((Term("text", ""),))
"""Finds every case, having read it."""


_SIMILAR = 60


@lru_cache(maxsize=100)
def letters_in_order(word: str) -> Callable[[str], re.Match[str] | None]:
    """Finds the letters of `word` (in lower case) in order within one line; takes linear time for each start.

    Nothing is similar to a word of more than 60 letters: its pattern takes a second and megabytes to compile.
    """
    if len(word) > _SIMILAR:
        return lambda _: None
    steps = (f"[^\n{re.escape(letter)}]*{re.escape(letter)}" for letter in word[1:])
    return re.compile(re.escape(word[:1]) + "".join(steps)).search


class Search:
    """Goes through cases with a query, as long as it is let; `hits` are those found so far, in order."""

    def __init__(
        self,
        query: Query,
        cases: Sequence[Node],
        texts: CaseTexts,
        marks: Mapping[str, Predicate] = MARKS,
        before: Search | None = None,
    ) -> None:
        """`before` is the search of the key before: where this one can only find less, it looks no further."""
        self.query = query
        self.hits: list[Node] = []
        self.is_similar = False
        """Whether the hits only have similar names: literally there were none."""
        self._all = cases
        self._texts = texts
        self._marks = marks
        self._next = 0
        narrows = before is not None and before.is_done and not before.is_similar and query.narrows(before.query)
        self._cases = before.hits if before is not None and narrows else cases
        self._tests = [term.test(marks) for term in query.terms]

    @property
    def is_done(self) -> bool:
        """Whether all cases have been looked at."""
        return self._next >= len(self._cases)

    def advance(self, seconds: float, clock: Callable[[], float] = time.perf_counter) -> bool:
        """Look at cases for about so long; True once there are no more."""
        end = clock() + seconds
        self._look_at_similar()
        while not self.is_done:
            for node in self._cases[self._next : self._next + _EVERY]:
                case = self._texts.of(node)
                for test in self._tests:
                    if not test(node, case):
                        break
                else:
                    self.hits.append(node)
            self._next += _EVERY
            self._look_at_similar()
            if clock() > end:
                break
        return self.is_done

    def _look_at_similar(self) -> None:
        """Begin anew, letting similar names count, where literally nothing was found."""
        if self.is_done and not self.hits and not self.is_similar and self.query.has_bare_words:
            self.is_similar, self._next, self._cases = True, 0, self._all
            self._tests = [term.test(self._marks, fuzzy=True) for term in self.query.terms]

    def places(self, turns: Sequence[Node]) -> list[Node]:
        """The turns of a hit that fulfil most of what a turn can fulfil; none where only the case as a whole does."""
        said = self.query.said
        if not said:
            return []
        tests = [term.test(self._marks) for term in said]
        counts = [sum(test(turn, self._texts.of(turn)) for test in tests) for turn in turns]
        best = max(counts, default=0)
        return [turn for turn, count in zip(turns, counts, strict=True) if best and count == best]
