"""Golden conversations and simulations of cxas, read from the JSON form of their YAML (`document_texts.read_yaml`).

The forms are those of cxas-scrapi (`cxas_scrapi.utils.eval_utils.Turn`, `cxas_scrapi.evals.simulation_evals.Step`).
"""

from __future__ import annotations

from collections import defaultdict

from evaltui.document.node import Node
from evaltui.interop.cx_cases import TARGET, TRANSFER, event_part, take_args
from evaltui.interop.fields import ConversionError, Reason, SetField, changed, objects_of
from evaltui.interop.genai_contents import response_as_object
from evaltui.interop.output_tree import Made, Value, added, text_in
from evaltui.interop.portable_set import (
    CallPart,
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

_SET = ("conversations", "evals", "common_session_parameters", "common_expectations")
_CONVERSATION = ("conversation", "turns", "tags", "session_parameters", "expectations", "mocks")
_SCENARIO_OPTIONS = ("success_criteria", "max_turns", "completion", "priority", "expect_tools", "expect_criteria")
_SIMULATION = (
    *("name", "tags", "session_parameters", "expectations", "steps", "task", "variables"),
    *_SCENARIO_OPTIONS,
)
_TURN = ("user", "agent", "tool_calls", "event", "user_event")
_CALL = ("action", "args", "arguments", "output", "agent")
_TOOL_TESTS = "the file has only tests of single tools, and no other format has such tests"
_NO_LIST = "not a file of cxas: it has no list conversations and no list evals"
_STEPS = Reason("merged", "the goals and response guides of all steps become one plan")
_WELCOME = "<event>welcome</event>"
_IMPLICIT = 'without a user message, a cxas turn starts with the event "welcome"'
_NO_TEXT = changed("cxas accepts only a string here, so evaltui makes the value a string", "Put the value in quotes.")
_NO_CALL = "no tool call of the conversation waits for this response"


def read_conversations(portable: PortableSet) -> None:
    """Read a file of cxas, or a bare list of simulations. Raises `ConversionError` if it has no cases."""
    root, reader = portable.root, _CaseReader(portable)
    conversations, simulations = _list(root, "conversations"), _list(root, "evals")
    if root.kind == "array":
        simulations = root
    else:
        if conversations is None and simulations is None:
            has_tool_tests = any(_list(root, key) is not None for key in ("tests", "test_cases"))
            raise ConversionError(_TOOL_TESTS if has_tool_tests else _NO_LIST)
        portable.extras = portable.fields.read_extras(root, _SET, SetField.SET_OTHER, is_snake_only=True)
    portable.cases = [reader.conversation(node) for node in objects_of(conversations)]
    portable.cases += [reader.simulation(node) for node in objects_of(simulations)]


class _CaseReader:
    def __init__(self, portable: PortableSet) -> None:
        self._portable, self._fields = portable, portable.fields

    def conversation(self, node: Node) -> PortableCase:
        """The case of a golden conversation; mocks become responses of its calls."""
        case = self._case(node, "conversation", _CONVERSATION)
        case.turns = [self._turn(turn) for turn in objects_of(node.member("turns"))]
        mocks: dict[str, list[Node]] = defaultdict(list)
        for mock in _items(node.member("mocks")):
            self._fields.note(mock, SetField.TOOL_RESPONSE, _NO_CALL)
            tool = mock.member("tool")
            if tool is not None and mock.member("response") is not None:
                mocks[tool.text()].append(mock)
        # In exports, tool calls have no outputs. Their responses are the mocks, in the order of the calls.
        for turn in case.turns if mocks else ():
            turn.events = [answered for event in turn.events for answered in self._answered(event, mocks)]
        return case

    def simulation(self, node: Node) -> PortableCase:
        """The case of a simulation, with its scenario and state."""
        case = self._case(node, "name", _SIMULATION)
        steps = objects_of(node.member("steps"))
        case.scenario = self._scenario(node, steps)
        # Variables override the session parameters.
        for variables in (node.member("variables"), *(step.member("inject_variables") for step in steps[:1])):
            self._take_state(case, variables)
        return case

    def _case(self, node: Node, id_key: str, known_keys: tuple[str, ...]) -> PortableCase:
        case = PortableCase(node)
        case_id = node.member(id_key)
        if case_id is not None and case_id.kind == "string":
            case.id = self._fields.note(case_id, SetField.CASE_ID)
        case.tags = [self._fields.note(tag, SetField.CASE_TAGS) for tag in _items(node.member("tags"))]
        # The parameters of a conversation come last: they override the common ones.
        self._take_state(case, self._portable.root.member("common_session_parameters"))
        self._take_state(case, node.member("session_parameters"))
        for expectations in (self._portable.root.member("common_expectations"), node.member("expectations")):
            for expectation in _items(expectations):
                text = expectation if expectation.kind == "string" else expectation.member("prompt")
                if text is None or text.kind != "string":
                    continue
                if text.text().startswith("projects/"):  # a resource name, as in exports
                    case.criteria.append(self._fields.note(text, SetField.CRITERIA))
                else:
                    self._fields.note(expectation, SetField.CASE_RUBRICS)
                    case.rubrics.append(PortableRubric(expectation, expectation.member("displayName"), text))
        case.extras = self._fields.read_extras(node, known_keys, SetField.CASE_OTHER, is_snake_only=True)
        return case

    def _take_state(self, case: PortableCase, variables: Node | None) -> None:
        if variables is None or variables.kind != "object":
            return
        self._fields.note(variables, SetField.STATE)
        if variables.items:
            case.take_state(variables, self._fields)

    # --- simulations ---------------------------------------------------------------------------------------

    def _scenario(self, node: Node, steps: list[Node]) -> PortableScenario:
        """The plan of a simulated user, in steps or as one task, and the exact first message if there is one."""
        scenario = PortableScenario(node)
        texts = self._texts(node, ("task",))
        for number, step in enumerate(steps):
            words = step.member("static_utterance")
            if number == 0 and words is not None and words.text():
                scenario.prompt = self._fields.note(words, SetField.SCENARIO_PROMPT)
            texts += self._texts(step, ("goal", "response_guide", *(("static_utterance",) if number else ())))
        scenario.plan = texts[0] if len(texts) == 1 else None
        if len(texts) > 1:
            scenario.plan = Made("\n".join(text.text().strip() for text in texts), tuple(texts), _STEPS)
        for owner in (node, *steps):
            for name in _SCENARIO_OPTIONS:
                option = self._fields.note_filled(owner.member(name), SetField.SCENARIO_OTHER)
                # The options of one step among several do not count for the whole scenario.
                if option is not None and (owner is node or len(steps) == 1):
                    scenario.extras[name] = option
        return scenario

    def _texts(self, owner: Node, names: tuple[str, ...]) -> list[Node]:
        values = [owner.member(name) for name in names]
        texts = [value for value in values if value is not None and value.text()]
        return [self._fields.note(text, SetField.SCENARIO_PLAN) for text in texts]

    # --- turns ---------------------------------------------------------------------------------------------

    def _turn(self, node: Node) -> PortableTurn:
        turn = PortableTurn(node, user=PortableContent([self._user(node)]))
        agent = node.member("agent")
        nodes = agent.items if agent is not None and agent.kind == "array" else [agent] if agent is not None else []
        texts = [
            TextPart(self._text(text, SetField.TEXT_BETWEEN))
            for text in nodes
            if not text.is_container and text.kind != "null"
        ]
        if texts:
            # The last text is the final response, although cxas sends the texts before the calls.
            final = texts.pop()
            turn.final = PortableContent([final])
            if isinstance(final.text, Node):
                self._fields.note(final.text, SetField.FINAL_TEXT)
        turn.events = [PortableEvent(PortableContent([text])) for text in texts]
        for call in objects_of(node.member("tool_calls")):
            turn.events += self._call(call)
        for item in node.items:
            if item.name not in _TURN:
                self._fields.note(item, SetField.TURN_OTHER)
        return turn

    def _user(self, node: Node) -> TextPart:
        user = node.member("user")
        if user is not None and not user.is_container and user.kind != "null":
            return TextPart(self._text(user, SetField.USER_TEXT))
        for name in ("event", "user_event"):
            event = node.member(name)
            if event is not None and event.kind == "string":
                return event_part(self._fields.note(event, SetField.TURN_OTHER))
        self._portable.invented.append(added(_WELCOME, node, "/user", _IMPLICIT))
        return TextPart(Made(_WELCOME, ()))

    def _text(self, node: Node, field: SetField) -> Value:
        """A text. A number or boolean, which YAML makes of a text without quotes, becomes a text."""
        self._fields.note(node, field)
        return node if node.kind == "string" else Made(node.source().decode(), (node,), _NO_TEXT)

    def _call(self, node: Node) -> list[PortableEvent]:
        action = node.member("action") or node.member("name")  # as in google-adk
        name = self._text(action, SetField.CALL_NAME) if action is not None and not action.is_container else None
        call = CallPart(node, name=name)
        args = node.member("args") or node.member("arguments")
        # A transfer names the agent beside its arguments or among them.
        agent = (args.member("agent") if args is not None else None) or node.member("agent")
        if text_in(name) == TRANSFER and agent is not None and agent.kind == "string":
            call.args = Made({TARGET: agent.text()}, (self._fields.note(agent, SetField.CALL_ARGS),))
        elif args is not None and args.kind != "null":
            take_args(call, args, self._fields)
        else:
            call.args = Made({}, ())  # as in cxas' own model
        for item in node.items:
            if item.name not in _CALL and item is not action:
                self._fields.note(item, SetField.CALL_OTHER)
        events = [PortableEvent(PortableContent([call]))]
        output = self._fields.note_filled(node.member("output"), SetField.TOOL_RESPONSE)
        if output is not None:
            events.append(_response_event(node, Made(text_in(name), ()), output, is_mock=False))
        return events

    def _answered(self, event: PortableEvent, mocks: dict[str, list[Node]]) -> list[PortableEvent]:
        """An event, and the next mock that answers it if it is a call."""
        parts = event.parts
        if len(parts) != 1 or not isinstance(parts[0], CallPart) or not mocks[text_in(parts[0].name)]:
            return [event]
        mock = mocks[text_in(parts[0].name)].pop(0)
        self._fields.pass_over(mock.member("tool"))
        return [event, _response_event(mock, parts[0].name, mock.member("response"), is_mock=True)]


def _response_event(node: Node, name: Value | None, response: Node | None, *, is_mock: bool) -> PortableEvent:
    # google-adk and CX Agent Studio have a text under `output`.
    part = ResponsePart(node, name=name, response=response_as_object(response, "output"), is_mock=is_mock)
    return PortableEvent(PortableContent([part]), is_of_user=True)


def _list(owner: Node, name: str) -> Node | None:
    value = owner.member(name)
    return value if value is not None and value.kind == "array" else None


def _items(value: Node | None) -> list[Node]:
    return value.items if value is not None and value.kind == "array" else []
