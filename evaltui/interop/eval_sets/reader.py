"""Eval sets of google-adk, read (`google.adk.evaluation.eval_set`), in either key case and either shape of data."""

from __future__ import annotations

from collections import defaultdict

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, member
from evaltui.interop.fields import ConversionError, SetField, no_place, objects_of
from evaltui.interop.genai_contents import CALL_ARGS, CALL_NAMES, ContentReader, read_members
from evaltui.interop.output_tree import sources_of, text_in
from evaltui.interop.portable_set import (
    CallPart,
    PortableAgent,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableRubric,
    PortableScenario,
    PortableSet,
    PortableTurn,
    ResponsePart,
)

SET_MEMBERS = ("eval_set_id", "name", "description", "eval_cases", "creation_timestamp")
CASE_MEMBERS = (
    "eval_id",
    "conversation",
    "conversation_scenario",
    "session_input",
    "creation_timestamp",
    "rubrics",
    "final_session_state",
)
_TURN = (
    "invocation_id",
    "user_content",
    "final_response",
    "intermediate_data",
    "creation_timestamp",
    "rubrics",
    "app_details",
)
_RUBRIC_KEYS = ("rubric_id", "id", "rubric_content", "content")
"""Keys for the id and the text of a rubric in google-adk, in a dataset and in trpc-agent-go."""
_KEYS_OF_EVENTS = frozenset(
    [
        *("id", "event_id", "event_time", "creation_timestamp", "timestamp", "state_delta", "active_tools"),
        *("grounding_metadata", "usage_metadata", "model_version", "invocation_id", "actions", "branch", "partial"),
        *("turn_complete", "finish_reason", "error_code", "error_message", "interrupted", "custom_metadata"),
        *("long_running_tool_ids", "avg_logprobs", "logprobs_result", "cache_metadata", "citation_metadata"),
    ]
)
"""Keys of google-adk's events and of datasets beside author and content (`google.adk.events.Event`)."""
_ONLY_CALLS = "evaltui reads only the name, the arguments and the id of a tool call here"
_AROUND_CALLS = ("author", "content", "role", "turn_id")
_NO_CALL = no_place(
    "evaltui finds no text and no tool call in this event", "Write a tool call with the keys tool_name and tool_input."
)
_LISTS = ("tool_uses", "tool_responses", "intermediate_responses")
_BOTH_SHAPES = no_place(
    "google-adk reads invocation_events or these lists, not both. evaltui uses invocation_events",
    "Delete invocation_events, or the lists tool_uses, tool_responses and intermediate_responses.",
)
DURATIONS = ("duration", "model_duration", "tool_duration")
"""Durations of a turn, in seconds."""
TIMES_OF_EVENTS = ("event_time", "creation_timestamp", "timestamp")
"""Names that formats give the time of an event."""
CHANGES_OF_EVENTS = ("state_delta", "active_tools")
"""Members of the events of an EvaluationDataset that change the session."""
_EVENT_FIELDS = {
    **dict.fromkeys(("id", "event_id", *TIMES_OF_EVENTS), SetField.EVENT_TIME),
    **dict.fromkeys(CHANGES_OF_EVENTS, SetField.STATE_CHANGES),
}


def read_scenarios(portable: PortableSet) -> None:
    """Read a scenarios file as a set with a case for each scenario (`google.adk` `conversation_scenarios`)."""
    reader = EvalSetReader(portable.fields)
    portable.extras = portable.fields.read_extras(portable.root, ("scenarios",), SetField.SET_OTHER)
    for node in objects_of(filled(portable.root, "scenarios")):
        portable.cases.append(PortableCase(node, scenario=reader.scenario(node)))


class EvalSetReader(ContentReader):
    """Reads eval sets and notes the fields of their values. Subclasses for dialects override the reading of parts."""

    _is_of_eval_set = True

    @classmethod
    def read_set(cls, portable: PortableSet) -> None:
        """Read a set, or a bare list of cases. Raises `ConversionError` if there are no cases."""
        root, reader = portable.root, cls(portable.fields)
        cases = root if root.kind == "array" else member(root, "eval_cases")
        if cases is None or cases.kind != "array":
            raise ConversionError("there is no list eval_cases; `evaltui validate` shows all problems")
        if cases is not root:
            reader.read_envelope(portable)
            portable.extras = portable.fields.read_extras(root, SET_MEMBERS, SetField.SET_OTHER)
        portable.cases = [reader.case(node) for node in objects_of(cases)]

    def read_envelope(self, portable: PortableSet) -> None:
        """Read the id, the name, the description and the time of a set."""
        root = portable.root
        portable.id = self._fields.read(root, "eval_set_id", SetField.SET_ID) or portable.id
        portable.name = self._fields.read(root, "name", SetField.SET_NAME)
        portable.description = self._fields.read(root, "description", SetField.SET_DESCRIPTION)
        portable.time = self.time(root, SetField.SET_TIME)

    def case(self, node: Node) -> PortableCase:
        """One eval case."""
        case = PortableCase(node, id=self._fields.read(node, "eval_id", SetField.CASE_ID))
        case.time = self.time(node, SetField.CASE_TIME)
        case.final_state = self._fields.read(node, "final_session_state", SetField.FINAL_STATE)
        case.rubrics = self.rubrics(node, SetField.CASE_RUBRICS)
        conversation = filled(node, "conversation")
        if conversation is not None and conversation.kind == "array":
            case.turns = [self.turn(turn) for turn in objects_of(conversation)]
        if (scenario := filled(node, "conversation_scenario")) is not None and scenario.kind == "object":
            case.scenario = self.scenario(scenario)
        if (session := filled(node, "session_input")) is not None and session.kind == "object":
            self.read_session(case, session)
        case.extras = self._fields.read_extras(node, CASE_MEMBERS, SetField.CASE_OTHER)
        return case

    def turn(self, node: Node) -> PortableTurn:
        """One invocation."""
        turn = PortableTurn(node, time=self.time(node, SetField.TURN_TIME))
        turn_id = self._fields.read(node, "invocation_id", SetField.TURN_ID)
        turn.id = turn_id if text_in(turn_id) else None  # the default of google-adk is an empty id, which names no turn
        user = self.content(filled(node, "user_content"), "user", SetField.USER_TEXT, SetField.USER_PARTS)
        turn.user = user if user is not None else PortableContent()
        response = filled(node, "final_response")
        turn.final = self.content(response, "model", SetField.FINAL_TEXT, SetField.FINAL_PARTS)
        self._read_data(filled(node, "intermediate_data"), turn)
        durations = {name: self._fields.read(node, name, SetField.TURN_DURATIONS) for name in DURATIONS}
        turn.durations = {name: value for name, value in durations.items() if value is not None}
        turn.rubrics = self.rubrics(node, SetField.TURN_RUBRICS)
        agents = filled(filled(node, "app_details"), "agent_details")
        for details in agents.items if agents is not None else ():
            if details.kind == "object":
                self._fields.note(details, SetField.AGENTS)
                agent = PortableAgent(details, details.name, filled(details, "name"))
                agent.instruction, agent.tools = filled(details, "instructions"), filled(details, "tool_declarations")
                agent.extras = read_members(details, ("name", "instructions", "tool_declarations"))
                turn.agents.append(agent)
        turn.extras = self._fields.read_extras(node, (*_TURN, *DURATIONS), SetField.TURN_OTHER)
        return turn

    # --- intermediate data ---------------------------------------------------------------------------------

    def _read_data(self, data: Node | None, turn: PortableTurn) -> None:
        if data is None or data.kind != "object":
            turn.shape = "absent"
            return
        has_lists = any(items_of(data, name) for name in _LISTS)
        events = filled(data, "invocation_events")
        # google-adk takes the first shape that fits, and invocation_events fit an empty list as well.
        if events is not None and (events.items or not has_lists):
            turn.shape = "events"
            for node in objects_of(events):
                message = filled(node, "content")
                content = self.content(message, "model", SetField.TEXT_BETWEEN, SetField.PARTS_BETWEEN)
                event = PortableEvent(content, self._fields.read(node, "author", SetField.AUTHOR))
                event.extras = self.event_members(node)
                self.finish_event(event, node)
                turn.events.append(event)
            for name in _LISTS:
                if (items := filled(data, name)) is not None and (items.items or items.kind != "array"):
                    self._fields.remarks[items] = _BOTH_SHAPES
            return
        turn.shape = "tool_uses"
        turn.events = self._listed(data)
        uses = filled(data, "tool_uses")
        turn.expects_no_calls = True if uses is not None and uses.kind == "array" and not uses.items else None

    def event_members(self, node: Node, known_keys: tuple[str, ...] = ()) -> dict[str, Node]:
        """The keys of an event except author, content and `known_keys`, with their fields noted."""
        members = read_members(node, ("author", "content", *known_keys))
        for name, value in members.items():
            self._fields.note(value, _EVENT_FIELDS.get(name, SetField.EVENT_OTHER))
        return members

    def finish_event(self, event: PortableEvent, node: Node) -> None:
        """Give an event the role of its content, and a tool call that is no part of the content.

        Report an event with unknown keys instead.
        """
        role = event.content.role if event.content is not None else None
        if role is not None and event.content is not None and role.text() == "user":
            # Tool responses have the role of a user, too.
            event.is_of_user, event.content.role = True, None
            self._fields.pass_over(role)
        owner = _call_in(node, event)
        if owner is None:
            if event.content is None and not event.extras.keys() <= _KEYS_OF_EVENTS:
                self._fields.remarks[node] = _NO_CALL
            return
        call = self.call(owner, besides=(*_AROUND_CALLS, *event.extras) if owner is node else ())
        if owner is node and event.author is not None and isinstance(call.id, Node):  # the id is that of the event
            self._fields.note(call.id, SetField.EVENT_TIME)
            call.id = None
        values = (owner, *sources_of(call.name, call.args, call.id))
        event.extras = {key: value for key, value in event.extras.items() if value not in values}
        if event.content is None:
            # The item is the call itself, so its unknown keys are those of a call.
            for key in event.extras.keys() - _KEYS_OF_EVENTS:
                self._fields.note(event.extras.pop(key), SetField.CALL_OTHER, _ONLY_CALLS)
            event.content = PortableContent()
        event.content.parts.append(call)

    def _listed(self, data: Node) -> list[PortableEvent]:
        """Intermediate responses, then calls, each with the response that has its id, then responses without a call."""
        events = []
        for pair in items_of(data, "intermediate_responses"):
            # google-adk rejects other items than pairs of an author and parts, so they count as unknown.
            if len(pair.items) != 2 or pair.items[1].kind != "array":
                continue
            author, nodes = pair.items
            parts = [self.part(node, SetField.TEXT_BETWEEN, SetField.PARTS_BETWEEN) for node in nodes.items]
            event = PortableEvent(PortableContent(parts), self._fields.note(author, SetField.AUTHOR))
            event.keeps_calls = any(isinstance(part, CallPart | ResponsePart) for part in parts)
            events.append(event)
        response_nodes = objects_of(filled(data, "tool_responses"))
        calls = [self.call(node) for node in objects_of(filled(data, "tool_uses"))]
        responses = [self.response(node) for node in response_nodes]
        waiting: dict[str, list[ResponsePart]] = defaultdict(list)
        for response in responses:
            waiting[pair_key(response)].append(response)
        tool_parts: list[CallPart | ResponsePart] = []
        for call in calls:
            tool_parts += [call, *waiting[pair_key(call)][:1]]
            del waiting[pair_key(call)][:1]
        rest = {id(response) for unpaired in waiting.values() for response in unpaired}
        tool_parts += [response for response in responses if id(response) in rest]
        if [part.node for part in tool_parts if isinstance(part, ResponsePart)] != response_nodes:
            # The responses have another order than their calls, so both lists stay as they are.
            tool_parts = [*calls, *responses]
        for part in tool_parts:
            events.append(PortableEvent(PortableContent([part]), is_of_user=isinstance(part, ResponsePart)))
        return events

    # --- other parts of a case -----------------------------------------------------------------------------

    def scenario(self, node: Node) -> PortableScenario:
        """The plan of a simulated user."""
        scenario = PortableScenario(node, self._fields.read(node, "starting_prompt", SetField.SCENARIO_PROMPT))
        scenario.plan = self._fields.read(node, "conversation_plan", SetField.SCENARIO_PLAN)
        scenario.persona = self._fields.read(node, "user_persona", SetField.SCENARIO_PERSONA)
        known_keys = ("starting_prompt", "conversation_plan", "user_persona")
        scenario.extras = self._fields.read_extras(node, known_keys, SetField.SCENARIO_OTHER)
        return scenario

    def read_session(self, case: PortableCase, node: Node) -> None:
        """Read the session at the start of a case; each member of the state is a value of its own."""
        case.session = node
        case.app_name = self._fields.read(node, "app_name", SetField.APP_NAME)
        case.user_id = self._fields.read(node, "user_id", SetField.USER_ID)
        if (state := filled(node, "state")) is not None and state.kind == "object":
            case.take_state(state, self._fields)
        known_keys = ("app_name", "user_id", "state")
        case.session_extras = self._fields.read_extras(node, known_keys, SetField.SESSION_OTHER)

    def rubrics(self, owner: Node, field: SetField) -> list[PortableRubric]:
        """The rubrics of a case or a turn."""
        rubrics = filled(owner, "rubrics")
        if rubrics is None or rubrics.kind != "array":
            return []
        self._fields.note(rubrics, field)
        return [self.rubric(node, field) for node in objects_of(rubrics)]

    def rubric(self, node: Node, field: SetField, descriptions: Node | None = None) -> PortableRubric:
        """A rubric in the form of google-adk, of a dataset or of trpc-agent-go.

        `descriptions` by rubric ids come before its own description, and count once.
        """
        self._fields.note(node, field)
        # People mix the forms up, and a text under another key is better than none.
        rubric_id = filled(node, "rubric_id")
        rubric = PortableRubric(node, rubric_id if rubric_id is not None else filled(node, "id"))
        text = filled(filled(node, "rubric_content"), "text_property")
        in_dataset = filled(filled(filled(node, "content"), "property"), "description")
        rubric.text = text if text is not None else in_dataset
        beside = descriptions.member(text_in(rubric.id)) if descriptions is not None else None
        description = beside if beside is not None and beside not in self._fields.noted else filled(node, "description")
        if description is not None:
            rubric.description = self._fields.note(description, SetField.RUBRIC_DESCRIPTION)
        rubric.type = filled(node, "type")
        rubric.extras = read_members(node, (*_RUBRIC_KEYS, "description", "type"))
        return rubric

    def time(self, owner: Node, field: SetField) -> Node | None:
        """Seconds since 1970; None for google-adk's default, 0.0, which needs no report."""
        time = self._fields.read(owner, "creation_timestamp", field)
        if time is not None and time.source() in (b"0", b"0.0"):
            self._fields.pass_over(time)
            return None
        return time


def _call_in(node: Node, event: PortableEvent) -> Node | None:
    """The object with the name and the arguments of a tool call outside a content; None if there is none for sure.

    The call may be the item itself, as in trajectories of agentplatform (`tool_name`, `tool_input`), or stand under
    `function_call` or `function`.
    """
    if filled(node, "tool_name") is not None:
        return node
    for name in ("function_call", "function"):
        if (call := filled(node, name)) is not None and any(filled(call, key) is not None for key in CALL_NAMES):
            return call
    # An event may have a name of its own, so only arguments beside it make it a call.
    tool_name = filled(node, "name")
    has_args = any(filled(node, key) is not None for key in CALL_ARGS)
    is_call = tool_name is not None and tool_name.kind == "string" and has_args
    return node if is_call and event.content is None else None


def pair_key(part: CallPart | ResponsePart) -> str:
    """A call and its response have the same id; without ids the same name."""
    return f"id {text_in(part.id)}" if text_in(part.id) else f"name {text_in(part.name)}"
