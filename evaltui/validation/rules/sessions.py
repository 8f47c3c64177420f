"""Rules about the session inputs of the cases of an eval set, compared with each other."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from evaltui.document.edits import Set, json_text
from evaltui.printable import one_line, quoted
from evaltui.validation.case_facts import CaseFacts, NumberedDiagnostic, StateValue
from evaltui.validation.rule import TALK, Diagnostic, Example, Fix, Rule, a_set


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
_A = {"string": "a string", "number": "a number", "list": "a list", "object": "an object"}
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


def check_state(cases: Sequence[CaseFacts]) -> Iterator[NumberedDiagnostic]:
    """State values whose type differs from the same key in other cases."""
    values: dict[str, list[tuple[int, StateValue]]] = defaultdict(list)
    for number, facts in enumerate(cases):
        for value in facts.state:
            if value.type in _A:
                values[value.key].append((number, value))
    for same_key in values.values():
        yield from _types(same_key)


def _types(values: list[tuple[int, StateValue]]) -> Iterator[NumberedDiagnostic]:
    """The diagnostics for the values of one state key, each value with the number of its case."""
    counts = Counter(value.type for _, value in values)
    if len(counts) == 1:
        return
    usual = max(counts, key=lambda kind: (counts[kind], kind != "string"))
    example = next(number for number, value in values if value.type == usual)
    for number, value in values:
        if value.type != usual:
            said = f"{quoted(value.key, 40)} is {_A[value.type]} here, but {_A[usual]} in case {example + 1}"
            yield number, STATE_TYPE_DIFFERS.at(value.pointer, said, fix=_emptied(value, usual))


def _emptied(value: StateValue, usual: str) -> Fix | None:
    empty = _EMPTY.get(usual, "") if value.is_empty_text else ""
    return Fix(f"Write {empty}", False, (Set(value.pointer, empty.encode()),)) if empty else None


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


def check_app_names(cases: Sequence[CaseFacts], path: Path | None) -> Iterator[NumberedDiagnostic]:
    """App names that differ from most cases, or from the folder of the agent around `path`."""
    counts = Counter(facts.app_name for facts in cases if facts.app_name)
    if not counts:
        return
    usual, times = counts.most_common(1)[0]
    if len(counts) > 1 and times * 2 >= counts.total():
        for number, facts in enumerate(cases):
            if facts.app_name and facts.app_name != usual:
                yield number, _differs(facts, usual)
    agent = agent_around(path) if path is not None else ""
    if agent and agent not in counts:
        number = next(number for number, facts in enumerate(cases) if facts.app_name == usual)
        yield number, _unlike_folder(cases[number], agent)


def _differs(facts: CaseFacts, usual: str) -> Diagnostic:
    fix = Fix(f"Write {one_line(usual, 30)}", False, (Set(facts.app_name_pointer, json_text(usual)),))
    said = f"app_name is {quoted(facts.app_name or '', 40)} here, but {quoted(usual, 40)} in most cases"
    return APP_NAME_DIFFERS.at(facts.app_name_pointer, said, fix=fix)


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


def _unlike_folder(facts: CaseFacts, agent: str) -> Diagnostic:
    name = one_line(facts.app_name or "", 40)
    said = f"app_name is {quoted(name)}, but the folder of the agent is {quoted(agent, 40)}"
    return APP_NAME_UNLIKE_FOLDER.at(facts.app_name_pointer, said)


def agent_around(path: Path) -> str:
    """The name of the folder of `path`, if google-adk's loader would find an agent in it; else ""."""
    try:
        folder = path.absolute().parent
        is_agent = any((folder / name).is_file() for name in ("agent.py", "root_agent.yaml")) or _is_package(folder)
    except OSError:
        return ""
    return folder.name if is_agent else ""


def _is_package(folder: Path) -> bool:
    module = folder / "__init__.py"
    if not os.path.isfile(module):  # noqa: PTH113 - opening a pipe would block forever
        return False
    with module.open("rb") as file:
        return b"agent" in file.read(_HEAD)
