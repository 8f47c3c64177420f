"""Evaluations of CX Agent Studio, read: one, a list, or a page of `evaluations.list`, in either key case."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.case_data import moment
from evaltui.evalset.keys import filled, items_of, member, snake, text_of
from evaltui.interop.cx_cases import TARGET, TRANSFER, event_part, take_args
from evaltui.interop.fields import ConversionError, SetField, SourceFields, changed, no_place
from evaltui.interop.genai_contents import UNUSUAL_ROLE
from evaltui.interop.output_tree import Made, Value, added, sources_of
from evaltui.interop.portable_set import (
    CallPart,
    FilePart,
    Part,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableRubric,
    PortableScenario,
    PortableSet,
    PortableTurn,
    ResponsePart,
    TextPart,
)
from evaltui.interop.resource_mapping import Resource, last_segment

_RESULTS = ("aggregated_metrics", "last_completed_result", "last_ten_results")
_OPTIONS = ("evaluation_metrics_threshold_override", "evaluation_metrics_config_override")
_KNOWN = ("display_name", "description", "tags", "create_time", "golden", "scenario", *_RESULTS, *_OPTIONS)
_SCENARIO = ("task", "rubrics", "variable_overrides", "evaluation_expectations")
_EXPECTATION_OPTIONS = (
    "note",
    "skip_evaluation",
    "comparison_type",
    "expectation_level_metrics_thresholds_override",
    "agent_response_semantic_similarity_metrics_config_override",
    "agent_response_hallucination_metrics_config_override",
)
_TURN_OPTIONS = ("turn_level_metrics_thresholds_override", "hallucination_metric_behavior_override")
_SHORT = changed(
    "the resource name becomes a short name", "To convert back later, keep the resource name in a --mapping FILE."
)
_OF_RESPONSE = "the tool response with this name is lost"
_TIME = "evaltui does not convert the time of a message"
_OF_CES = "evaltui converts no such field of CX Agent Studio"
_OTHER_ROLE = no_place(UNUSUAL_ROLE)
_KEYS = changed("phone keys pressed by the user (DTMF) become a text")
_AUDIO = "audio/wav"
_NO_MIME_TYPE = "models require a MIME type, but audio in CX Agent Studio has none"


def read_evaluations(portable: PortableSet) -> None:
    """Read evaluations as the cases of one set. Raises `ConversionError` if there are none."""
    root = portable.root
    # An evaluation may have an extra key `evaluations`, so its own shape comes first.
    pages = items_of(root, "evaluations")
    nodes = root.items if root.kind == "array" else pages if member(root, "golden") is None else []
    evaluations = [node for node in nodes or [root] if node.kind == "object"]
    if not any(member(node, name) is not None for node in evaluations for name in ("golden", "scenario")):
        raise ConversionError("not an evaluation of CX Agent Studio: it has no golden and no scenario")
    portable.cases = [_read_case(node, portable) for node in evaluations]


def _read_case(node: Node, portable: PortableSet) -> PortableCase:
    fields = portable.fields
    case = PortableCase(node, id=fields.read(node, "display_name", SetField.CASE_ID))
    created = fields.read(node, "create_time", SetField.CASE_TIME)
    if created is not None and (seconds := moment(created.text())) is not None:
        case.time = Made(seconds, (created,))
    resource = filled(node, "name")
    if not (isinstance(case.id, Node) and case.id.text()):
        case.id = Made(last_segment(resource.text()), ()) if resource is not None and resource.text() else None
    case.description = fields.read(node, "description", SetField.CASE_DESCRIPTION)
    case.tags = [fields.note(tag, SetField.CASE_TAGS) for tag in items_of(node, "tags")]
    for name in (*_RESULTS, *_OPTIONS):
        fields.read(node, name, SetField.RECORDED if name in _RESULTS else SetField.EXPECTATION_OPTIONS)
    case.extras = fields.read_extras(node, _KNOWN, SetField.CASE_OTHER)
    if (golden := filled(node, "golden")) is not None:
        _GoldenReader(case, portable).read(golden)
        _read_criteria(golden, case, fields)
    if (scenario := filled(node, "scenario")) is not None:
        _read_scenario(scenario, case, fields)
    return case


def _read_scenario(node: Node, case: PortableCase, fields: SourceFields) -> None:
    case.scenario = PortableScenario(node, plan=fields.read(node, "task", SetField.SCENARIO_PLAN))
    for value in node.items:
        # A list in place of a scenario has unknown fields, too: its items have no names.
        if snake(value.name) not in _SCENARIO and value.kind != "null":
            case.scenario.extras[value.name] = fields.note(value, SetField.SCENARIO_OTHER)
    for text in items_of(node, "rubrics"):
        case.rubrics.append(PortableRubric(text, text=fields.note(text, SetField.CASE_RUBRICS)))
    variables = filled(node, "variable_overrides")
    if variables is not None and variables.kind == "object":
        case.take_state(variables, fields)
    _read_criteria(node, case, fields)


def _read_criteria(owner: Node, case: PortableCase, fields: SourceFields) -> None:
    """Criteria of a judge: resource names, or whole expectations as exports of cxas have them."""
    for node in items_of(owner, "evaluation_expectations"):
        text = filled(filled(node, "llm_criteria"), "prompt")
        if text is None:
            case.criteria.append(fields.note(node, SetField.CRITERIA))
        else:
            fields.note(node, SetField.CASE_RUBRICS)
            case.rubrics.append(PortableRubric(node, id=filled(node, "display_name"), text=text))


class _GoldenReader:
    """Reads the golden conversation of one evaluation into its case (`Evaluation.Golden`)."""

    def __init__(self, case: PortableCase, portable: PortableSet) -> None:
        self._case, self._names = case, portable.names
        self._fields, self._invented = portable.fields, portable.invented
        self._turns: list[PortableTurn] = []
        self._agent_messages: list[PortableEvent] = []
        """The messages of the agent in the turn that is being read."""
        self._updated: Node | None = None
        self._has_begun = False

    def read(self, golden: Node) -> None:
        """Read all turns of a golden conversation into the case."""
        for turn in items_of(golden, "turns"):
            self._begin_turn(turn)
            for step in items_of(turn, "steps"):
                self._read_step(step)
            self._fields.read(turn, "root_span", SetField.TURN_OTHER, _OF_CES)
            for name in _TURN_OPTIONS:
                self._fields.read(turn, name, SetField.EXPECTATION_OPTIONS)
        self._end_turn()
        # A turn may have only variables.
        self._case.turns = [
            turn
            for turn in self._turns
            if turn.user.parts or turn.events or turn.final is not None or turn.expects_no_calls
        ]
        if self._updated is not None:
            self._case.final_state = self._fields.note(self._updated, SetField.FINAL_STATE)

    def _begin_turn(self, node: Node) -> None:
        self._end_turn()
        self._turns.append(PortableTurn(node))
        self._agent_messages = []
        if self._updated is not None:  # variables of an earlier turn are not the final state
            self._fields.note(self._updated, SetField.TURN_OTHER, _OF_CES)
            self._updated = None

    def _end_turn(self) -> None:
        """Make the last message of the turn its final response, even if calls follow it, as in files of cxas."""
        if not self._agent_messages:
            return
        turn, last = self._turns[-1], self._agent_messages[-1]
        turn.events = [event for event in turn.events if event is not last]
        turn.final = last.content
        for part in last.parts:
            if isinstance(part, TextPart) and isinstance(part.text, Node):
                self._fields.note(part.text, SetField.FINAL_TEXT)
            elif isinstance(part, FilePart):
                self._fields.note(part.node, SetField.FINAL_PARTS)

    def _read_step(self, step: Node) -> None:
        if (user_input := filled(step, "user_input")) is not None:
            self._read_user_input(user_input)
        elif (transfer := filled(step, "agent_transfer")) is not None:
            self._add_event([self._transfer(transfer)])
        elif (expectation := filled(step, "expectation")) is not None:
            self._read_expectation(expectation)
            for name in _EXPECTATION_OPTIONS:
                option = self._fields.read(expectation, name, SetField.EXPECTATION_OPTIONS)
                if option is not None and (option.source() == b"false" or option.text().endswith("_UNSPECIFIED")):
                    self._fields.pass_over(option)

    def _read_user_input(self, node: Node) -> None:
        if (variables := filled(node, "variables")) is not None:
            # Variables before the first user message are the session state. Later ones have no counterpart.
            if self._has_begun or variables.kind != "object":
                self._fields.note(variables, SetField.TURN_OTHER, _OF_CES)
            else:
                self._case.take_state(variables, self._fields)
            return
        turn = self._turns[-1]
        # A turn of CX Agent Studio may have several user inputs: one after an expectation begins a new turn here.
        if turn.events or self._agent_messages or turn.expects_no_calls:
            self._begin_turn(node)
        self._has_begun = True
        self._turns[-1].user.parts += self._user_input(node)

    def _read_expectation(self, node: Node) -> None:
        self._has_begun = True
        if (call := filled(node, "tool_call")) is not None:
            self._add_event([self._call(call)])
        elif (response := filled(node, "agent_response")) is not None:
            self._agent_messages.append(self._add_event(self._message(response)))
        elif (transfer := filled(node, "agent_transfer")) is not None:
            self._add_event([self._transfer(transfer)])
        elif (variables := filled(node, "updated_variables")) is not None:
            if self._updated is not None:
                self._fields.note(self._updated, SetField.TURN_OTHER, _OF_CES)
            self._updated = variables
        elif (no_calls := filled(node, "no_tool_calls")) is not None:
            self._fields.note(no_calls, SetField.NO_CALLS)
            if no_calls.source() == b"true":
                self._turns[-1].expects_no_calls, self._turns[-1].no_calls = True, no_calls
            elif no_calls.source() == b"false":
                self._fields.pass_over(no_calls)
        for name, is_mock in (("mock_tool_response", True), ("tool_response", False)):
            if (response := filled(node, name)) is not None:
                self._add_event([self._response(response, is_mock)])

    def _add_event(self, parts: list[Part]) -> PortableEvent:
        is_response = bool(parts) and isinstance(parts[0], ResponsePart)
        event = PortableEvent(PortableContent(parts), is_of_user=is_response)
        self._turns[-1].events.append(event)
        return event

    # --- messages ------------------------------------------------------------------------------------------

    def _message(self, node: Node) -> list[Part]:
        """A message of the agent, noted as an intermediate response; `_end_turn` notes it as the final response."""
        role = self._fields.read(node, "role", SetField.EVENT_OTHER)
        if role is not None and role.text() in ("agent", ""):
            self._fields.pass_over(role)
        elif role is not None:
            self._fields.remarks[role] = _OTHER_ROLE
        self._fields.read(node, "event_time", SetField.EVENT_OTHER, _TIME)
        return [part for chunk in items_of(node, "chunks") for part in self._chunk(chunk)]

    def _chunk(self, node: Node) -> list[Part]:
        for name in ("text", "transcript"):
            if (text := self._fields.read(node, name, SetField.TEXT_BETWEEN)) is not None:
                return [TextPart(text)]
        if (file := self._file(node, SetField.PARTS_BETWEEN)) is not None:
            return [file]
        if (call := filled(node, "tool_call")) is not None:
            return [self._call(call)]
        if (response := filled(node, "tool_response")) is not None:
            return [self._response(response, None)]
        if (transfer := filled(node, "agent_transfer")) is not None:
            return [self._transfer(transfer)]
        for name in ("payload", "updated_variables", "default_variables"):
            self._fields.read(node, name, SetField.TURN_OTHER, _OF_CES)
        return []

    def _user_input(self, node: Node) -> list[Part]:
        """The parts of the user's message in an input of a session; none for variables."""
        continues = self._fields.read(node, "will_continue", SetField.TURN_OTHER, _OF_CES)
        if continues is not None and continues.source() == b"false":
            self._fields.pass_over(continues)
        if (text := self._fields.read(node, "text", SetField.USER_TEXT)) is not None:
            return [TextPart(text)]
        if (file := self._file(node, SetField.USER_PARTS)) is not None:
            return [file]
        # Protocol buffers have a MIME type for images and blobs, but audio is bare bytes.
        if (audio := self._fields.read(node, "audio", SetField.USER_PARTS)) is not None:
            advice = "Set the MIME type of the audio."
            self._invented.append(added(_AUDIO, audio, "/mime_type", _NO_MIME_TYPE, advice))
            return [FilePart(audio, data=audio, mime_type=Made(_AUDIO, ()))]
        if (responses := filled(node, "tool_responses")) is not None:
            return [self._response(response, None) for response in items_of(responses, "tool_responses")]
        # Other formats have only texts and files for what a user does.
        event = self._fields.read(filled(node, "event"), "event", SetField.TURN_OTHER, _OF_CES)
        if event is not None:
            return [event_part(event)]
        if (keys := self._fields.read(node, "dtmf", SetField.TURN_OTHER, _OF_CES)) is not None:
            return [TextPart(Made(keys.text(), (keys,), _KEYS))]
        return []

    def _file(self, owner: Node, field: SetField) -> FilePart | None:
        for name in ("image", "blob"):
            if (file := self._fields.read(owner, name, field)) is not None:
                return FilePart(file, data=filled(file, "data"), mime_type=filled(file, "mime_type"))
        return None

    # --- tools and agents ----------------------------------------------------------------------------------

    def _call(self, node: Node) -> CallPart:
        call = CallPart(node, name=self._tool(node), id=self._fields.read(node, "id", SetField.CALL_ID))
        if (args := filled(node, "args")) is not None:
            take_args(call, args, self._fields)
        return call

    def _response(self, node: Node, is_mock: bool | None) -> ResponsePart:
        """A tool response; `is_mock` says whether it is given to the agent in place of a call."""
        response = ResponsePart(node, name=self._tool(node), is_mock=is_mock)
        response.id = self._fields.read(node, "id", SetField.CALL_ID)
        self._fields.unread.update(dict.fromkeys(sources_of(response.name), _OF_RESPONSE))
        response.response = self._fields.read(node, "response", SetField.TOOL_RESPONSE)
        return response

    def _transfer(self, node: Node) -> CallPart:
        """A transfer as the tool call that google-adk's agents use for it."""
        target = self._short_name(node, filled(node, "target_agent"))
        args = Made({TARGET: ""}, ())
        if isinstance(target, Made):
            args = target._replace(value={TARGET: target.value})
        elif target is not None:
            args = Made({TARGET: target.text()}, (target,))
        return CallPart(node, name=Made(TRANSFER, ()), args=args)

    def _tool(self, node: Node) -> Value | None:
        toolset = filled(node, "toolset_tool")
        return self._short_name(node, toolset if toolset is not None else filled(node, "tool"))

    def _short_name(self, owner: Node, resource: Node | None) -> Value | None:
        """The short name of a resource: from the mapping, else its display name, else the end of its resource name."""
        display_name = filled(owner, "display_name")
        if resource is None:
            return self._fields.note(display_name, SetField.CALL_NAME) if display_name is not None else None
        self._fields.note(resource, SetField.CALL_NAME)
        # A display name follows from the resource: CX Agent Studio ignores it in requests.
        self._fields.pass_over(display_name)
        full_name: Resource = resource.text()
        segment = last_segment(resource.text())
        if resource.kind == "object":
            segment = text_of(resource, "tool_id")
            full_name = text_of(resource, "toolset"), segment
        display_text = display_name.text() if display_name is not None else ""
        name = self._names.short_name(full_name) or display_text or segment
        if name and resource.text() == name:
            return resource
        if display_name is None or display_text == name:
            return Made(name, (resource,), _SHORT)
        # The mapping has another name, so the display name is lost as well.
        self._fields.note(display_name, SetField.CALL_NAME)
        return Made(name, (resource, display_name), _SHORT)
