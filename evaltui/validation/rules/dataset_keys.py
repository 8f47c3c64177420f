"""Rules about the ids of cases of an EvaluationDataset, and about keys that its readers do not find."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evaltui.document.edits import Edit, Insert, Move, Rename, Set, json_text
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.evalset.keys import camel
from evaltui.printable import quoted
from evaltui.validation.case_facts import CaseFacts
from evaltui.validation.dataset_case import PointedDatasetCase
from evaltui.validation.pointed_values import PointedValue
from evaltui.validation.rule import Diagnostic, Fix, Rule, a_dataset, a_dataset_case, renaming
from evaltui.validation.rules.datasets import GOOD, PROMPT
from evaltui.validation.rules.keys import both_spellings, misspelt_keys
from evaltui.validation.set_check import FirstNumbers, NumberedFacts, SetCheck

_READER = "agents-cli"
_BY_OPTIMIZE = (
    *("eval_case_id", "conversation_history", "intermediate_events", "rubric_groups", "system_instruction"),
    "user_scenario",
)
"""Fields that `eval optimize` reads only in snake_case, though other readers know both spellings."""
_OF_ADK = {
    "eval_id": "eval_case_id",
    "conversation": "agent_data",
    "conversation_scenario": "user_scenario",
    "session_input": "state_delta of an event",
    "rubrics": "rubric_groups",
}
"""Fields of a case of google-adk's eval sets, and the dataset field to use instead.

`evaltui convert` keeps other fields under their own names, for the way back: creation_timestamp, final_session_state.
"""


def check_case(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    """Keys of a case that its readers do not find."""
    from evaltui.evalset.schema.genai_models import DatasetCase

    of_adk = list(_of_adk(case.root))
    yield from of_adk
    said_already = {each.pointer for each in of_adk}
    yield from (each for each in misspelt_keys(case.root, DatasetCase) if each.pointer not in said_already)
    yield from both_spellings(case.root, DatasetCase, _READER)
    yield from _response(case.root)
    if case.prompt is None or not case.prompt.data:
        effect = "eval generate does not find agent_data and runs nothing"
        yield from _camel_keys(case.root, ("agent_data",), effect, "warning")
    yield from _camel_keys(case.root, _BY_OPTIMIZE, "eval optimize reads only snake_case", "info")


ADK_MEMBER = Rule(
    "adk-member",
    "A case in a dataset has a field of google-adk's eval sets. Nothing reads this field.",
    "`EvalCase` of agentplatform keeps unknown fields, so the file is accepted. But messages, state and expected "
    "values in these fields are ignored. Only `eval optimize` reads `eval_id` and `rubrics`, if the dataset's own "
    "fields are absent. evaltui does not report a `session_input` without state. `evaltui convert` makes a dataset "
    "from an eval set and lists the values that are lost.",
    a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n "session_input": {{"app_name": "desk", "user_id": "user",\n'
        '   "state": {"fines": 0}}}'
    ),
    GOOD,
    "Renames an id or a scenario if the dataset field is free (not safe for a scenario with a persona).",
)


def _of_adk(root: PointedValue) -> Iterator[Diagnostic]:
    for name, instead in _OF_ADK.items() if isinstance(root.data, dict) else ():
        key = root.key(name)
        if key is not None and root.data[key] is not None and not (name == "session_input" and _is_kept(root)):
            said = f"{key} is a field of google-adk's eval sets and ignored here; use {instead}"
            yield ADK_MEMBER.at(root.below(key), said, at_key=True, fix=_renamed(root, key, instead))


def _is_kept(root: PointedValue) -> bool:
    """Whether a session input loses nothing in a dataset: it has no state, or no event could carry the state."""
    session = root.member("session_input")
    state = session.member("state") if session is not None else None
    is_sent = any(member is not None and member.data for member in map(root.member, ("prompt", "agent_data")))
    return session is not None and isinstance(session.data, dict) and not (is_sent and state is not None and state.data)


def _renamed(root: PointedValue, key: str, name: str) -> Fix | None:
    """The fix that renames the field for a dataset, if its value means the same there."""
    if name not in ("eval_case_id", "user_scenario") or root.key(name) is not None:
        return None
    value = root.data[key]
    is_safe = isinstance(value, str) if name == "eval_case_id" else isinstance(value, dict) and len(value) <= 2
    return Fix(f"Rename it to {name}", is_safe, (Rename(root.below(key).pointer, name),))


SINGLE_RESPONSE = Rule(
    "single-response",
    "A case has `response`, but metrics read `responses`.",
    "`response` is a column of the tables that agentplatform reads. In a case, only your own metrics can read this "
    "field. Metrics read the list `responses`. Without that list they fail with *Response missing* "
    "(agentplatform._genai._evals_metric_handlers).",
    a_dataset_case(f'{{"eval_case_id": "greeting", {PROMPT}, "response": "Hello"}}'),
    a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n'
        ' "responses": [{"response": {"role": "model", "parts": [{"text": "Hello"}]}}]}'
    ),
    "Moves the value to the list `responses` (not safe: your own metric may read `response`).",
)


def _response(root: PointedValue) -> Iterator[Diagnostic]:
    found = root.member("response")
    if found is None or root.key("responses") is not None or not isinstance(found.data, str | dict):
        return
    if isinstance(found.data, str):
        value = b'{"response": {"role": "model", "parts": [{"text": %s}]}}' % json_text(found.data)
        edits: list[Edit] = [Set(found.pointer, b"[%s]" % value), Rename(found.pointer, "responses")]
    else:
        inner = "/responses/0" if "response" in found.data else "/responses/0/response"
        made = b"[]" if "response" in found.data else b"[{}]"
        edits = [Insert("/responses", made), Move(found.pointer, inner)]
    said = "nothing reads response here; metrics read the list responses"
    fix = Fix("Move it to the list responses", False, tuple(edits))
    yield SINGLE_RESPONSE.at(found, said, at_key=True, fix=fix)


CAMEL_CASE_KEY = Rule(
    "camel-case-key",
    "A key is in camelCase, but a command of agents-cli reads it only in snake_case.",
    "The models of agentplatform read both styles. But `eval generate` first looks for `eval_cases`, `prompt` and "
    "`agent_data` in the JSON itself (google.agents.cli.eval.cmd_generate). Without these keys, it runs nothing. `eval "
    "optimize` reads most fields of a case the same way (google.agents.cli.eval.optimize_utils). For those fields, the "
    "severity is info.",
    a_dataset(f'{{"evalCases": [{GOOD.text}]}}'),
    a_dataset(f'{{"eval_cases": [{GOOD.text}]}}'),
    "Renames the key.",
)


def _camel_keys(owner: PointedValue, names: Sequence[str], effect: str, severity: str) -> Iterator[Diagnostic]:
    for name in names:
        key = camel(name)
        if isinstance(owner.data, dict) and key in owner.data and name not in owner.data:
            at = owner.below(key)
            fix = Fix(f"Rename it to {name}", True, (Rename(at.pointer, name),))
            said = f"{key} should be {name}: {effect}"
            yield CAMEL_CASE_KEY.at(at, said, at_key=True, fix=fix, severity="info" if severity == "info" else None)


def check_set(rest: PointedValue) -> Iterator[Diagnostic]:
    """The key of the list of cases."""
    yield from _camel_keys(rest, ("eval_cases",), "eval generate finds no cases and runs nothing", "warning")


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


class DatasetIds(SetCheck):
    """Missing and duplicate ids of the cases of a dataset; `rest` is the dataset without its cases."""

    def __init__(self, rest: PointedValue, first: FirstNumbers) -> None:
        """`first` is empty."""
        self._at = f"/{rest.key('eval_cases') or 'eval_cases'}"
        self._first = first
        self._count = 0
        self._edits: list[Edit] | None = []
        """The edits that add an id to each case; None if a case has an id or is rejected."""

    def note(self, cases: Iterable[NumberedFacts]) -> list[int]:
        """Cases with no id or a duplicate one."""
        found = []
        for number, facts in cases:
            self._count += 1
            is_bare = facts.eval_id is None or not facts.eval_id.strip()
            if not is_bare or not facts.is_accepted:
                self._edits = None
            elif self._edits is not None:
                self._edits.append(_id_added(f"{self._at}/{number}", facts, f"case_{number + 1}"))
            if facts.is_accepted if is_bare else self._first.setdefault(facts.eval_id or "", number) != number:
                found.append(number)
        return found

    def of_set(self) -> Iterator[Diagnostic]:
        """One diagnostic in place of one for each case."""
        if self._is_all and self._edits is not None:
            said = f"none of the {self._count} cases has an eval_case_id"
            fix = Fix("Add an id to each case", True, tuple(self._edits))
            yield MISSING_EVAL_CASE_ID.at(self._at, said, fix=fix)

    @property
    def finds_in_cases(self) -> bool:
        """Whether some cases have an id."""
        return not self._is_all

    @property
    def _is_all(self) -> bool:
        return self._edits is not None and self._count > 1

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The missing or duplicate id, with a fix to a new one."""
        eval_id = facts.eval_id or ""
        is_bare = not eval_id.strip()
        default = f"case_{number + 1}" if is_bare else eval_id
        other = fresh_id([] if is_bare else [eval_id], default, self._first.__contains__)
        if is_bare:
            fix = Fix(f"Set the id to {other}", True, (_id_added("", facts, other),))
            said = "the case has no eval_case_id" if facts.eval_id is None else "eval_case_id is empty"
            yield MISSING_EVAL_CASE_ID.at(facts.eval_id_pointer, said, fix=fix)
        else:
            first = self._first.setdefault(eval_id, number)
            said = f"eval_case_id {quoted(eval_id, 40)} is a duplicate of case {first + 1}"
            yield DUPLICATE_EVAL_CASE_ID.at(facts.eval_id_pointer, said, fix=renaming(facts.eval_id_pointer, other))
        self._first.setdefault(other, number)  # taken now


def _id_added(prefix: str, facts: CaseFacts, identifier: str) -> Edit:
    at, text = prefix + facts.eval_id_pointer, json_text(identifier)
    return Insert(at, text, before=facts.first_key) if facts.eval_id is None else Set(at, text)
