"""Rules about ids and names that google-adk accepts, but cannot distinguish, select or find."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from evaltui.document.edits import Set, json_text
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.printable import printable, quoted
from evaltui.validation.case_facts import CaseFacts
from evaltui.validation.pointed_values import PointedCase, PointedValue
from evaltui.validation.rule import TALK, USER, Diagnostic, Fix, Rule, a_case, a_set, a_turn, renaming
from evaltui.validation.set_check import FirstNumbers, NumberedFacts, SetCheck

_GOOD = a_case(f'{{"eval_id": "greeting", {TALK}}}')
_creatable = re.compile(r"[a-zA-Z0-9_]+").fullmatch
_signs = re.compile(r"[,:]+").split


def check_case(case: PointedCase) -> Iterator[Diagnostic]:
    """Ids that google-adk cannot select, and invisible spaces and accents in names."""
    if case.eval_id:
        yield from _unselectable(case.root, case.eval_id)
        yield from _blanks_around(case.root, "eval_id", is_fixed=False)
    if (session := case.session) is not None:
        for name in ("app_name", "user_id"):
            yield from _blanks_around(session, name)
    for turn in case.turns:
        for tool in map(case.at, (*turn.calls, *turn.responses)):
            yield from _blanks_around(tool, "name")
            yield from _decomposed(tool)
    for rubric in case.all_rubrics:
        yield from _blanks_around(case.at(rubric), "rubric_id", is_fixed=False)


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


class EvalIds(SetCheck):
    """Empty and duplicate ids of the cases of an eval set."""

    def __init__(self, first: FirstNumbers) -> None:
        """`first` is empty."""
        self._first = first

    def note(self, cases: Iterable[NumberedFacts]) -> list[int]:
        """Cases with an empty or duplicate id."""
        number_of = self._first.setdefault
        return [
            number
            for number, facts in cases
            if facts.eval_id is not None and (not facts.eval_id.strip() or number_of(facts.eval_id, number) != number)
        ]

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The empty or duplicate id, with a fix to a new one."""
        eval_id = facts.eval_id or ""
        is_empty = not eval_id.strip()
        other = fresh_id([] if is_empty else [eval_id], f"case_{number + 1}", self._first.__contains__)
        fix = renaming(facts.eval_id_pointer, other)
        if is_empty:
            yield EMPTY_EVAL_ID.at(facts.eval_id_pointer, "eval_id is empty", fix=fix)
        else:
            said = f"eval_id {quoted(eval_id, 40)} is a duplicate of case {self._first.setdefault(eval_id, number) + 1}"
            yield DUPLICATE_EVAL_ID.at(facts.eval_id_pointer, said, fix=fix)
        self._first.setdefault(other, number)  # taken now


UNSELECTABLE_EVAL_ID = Rule(
    "unselectable-eval-id",
    "An eval_id contains a comma or a colon.",
    "`adk eval set.json:ID,ID` splits at these characters (`parse_and_get_evals_to_run` in google.adk.cli.cli_eval), "
    "so no command can select this case.",
    a_case(f'{{"eval_id": "greeting: first", {TALK}}}'),
    _GOOD,
    "Writes `_` instead (not safe: other files may refer to the case by its id).",
)


def _unselectable(case: PointedValue, eval_id: str) -> Iterator[Diagnostic]:
    odd = next((sign for sign in ",:" if sign in eval_id), None)
    if odd is not None:
        said = f"eval_id contains a {'comma' if odd == ',' else 'colon'}, so `adk eval` cannot select the case"
        place = case.below(case.key("eval_id") or "")
        other = "_".join(map(str.strip, _signs(eval_id))).strip("_") or "case"
        yield UNSELECTABLE_EVAL_ID.at(place, said, fix=renaming(place.pointer, other, safe=False))


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
    place = rest.below("eval_set_id")
    if identifier.strip() and identifier != identifier.strip():
        yield from _blanks_in(place, "eval_set_id")
    elif not _creatable(identifier):
        said = f"google-adk allows only letters, digits and _ in an eval_set_id, not {quoted(identifier, 40)}"
        yield ODD_EVAL_SET_ID.at(place, said)


NAME_NOT_COMPOSED = Rule(
    "name-not-composed",
    "The name of a tool has combining accents: it is not in Unicode's form NFC.",
    "`TrajectoryEvaluator` compares names by their code points. So `café` with a combining accent and `café` with one "
    "character for é are different tools. Both look the same. Python writes the names of functions with composed "
    "accents (NFKC), so a name with combining accents matches no function.",
    a_turn(
        f'{{{USER},\n "intermediate_data": {{"tool_uses": [{{"name": "find_cafe\\u0301", "args": {{}}}}]}}}}',
    ),
    a_turn(
        f'{{{USER},\n "intermediate_data": {{"tool_uses": [{{"name": "find_caf\\u00e9", "args": {{}}}}]}}}}',
    ),
    "Composes the accents (not safe: a tool that is not a Python function may have this name).",
)


def _decomposed(tool: PointedValue) -> Iterator[Diagnostic]:
    name = tool.text("name")
    if name is not None and not name.isascii() and not unicodedata.is_normalized("NFC", name):
        place, composed = tool.below("name"), unicodedata.normalize("NFC", name)
        fix = Fix("Compose the accents", False, (Set(place.pointer, json_text(composed)),))
        said = f"{quoted(name, 40)} has combining accents, so it matches no Python function"
        yield NAME_NOT_COMPOSED.at(place, said, fix=fix)


BLANKS_AROUND = Rule(
    "blanks-around",
    "An id or a name begins or ends with spaces.",
    "google-adk compares ids and tool names exactly, so `get_fines ` and `get_fines` are different tools. Such spaces "
    "are hard to see.",
    a_case(f'{{"eval_id": "greeting ", {TALK}}}'),
    _GOOD,
    "Deletes the spaces, unless the value is an id that another file may refer to.",
)


def _blanks_around(owner: PointedValue, name: str, *, is_fixed: bool = True) -> Iterator[Diagnostic]:
    text = owner.text(name)
    if text is not None and text != text.strip():
        yield from _blanks_in(owner.below(owner.key(name) or ""), name, is_fixed=is_fixed)


def _blanks_in(place: PointedValue, name: str, *, is_fixed: bool = True) -> Iterator[Diagnostic]:
    text = place.data
    if isinstance(text, str) and text != text.strip() and text.strip():
        fix = Fix("Delete the spaces", True, (Set(place.pointer, json_text(text.strip())),)) if is_fixed else None
        yield BLANKS_AROUND.at(place, f"{name} {quoted(printable(text)[:40])} begins or ends with spaces", fix=fix)
