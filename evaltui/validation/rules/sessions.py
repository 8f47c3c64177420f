"""Rules about the session inputs of the cases of an eval set, compared with each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from evaltui.document.edits import Set, json_text
from evaltui.file_access import open_regular
from evaltui.printable import one_line, quoted
from evaltui.validation.checked_case import CaseFacts
from evaltui.validation.rule_types import TALK, Diagnostic, Example, Fix, Rule, SetCheck, a_set


def _sessions(*sessions: str) -> Example:
    cases = ",\n  ".join(
        f'{{"eval_id": "case_{number}", {TALK},\n   "session_input": {{{session}}}}}'
        for number, session in enumerate(sessions, 1)
    )
    return a_set(f'{{"eval_set_id": "desk", "eval_cases": [\n  {cases}]}}')


_WHO = '"app_name": "desk", "user_id": "user"'
_LIST = f'{_WHO}, "state": {{"history": []}}'
_GOOD = _sessions(_WHO, _WHO)
_EMPTY = {"list": "[]", "object": "{}"}
_WORDS = {"string": "a string", "number": "a number", "list": "a list", "object": "an object"}
"""The types that are compared, in the words of a message."""
_HEAD = 100_000
"""The number of bytes of a module that are searched."""

STATE_TYPE_DIFFERS = Rule(
    "state-type-differs",
    "A value of the session state has a different type than in the other cases.",
    "google-adk copies `session_input.state` into the session (`_get_or_create_eval_session` in "
    "google.adk.evaluation.evaluation_generator). These values replace the values that the agent sets. So a tool "
    'that expects a list fails if it gets a string. The ADK evaluation guide calls this a "type mismatch danger": '
    "*initializes feedback_history as a string, breaks .append()*.",
    _sessions(_LIST, f'{_WHO}, "state": {{"history": ""}}'),
    _sessions(_LIST, _LIST),
    "Writes an empty list or object instead of an empty string (not safe: the agent may need a string).",
)


class StateTypes(SetCheck):
    """State values whose type differs from the same key in other cases."""

    def __init__(self) -> None:
        self._counts: dict[str, _Counts] = defaultdict(dict)
        """For each key of the state, how often each type occurs."""

    def note(self, cases: Iterable[tuple[int, CaseFacts]]) -> list[int]:
        """Cases with a session state."""
        states = [(number, facts.state) for number, facts in cases if facts.state]
        for number, state in states:
            for key, kind, _, _ in state:
                if kind in _WORDS:
                    _count(self._counts[key], kind, number)
        return [number for number, _ in states]

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """Values that have not the usual type of their key."""
        for key, kind, pointer, is_empty_text in facts.state:
            types = self._counts.get(key, {})
            # Of two types that occur equally often, a string is less likely to be right: it may stand for nothing.
            usual = max(types, key=lambda name: (types[name][0], name != "string"), default=kind)
            if kind in types and kind != usual:
                empty = _EMPTY.get(usual, "") if is_empty_text else ""
                fix = Fix(f"Write {empty}", False, (Set(pointer, empty.encode()),)) if empty else None
                usual_words = f"{_WORDS[usual]} in case {types[usual][1] + 1}"
                message = f"{quoted(key, 40)} is {_WORDS[kind]} here, but {usual_words}"
                yield STATE_TYPE_DIFFERS.at(pointer, message, fix=fix)


_Counts = dict[str, tuple[int, int]]
"""How often each value occurs, and the number of the first case that has it."""


def _count(counts: _Counts, value: str, number: int) -> None:
    times, first = counts.get(value, (0, number))
    counts[value] = times + 1, first


APP_NAME_DIFFERS = Rule(
    "app-name-differs",
    "The app_name of a case differs from most cases of its eval set.",
    "`adk eval` runs all cases with one agent. Each case gets a session with its own app_name "
    "(`_get_or_create_eval_session`). Later `LocalEvalService` looks for a session with the name of the folder and "
    "finds none. So `session_details` is null in the result, and the result has no state or artifacts of the app.",
    _sessions(_WHO, _WHO, _WHO.replace("desk", "dest")),
    _GOOD,
    "Writes the app_name of the other cases (not safe: the eval set may be for several agents).",
)


class AppNames(SetCheck):
    """App names that differ from most cases, or from the folder of the agent around `path`."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._counts: _Counts = {}

    def note(self, cases: Iterable[tuple[int, CaseFacts]]) -> list[int]:
        """Cases with an app name."""
        names = [(number, facts.app_name) for number, facts in cases if facts.app_name]
        for number, name in names:
            _count(self._counts, name, number)
        return [number for number, _ in names]

    @cached_property
    def _usual(self) -> str:
        return max(self._counts, key=lambda name: self._counts[name][0])

    @cached_property
    def _is_mixed(self) -> bool:
        """Whether there are several names, and one of them in at least half of the cases."""
        # Without such a majority, nobody knows which name is the wrong one.
        total = sum(times for times, _ in self._counts.values())
        return len(self._counts) > 1 and self._counts[self._usual][0] * 2 >= total

    @cached_property
    def _agent(self) -> str:
        """The name of the folder of the set if it has an agent and no case has the name; else ""."""
        if self._path is None:
            return ""
        # As google-adk's loader looks for an agent, without importing it.
        try:
            folder = self._path.absolute().parent
            is_agent = any((folder / name).is_file() for name in ("agent.py", "root_agent.yaml"))
            if not is_agent:
                with open_regular(folder / "__init__.py") as file:
                    is_agent = b"agent" in file.read(_HEAD)
        except OSError:
            return ""
        return folder.name if is_agent and folder.name not in self._counts else ""

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The name of the case if it differs."""
        name, usual, place = facts.app_name or "", self._usual, facts.app_name_pointer
        if name != usual and self._is_mixed:
            fix = Fix(f"Write {one_line(usual, 30)}", False, (Set(place, json_text(usual)),))
            message = f"app_name is {quoted(name, 40)} here, but {quoted(usual, 40)} in most cases"
            yield APP_NAME_DIFFERS.at(place, message, fix=fix)
        # One diagnostic for all cases that agree with each other.
        elif name == usual and self._agent and number == self._counts[usual][1]:
            folder = quoted(self._agent, 40)
            message = f"app_name is {quoted(one_line(name, 40))}, but the folder of the agent is {folder}"
            yield APP_NAME_UNLIKE_FOLDER.at(place, message)


APP_NAME_UNLIKE_FOLDER = Rule(
    "app-name-unlike-folder",
    "The app_name of the cases differs from the name of the agent's folder.",
    "After a run, `adk eval` and `adk web` look for sessions with the name of the folder as app_name. But each "
    "session has the app_name of its case, so google-adk does not find it. evaltui reports this if the folder has an "
    "`agent.py`, a `root_agent.yaml`, or an `__init__.py` that imports the agent. The example is a file in an "
    "agent's folder `desk`.",
    _sessions(_WHO.replace("desk", "service_desk")),
    _sessions(_WHO),
    severity="info",
)
