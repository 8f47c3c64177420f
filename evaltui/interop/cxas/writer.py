"""Golden conversations and simulations of cxas, written.

The forms are those that cxas-scrapi reads (`cxas_scrapi.utils.eval_utils.Conversations`,
`cxas_scrapi.evals.simulation_evals.Step`). Each model reads its own list and ignores the other one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from evaltui.document.node import Node
from evaltui.interop.ces.golden_writer import variables_tree
from evaltui.interop.ces.message_writer import TRANSFER, is_thought, transfer_target
from evaltui.interop.cx_cases import UniqueNames, note_lost_set_id, persona_texts, tags_of
from evaltui.interop.cxas.reader import read_conversations
from evaltui.interop.fields import HELD, Holding, SetField, SourceFields
from evaltui.interop.format_type import FormatType, OutputDocument, WriteOptions
from evaltui.interop.output_tree import (
    Invented,
    LeftOutItem,
    Made,
    Tree,
    Value,
    missing,
    remade,
    sources_of,
    text_in,
    value_of,
)
from evaltui.interop.portable_set import (
    CallPart,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableScenario,
    PortableSet,
    PortableTurn,
    ResponsePart,
    TextPart,
)
from evaltui.interop.unread_content import turns_tree

_NOT_BOTH = "a case in cxas is a conversation or a simulation, not both"
_APART = "Move the scenario to a separate case."
_UNIQUE = "names of conversations must be unique in an app, so evaltui adds a number"
_ONE_TEXT = "a message in cxas has only one text, so evaltui joins the texts with newlines"
_AMONG_THE_AGENTS = (
    "a turn in cxas begins with its only user message, so this later text becomes a message of the agent"
)
_NOT_FINAL = "cxas uses the last text of a turn as its response"
_GUIDE = "the persona becomes a response guide, but cxas does not check that the simulated user follows the guide"
_NO_NAME = "a tool response in cxas has no name, only its tool call has one"
_OF_TRANSFER = "a transfer to an agent has no response in cxas"
_OF_NO_CALL = "cxas keeps a tool response in its tool call, and no earlier call has this id or name"
_GOAL: Final = "Talk to the agent as its users do."


def write_conversations(portable: PortableSet, options: WriteOptions) -> Sequence[OutputDocument]:
    """The set as one document: its conversations, and its scenarios as simulations."""
    del options  # no mapping is needed: cxas identifies tools by their short names
    note_lost_set_id(portable)
    writer = _ConversationWriter(portable)
    numbered = list(enumerate(portable.cases, 1))
    goldens = [writer.conversation(case, number) for number, case in numbered if not _is_simulation(case)]
    simulations = [writer.simulation(case, number) for number, case in numbered if _is_simulation(case)]
    tree: dict[str, Tree] = {}
    if goldens or not simulations:
        tree["conversations"] = goldens
    if simulations:
        tree["evals"] = simulations
    return [OutputDocument(tree)]


def _is_simulation(case: PortableCase) -> bool:
    return case.scenario is not None and case.turns is None


class _ConversationWriter:
    """Writes the cases of one set."""

    def __init__(self, portable: PortableSet) -> None:
        self._set = portable
        self._fields = portable.fields
        self._names = UniqueNames("cxas", _UNIQUE)

    def conversation(self, case: PortableCase, number: int) -> Tree:
        """A case as a golden conversation."""
        if case.scenario is not None:
            self._fields.remark(case.scenario.node, "no_place", _NOT_BOTH, _APART)
        name, _ = self._names.name(case, number)
        listed: list[Tree] = [self._turn(turn) for turn in case.turns or ()]
        turns = turns_tree(case, listed, self._fields, "cxas", case.node.member("turns"))
        return _given({"conversation": name, **self._around(case), "turns": turns, "expectations": _expectations(case)})

    def simulation(self, case: PortableCase, number: int) -> Tree:
        """A case with a scenario as a simulation of one step."""
        name, _ = self._names.name(case, number)
        step = _step(case.scenario) if case.scenario is not None else {}
        return _given({"name": name, **self._around(case), "steps": [step], "expectations": _expectations(case)})

    def _around(self, case: PortableCase) -> dict[str, Tree]:
        tags: list[Tree] = list(tags_of(self._set, case))
        state = case.session.state if case.session is not None else {}
        return {"tags": tags or None, "session_parameters": variables_tree(state) or None}

    # --- a turn --------------------------------------------------------------------------------------------

    def _turn(self, turn: PortableTurn) -> Tree:
        said = [text for event in turn.events for text in self._said(event)]
        final = self._texts(turn.final)
        if said and not final and isinstance(said[-1], Node):
            said[-1] = remade(said[-1], text_in(said[-1]), "changed", _NOT_FINAL)
        said += final
        self._note_user_parts(turn.user)
        for content in (turn.user, *(event.content for event in turn.events)):
            for part in content.parts if content is not None else ():
                if isinstance(part, ResponsePart):
                    self._fields.unread.update(dict.fromkeys(sources_of(part.name), _NO_NAME))
        user = self._texts(turn.user)
        return {
            "user": user[0] if user else "",
            "agent": said if len(said) > 1 else said[0] if said else None,
            **_given({"tool_calls": self._calls(turn) or None}),
        }

    def _said(self, event: PortableEvent) -> list[Value]:
        """The text of an event. A text by the user is reported, because it becomes one by the agent."""
        texts = self._texts(event.content)
        if not event.is_said_by_user:
            return texts
        return [remade(each, value_of(each), "changed", _AMONG_THE_AGENTS) for each in texts]

    def _note_user_parts(self, content: PortableContent) -> None:
        """Note tool responses in a user message as parts of the message that are not texts."""
        for part in content.parts:
            for each in (part.name, part.response, part.id) if isinstance(part, ResponsePart) else ():
                if isinstance(each, Node):
                    self._fields.note(each, SetField.USER_PARTS)

    def _texts(self, content: PortableContent | None) -> list[Value]:
        """The text of a message, or none."""
        texts = []
        for part in content.parts if content is not None else ():
            if isinstance(part, TextPart) and text_in(part.text):
                if not is_thought(part):
                    texts.append(part.text)
                elif isinstance(part.text, Node):
                    self._fields.note(part.text, SetField.THOUGHTS)
        if len(texts) < 2:
            return texts
        sources = tuple(source for each in texts for source in sources_of(each))
        return [Made("\n".join(map(text_in, texts)), sources, "merged", _ONE_TEXT)]

    def _calls(self, turn: PortableTurn) -> list[Tree]:
        parts = [part for event in turn.events if event.content is not None for part in event.content.parts]
        answers = _answers(parts, self._fields)
        paired = {id(each) for each in answers.values()}
        left_out = [
            LeftOutItem(part.node, _OF_TRANSFER if text_in(part.name) == TRANSFER else _OF_NO_CALL)
            for part in parts
            if isinstance(part, ResponsePart) and id(part) not in paired
        ]
        return [*(_call(part, answers.get(id(part))) for part in parts if isinstance(part, CallPart)), *left_out]


def _call(part: CallPart, answer: ResponsePart | None) -> Tree:
    target = transfer_target(part)
    if target is not None:
        return {"action": part.name, "agent": target}
    name: Tree = part.name if text_in(part.name) else Invented("TOOL", part.node, "/name", missing("cxas", part.name))
    args = part.ruled_args if part.ruled_args is not None else part.args
    return _given(
        {
            "action": name,
            "args": args if isinstance(value_of(args), dict) else None,
            "output": _output(answer.response) if answer is not None else None,
        }
    )


def _output(response: Value | None) -> Tree:
    if response is None or isinstance(value_of(response), dict | str):
        return response
    return remade(response, {"output": value_of(response)})


def _answers(parts: Sequence[object], fields: SourceFields) -> dict[int, ResponsePart]:
    """The responses by the `id()` of their calls. They are paired by their ids, else by their names."""
    waiting: dict[str, list[CallPart]] = defaultdict(list)
    found: dict[int, ResponsePart] = {}
    for part in parts:
        if isinstance(part, CallPart):
            waiting[_pair_key(part)].append(part)
        elif isinstance(part, ResponsePart) and text_in(part.name) != TRANSFER and waiting[_pair_key(part)]:
            call = waiting[_pair_key(part)].pop(0)
            found[id(call)] = part
            if isinstance(part.name, Node) and text_in(part.name) == text_in(call.name):
                fields.pass_over(part.name)
    return found


def _pair_key(part: CallPart | ResponsePart) -> str:
    return f"id {text_in(part.id)}" if text_in(part.id) else f"name {text_in(part.name)}"


def _step(scenario: PortableScenario) -> Tree:
    prompt, plan = text_in(scenario.prompt), text_in(scenario.plan)
    goal: Tree = scenario.plan
    if not plan:
        goal = Invented(_GOAL, scenario.node, "/conversation_plan", missing("cxas", scenario.plan))
    texts = persona_texts(value_of(scenario.persona))
    guide: Tree = None
    if texts and scenario.persona is not None:
        words = "\n".join(f"{name}: {text}" for name, text in texts)
        guide = remade(scenario.persona, words, "changed", _GUIDE)
    return _given({"static_utterance": scenario.prompt if prompt else None, "goal": goal, "response_guide": guide})


def _expectations(case: PortableCase) -> Tree:
    return [each.text for each in case.rubrics if text_in(each.text)] or None


def _given(members: Mapping[str, Tree]) -> dict[str, Tree]:
    return {name: each for name, each in members.items() if each is not None}


_NO_SET = "a cxas file has only conversations and simulations"
_TEXTS = Holding("no_place", "messages in cxas contain only text")
_APP = Holding("no_place", "cxas has no user ids, and the app is given when cxas runs")
_NO_TURN = Holding("no_place", "a turn in cxas has only a user message, texts of the agent and tool calls")
_PLATFORM = Holding("no_place", "in CX Agent Studio, these fields belong to the app")
_CES = Holding(
    "no_place",
    "cxas YAML has no field for this, but CX Agent Studio has one",
    "Convert to ces to keep this.",
)

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_NAME: Holding("no_place", _NO_SET),
    SetField.SET_DESCRIPTION: Holding("no_place", _NO_SET),
    SetField.SET_TIME: Holding("no_place", _NO_SET),
    SetField.SET_OTHER: Holding("no_place", _NO_SET),
    SetField.CASE_NAME: Holding(
        "no_place", "a conversation in cxas has only one name, and evaltui writes the case id there"
    ),
    SetField.CASE_DESCRIPTION: Holding("no_place", "conversations in cxas have no description"),
    SetField.CASE_TIME: Holding("no_place", "conversations in cxas have no creation time"),
    SetField.CASE_OTHER: Holding("changed", "conversations in cxas have tags, but no custom fields"),
    SetField.APP_NAME: _APP,
    SetField.USER_ID: _APP,
    SetField.SESSION_OTHER: _APP,
    SetField.FINAL_STATE: Holding("no_place", "cxas does not check variables", "Convert to ces to check variables."),
    SetField.CASE_RUBRICS: Holding("changed", "cxas has only the texts of rubrics, without id and type"),
    SetField.RUBRIC_DETAILS: Holding("no_place", "expectations in cxas have only a text"),
    SetField.RUBRIC_DESCRIPTION: Holding("no_place", "expectations in cxas have no description"),
    SetField.TURN_RUBRICS: Holding("no_place", "cxas has expectations for conversations, not for single turns"),
    SetField.SCENARIO_PERSONA: Holding("changed", "cxas has a response guide instead of a persona"),
    SetField.SCENARIO_TITLE: Holding(
        "no_place", "a simulation in cxas has only one name, and evaltui writes the case id there"
    ),
    SetField.SCENARIO_OTHER: Holding(
        "no_place", "evaltui writes only a goal, a first message and a response guide for a simulation"
    ),
    SetField.TURN_ID: _NO_TURN,
    SetField.TURN_TIME: _NO_TURN,
    SetField.TURN_DURATIONS: _NO_TURN,
    SetField.TURN_OTHER: _NO_TURN,
    SetField.USER_TEXT: Holding("changed", "a message in cxas has only one text"),
    SetField.USER_PARTS: _TEXTS,
    SetField.CALL_ARGS: Holding("changed", "a transfer to an agent has only the name of the agent"),
    SetField.CALL_ID: Holding("no_place", "tool calls in cxas have no ids"),
    SetField.CALL_OTHER: Holding("no_place", "a tool call in cxas has only an action, arguments and an output"),
    SetField.TEXT_BETWEEN: Holding("changed", "cxas uses the last text of a turn as its response"),
    SetField.PARTS_BETWEEN: _TEXTS,
    SetField.AUTHOR: Holding("no_place", "texts and tool calls in cxas have no author"),
    SetField.EVENT_TIME: Holding("no_place", "texts and tool calls in cxas have no id and no time"),
    SetField.EVENT_OTHER: Holding("no_place", "texts and tool calls in cxas have no fields like this"),
    SetField.STATE_CHANGES: Holding("no_place", "cxas has variables only at the start of a conversation"),
    SetField.AGENT_DETAILS: _PLATFORM,
    SetField.FINAL_TEXT: Holding("changed", "a message in cxas has only one text"),
    SetField.FINAL_PARTS: _TEXTS,
    SetField.THOUGHTS: Holding("no_place", "cxas compares what the agent says, not its thoughts"),
    SetField.AGENTS: _PLATFORM,
    SetField.SYSTEM_INSTRUCTION: _PLATFORM,
    SetField.RECORDED: Holding("no_place", "a conversation in cxas contains expected responses, not recorded ones"),
    SetField.NO_CALLS: Holding(
        "no_place", "cxas cannot express that no tool is called", "Convert to ces to keep this."
    ),
    SetField.EXPECTATION_OPTIONS: _CES,
    SetField.CRITERIA: Holding(
        "no_place",
        "cxas needs the text of a criterion, not its resource name",
        "Add the text of the criterion to expectations.",
    ),
}

CXAS = FormatType(
    source_word="cxas-yaml",
    option="cxas-yaml",
    title="cxas YAML",
    ending=".cxas.yaml",
    holdings=_HOLDINGS,
    read=read_conversations,
    write=write_conversations,
    is_yaml=True,
)
