"""Names that complete what a person types: tools, arguments, personas and rubrics that cases of the set have."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it counts the words of its cases
    from evaltui.evalset.search.case_text import CaseText


class Vocabulary:
    """Counts the names in cases, so that the most used ones come first."""

    def __init__(self) -> None:
        self._words: dict[str, Counter[str]] = defaultdict(Counter)
        self._kinds: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        """The JSON types of arguments, by tool and argument name."""
        self._last_arguments: dict[str, tuple[tuple[str, str], ...]] = {}

    def count(self, case: CaseText, times: int = 1) -> None:
        """Add the names of a case, or with -1 subtract them."""
        # A case is subtracted, so an edit costs the time of one case and not of the set.
        self._words["rubric"].update(dict.fromkeys(case.rubric_ids, times))
        self._words["persona"].update({case.persona: times} if case.persona else {})
        for name, args in case.calls:
            self._words["tool"].update({name: times})
            self._words[f"argument of {name}"].update({arg: times for arg, _ in args})
            for arg, kind in args:
                self._kinds[name, arg][kind] += times
            if times > 0 and args:
                self._last_arguments[name] = args

    def words(self, kind: str) -> list[str]:
        """The names of a kind (`tool`, `argument of book_flight`, `persona`, `rubric`), most used first."""
        counted = self._words.get(kind, Counter())
        return [word for word, count in counted.most_common() if count > 0]

    def completion(self, kind: str, text: str) -> str:
        """The rest of the most used name that begins with `text`; "" if there is none."""
        return next((word[len(text) :] for word in self.words(kind) if word.startswith(text) and word != text), "")

    def last_arguments(self, tool: str) -> Iterable[tuple[str, str]]:
        """The arguments of the last call of a tool that has any, with their JSON types."""
        arguments = self._last_arguments.get(tool, ())
        return ((name, "string" if kind == "empty" else kind) for name, kind in arguments)

    def kinds_of_argument(self, tool: str, argument: str) -> frozenset[str]:
        """The JSON types of an argument in the calls of a tool; empty texts do not count."""
        counted = self._kinds.get((tool, argument), Counter())
        return frozenset(kind for kind, count in counted.items() if count > 0 and kind != "empty")
