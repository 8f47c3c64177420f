"""Rules about ids and names that the readers accept, but cannot distinguish, select or find."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator

from evaltui.document.edits import Edit, Insert, Set, json_text
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.printable import printable, quoted
from evaltui.validation.checked_case import CaseFacts, CheckedCase, PointedValue
from evaltui.validation.rule_types import (
    TALK,
    USER,
    Diagnostic,
    Fix,
    Rule,
    SetCheck,
    a_case,
    a_dataset,
    a_set,
    a_turn,
    renaming,
)
from evaltui.validation.rules.dataset_cases import GOOD, PROMPT

_GOOD = a_case(f'{{"eval_id": "greeting", {TALK}}}')
_creatable = re.compile(r"[a-zA-Z0-9_]+").fullmatch
_signs = re.compile(r"[,:]+").split


def check_case(case: CheckedCase) -> Iterator[Diagnostic]:
    """Ids that google-adk cannot select, and invisible spaces and accents in names."""
    if case.eval_id:
        sign = next((sign for sign in ",:" if sign in case.eval_id), None)
        if sign is not None:
            name = "comma" if sign == "," else "colon"
            message = f"eval_id contains a {name}, so `adk eval` cannot select the case"
            place = case.root.place_of("eval_id")
            new_id = "_".join(map(str.strip, _signs(case.eval_id))).strip("_") or "case"
            yield UNSELECTABLE_EVAL_ID.at(place, message, fix=renaming(place, new_id, safe=False))
        # Other files may refer to ids of cases and rubrics, so that their spaces get no fix.
        yield from _blanks_around(case.root.member("eval_id"), "eval_id", is_fixed=False)
    if (session := case.session) is not None:
        for name in ("app_name", "user_id"):
            yield from _blanks_around(session.member(name), name)
    for turn in case.turns:
        for tool in map(case.at, (*turn.calls, *turn.responses)):
            yield from _blanks_around(tool.member("name"), "name")
            name = tool.text("name") or ""
            if not name.isascii() and not unicodedata.is_normalized("NFC", name):
                place = tool.below("name").pointer
                edit = Set(place, json_text(unicodedata.normalize("NFC", name)))
                message = f"{quoted(name, 40)} has combining accents, so it matches no Python function"
                yield NAME_NOT_COMPOSED.at(place, message, fix=Fix("Compose the accents", False, (edit,)))
    for rubric in case.all_rubrics:
        yield from _blanks_around(case.at(rubric).member("rubric_id"), "rubric_id", is_fixed=False)


DUPLICATE_EVAL_ID = Rule(
    "duplicate-eval-id",
    "Two cases of an eval set have the same eval_id.",
    "`adk eval` copies the cases into an eval set in memory and aborts the whole run. "
    "`InMemoryEvalSetsManager.add_eval_case` raises `ValueError: EvalCase … already exists in EvalSet …`. Other "
    "commands find only the first of the two (`get_eval_case_from_eval_set`).",
    a_set(
        '{"eval_set_id": "desk", "eval_cases": [\n'
        f'  {{"eval_id": "greeting", {TALK}}},\n  {{"eval_id": "greeting", {TALK}}}]}}'
    ),
    a_set(
        '{"eval_set_id": "desk", "eval_cases": [\n'
        f'  {{"eval_id": "greeting", {TALK}}},\n  {{"eval_id": "greeting_2", {TALK}}}]}}'
    ),
    "Adds the next free number to the id of the later case.",
)
EMPTY_EVAL_ID = Rule(
    "empty-eval-id",
    "A case has an empty eval_id.",
    "google-adk accepts the file, but nothing can select the case. `adk eval set.json:ID` needs an id, and results "
    "refer to cases by id.",
    a_case(f'{{"eval_id": "", {TALK}}}'),
    _GOOD,
    "Adds a new id.",
)


_CACHE = 8_000
"""Kilobytes in memory."""


class StoredNumbers:
    """The number of the first case with each id, like a dictionary, for as many cases as a file can have."""

    def __init__(self) -> None:
        # The name "" is a database that SQLite moves to a temporary file if the cache is full, and deletes at the end.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute(f"PRAGMA cache_size = -{_CACHE}")
        self._database.execute("CREATE TABLE ids (id BLOB PRIMARY KEY, first INTEGER) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def setdefault(self, key: str, default: int, /) -> int:
        """The number of the first case with this id, which is `default` for a new id."""
        stored = (_bytes(key), default)
        if self._database.execute("INSERT OR IGNORE INTO ids VALUES (?, ?)", stored).rowcount:
            return default
        (number,) = self._database.execute("SELECT first FROM ids WHERE id = ?", stored[:1]).fetchone()
        return int(number)

    def __contains__(self, key: object, /) -> bool:
        """Whether a case has this id."""
        row = self._database.execute("SELECT 1 FROM ids WHERE id = ?", (_bytes(str(key)),)).fetchone()
        return row is not None

    def close(self) -> None:
        """Delete the database."""
        self._database.close()


FirstNumbers = dict[str, int] | StoredNumbers
"""The number of the first case with each id. A check gets an empty one and fills it."""


def _bytes(text: str) -> bytes:
    # SQLite has no place for lone surrogates in a text.
    return text.encode("utf-8", "surrogatepass")


class EvalIds(SetCheck):
    """Empty and duplicate ids of the cases of an eval set."""

    key, duplicate = "eval_id", DUPLICATE_EVAL_ID

    def __init__(self, first: FirstNumbers) -> None:
        """`first` is empty."""
        self._first = first

    def note(self, cases: Iterable[tuple[int, CaseFacts]]) -> list[int]:
        """Cases with an empty or duplicate id."""
        # One look-up a case: a large set has millions of ids in a database.
        number_of = self._first.setdefault
        return [
            number
            for number, facts in cases
            if facts.eval_id is not None and (not facts.eval_id.strip() or number_of(facts.eval_id, number) != number)
        ]

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The missing, empty or duplicate id, with a fix to a new one."""
        eval_id, place = facts.eval_id or "", facts.eval_id_pointer
        is_bare = not eval_id.strip()
        new_id = fresh_id([] if is_bare else [eval_id], f"case_{number + 1}", self._first.__contains__)
        if is_bare:
            yield self._bare(facts, new_id)
        else:
            first = self._first.setdefault(eval_id, number) + 1
            message = f"{self.key} {quoted(eval_id, 40)} is a duplicate of case {first}"
            yield self.duplicate.at(place, message, fix=renaming(place, new_id))
        self._first.setdefault(new_id, number)  # the next case with this id gets another one

    def _bare(self, facts: CaseFacts, new_id: str) -> Diagnostic:
        return EMPTY_EVAL_ID.at(facts.eval_id_pointer, "eval_id is empty", fix=renaming(facts.eval_id_pointer, new_id))


UNSELECTABLE_EVAL_ID = Rule(
    "unselectable-eval-id",
    "An eval_id contains a comma or a colon.",
    "`adk eval set.json:ID,ID` splits at these characters (`parse_and_get_evals_to_run` in google.adk.cli.cli_eval), "
    "so no command can select this case.",
    a_case(f'{{"eval_id": "greeting: first", {TALK}}}'),
    _GOOD,
    "Writes `_` instead (not safe: other files may refer to the case by its id).",
)
ODD_EVAL_SET_ID = Rule(
    "odd-eval-set-id",
    "google-adk would not create an eval set with this eval_set_id.",
    "`LocalEvalSetsManager.create_eval_set` allows only letters, digits and `_` (`^[a-zA-Z0-9_]+$`), and `adk web` "
    "finds an eval set by `<eval_set_id>.evalset.json`. Such an eval set can still be read.",
    a_set(f'{{"eval_set_id": "desk/2026", "eval_cases": [{{"eval_id": "greeting", {TALK}}}]}}'),
    a_set(f'{{"eval_set_id": "desk_2026", "eval_cases": [{{"eval_id": "greeting", {TALK}}}]}}'),
    severity="info",
)


def check_set(rest: PointedValue) -> Iterator[Diagnostic]:
    """The id of an eval set; `rest` is the set without its cases."""
    identifier = rest.data.get("eval_set_id") if isinstance(rest.data, dict) else None
    if not isinstance(identifier, str):
        return
    if identifier.strip() and identifier != identifier.strip():
        yield from _blanks_around(rest.below("eval_set_id"), "eval_set_id")
    elif not _creatable(identifier):
        message = f"google-adk allows only letters, digits and _ in an eval_set_id, not {quoted(identifier, 40)}"
        yield ODD_EVAL_SET_ID.at(rest.below("eval_set_id"), message)


NAME_NOT_COMPOSED = Rule(
    "name-not-composed",
    "The name of a tool has combining accents: it is not in Unicode's form NFC.",
    "`TrajectoryEvaluator` compares names by their code points. So `café` with a combining accent and `café` with one "
    "character for é are different tools. Both look the same. Python writes the names of functions with composed "
    "accents (NFKC), so a name with combining accents matches no function.",
    a_turn(f'{{{USER},\n "intermediate_data": {{"tool_uses": [{{"name": "find_cafe\\u0301", "args": {{}}}}]}}}}'),
    a_turn(f'{{{USER},\n "intermediate_data": {{"tool_uses": [{{"name": "find_caf\\u00e9", "args": {{}}}}]}}}}'),
    "Composes the accents (not safe: a tool that is not a Python function may have this name).",
)
BLANKS_AROUND = Rule(
    "blanks-around",
    "An id or a name begins or ends with spaces.",
    "google-adk compares ids and tool names exactly, so `get_fines ` and `get_fines` are different tools. Such spaces "
    "are hard to see.",
    a_case(f'{{"eval_id": "greeting ", {TALK}}}'),
    _GOOD,
    "Deletes the spaces, unless the value is an id that another file may refer to.",
)


def _blanks_around(value: PointedValue | None, name: str, *, is_fixed: bool = True) -> Iterator[Diagnostic]:
    text = value.data if value is not None else None
    if value is not None and isinstance(text, str) and text != text.strip() and text.strip():
        fix = Fix("Delete the spaces", True, (Set(value.pointer, json_text(text.strip())),)) if is_fixed else None
        message = f"{name} {quoted(printable(text)[:40])} begins or ends with spaces"
        yield BLANKS_AROUND.at(value, message, fix=fix)


# --- datasets --------------------------------------------------------------------------------------------------------

MISSING_EVAL_CASE_ID = Rule(
    "missing-eval-case-id",
    "A case has no `eval_case_id`, or an empty one.",
    "The id is optional. Without an id, reports of agents-cli show only the number of the case, and `eval optimize` "
    "uses `case_0` and so on. These numbers change when you insert a case.",
    a_dataset(f'{{"eval_cases": [{{{PROMPT}}}]}}'),
    a_dataset(f'{{"eval_cases": [{GOOD.text}]}}'),
    "Adds an id to the case. If no case has an id, adds ids to all cases.",
    severity="info",
)
DUPLICATE_EVAL_CASE_ID = Rule(
    "duplicate-eval-case-id",
    "Two cases of a dataset have the same `eval_case_id`.",
    "The id is the *unique identifier for the evaluation case* (agentplatform.types.EvalCase). No program refuses a "
    "duplicate. But reports, recordings and comparisons refer to cases by id, so they confuse the two cases. In `eval "
    "optimize`, google-adk aborts the run.",
    a_dataset(f'{{"eval_cases": [\n  {GOOD.text},\n  {GOOD.text}]}}'),
    a_dataset(f'{{"eval_cases": [\n  {GOOD.text},\n  {GOOD.text.replace("greeting", "greeting_2")}]}}'),
    "Adds the next free number to the id of the later case.",
)


class DatasetIds(EvalIds):
    """Missing and duplicate ids of the cases of a dataset; `rest` is the dataset without its cases."""

    key, duplicate = "eval_case_id", DUPLICATE_EVAL_CASE_ID

    def __init__(self, rest: PointedValue, first: FirstNumbers) -> None:
        """`first` is empty."""
        super().__init__(first)
        self._place = f"/{rest.key('eval_cases') or 'eval_cases'}"
        self._count = 0
        self._edits: list[Edit] | None = []
        """The edits that add an id to each case; None if a case has an id or is rejected."""

    def note(self, cases: Iterable[tuple[int, CaseFacts]]) -> list[int]:
        """Cases with no id or a duplicate one."""
        suspects = []
        for number, facts in cases:
            self._count += 1
            is_bare = facts.eval_id is None or not facts.eval_id.strip()
            if not is_bare or not facts.is_accepted:
                self._edits = None
            elif self._edits is not None:
                self._edits.append(_id_edit(f"{self._place}/{number}", facts, f"case_{number + 1}"))
            if facts.is_accepted if is_bare else self._first.setdefault(facts.eval_id or "", number) != number:
                suspects.append(number)
        return suspects

    def of_set(self) -> Iterator[Diagnostic]:
        """One diagnostic in place of one for each case."""
        if self._none_has_id:
            message = f"none of the {self._count} cases has an eval_case_id"
            fix = Fix("Add an id to each case", True, tuple(self._edits or ()))
            yield MISSING_EVAL_CASE_ID.at(self._place, message, fix=fix)

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The missing or duplicate id, unless no case has one."""
        return iter(()) if self._none_has_id else super().of_case(number, facts)

    @property
    def _none_has_id(self) -> bool:
        return self._edits is not None and self._count > 1

    def _bare(self, facts: CaseFacts, new_id: str) -> Diagnostic:
        fix = Fix(f"Set the id to {new_id}", True, (_id_edit("", facts, new_id),))
        message = "the case has no eval_case_id" if facts.eval_id is None else "eval_case_id is empty"
        return MISSING_EVAL_CASE_ID.at(facts.eval_id_pointer, message, fix=fix)


def _id_edit(prefix: str, facts: CaseFacts, identifier: str) -> Edit:
    place, text = prefix + facts.eval_id_pointer, json_text(identifier)
    return Insert(place, text, before_key=facts.first_key) if facts.eval_id is None else Set(place, text)
