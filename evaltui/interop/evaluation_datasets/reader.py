"""EvaluationDatasets, read (`agentplatform.types.EvaluationDataset`), in either key case.

The oracles are agents-cli 1.11.0 (`eval/cmd_generate.py`, `eval/optimize_utils.py`) and agentplatform's types.
"""

from __future__ import annotations

from itertools import chain

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, member, snake, text_of
from evaltui.interop.eval_sets.reader import CaseReader
from evaltui.interop.evaluation_datasets.agents_and_rubrics import RubricGroupReader, read_agents
from evaltui.interop.evaluation_datasets.kept_details import (
    AUTHOR_OF_USERS,
    CASE_MEMBERS,
    KEPT_GROUP,
    RUBRIC_DESCRIPTIONS,
    RUBRIC_ORDER,
    SESSION_INPUTS,
    SET_MEMBERS,
    TRAJECTORY,
    TURN_DETAILS,
    TurnDetails,
)
from evaltui.interop.evaluation_datasets.turn_reader import (
    DatasetEvent,
    TurnReader,
    exchanges_of,
    history_events,
    keep_calls,
    listed_events,
    turn_events,
)
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.format_type import ConversionError
from evaltui.interop.genai_contents import ContentReader, read_members
from evaltui.interop.output_tree import text_in
from evaltui.interop.portable_set import (
    PortableCase,
    PortableContent,
    PortableRubric,
    PortableScenario,
    PortableSession,
    PortableSet,
    PortableTurn,
    TextPart,
)

_KNOWN = frozenset([*CASE_MEMBERS, SESSION_INPUTS, TRAJECTORY, TURN_DETAILS, RUBRIC_DESCRIPTIONS, RUBRIC_ORDER])
_CONVERSATION = ("prompt", "reference", "agent_data", "intermediate_events", "conversation_history")
_AFTER_USER = "agents-cli generates only after a last user message, so evaltui leaves out recorded events"
_HAS_TURNS = "the case also has a conversation, which evaltui uses"
_HAS_SCENARIO = "the case also has a conversation_scenario, which evaltui uses"
_NO_LIST = "evaltui reads here only a list of tool calls or events"
_TWO_LISTS = "the case also has intermediate_events, which evaltui uses"
_ONE_LIST = "Delete one of the two lists."
_OF_SETS = ("eval_cases", "eval_set_id", "name", "description", "creation_timestamp")
_SYSTEM_MESSAGE = "evaltui converts no system messages within a conversation"
_OTHER_ID = "the case also has an eval_case_id, which is used as its id"


def read_dataset(root: Node, name: str) -> PortableSet:
    """Read a dataset, or a bare list of its cases. Raises `ConversionError` if there are no cases."""
    return _DatasetReader(SourceFields()).dataset(root, name)


class _DatasetReader:
    """Reads a dataset and notes the fields of its values."""

    def __init__(self, fields: SourceFields) -> None:
        self._fields = fields
        self._contents = ContentReader(fields)
        self._cases = CaseReader(fields)
        self._turns = TurnReader(fields, self._cases)
        self._rubrics = RubricGroupReader(fields, self._cases)

    def dataset(self, root: Node, name: str) -> PortableSet:
        """The dataset, or a bare list of its cases. Raises `ConversionError` if there are no cases."""
        listed = root if root.kind == "array" else member(root, "eval_cases")
        if listed is None or listed.kind != "array":
            raise ConversionError(
                "there is no list eval_cases; evaltui converts only datasets with their cases in the file"
            )
        found = PortableSet(root, self._fields, id=name)
        if root.kind == "object":
            # A dataset has none of these fields, but a file may have the keys of both formats.
            found.id = self._cases.value(root, "eval_set_id", SetField.SET_ID) or name
            found.name = self._cases.value(root, "name", SetField.SET_NAME)
            found.description = self._cases.value(root, "description", SetField.SET_DESCRIPTION)
            found.time = self._cases.time(root, SetField.SET_TIME)
            for key, each in read_members(root, _OF_SETS).items():
                self._fields.note(each, SetField.SET_OTHER)
                if key in SET_MEMBERS:
                    found.others[key] = each
        found.cases = [self._case(each) for each in listed.items if each.kind == "object"]
        return found

    # --- cases ---------------------------------------------------------------------------------------------

    def _case(self, node: Node) -> PortableCase:
        """One case. What google-adk has names for is read as its own: `conversation`, `session_input` …"""
        found = self._cases.case(node)
        found.others = {name: each for name, each in found.others.items() if snake(name) not in _KNOWN}
        self._read_id(found)
        if found.session is None and (given := filled(node, SESSION_INPUTS)) is not None and given.kind == "object":
            found.session = self._cases.session(given)
        if found.turns:
            self._leave_unread(node, (*_CONVERSATION, TRAJECTORY), _HAS_TURNS)
        else:
            found.turns = self._conversation(found)
        if found.scenario is not None:
            self._leave_unread(node, ("user_scenario",), _HAS_SCENARIO)
        elif (scenario := filled(node, "user_scenario")) is not None:
            found.scenario = self._scenario(scenario)
        self._read_rubrics(found)
        found.agents = read_agents(found, self._fields)
        for turn in found.turns or ():
            turn.agents = turn.agents or found.agents
        if (instruction := filled(node, "system_instruction")) is not None:
            found.system_instruction = self._fields.note(instruction, SetField.SYSTEM_INSTRUCTION)
        self._read_responses(found)
        return found

    def _leave_unread(self, case: Node, names: tuple[str, ...], reason: str) -> None:
        self._fields.unread.update({value: reason for name in names if (value := filled(case, name)) is not None})

    def _read_id(self, case: PortableCase) -> None:
        """agents-cli takes eval_case_id or eval_id; some files have a plain id."""
        given = filled(case.node, "eval_case_id")
        if given is not None:
            if isinstance(case.id, Node) and case.id.text() != given.text():
                self._fields.remark(case.id, "no_place", _OTHER_ID)
            case.id = self._fields.note(given, SetField.CASE_ID)
        elif case.id is None and (plain := case.others.get("id")) is not None and plain.kind == "string":
            case.id = self._fields.note(case.others.pop("id"), SetField.CASE_ID)

    def _scenario(self, node: Node) -> PortableScenario:
        found = self._cases.scenario(node)
        if (title := filled(node, "test_case_title")) is not None:
            found.title = self._fields.note(title, SetField.SCENARIO_TITLE)
            found.others = {name: each for name, each in found.others.items() if each is not title}
        return found

    def _read_rubrics(self, case: PortableCase) -> None:
        """Rubrics of the case; groups that evaltui made of the rubrics of a turn go back there."""
        details = TurnDetails(case.node, self._fields)
        of_turns: dict[str, tuple[PortableTurn, Node]] = {}
        for index, turn in enumerate(case.turns or ()):
            if (group := filled(details.of(turn.id, index), KEPT_GROUP)) is not None:
                of_turns[group.text()] = (turn, group)
        case.rubrics = self._rubrics.listed(case.node)
        groups: dict[str, list[PortableRubric]] = {}
        for name, rubrics in self._rubrics.groups(case.node):
            if name in of_turns:
                turn, group = of_turns[name]
                self._fields.pass_over(group)
                turn.rubrics = rubrics
            else:
                groups[name] = rubrics
                self._rubrics.note_name(rubrics)
        case.rubrics += self._rubrics.in_order(case.node, groups)

    def _read_responses(self, case: PortableCase) -> None:
        """Answers of agents; an answer that is the final response of the last turn as well needs no report."""
        final = case.turns[-1].final if case.turns else None
        for each in items_of(case.node, "responses"):
            response = filled(each, "response") if each.kind == "object" else each
            if response is None:
                continue
            self._fields.note(each, SetField.RECORDED)
            case.recorded.append(response)
            if read_members(each, ("response",)) and each is not response:
                continue
            if final is not None and _is_final(response, final):
                self._fields.pass_over(each)

    # --- the conversation ----------------------------------------------------------------------------------

    def _conversation(self, case: PortableCase) -> list[PortableTurn] | None:
        """The turns; None if the case has none."""
        node = case.node
        listed = listed_events(node, "intermediate_events")
        trajectory = filled(node, TRAJECTORY)
        self._leave_unread(node, (TRAJECTORY,), _NO_LIST)
        if listed and trajectory is not None and trajectory.items:
            self._fields.remark(trajectory, "no_place", _TWO_LISTS, _ONE_LIST)
        listed = listed or listed_events(node, TRAJECTORY)
        response = self._reference(node)
        events = self._state_taken(case, self._spoken(self._told_events(node)))
        exchanges = exchanges_of(events)
        is_expected = response is not None or bool(listed)
        if exchanges and is_expected and exchanges[-1].user is not None:
            # Events after the last user message are recorded; reference and intermediate_events are expectations.
            for event in exchanges[-1].events:
                self._fields.note(event.node, SetField.RECORDED, _AFTER_USER)
            exchanges[-1].events = []
        details = TurnDetails(node, self._fields)
        turns = [self._turns.turn(each, details, index) for index, each in enumerate(exchanges)]
        if not turns and not is_expected:
            return None
        turns = turns or [PortableTurn(node)]
        last = turns[-1]
        read = [(event, self._turns.event(event, last)) for event in listed]
        last.events += [found for event, found in read if event.node not in self._fields.remarks]
        given = filled(node, "intermediate_events") or trajectory
        if given is None if not last.events else last.shape == "absent":
            last.shape = None  # the case was edited since its details were written
        if given is not None and given.kind == "array" and not given.items and not listed:
            last.expects_no_calls = True if last.shape in (None, "events") else None
        if response is not None:
            final = self._contents.content(response, "model", SetField.FINAL_TEXT, SetField.FINAL_PARTS)
            last.final = final
        for turn in turns:
            keep_calls(turn)
        return turns

    def _reference(self, node: Node) -> Node | None:
        """The expected response: a content, or a text as agents-cli takes it, with or without `response` around it."""
        reference = filled(node, "reference")
        if reference is None or reference.kind == "string":
            return reference
        given = filled(reference, "response")
        return reference if given is None and filled(reference, "parts") is not None else given

    def _told_events(self, node: Node) -> list[DatasetEvent]:
        """All events in order, without a prompt that agent_data repeats. If an agent speaks first, it is put first."""
        prompt = filled(node, "prompt")
        told = [DatasetEvent(prompt, prompt, is_prompt=True)] if prompt is not None else []
        turns = list(turn_events(node))
        if not turns:
            return [*history_events(node), *told]
        users = [event for event in turns if event.is_of_user and event.content is not None]
        if prompt is not None and any(_repeats(prompt, event.content) for event in users):
            self._fields.note(prompt, SetField.USER_PARTS)
            if _only_text(prompt) is not None:
                self._fields.pass_over(prompt)
            told = []
        first = next((event for event in turns if event.content is not None), None)
        is_answered = first is not None and not first.is_of_user
        return [*history_events(node), *(chain(told, turns) if is_answered or not users else chain(turns, told))]

    def _spoken(self, events: list[DatasetEvent]) -> list[DatasetEvent]:
        """The events without messages of the system, which nobody says in a conversation."""
        for event in events:
            if event.is_of_system:
                self._fields.note(event.node, SetField.SYSTEM_INSTRUCTION, _SYSTEM_MESSAGE)
        return [event for event in events if not event.is_of_system]

    def _state_taken(self, case: PortableCase, events: list[DatasetEvent]) -> list[DatasetEvent]:
        """The events from the first message on; changes of state up to there give the state at the start."""
        start = next((index for index, each in enumerate(events) if each.content is not None), len(events))
        for event in events[: start + 1]:
            if event.content is not None and not event.is_of_user:
                break
            delta = filled(event.node, "state_delta") if event.node is not event.content else None
            if delta is not None and delta.kind == "object":
                self._take_state(case, delta)
                event.is_state_taken = True
            if event.content is None:
                self._cases.event_members(event.node, ("state_delta",))
                self._pass_over_user(event)
        return events[start:]

    def _take_state(self, case: PortableCase, delta: Node) -> None:
        session = case.session if case.session is not None else PortableSession(delta)
        self._fields.note(delta, SetField.STATE)
        session.take_state(delta, self._fields)
        case.session = session

    def _pass_over_user(self, event: DatasetEvent) -> None:
        if event.author is not None:
            self._fields.note(event.author, SetField.AUTHOR)
        self._fields.pass_over_word(event.author, (AUTHOR_OF_USERS,))


def _only_text(content: Node) -> str | None:
    """The text of a content that holds nothing but text; None for any other."""
    if content.kind == "string":
        return content.text() or None
    parts = items_of(content, "parts")
    if read_members(content, ("role", "parts")) or not all(
        part.kind == "object" and [snake(item.name) for item in part.items] == ["text"] for part in parts
    ):
        return None
    return "".join(text_of(part, "text") for part in parts) or None


def _repeats(prompt: Node, content: Node | None) -> bool:
    """Whether a content says all that a prompt says."""
    if content is None:
        return False
    if (said := _only_text(prompt)) is not None:
        return said == _only_text(content)
    parts = [[each.value() for each in items_of(message, "parts")] for message in (prompt, content)]
    return parts[0] == parts[1] and not read_members(prompt, ("role", "parts"))


def _is_final(response: Node, final: PortableContent) -> bool:
    """Whether a recorded response has the text of the final response, and its role or a usual one."""
    has_role = text_of(response, "role") in ("", "model", text_in(final.role))
    return has_role and _only_text(response) == "".join(text_in(part.text) for part in _texts(final))


def _texts(content: PortableContent) -> list[TextPart]:
    return [part for part in content.parts if isinstance(part, TextPart)]
