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
from functools import cached_property

from evaltui.document import Node
from evaltui.evalset.case_text import CaseText, CaseTexts
from evaltui.printable import one_line

_SAID = {"text", "inline_data", "file_data", "tool_uses", "function_call", "starting_prompt", "conversation_plan"}

Predicate = Callable[[Node, CaseText], bool]

MARKS: dict[str, Predicate] = {
    "is:empty": lambda _, case: not case.members & _SAID,
    "has:rubric": lambda _, case: "rubrics" in case.members,
    "has:scenario": lambda _, case: "conversation_scenario" in case.members,
    "has:call": lambda _, case: bool(case.calls),
    "has:response": lambda _, case: "final_response" in case.members,
    "has:session": lambda _, case: "session_input" in case.members,
}
"""What can be asked of a case by name; whoever knows more (is it dirty?) hands in more."""

_TERM = re.compile(r'(?=\S)(?P<minus>-?)(?:(?P<field>is|has|tool|id|text):)?(?:"(?P<quoted>[^"]*)"?|(?P<word>\S*))')
_EVERY = 8
"""Cases between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Term:
    """One condition."""

    field: str
    """Where to look: "" for everywhere, `text` (also what is quoted), `id`, `tool`; `is` and `has` for marks."""
    word: str
    negated: bool = False

    def holds(self, node: Node, case: CaseText, marks: Mapping[str, Predicate], *, fuzzy: bool = False) -> bool:
        """Whether a case fulfils this condition."""
        return self._found(node, case, marks, fuzzy and not self.negated) is not self.negated

    def _found(self, node: Node, case: CaseText, marks: Mapping[str, Predicate], fuzzy: bool) -> bool:
        word = self.word
        match self.field:
            case "id":
                return word in case.eval_id
            case "tool":
                return word in case.names.partition("\n")[2]
            case "text":
                return word in case.texts
            case "is" | "has":
                return marks[f"{self.field}:{word}"](node, case)
        return word in case.texts or word in case.names or (fuzzy and letters_in_order(word)(case.names) is not None)


@dataclass(frozen=True)
class Query:
    """What was typed, understood; `problem` is a sentence about what was not."""

    terms: tuple[Term, ...] = ()
    problem: str = ""

    @cached_property
    def said(self) -> tuple[Term, ...]:
        """The conditions that a turn, and not only a whole case, can fulfil."""
        return tuple(term for term in self.terms if term.field in ("", "text", "tool") and not term.negated)

    @cached_property
    def has_bare_words(self) -> bool:
        """Whether any condition can be met by similar names."""
        return any(not term.field and not term.negated and len(term.word) > 1 for term in self.terms)


def parse(text: str, marks: Mapping[str, Predicate] = MARKS) -> Query:
    """The query that `text` is; never fails: what is not understood, or half typed, is left out and said."""
    terms: list[Term] = []
    problems: list[str] = []
    for found in _TERM.finditer(text):
        field, quoted = found["field"] or "", found["quoted"]
        word = (quoted if quoted is not None else found["word"] or "").casefold()
        if field in ("is", "has"):
            if f"{field}:{word}" not in marks:
                known = ", ".join(name.partition(":")[2] for name in marks if name.startswith(f"{field}:"))
                problems.append(f"{field}:{one_line(word, 20)}? There is {field}: {known}")
                continue
        elif not word:
            continue
        elif quoted is not None and not field:
            field = "text"
        terms.append(Term(field, word, bool(found["minus"])))
    return Query(tuple(terms), problems[0] if problems else "")


READ_ALL = Query((Term("text", ""),))
"""Finds every case, having read it."""

_patterns: dict[str, Callable[[str], re.Match[str] | None]] = {}


def letters_in_order(word: str) -> Callable[[str], re.Match[str] | None]:
    """Finds the letters of `word` (in lower case) in order within one line; takes linear time for each start."""
    if word not in _patterns:
        if len(_patterns) > 100:
            _patterns.clear()
        steps = (f"[^\n{re.escape(letter)}]*{re.escape(letter)}" for letter in word[1:])
        _patterns[word] = re.compile(re.escape(word[:1]) + "".join(steps)).search
    return _patterns[word]


class Search:
    """Goes through cases with a query, as long as it is let; `hits` are those found so far, in order."""

    def __init__(
        self, query: Query, cases: Sequence[Node], texts: CaseTexts, marks: Mapping[str, Predicate] = MARKS
    ) -> None:
        self.query = query
        self.hits: list[Node] = []
        self.is_similar = False
        """Whether the hits only have similar names: literally there were none."""
        self._cases = cases
        self._texts = texts
        self._marks = marks
        self._next = 0

    @property
    def is_done(self) -> bool:
        """Whether all cases have been looked at."""
        return self._next >= len(self._cases)

    def advance(self, seconds: float, clock: Callable[[], float] = time.perf_counter) -> bool:
        """Look at cases for about so long; True once there are no more."""
        end = clock() + seconds
        while not self.is_done:
            for node in self._cases[self._next : self._next + _EVERY]:
                case = self._texts.of(node)
                if all(term.holds(node, case, self._marks, fuzzy=self.is_similar) for term in self.query.terms):
                    self.hits.append(node)
            self._next += _EVERY
            if self.is_done and not self.hits and not self.is_similar and self.query.has_bare_words:
                self.is_similar, self._next = True, 0
            if clock() > end:
                break
        return self.is_done

    def places(self, turns: Sequence[Node]) -> list[Node]:
        """The turns of a hit that fulfil most of what a turn can fulfil; none where only the case as a whole does."""
        said = self.query.said
        if not said:
            return []
        counts = []
        for turn in turns:
            text = self._texts.of(turn)
            counts.append(sum(term.holds(turn, text, self._marks) for term in said))
        best = max(counts, default=0)
        return [turn for turn, count in zip(turns, counts, strict=True) if best and count == best]
