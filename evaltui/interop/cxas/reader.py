"""Golden conversations and simulations of cxas, read from the JSON form of their YAML (`yaml_text.read_yaml`)."""

from __future__ import annotations

from collections import defaultdict

from evaltui.document.node import Node
from evaltui.interop.ces.message_writer import TARGET, TRANSFER
from evaltui.interop.cx_cases import take_args
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.format_type import ConversionError
from evaltui.interop.output_tree import Invented, Made, Value, text_in
from evaltui.interop.portable_set import (
    CallPart,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableRubric,
    PortableScenario,
    PortableSession,
    PortableSet,
    PortableTurn,
    ResponsePart,
    TextPart,
)

_STEPS = "the goals and response guides of all steps become one plan"
_OPTIONS = ("success_criteria", "max_turns", "completion", "priority", "expect_tools", "expect_criteria")


class SimulationReader:
    """Reads the plan of a simulated user, in steps or as one task."""

    known = ("steps", "task", "variables", *_OPTIONS)
    """The members of a simulation that this reads."""

    def __init__(self, fields: SourceFields) -> None:
        self._fields = fields

    def scenario(self, node: Node) -> PortableScenario:
        """The goals as a plan, and the exact first message if there is one."""
        found = PortableScenario(node)
        steps = _steps(node)
        texts = self._texts(node, ("task",))
        for number, step in enumerate(steps):
            words = step.member("static_utterance")
            if number == 0 and words is not None and words.text():
                found.prompt = self._fields.note(words, SetField.SCENARIO_PROMPT)
            texts += self._texts(step, ("goal", "response_guide", *(("static_utterance",) if number else ())))
        found.plan = _plan(texts)
        for owner in (node, *steps):
            for name in _OPTIONS:
                option = owner.member(name)
                if option is not None and option.kind != "null":
                    self._fields.note(option, SetField.SCENARIO_OTHER)
                    if owner is node or len(steps) == 1:
                        found.others[name] = option
        return found

    def variables(self, node: Node) -> list[Node]:
        """Variables in addition to the session parameters. They override those parameters."""
        first = _steps(node)[:1]
        found = [node.member("variables"), *(step.member("inject_variables") for step in first)]
        return [each for each in found if each is not None and each.kind == "object"]

    def _texts(self, owner: Node, names: tuple[str, ...]) -> list[Node]:
        found = [owner.member(name) for name in names]
        return [self._fields.note(each, SetField.SCENARIO_PLAN) for each in found if each is not None and each.text()]


def _steps(node: Node) -> list[Node]:
    steps = node.member("steps")
    return [each for each in steps.items if each.kind == "object"] if steps is not None else []


def _plan(texts: list[Node]) -> Value | None:
    if len(texts) < 2:
        return texts[0] if texts else None
    return Made("\n".join(each.text().strip() for each in texts), tuple(texts), "merged", _STEPS)


_KNOWN = ("user", "agent", "tool_calls", "event", "user_event")
_CALL = ("action", "args", "arguments", "output", "agent")
_WELCOME = "<event>welcome</event>"
_IMPLICIT = 'without a user message, a cxas turn starts with the event "welcome"'
_NO_TEXT = "cxas accepts only a string here, so evaltui makes the value a string"
_QUOTE = "Put the value in quotes."
_NO_CALL = "no tool call of the conversation waits for this response"
_EVENT = "the event becomes a text message, as in cxas"


class ConversationTurnReader:
    """Reads the turns of conversations.

    Texts of the agent come before the calls, as cxas sends them; the last of them is the final response.
    """

    def __init__(self, portable: PortableSet) -> None:
        self._portable, self._fields = portable, portable.fields

    def turns(self, conversation: Node) -> list[PortableTurn]:
        """The turns of a conversation. Its `mocks`, as in exports, are the responses of the tool calls."""
        found = [self._turn(each) for each in _items(conversation, "turns") if each.kind == "object"]
        waiting: dict[str, list[Node]] = defaultdict(list)
        for mock in _items(conversation, "mocks"):
            self._fields.note(mock, SetField.TOOL_RESPONSE, _NO_CALL)
            tool = mock.member("tool")
            if tool is not None and mock.member("response") is not None:
                waiting[tool.text()].append(mock)
        if waiting:
            for turn in found:
                turn.events = [each for event in turn.events for each in self._answered(event, waiting)]
        return found

    def _answered(self, event: PortableEvent, waiting: dict[str, list[Node]]) -> list[PortableEvent]:
        parts = event.content.parts if event.content is not None else []
        if len(parts) != 1 or not isinstance(parts[0], CallPart) or not waiting[text_in(parts[0].name)]:
            return [event]
        mock = waiting[text_in(parts[0].name)].pop(0)
        name, response = mock.member("tool"), mock.member("response")
        self._fields.pass_over(name)
        answer = ResponsePart(mock, name=parts[0].name, response=_as_object(response), is_mock=True)
        return [event, PortableEvent(PortableContent([answer]), is_of_user=True)]

    def _turn(self, node: Node) -> PortableTurn:
        found = PortableTurn(node, user=self._user(node))
        said = [TextPart(text) for text in self._agent(node.member("agent"))]
        if said:
            last = said.pop()
            found.final = PortableContent([last])
            if isinstance(last.text, Node):
                self._fields.note(last.text, SetField.FINAL_TEXT)
        found.events = [PortableEvent(PortableContent([each])) for each in said]
        for call in _items(node, "tool_calls"):
            if call.kind == "object":
                found.events += self._call(call)
        for item in node.items:
            if item.name not in _KNOWN:
                self._fields.note(item, SetField.TURN_OTHER)
        return found

    def _user(self, node: Node) -> PortableContent:
        user = node.member("user")
        if user is not None and not user.is_container and user.kind != "null":
            return PortableContent([TextPart(self._text(user, SetField.USER_TEXT))])
        for name in ("event", "user_event"):
            event = node.member(name)
            if event is not None and event.kind == "string":
                self._fields.note(event, SetField.TURN_OTHER)
                return PortableContent([TextPart(Made(f"<event>{event.text()}</event>", (event,), "changed", _EVENT))])
        self._portable.invented.append(Invented(_WELCOME, node, "/user", _IMPLICIT))
        return PortableContent([TextPart(Made(_WELCOME, ()))])

    def _agent(self, node: Node | None) -> list[Value]:
        """Texts of the agent: one, or a list of them."""
        if node is None or node.kind in ("null", "object"):
            return []
        listed = node.items if node.kind == "array" else [node]
        return [
            self._text(each, SetField.TEXT_BETWEEN) for each in listed if not each.is_container and each.kind != "null"
        ]

    def _text(self, node: Node, field: SetField) -> Value:
        """A text. A number or boolean, which YAML makes of a text without quotes, becomes a text."""
        self._fields.note(node, field)
        if node.kind == "string":
            return node
        return Made(node.source().decode(), (node,), "changed", _NO_TEXT, _QUOTE)

    def _call(self, node: Node) -> list[PortableEvent]:
        action = node.member("action") or node.member("name")  # as in google-adk
        name = self._text(action, SetField.CALL_NAME) if action is not None and not action.is_container else None
        found = CallPart(node, name=name)
        args = node.member("args") or node.member("arguments")
        agent = _agent_of(node, args)
        if text_in(name) == TRANSFER and agent is not None:
            found.args = Made({TARGET: agent.text()}, (self._fields.note(agent, SetField.CALL_ARGS),))
        elif args is not None and args.kind != "null":
            take_args(found, args, self._fields)
        else:
            found.args = Made({}, ())  # as in cxas' own model
        for item in node.items:
            if item.name not in _CALL and item is not action:
                self._fields.note(item, SetField.CALL_OTHER)
        events = [PortableEvent(PortableContent([found]))]
        output = node.member("output")
        if output is not None and output.kind != "null":
            self._fields.note(output, SetField.TOOL_RESPONSE)
            answer = ResponsePart(node, name=Made(text_in(name), ()), response=_as_object(output), is_mock=False)
            events.append(PortableEvent(PortableContent([answer]), is_of_user=True))
        return events


def _agent_of(call: Node, args: Node | None) -> Node | None:
    """The agent that a transfer names, beside its arguments or among them."""
    found = args.member("agent") if args is not None else None
    found = found or call.member("agent")
    return found if found is not None and found.kind == "string" else None


def _as_object(node: Node | None) -> Value | None:
    """A response; google-adk and CX Agent Studio have a text under `output`."""
    if node is None or node.kind == "object":
        return node
    return Made({"output": node.value()}, (node,))


def _items(owner: Node, name: str) -> list[Node]:
    found = owner.member(name)
    return found.items if found is not None and found.kind == "array" else []


_SET = ("conversations", "evals", "common_session_parameters", "common_expectations")
_CONVERSATION = ("conversation", "turns", "tags", "session_parameters", "expectations", "mocks")
_SIMULATION = ("name", "tags", "session_parameters", "expectations")
_TOOL_TESTS = "the file has only tests of single tools, and no other format has such tests"
_NO_LIST = "not a file of cxas: it has no list conversations and no list evals"


def read_conversations(root: Node, name: str) -> PortableSet:
    """Read a file of cxas, or a bare list of simulations. Raises `ConversionError` if it has no cases."""
    found = PortableSet(root, SourceFields(), id=name)
    reader = _CaseReader(found)
    conversations, simulations = _list(root, "conversations"), _list(root, "evals")
    if root.kind == "array":
        simulations = root
    else:
        if conversations is None and simulations is None:
            is_of_tools = any(_list(root, key) is not None for key in ("tests", "test_cases"))
            raise ConversionError(_TOOL_TESTS if is_of_tools else _NO_LIST)
        found.others = reader.own_members(root, _SET, SetField.SET_OTHER)
    for node in conversations.items if conversations is not None else ():
        if node.kind == "object":
            found.cases.append(reader.conversation(node))
    for node in simulations.items if simulations is not None else ():
        if node.kind == "object":
            found.cases.append(reader.simulation(node))
    return found


def _list(owner: Node, name: str) -> Node | None:
    found = owner.member(name)
    return found if found is not None and found.kind == "array" else None


class _CaseReader:
    """Reads the cases of one file and notes the fields of their values."""

    def __init__(self, portable: PortableSet) -> None:
        self._portable = portable
        self._fields = portable.fields
        self._turns = ConversationTurnReader(portable)
        self._simulations = SimulationReader(portable.fields)

    def conversation(self, node: Node) -> PortableCase:
        """A golden conversation."""
        found = self._case(node, "conversation", _CONVERSATION)
        found.turns = self._turns.turns(node)
        return found

    def simulation(self, node: Node) -> PortableCase:
        """A simulation."""
        found = self._case(node, "name", (*_SIMULATION, *self._simulations.known))
        found.scenario = self._simulations.scenario(node)
        for variables in self._simulations.variables(node):
            self._take_state(found, variables)
        return found

    def _case(self, node: Node, name: str, known: tuple[str, ...]) -> PortableCase:
        found = PortableCase(node)
        called = node.member(name)
        if called is not None and called.kind == "string":
            found.id = self._fields.note(called, SetField.CASE_ID)
        tags = _list(node, "tags")
        found.tags = [self._fields.note(each, SetField.CASE_TAGS) for each in (tags.items if tags is not None else ())]
        for owner, key in ((self._portable.root, "common_session_parameters"), (node, "session_parameters")):
            parameters = owner.member(key)
            if parameters is not None and parameters.kind == "object":
                self._take_state(found, parameters)
        for owner, key in ((self._portable.root, "common_expectations"), (node, "expectations")):
            self._expectations(_list(owner, key), found)
        found.others = self.own_members(node, known, SetField.CASE_OTHER)
        return found

    def _take_state(self, case: PortableCase, node: Node) -> None:
        """Add session parameters. The parameters of a conversation override the common ones."""
        self._fields.note(node, SetField.STATE)
        if node.items:
            if case.session is None:
                case.session = PortableSession(node)
            case.session.take_state(node, self._fields)

    def _expectations(self, listed: Node | None, case: PortableCase) -> None:
        """Read expectations: sentences for a judge are rubrics, and resource names, as in exports, are criteria."""
        for each in listed.items if listed is not None else ():
            text = each if each.kind == "string" else each.member("prompt")
            if text is None or text.kind != "string":
                continue
            if text.text().startswith("projects/"):
                case.criteria.append(self._fields.note(text, SetField.CRITERIA))
            else:
                self._fields.note(each, SetField.CASE_RUBRICS)
                case.rubrics.append(PortableRubric(each, id=each.member("displayName"), text=text))

    def own_members(self, node: Node, known: tuple[str, ...], field: SetField) -> dict[str, Node]:
        """The fields that cxas does not know."""
        return {
            item.name: self._fields.note(item, field)
            for item in node.items
            if item.name not in known and item.kind != "null" and node.member(item.name) is item
        }
