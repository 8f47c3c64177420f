"""EvaluationDatasets, read (`agentplatform.types.EvaluationDataset`), in either key case.

The oracles are agents-cli 1.11.0 (`eval/cmd_generate.py`, `eval/optimize_utils.py`) and agentplatform's types.
"""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, member, snake, text_of
from evaltui.interop.eval_sets.reader import EvalSetReader
from evaltui.interop.evaluation_datasets.agents_and_rubrics import read_agents, read_rubrics
from evaltui.interop.evaluation_datasets.kept_details import (
    AUTHOR_OF_USERS,
    KNOWN_MEMBERS,
    SESSION_INPUTS,
    SET_MEMBERS,
    TRAJECTORY,
    TurnDetails,
)
from evaltui.interop.evaluation_datasets.turn_reader import (
    DatasetEvent,
    TurnReader,
    exchanges_of,
    keep_calls,
    listed_events,
    turn_events,
)
from evaltui.interop.fields import ConversionError, SetField, SourceFields, no_place, objects_of
from evaltui.interop.genai_contents import read_members
from evaltui.interop.output_tree import text_in
from evaltui.interop.portable_set import PortableCase, PortableSet, PortableTurn, TextPart

_CONVERSATION = ("prompt", "reference", "agent_data", "intermediate_events", "conversation_history")
_AFTER_USER = "agents-cli generates only after a last user message, so evaltui leaves out recorded events"
_HAS_TURNS = "the case also has a conversation, which evaltui uses"
_HAS_SCENARIO = "the case also has a conversation_scenario, which evaltui uses"
_NO_LIST = "evaltui reads here only a list of tool calls or events"
_TWO_LISTS = no_place("the case also has intermediate_events, which evaltui uses", "Delete one of the two lists.")
_OF_SETS = ("eval_cases", "eval_set_id", "name", "description", "creation_timestamp")
_SYSTEM_MESSAGE = "evaltui converts no system messages within a conversation"
_OTHER_ID = no_place("the case also has an eval_case_id, which is used as its id")


def read_dataset(portable: PortableSet) -> None:
    """Read a dataset, or a bare list of its cases. Raises `ConversionError` if there are no cases."""
    root, fields = portable.root, portable.fields
    cases = root if root.kind == "array" else member(root, "eval_cases")
    if cases is None or cases.kind != "array":
        raise ConversionError(
            "there is no list eval_cases; evaltui converts only datasets with their cases in the file"
        )
    reader = _DatasetReader(fields)
    if root.kind == "object":
        # A dataset has no id, name and time, but a file may have the keys of both formats.
        EvalSetReader(fields).read_envelope(portable)
        for key, value in read_members(root, _OF_SETS).items():
            fields.note(value, SetField.SET_OTHER)
            if key in SET_MEMBERS:
                portable.extras[key] = value
    portable.cases = [reader.case(node) for node in objects_of(cases)]


class _DatasetReader:
    def __init__(self, fields: SourceFields) -> None:
        self._fields = fields
        self._cases = EvalSetReader(fields)
        self._turns = TurnReader(fields, self._cases)

    def case(self, node: Node) -> PortableCase:
        """One case. What google-adk has names for is read as its own: `conversation`, `session_input` …"""
        case = self._cases.case(node)
        case.extras = {name: value for name, value in case.extras.items() if snake(name) not in KNOWN_MEMBERS}
        self._read_id(case)
        inputs = filled(node, SESSION_INPUTS)
        if case.session is None and inputs is not None and inputs.kind == "object":
            self._cases.read_session(case, inputs)
        # A conversation of google-adk has expectations for all turns, a dataset only for the last one.
        if case.turns:
            self._leave_unread(node, (*_CONVERSATION, TRAJECTORY), _HAS_TURNS)
        else:
            case.turns = self._conversation(case)
        if case.scenario is not None:
            self._leave_unread(node, ("user_scenario",), _HAS_SCENARIO)
        elif (scenario := filled(node, "user_scenario")) is not None:
            case.scenario = self._cases.scenario(scenario)
            if (title := self._fields.read(scenario, "test_case_title", SetField.SCENARIO_TITLE)) is not None:
                case.scenario.title = title
                case.scenario.extras.pop(title.name, None)
        read_rubrics(case, self._cases, self._fields)
        case.agents = read_agents(case, self._fields)
        # google-adk has agents for each turn.
        for turn in case.turns or ():
            turn.agents = turn.agents or case.agents
        case.system_instruction = self._fields.read(node, "system_instruction", SetField.SYSTEM_INSTRUCTION)
        self._read_responses(case)
        return case

    def _leave_unread(self, case: Node, names: tuple[str, ...], reason: str) -> None:
        self._fields.unread.update({value: reason for name in names if (value := filled(case, name)) is not None})

    def _read_id(self, case: PortableCase) -> None:
        """agents-cli takes eval_case_id or eval_id; some files have a plain id."""
        eval_id = case.id
        case_id = self._fields.read(case.node, "eval_case_id", SetField.CASE_ID)
        if case_id is not None:
            if isinstance(eval_id, Node) and eval_id.text() != case_id.text():
                self._fields.remarks[eval_id] = _OTHER_ID
            case.id = case_id
        elif case.id is None and (plain_id := case.extras.get("id")) is not None and plain_id.kind == "string":
            case.id = self._fields.note(case.extras.pop("id"), SetField.CASE_ID)

    def _read_responses(self, case: PortableCase) -> None:
        """Answers of agents; an answer that is the final response of the last turn as well needs no report."""
        final = case.turns[-1].final if case.turns else None
        for node in items_of(case.node, "responses"):
            response = filled(node, "response") if node.kind == "object" else node
            if response is None:
                continue
            self._fields.note(node, SetField.RECORDED)
            case.recorded.append(response)
            has_more = bool(read_members(node, ("response",))) and node is not response
            if has_more or final is None or text_of(response, "role") not in ("", "model", text_in(final.role)):
                continue
            final_text = "".join(text_in(part.text) for part in final.parts if isinstance(part, TextPart))
            if _only_text(response) == final_text:
                self._fields.pass_over(node)

    # --- the conversation ----------------------------------------------------------------------------------

    def _conversation(self, case: PortableCase) -> list[PortableTurn] | None:
        node = case.node
        trajectory = filled(node, TRAJECTORY)
        expected = _objects_of(listed_events(node, "intermediate_events"))
        self._leave_unread(node, (TRAJECTORY,), _NO_LIST)
        if expected and trajectory is not None and trajectory.items:
            self._fields.remarks[trajectory] = _TWO_LISTS
        expected = expected or _objects_of(listed_events(node, TRAJECTORY))
        # agents-cli takes a content or a text, with or without `response` around it.
        reference = filled(node, "reference")
        is_content = reference is not None and (reference.kind == "string" or filled(reference, "parts") is not None)
        response = filled(reference, "response")
        response = reference if response is None and is_content else response
        has_expectation = response is not None or bool(expected)
        events = self._all_events(node)
        for event in events:
            if event.is_of_system:  # nobody says it in a conversation
                self._fields.note(event.node, SetField.SYSTEM_INSTRUCTION, _SYSTEM_MESSAGE)
        events = [event for event in events if not event.is_of_system]
        exchanges = exchanges_of(self._from_first_message(case, events))
        if exchanges and has_expectation and exchanges[-1][0].is_of_user:
            # Events after the last user message are recorded; reference and intermediate_events are expectations.
            for event in exchanges[-1][1:]:
                self._fields.note(event.node, SetField.RECORDED, _AFTER_USER)
            del exchanges[-1][1:]
        details = TurnDetails(node, self._fields)
        turns = [self._turns.turn(exchange, details, index) for index, exchange in enumerate(exchanges)]
        if not turns and not has_expectation:
            return None
        turns = turns or [PortableTurn(node)]
        self._read_expected(turns[-1], expected, filled(node, "intermediate_events") or trajectory)
        if response is not None:
            turns[-1].final = self._turns.content(response, "model", SetField.FINAL_TEXT, SetField.FINAL_PARTS)
        for turn in turns:
            keep_calls(turn)
        return turns

    def _read_expected(self, turn: PortableTurn, expected: list[DatasetEvent], source: Node | None) -> None:
        for event in expected:
            portable = self._turns.event(event, turn)
            if event.node not in self._fields.remarks:
                turn.events.append(portable)
        if source is None if not turn.events else turn.shape == "absent":
            turn.shape = None  # the case was edited since its details were written
        if source is not None and source.kind == "array" and not source.items and not expected:
            turn.expects_no_calls = True if turn.shape in (None, "events") else None

    def _all_events(self, node: Node) -> list[DatasetEvent]:
        """All events in order, without a prompt that agent_data repeats. If an agent speaks first, it is put first."""
        prompt = filled(node, "prompt")
        prompts = [DatasetEvent(prompt, prompt, is_prompt=True)] if prompt is not None else []
        history = listed_events(node, "conversation_history")
        turns = list(turn_events(node))
        if not turns:
            return [*history, *prompts]
        users = [event for event in turns if event.is_of_user and event.content is not None]
        if prompt is not None and any(_repeats(prompt, event.content) for event in users):
            self._fields.note(prompt, SetField.USER_PARTS)
            if _only_text(prompt) is not None:
                self._fields.pass_over(prompt)
            prompts = []
        first = next((event for event in turns if event.content is not None), None)
        is_answered = first is not None and not first.is_of_user
        return [*history, *prompts, *turns] if is_answered or not users else [*history, *turns, *prompts]

    def _from_first_message(self, case: PortableCase, events: list[DatasetEvent]) -> list[DatasetEvent]:
        """The events from the first message on; changes of state up to there give the state at the start."""
        start = next((index for index, event in enumerate(events) if event.content is not None), len(events))
        for event in events[: start + 1]:
            if event.content is not None and not event.is_of_user:
                break
            delta = filled(event.node, "state_delta") if event.node is not event.content else None
            if delta is not None and delta.kind == "object":
                case.take_state(delta, self._fields)
                event.is_state_taken = True
            if event.content is None:
                self._cases.event_members(event.node, ("state_delta",))
                self._fields.note_filled(event.author, SetField.AUTHOR)
                self._fields.pass_over(event.author, (AUTHOR_OF_USERS,))
        return events[start:]


def _objects_of(events: list[DatasetEvent]) -> list[DatasetEvent]:
    return [event for event in events if event.node.kind == "object"]


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
    if content is None:
        return False
    if (text := _only_text(prompt)) is not None:
        return text == _only_text(content)
    # The role of a prompt is left out in one place and written in the other.
    parts = [[part.value() for part in items_of(message, "parts")] for message in (prompt, content)]
    return parts[0] == parts[1] and not read_members(prompt, ("role", "parts"))
