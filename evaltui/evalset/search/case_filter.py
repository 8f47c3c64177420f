"""The language of the filter, going through cases with it a slice at a time, and the targets of a jump.

    oslo "next week" -refund tool:book_flight is:dirty

Words are combined by *and*; `-` negates. A bare word looks into ids, tool names, texts and arguments. Where no case
holds it literally, ids and tool names that hold its letters in order count as well (`bkfl` finds `book_flight`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from heapq import nsmallest
from typing import NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.search.case_text import CaseText, CaseTexts
from evaltui.printable import one_line

_CONTENT = {"text", "inline_data", "file_data", "tool_uses", "function_call", "starting_prompt", "conversation_plan"}

Predicate = Callable[[Node, CaseText], bool]

MARKS: dict[str, Predicate] = {
    "is:empty": lambda _, case: not case.members & _CONTENT,
    "has:rubric": lambda _, case: "rubrics" in case.members,
    "has:scenario": lambda _, case: bool(case.members & {"conversation_scenario", "user_scenario"}),
    "has:call": lambda _, case: bool(case.calls),
    "has:response": lambda _, case: bool(case.members & {"final_response", "responses"}),
    "has:reference": lambda _, case: "reference" in case.members,
    "has:session": lambda _, case: "session_input" in case.members,
}
"""Tests behind `is:` and `has:` that need only the case; the session adds its own, such as `is:dirty`."""

FIELDS = ("is", "has", "tool", "id", "text")
"""Field names allowed before a colon."""
_named = re.compile("([A-Za-z_]+):(?!//|$)").match
"""Matches a word that looks like a field name with a colon, but no web address."""
_TERM = re.compile(rf'(?=\S)(?P<minus>-?)(?:(?P<field>{"|".join(FIELDS)}):)?(?:"(?P<quoted>[^"]*)"?|(?P<word>\S*))')
_EVERY = 16
"""Cases between two looks at the clock."""


class Term(NamedTuple):
    """One condition of a query."""

    field: str
    """The part of a case to search: `id`, `tool`, `text` (also for quoted words), "" for all three; or `is`, `has`."""
    word: str
    negated: bool = False

    def test(self, marks: Mapping[str, Predicate], *, fuzzy: bool = False) -> Predicate:
        """A function that tests a case for this condition; with `fuzzy`, similar names match."""
        if self.negated:
            # A negated word excludes only cases that hold it: similar names would hide cases that nobody meant.
            holds = self._replace(negated=False).test(marks)
            return lambda node, case: not holds(node, case)
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
        similar_tools = lru_cache(similar)  # cached, because sets have few different tools whatever their size
        return lambda _, case: bool(word in case.texts or similar(case.eval_id) or similar_tools(case.tools))


def parse(text: str, marks: Mapping[str, Predicate] = MARKS) -> tuple[list[Term], str, str]:
    """The conditions of a text, a sentence about an invalid part, and one about a word that looks like a field.

    Never fails: unknown or unfinished parts are left out.
    """
    terms: list[Term] = []
    problem = hint = ""
    for match in _TERM.finditer(text):
        field, quoted = match["field"] or "", match["quoted"]
        word = (quoted if quoted is not None else match["word"] or "").casefold()
        if field in ("is", "has"):
            if f"{field}:{word}" not in marks:
                names = [name.partition(":")[2] for name in marks if name.startswith(f"{field}:")]
                # The beginning of a mark is not a mistake: it is still being typed.
                is_begun = not word or any(name.startswith(word) for name in names)
                near = [] if is_begun else get_close_matches(word, names, 1)
                suggestion = f" Did you mean {field}:{near[0]}?" if near else ""
                problem = problem or f"{field}:{one_line(word, 20)}?{suggestion} Options: {', '.join(names)}"
                continue
        elif not word:  # a field or quote that is still being typed
            continue
        elif quoted is not None and not field:
            field = "text"
        elif not field and (named := _named(word)):
            near = get_close_matches(named[1], FIELDS, 1)
            suggestion = f"Did you mean {near[0]}:? " if near else ""
            hint = f"{one_line(named[1], 12)}:? {suggestion}Options: {' '.join(f'{name}:' for name in FIELDS)}"
        terms.append(Term(field, word, bool(match["minus"])))
    return terms, problem, hint


_SIMILAR = 60


@lru_cache(maxsize=100)
def letters_in_order(word: str) -> Callable[[str], re.Match[str] | None]:
    """A search for the letters of `word` (in lower case) in order within one line; group 1 is the first letter.

    A word of more than 60 letters matches nothing.
    """
    if len(word) > _SIMILAR:  # its pattern would take a second and megabytes to compile
        return lambda _: None
    first, *later = map(re.escape, word)
    # It begins at the first of these letters in a line, because no later one leads further: the time is linear.
    steps = (f"[^\n{letter}]*+{letter}" for letter in later)
    return re.compile(f"^[^\n{first}]*+({first}){''.join(steps)}", re.MULTILINE).search


class Search:
    """Tests cases with a query in slices of time; `hits` are the matches so far, in order."""

    def __init__(
        self, text: str, cases: Sequence[Node], texts: CaseTexts, marks: Mapping[str, Predicate] = MARKS
    ) -> None:
        """An empty `text` reads all cases."""
        # All cases are tested for each letter: to test 10,000 takes 30 ms, and only the hits of the last query no less.
        self.query = parse(text, marks)
        self.terms, self.problem, self.hint = self.query
        """`hint` is worth showing if nothing is found."""
        self.text = text
        self.hits: list[Node] = []
        self.is_similar = False
        """Whether the hits have only similar names, because nothing matched literally."""
        self._cases = cases
        self._texts = texts
        self._marks = marks
        self._next = 0
        self._tests = [term.test(marks) for term in self.terms]

    @property
    def is_done(self) -> bool:
        """Whether all cases have been tested."""
        return self._next >= len(self._cases)

    def advance(self, seconds: float, clock: Callable[[], float] = time.perf_counter) -> bool:
        """Test cases for about this time; True if all are done."""
        end = clock() + seconds
        self._look_at_similar()
        while not self.is_done:
            for node in self._cases[self._next : self._next + _EVERY]:
                case = self._texts.of(node)
                if all(test(node, case) for test in self._tests):
                    self.hits.append(node)
            self._next += _EVERY
            self._look_at_similar()
            if clock() > end:
                break
        return self.is_done

    def _look_at_similar(self) -> None:
        """Start over with similar names if nothing matched literally, and a bare word can have any."""
        if not self.is_done or self.hits or self.is_similar:
            return
        if any(not term.field and not term.negated and len(term.word) > 1 for term in self.terms):
            self.is_similar, self._next = True, 0
            self._tests = [term.test(self._marks, fuzzy=True) for term in self.terms]

    def places(self, turns: Sequence[Node]) -> list[Node]:
        """The turns of a hit that match the most conditions; empty if only the case as a whole matches."""
        # Other conditions are about the case as a whole.
        terms = [term for term in self.terms if term.field in ("", "text", "tool") and not term.negated]
        tests = [term.test(self._marks) for term in terms]
        counts = [sum(test(turn, self._texts.of(turn)) for test in tests) for turn in turns]
        best = max(counts, default=0)
        return [turn for turn, count in zip(turns, counts, strict=True) if best and count == best]


# --- targets of a jump ------------------------------------------------------------------------------------------------


def node_at(root: Node, text: str) -> Node | None:
    """The value at `text` if that is a JSON Pointer (`/eval_cases/3`, also `#/eval_cases/3`); else None.

    Raises `PointerError` if it leads nowhere.
    """
    pointer = text.strip().removeprefix("#")
    return root.at(pointer.rstrip("/") or pointer) if pointer.startswith("/") else None


_line = re.compile(r":?([0-9]{1,9})").fullmatch


def line_asked(text: str) -> int:
    """The line number in `text`: `:120`, or `120`, which may also be a case number; 0 if there is none."""
    match = _line(text.strip())
    return int(match[1]) if match else 0


Rank = tuple[int, int, int]
"""How well a case fits: smaller is better. It begins with 0 or 1 if the exact id or number was typed."""
JumpTarget = tuple[Rank, int]
"""The rank of a case and its index in the set, from 0; equal ranks keep the order of the file."""


def best_matches(
    text: str, cases: Sequence[Node], texts: CaseTexts, numbers: Iterable[int], count: int
) -> list[JumpTarget]:
    """The best cases for a typed text: exact ids, numbers, beginnings, then similar ids."""
    word = text.strip().casefold()
    # An id may be typed with the name of its set, as in messages.
    words = [word, *([word.rpartition(":")[2]] if ":" in word else [])]
    digits = word.removeprefix("#")
    typed_number = int(digits) - 1 if digits.isascii() and digits.isdigit() and len(digits) < 10 else -1
    targets: list[JumpTarget] = []
    for number in numbers:
        ranks = [rank for word in words if (rank := _rank(word, texts.of(cases[number]).eval_id))]
        ranks += [(1, 0, 0)] if number == typed_number else []
        targets += [(min(ranks), number)] if ranks else []
    return nsmallest(count, targets)


def _rank(word: str, eval_id: str) -> Rank | None:
    """Rank of an id: it equals the word, begins with it, contains it, or has its letters in order in a short span."""
    if word == eval_id:
        return 0, 0, 0
    if (place := eval_id.find(word)) >= 0:
        return 3 if place else 2, place, len(eval_id)
    similar = letters_in_order(word)(eval_id) if word else None
    return (4, similar.end() - similar.start(1), len(eval_id)) if similar else None
