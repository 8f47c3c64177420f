"""Eval sets as callers of the API see them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaltui.api.inputs import AnyPath, path_of, refusals
from evaltui.document.disk.file_content import read_file
from evaltui.document.document import Document
from evaltui.document.node import root_of_file
from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet
from evaltui.file_access import has_working_directory
from evaltui.runs.set_reader import set_of
from evaltui.scoring.eval_config import find_config
from evaltui.scoring.explained_case import JsonRecord


@dataclass(frozen=True)
class EvalCase:
    """A case of an eval set."""

    eval_id: str
    """In a dataset, the `eval_case_id`; "" if the case has none."""
    number: int
    """The place of the case in the set, from 0."""
    line: int
    """The line where the case begins, from 1."""
    user_messages: tuple[str, ...] = field(repr=False)
    """The texts of the user messages, one for each expected turn."""
    is_scenario: bool
    """Whether a simulated user plays the case, so that it has no expected turns."""
    rejected: str | None
    """The reason why google-adk rejects the case; None if it accepts it. A rejected case is not evaluated."""


@dataclass(frozen=True)
class EvalSet(JsonRecord):
    """An eval set of google-adk or a dataset of agents-cli, as it was when it was read."""

    not_in_json = frozenset({"cases", "config", "_expected", "_data", "_folder"})

    path: str
    eval_set_id: str | None
    """None for a dataset."""
    cases: tuple[EvalCase, ...] = field(repr=False)
    """The cases, in the order of the file."""
    rejected: str | None
    """The reason why google-adk rejects the set apart from its cases; None if it accepts it."""
    config: str | None
    """The path of the config beside the set; None if there is none."""
    # Not public, and not compared: two sets are equal if callers see the same.
    _expected: ExpectedSet = field(repr=False, compare=False)
    _data: bytes = field(repr=False, compare=False)
    _folder: str = field(repr=False, compare=False)
    """The working directory when the set was read, from which its relative paths begin."""


def read_eval_set(path: AnyPath) -> EvalSet:
    """Read an eval set. Raises `EvaltuiError` if its cases cannot be found."""
    file, folder = path_of(path, "path"), _working_directory()
    with refusals():
        data = read_file(file)
        expected = set_of(root_of_file(data), data, file, str(file))
    config = find_config(file, of_dataset=expected.is_dataset)
    cases = tuple(_case(case, line) for case, line in zip(expected.cases, expected.lines, strict=True))
    config_path = str(config) if config is not None else None
    return EvalSet(str(file), expected.eval_set_id, cases, expected.fault, config_path, expected, data, folder)


def expected_set(eval_set: EvalSet) -> ExpectedSet:
    """The set as it is scored."""
    # A notebook may change its folder between reading a set and scoring it; files near the set are found all the same.
    return replace(eval_set._expected, path=_reachable(eval_set, eval_set.path))


def config_of(eval_set: EvalSet) -> Path | None:
    """The config beside the set, also if the working directory is another one than before; None if there is none."""
    return _reachable(eval_set, eval_set.config) if eval_set.config is not None else None


def _reachable(eval_set: EvalSet, path: str) -> Path:
    """A path of the set; absolute if the working directory has changed since the set was read."""
    # Relative as long as it can be: messages name a file as the caller named it.
    return Path(path) if _working_directory() == eval_set._folder else Path(eval_set._folder, path)


def _working_directory() -> str:
    """The working directory; "" if it was deleted."""
    return os.getcwd() if has_working_directory() else ""  # noqa: PTH109 - only compared and joined


def document_of(eval_set: EvalSet) -> Document:
    """A new document of the bytes that were read."""
    # A review edits its document, and several threads may review one set.
    return Document(eval_set._data, expected_set(eval_set).path)


def eval_set_of(value: EvalSet | AnyPath) -> EvalSet:
    """The set that a caller names, read if it is a path. Raises `EvaltuiError`, and `TypeError` for another value."""
    return value if isinstance(value, EvalSet) else read_eval_set(path_of(value, "eval_set"))


def _case(case: ExpectedCase, line: int) -> EvalCase:
    messages = tuple(turn.user_text for turn in case.turns)
    return EvalCase(case.eval_id, case.number, line, messages, case.is_scenario, case.fault)
