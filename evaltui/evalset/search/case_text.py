"""The text of a case for searching, extracted once: names, texts and arguments without JSON syntax.

Its names complete what a person types.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from evaltui.document.node import Node
from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import get
from evaltui.evalset.keys import snake

_FREE = {"args", "response", "state", "final_session_state", "state_delta"}
"""Keys whose values have free keys, which are searched as `key=value`."""
_CALLS, _ANSWERS = {"tool_uses", "function_call"}, {"tool_responses", "function_response"}
_UNSAID = {
    *("role", "author", "id", "invocation_id", "eval_id", "rubric_id", "mime_type", "creation_timestamp"),
    *("eval_case_id", "turn_id", "event_id", "event_time", "group_id"),
}
"""Keys without words of the conversation; `user`, for example, would match every turn."""
_ANSWERED = {"reference", "responses"}
"""Keys of datasets whose `response` is a content."""
_BARE = {"prompt", "response", "content"}
"""Keys of datasets whose value may be a bare text in place of a content."""
_LONG = 400
_AT_ONCE = 20
_BASE64 = r"[A-Za-z0-9+/_-]+={0,2}"

Call = tuple[str, tuple[tuple[str, str], ...]]
"""A tool name, and the names of its arguments with their JSON types; `empty` for an empty text."""


class _Number(str):
    """A number, spelled as in the file."""

    __slots__ = ()


_KINDS = {str: "string", _Number: "number", bool: "boolean", type(None): "null", list: "array", dict: "object"}
_decoder = json.JSONDecoder(parse_int=_Number, parse_float=_Number, parse_constant=_Number)


class CaseText(NamedTuple):
    """The words of a case or another value, in lower case (`str.casefold`)."""

    eval_id: str = ""
    tools: str = ""
    """The names of the called tools, one per line."""
    texts: str = ""
    """All other texts and arguments, one per line."""
    calls: tuple[Call, ...] = ()
    members: frozenset[str] = frozenset()
    """The keys (snake_case) with a value that is not empty, down to the turns."""
    rubric_ids: tuple[str, ...] = ()
    persona: str = ""


def text_of_case(node: Node, *, free: bool = False) -> CaseText:
    """The words of `node`; `free` for a value outside an eval set, whose keys are all searched."""
    try:
        value = read_json(node.source().decode("utf-8", "surrogateescape"), _decoder)
    except ValueError:  # a case that Python cannot read is found by its JSON text
        return CaseText(texts=node.source().decode("utf-8", "replace").casefold())
    texts, calls, members, rubric_ids, persona = list[str](), list[Call](), set[str](), list[str](), ""
    # A stack instead of recursion, because a value may nest as deep as JSON can be read.
    pending: list[tuple[str, Any, bool]] = [("", value, free)]
    while pending:
        key, item, is_free = pending.pop()
        if isinstance(item, list):
            pending += [(key, inner, is_free) for inner in reversed(item)]
        elif isinstance(item, dict) and is_free:
            pending += [(name, inner, True) for name, inner in reversed(item.items())]
        elif isinstance(item, dict):
            calls += _call_in(key, item)
            members |= {snake(name) for name, inner in item.items() if inner not in ("", None, [], {})}
            below: list[tuple[str, Any, bool]] = []
            names_a_tool, is_answered = key in _CALLS or key in _ANSWERS, key in _ANSWERED
            for own_name, inner in item.items():
                name = snake(own_name)
                if name == "rubric_id" and isinstance(inner, str):
                    rubric_ids.append(inner)
                elif name == "user_persona" and isinstance(inner, str):
                    persona = inner
                # Names of tools are searched apart from texts.
                if name not in _UNSAID and (name != "name" or not names_a_tool):
                    below.append((name, inner, name in _FREE and not is_answered))
            pending += reversed(below)
        elif isinstance(item, str) and (is_free or not isinstance(item, _Number)):
            if len(item) > _LONG and re.fullmatch(_BASE64, item):  # a picture has no words
                continue
            if key in _BARE and item and not is_free:
                members.add("text")
            texts.append(f"{key}={item}" if is_free and key else item)
    eval_id = (get(value, "eval_id") or get(value, "eval_case_id")) if not free else ""
    tools = "\n".join(dict.fromkeys(name.replace("\n", " ") for name, _ in calls))
    return CaseText(
        eval_id.casefold() if isinstance(eval_id, str) else "",
        sys.intern(tools.casefold()),  # thousands of cases call the same tools
        "\n".join(texts).casefold(),
        tuple(dict.fromkeys(calls)),
        frozenset(members),
        tuple(rubric_ids),
        persona,
    )


def _call_in(key: str, value: dict[str, Any]) -> Iterator[Call]:
    """The call that an object under this key is, if it has a name."""
    name, args = value.get("name"), value.get("args")
    if key in _CALLS and isinstance(name, str) and name:
        kinds = args.items() if isinstance(args, dict) else ()
        yield name, tuple((arg, "empty" if item == "" else _KINDS[type(item)]) for arg, item in kinds)


# --- the words of all cases ------------------------------------------------------------------------------------------


class Vocabulary:
    """Counts the names in cases (tools, arguments, personas and rubrics), so that the most used ones come first."""

    def __init__(self) -> None:
        self._words: dict[str, Counter[str]] = defaultdict(Counter)
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
                self._words[f"type of {name}.{arg}"][kind] += times
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
        return frozenset(self.words(f"type of {tool}.{argument}")) - {"empty"}


class CaseTexts:
    """The words of cases, extracted when first needed and kept until the case changes."""

    def __init__(self, *, free: bool = False) -> None:
        """`free` for a file that is not an eval set."""
        self._free = free
        self._texts: dict[Node, CaseText] = {}
        self._vocabulary = Vocabulary()
        self._stale: set[Node] = set()
        """Changed cases that were not needed since."""

    def of(self, node: Node) -> CaseText:
        """The words of a case."""
        text = self._texts.get(node)
        if text is None:
            text = self._texts[node] = text_of_case(node, free=self._free)
            self._vocabulary.count(text)
            self._stale.discard(node)
        return text

    @property
    def vocabulary(self) -> Vocabulary:
        """The names in all cases read so far; a few changed cases are read again."""
        for node in list(self._stale)[:_AT_ONCE]:
            self._stale.discard(node)
            if node.parent is not None:
                self.of(node)
        return self._vocabulary

    def forget(self, nodes: Iterable[Node] | None = None) -> None:
        """Forget the words of these nodes, or of all (None)."""
        if nodes is None:
            self._texts.clear()
            self._stale.clear()
            self._vocabulary = Vocabulary()
            return
        for changed in {outer for node in nodes for outer in (node, *node.ancestors())}:
            if (text := self._texts.pop(changed, None)) is not None:
                self._vocabulary.count(text, -1)
                self._stale.add(changed)
