"""Eval sets of google-adk, read (`google.adk.evaluation.eval_set`), in either key case and either shape of data."""

from __future__ import annotations

from collections import defaultdict

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, member, snake
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.format_type import ConversionError
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
    PortableSession,
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
RUBRIC_KEYS = ("rubric_id", "id", "rubric_content", "content")
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
_NO_CALL = (
    "evaltui finds no text and no tool call in this event",
    "Write a tool call with the keys tool_name and tool_input.",
)
_LISTS = ("tool_uses", "tool_responses", "intermediate_responses")
_BOTH_SHAPES = "google-adk reads invocation_events or these lists, not both. evaltui uses invocation_events"
_ONE_SHAPE = "Delete invocation_events, or the lists tool_uses, tool_responses and intermediate_responses."
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


def read_eval_set(root: Node, name: str) -> PortableSet:
    """Read an eval set, or a bare list of eval cases. Raises `ConversionError` if there are no cases."""
    return SetReader(SourceFields()).eval_set(root, name)


def read_scenarios(root: Node, name: str) -> PortableSet:
    """Read a scenarios file as a set with a case for each scenario (`google.adk` `conversation_scenarios`)."""
    fields = SourceFields()
    reader = SetReader(fields)
    portable = PortableSet(root, fields, id=name)
    portable.others = reader.own_members(root, ("scenarios",), SetField.SET_OTHER)
    for node in items_of(root, "scenarios"):
        if node.kind == "object":
            portable.cases.append(PortableCase(node, scenario=reader.scenario(node)))
    return portable


class CaseReader:
    """Reads eval cases and notes the fields of their values."""

    def __init__(self, fields: SourceFields) -> None:
        self._fields = fields
        self._contents = ContentReader(fields, is_of_eval_set=True)

    def case(self, node: Node) -> PortableCase:
        """One eval case."""
        found = PortableCase(node, id=self.value(node, "eval_id", SetField.CASE_ID))
        found.time = self.time(node, SetField.CASE_TIME)
        found.final_state = self.value(node, "final_session_state", SetField.FINAL_STATE)
        found.rubrics = self.rubrics(node, SetField.CASE_RUBRICS)
        conversation = filled(node, "conversation")
        if conversation is not None and conversation.kind == "array":
            found.turns = [self.turn(turn) for turn in conversation.items if turn.kind == "object"]
        if (scenario := filled(node, "conversation_scenario")) is not None and scenario.kind == "object":
            found.scenario = self.scenario(scenario)
        if (session := filled(node, "session_input")) is not None and session.kind == "object":
            found.session = self.session(session)
        found.others = self.own_members(node, CASE_MEMBERS, SetField.CASE_OTHER)
        return found

    def turn(self, node: Node) -> PortableTurn:
        """One invocation."""
        found = PortableTurn(node, id=self.value(node, "invocation_id", SetField.TURN_ID))
        if found.id is not None and not text_in(found.id):
            found.id = None
        found.time = self.time(node, SetField.TURN_TIME)
        user = self._contents.content(filled(node, "user_content"), "user", SetField.USER_TEXT, SetField.USER_PARTS)
        found.user = user if user is not None else PortableContent()
        found.final = self._contents.content(
            filled(node, "final_response"), "model", SetField.FINAL_TEXT, SetField.FINAL_PARTS
        )
        self._read_data(filled(node, "intermediate_data"), found)
        for name in DURATIONS:
            if (each := filled(node, name)) is not None:
                found.durations[name] = self._fields.note(each, SetField.TURN_DURATIONS)
        found.rubrics = self.rubrics(node, SetField.TURN_RUBRICS)
        found.agents = self._agents(filled(node, "app_details"))
        found.others = self.own_members(node, (*_TURN, *DURATIONS), SetField.TURN_OTHER)
        return found

    # --- intermediate data ---------------------------------------------------------------------------------

    def _read_data(self, data: Node | None, turn: PortableTurn) -> None:
        if data is None or data.kind != "object":
            turn.shape = "absent"
            return
        has_lists = any(items_of(data, name) for name in _LISTS)
        if (events := filled(data, "invocation_events")) is not None and (events.items or not has_lists):
            turn.shape = "events"
            turn.events = [self.event(each) for each in items_of(data, "invocation_events") if each.kind == "object"]
            for name in _LISTS:
                if (each := filled(data, name)) is not None and (each.items or each.kind != "array"):
                    self._fields.remark(each, "no_place", _BOTH_SHAPES, _ONE_SHAPE)
            return
        turn.shape = "tool_uses"
        turn.events = [*self._texts(data), *self._calls(data)]
        uses = filled(data, "tool_uses")
        turn.expects_no_calls = True if uses is not None and uses.kind == "array" and not uses.items else None

    def event(self, node: Node) -> PortableEvent:
        """One message among the calls."""
        content = self._contents.content(
            filled(node, "content"), "model", SetField.TEXT_BETWEEN, SetField.PARTS_BETWEEN
        )
        found = PortableEvent(content, author=self.value(node, "author", SetField.AUTHOR))
        self.take_role(found)
        found.others = self.event_members(node)
        self.take_call(found, node)
        return found

    def take_call(self, event: PortableEvent, node: Node) -> None:
        """Add a tool call that is no part of the content to its event. Report an event with unknown keys instead.

        The call may be the item itself, as in trajectories of agentplatform (`tool_name`, `tool_input`), or stand under
        `function_call` or `function`.
        """
        owner = _call_in(node, event)
        if owner is None:
            if event.content is None and not event.others.keys() <= _KEYS_OF_EVENTS:
                self._fields.remark(node, "no_place", *_NO_CALL)
            return
        call = self._contents.call(owner, besides=(*_AROUND_CALLS, *event.others) if owner is node else ())
        if owner is node and event.author is not None and isinstance(call.id, Node):  # the id is that of the event
            self._fields.note(call.id, SetField.EVENT_TIME)
            call.id = None
        taken = (owner, *sources_of(call.name), *sources_of(call.args), *sources_of(call.id))
        event.others = {key: value for key, value in event.others.items() if value not in taken}
        if event.content is None:
            for key in event.others.keys() - _KEYS_OF_EVENTS:
                self._fields.note(event.others.pop(key), SetField.CALL_OTHER, _ONLY_CALLS)
            event.content = PortableContent()
        event.content.parts.append(call)

    def event_members(self, node: Node, but: tuple[str, ...] = ()) -> dict[str, Node]:
        """The keys of an event except author, content and `but`, with their fields noted."""
        found = read_members(node, ("author", "content", *but))
        for name, each in found.items():
            self._fields.note(each, _EVENT_FIELDS.get(name, SetField.EVENT_OTHER))
        return found

    def take_role(self, event: PortableEvent) -> None:
        """Move the role "user", which tool responses also have, from the content to `is_of_user`."""
        role = event.content.role if event.content is not None else None
        if role is not None and event.content is not None and role.text() == "user":
            event.is_of_user, event.content.role = True, None
            self._fields.pass_over(role)

    def _texts(self, data: Node) -> list[PortableEvent]:
        """Intermediate responses, each a pair of an author and parts."""
        found = []
        for each in items_of(data, "intermediate_responses"):
            if len(each.items) != 2 or each.items[1].kind != "array":
                continue
            author, parts = each.items
            read = [self._contents.part(part, SetField.TEXT_BETWEEN, SetField.PARTS_BETWEEN) for part in parts.items]
            event = PortableEvent(PortableContent(read), self._fields.note(author, SetField.AUTHOR))
            event.keeps_calls = any(isinstance(part, CallPart | ResponsePart) for part in read)
            found.append(event)
        return found

    def _calls(self, data: Node) -> list[PortableEvent]:
        """Calls in order, each with the responses that have its id; responses without a call come last."""
        calls = [self._contents.call(each) for each in items_of(data, "tool_uses") if each.kind == "object"]
        waiting: dict[str, list[ResponsePart]] = defaultdict(list)
        responses = [
            self._contents.response(each) for each in items_of(data, "tool_responses") if each.kind == "object"
        ]
        for response in responses:
            waiting[_pair_key(response)].append(response)
        events: list[PortableEvent] = []
        answered: list[ResponsePart] = []
        for call in calls:
            events.append(PortableEvent(PortableContent([call])))
            if answers := waiting[_pair_key(call)]:
                answered.append(answers.pop(0))
                events.append(_of_tool(answered[-1]))
        answered += [each for each in responses if all(each is not other for other in answered)]
        if [each.node for each in answered] != [each.node for each in responses]:
            # The responses have another order than their calls, so both lists stay as they are.
            return [*(PortableEvent(PortableContent([call])) for call in calls), *map(_of_tool, responses)]
        return [*events, *(_of_tool(each) for each in answered[len(events) - len(calls) :])]

    # --- other parts of a case -----------------------------------------------------------------------------

    def scenario(self, node: Node) -> PortableScenario:
        """The plan of a simulated user."""
        found = PortableScenario(node, self.value(node, "starting_prompt", SetField.SCENARIO_PROMPT))
        found.plan = self.value(node, "conversation_plan", SetField.SCENARIO_PLAN)
        found.persona = self.value(node, "user_persona", SetField.SCENARIO_PERSONA)
        known = ("starting_prompt", "conversation_plan", "user_persona")
        found.others = self.own_members(node, known, SetField.SCENARIO_OTHER)
        return found

    def session(self, node: Node) -> PortableSession:
        """The session that a case begins with; each member of the state is a value of its own."""
        found = PortableSession(node, self.value(node, "app_name", SetField.APP_NAME))
        found.user_id = self.value(node, "user_id", SetField.USER_ID)
        state = filled(node, "state")
        if state is not None and state.kind == "object":
            self._fields.note(state, SetField.STATE)
            found.state = {item.name: self._fields.note(item, SetField.STATE) for item in state.items}
        found.others = self.own_members(node, ("app_name", "user_id", "state"), SetField.SESSION_OTHER)
        return found

    def rubrics(self, owner: Node, field: SetField) -> list[PortableRubric]:
        """The rubrics of a case or a turn."""
        listed = filled(owner, "rubrics")
        if listed is None or listed.kind != "array":
            return []
        self._fields.note(listed, field)
        return [self._rubric(each, field) for each in listed.items if each.kind == "object"]

    def _rubric(self, node: Node, field: SetField) -> PortableRubric:
        self._fields.note(node, field)
        found = PortableRubric(node, rubric_id(node), rubric_text(node))
        found.description = self.value(node, "description", SetField.RUBRIC_DESCRIPTION)
        found.type = filled(node, "type")
        found.others = read_members(node, (*RUBRIC_KEYS, "description", "type"))
        return found

    def _agents(self, details: Node | None) -> list[PortableAgent]:
        agents = filled(details, "agent_details")
        return [self._agent(each) for each in (agents.items if agents is not None else []) if each.kind == "object"]

    def _agent(self, node: Node) -> PortableAgent:
        self._fields.note(node, SetField.AGENTS)
        found = PortableAgent(node, node.name, filled(node, "name"), instruction=filled(node, "instructions"))
        found.tools = filled(node, "tool_declarations")
        found.others = read_members(node, ("name", "instructions", "tool_declarations"))
        return found

    # --- members -------------------------------------------------------------------------------------------

    def value(self, owner: Node, name: str, field: SetField) -> Node | None:
        """A value under a key of google-adk, with its field noted; None if it is absent or null."""
        found = filled(owner, name)
        return self._fields.note(found, field) if found is not None else None

    def time(self, owner: Node, field: SetField) -> Node | None:
        """Seconds since 1970; None for the default, 0.0, which needs no report."""
        found = filled(owner, "creation_timestamp")
        if found is not None and found.source() in (b"0", b"0.0"):
            self._fields.pass_over(found)
            return None
        return self._fields.note(found, field) if found is not None else None

    def own_members(self, node: Node, known: tuple[str, ...], field: SetField) -> dict[str, Node]:
        """The members that google-adk has no name for, by their own names and without nulls."""
        return {
            item.name: self._fields.note(item, field)
            for item in node.items
            if snake(item.name) not in known and item.kind != "null" and node.member(item.name) is item
        }


class SetReader(CaseReader):
    """Reads a whole set. Subclasses for dialects override how a set, a case or a turn is read."""

    def eval_set(self, root: Node, name: str) -> PortableSet:
        """The set, with `name` as its id if it has none. Raises `ConversionError` if it has no list of cases."""
        if root.kind == "array":
            cases = root
            found = PortableSet(root, self._fields, id=name)
        else:
            listed = member(root, "eval_cases")
            if listed is None or listed.kind != "array":
                raise ConversionError("there is no list eval_cases; `evaltui validate` shows all problems")
            cases = listed
            found = PortableSet(root, self._fields, id=self.value(root, "eval_set_id", SetField.SET_ID) or name)
            found.name = self.value(root, "name", SetField.SET_NAME)
            found.description = self.value(root, "description", SetField.SET_DESCRIPTION)
            found.time = self.time(root, SetField.SET_TIME)
            found.others = self.own_members(root, SET_MEMBERS, SetField.SET_OTHER)
        found.cases = [self.case(each) for each in cases.items if each.kind == "object"]
        return found


def rubric_id(node: Node) -> Node | None:
    """The id of a rubric in the form of google-adk, else in that of trpc-agent-go."""
    own_id = filled(node, "rubric_id")
    return own_id if own_id is not None else filled(node, "id")


def rubric_text(node: Node) -> Node | None:
    """The text of a rubric in the form of google-adk, else in that of a dataset."""
    text = filled(filled(node, "rubric_content"), "text_property")
    return text if text is not None else filled(filled(filled(node, "content"), "property"), "description")


def _call_in(node: Node, event: PortableEvent) -> Node | None:
    """The object with the name and the arguments of a tool call outside a content; None if there is none for sure."""
    if filled(node, "tool_name") is not None:
        return node
    for name in ("function_call", "function"):
        if (call := filled(node, name)) is not None and any(filled(call, key) is not None for key in CALL_NAMES):
            return call
    called = filled(node, "name")
    has_args = any(filled(node, key) is not None for key in CALL_ARGS)
    is_call = called is not None and called.kind == "string" and has_args
    return node if is_call and event.content is None else None


def _pair_key(part: CallPart | ResponsePart) -> str:
    """A call and its response have the same id; without ids the same name."""
    return f"id {text_in(part.id)}" if text_in(part.id) else f"name {text_in(part.name)}"


def _of_tool(response: ResponsePart) -> PortableEvent:
    return PortableEvent(PortableContent([response]), is_of_user=True)
