"""Golden conversations and simulations of cxas, read from the JSON form of their YAML (`yaml_text.read_yaml`)."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.interop.cxas.simulation_reader import SimulationReader
from evaltui.interop.cxas.turn_reader import ConversationTurnReader
from evaltui.interop.fields import SetField
from evaltui.interop.format_type import ConversionError
from evaltui.interop.portable_set import PortableCase, PortableRubric, PortableSession, PortableSet
from evaltui.interop.source_fields import SourceFields

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
