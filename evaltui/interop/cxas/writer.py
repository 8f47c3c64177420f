"""Golden conversations and simulations of cxas, written, and what they hold.

The forms are those that cxas-scrapi reads (`cxas_scrapi.utils.eval_utils.Conversations`,
`cxas_scrapi.evals.simulation_evals.Step`). Each model reads its own list and ignores the other one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from evaltui.document.node import Node
from evaltui.interop.ces.golden_writer import variables_tree
from evaltui.interop.cx_cases import (
    GOAL,
    TRANSFER,
    named_cases,
    note_lost_set_id,
    persona_texts,
    tags_of,
    transfer_target,
)
from evaltui.interop.eval_sets.reader import pair_key
from evaltui.interop.fields import HELD, Reason, SetField, SourceFields, changed, no_place
from evaltui.interop.output_tree import (
    Tree,
    Value,
    joined_texts,
    present,
    remade,
    required,
    sources_of,
    text_in,
    value_of,
    with_reason,
)
from evaltui.interop.portable_set import (
    CallPart,
    FormatType,
    Part,
    PortableCase,
    PortableContent,
    PortableScenario,
    PortableSet,
    PortableTurn,
    ResponsePart,
    TextPart,
)

_READER = "cxas"
_NOT_BOTH = no_place(
    "a case in cxas is a conversation or a simulation, not both", "Move the scenario to a separate case."
)
_UNIQUE = "names of conversations must be unique in an app, so evaltui adds a number"
_JOINED = Reason("merged", "a message in cxas has only one text, so evaltui joins the texts with newlines")
_OF_THE_AGENT = changed(
    "a turn in cxas begins with its only user message, so this later text becomes a message of the agent"
)
_NOT_FINAL = changed("cxas uses the last text of a turn as its response")
_GUIDE = changed(
    "the persona becomes a response guide, but cxas does not check that the simulated user follows the guide"
)
_NO_NAME = "a tool response in cxas has no name, only its tool call has one"
_OF_TRANSFER = no_place("a transfer to an agent has no response in cxas")
_OF_NO_CALL = no_place("cxas keeps a tool response in its tool call, and no earlier call has this id or name")
_NO_SET = no_place("a cxas file has only conversations and simulations")
_TEXTS = no_place("messages in cxas contain only text")
_ONE_TEXT = changed("a message in cxas has only one text")
_APP = no_place("cxas has no user ids, and the app is given when cxas runs")
_NO_TURN = no_place("a turn in cxas has only a user message, texts of the agent and tool calls")
_PLATFORM = no_place("in CX Agent Studio, these fields belong to the app")
_CES = no_place("cxas YAML has no field for this, but CX Agent Studio has one", "Convert to ces to keep this.")

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    **dict.fromkeys((SetField.SET_NAME, SetField.SET_DESCRIPTION, SetField.SET_TIME, SetField.SET_OTHER), _NO_SET),
    **dict.fromkeys((SetField.APP_NAME, SetField.USER_ID, SetField.SESSION_OTHER), _APP),
    **dict.fromkeys((SetField.TURN_ID, SetField.TURN_TIME, SetField.TURN_DURATIONS, SetField.TURN_OTHER), _NO_TURN),
    **dict.fromkeys((SetField.USER_PARTS, SetField.PARTS_BETWEEN, SetField.FINAL_PARTS), _TEXTS),
    **dict.fromkeys((SetField.AGENTS, SetField.AGENT_DETAILS, SetField.SYSTEM_INSTRUCTION), _PLATFORM),
    SetField.CASE_NAME: no_place("a conversation in cxas has only one name, and evaltui writes the case id there"),
    SetField.CASE_DESCRIPTION: no_place("conversations in cxas have no description"),
    SetField.CASE_TIME: no_place("conversations in cxas have no creation time"),
    SetField.CASE_OTHER: changed("conversations in cxas have tags, but no custom fields"),
    SetField.FINAL_STATE: no_place("cxas does not check variables", "Convert to ces to check variables."),
    SetField.CASE_RUBRICS: changed("cxas has only the texts of rubrics, without id and type"),
    SetField.RUBRIC_DETAILS: no_place("expectations in cxas have only a text"),
    SetField.RUBRIC_DESCRIPTION: no_place("expectations in cxas have no description"),
    SetField.TURN_RUBRICS: no_place("cxas has expectations for conversations, not for single turns"),
    SetField.SCENARIO_PERSONA: changed("cxas has a response guide instead of a persona"),
    SetField.SCENARIO_TITLE: no_place("a simulation in cxas has only one name, and evaltui writes the case id there"),
    SetField.SCENARIO_OTHER: no_place(
        "evaltui writes only a goal, a first message and a response guide for a simulation"
    ),
    **dict.fromkeys((SetField.USER_TEXT, SetField.FINAL_TEXT), _ONE_TEXT),
    SetField.CALL_ARGS: changed("a transfer to an agent has only the name of the agent"),
    SetField.CALL_ID: no_place("tool calls in cxas have no ids"),
    SetField.CALL_OTHER: no_place("a tool call in cxas has only an action, arguments and an output"),
    SetField.TEXT_BETWEEN: _NOT_FINAL,
    SetField.AUTHOR: no_place("texts and tool calls in cxas have no author"),
    SetField.EVENT_TIME: no_place("texts and tool calls in cxas have no id and no time"),
    SetField.EVENT_OTHER: no_place("texts and tool calls in cxas have no fields like this"),
    SetField.STATE_CHANGES: no_place("cxas has variables only at the start of a conversation"),
    SetField.THOUGHTS: no_place("cxas compares what the agent says, not its thoughts"),
    SetField.RECORDED: no_place("a conversation in cxas contains expected responses, not recorded ones"),
    SetField.NO_CALLS: no_place("cxas cannot express that no tool is called", "Convert to ces to keep this."),
    SetField.EXPECTATION_OPTIONS: _CES,
    SetField.CRITERIA: no_place(
        "cxas needs the text of a criterion, not its resource name", "Add the text of the criterion to expectations."
    ),
}


def write_conversations(portable: PortableSet) -> list[Tree]:
    """The set as one document: its conversations, and its scenarios as simulations."""
    note_lost_set_id(portable)
    fields = portable.fields
    goldens: list[Tree] = []
    simulations: list[Tree] = []
    # Conversations come first in the file, so they also keep their names if a simulation has an equal one.
    numbered = sorted(enumerate(portable.cases, 1), key=lambda entry: _is_simulation(entry[1]))
    for case, name in named_cases(numbered, _READER, _UNIQUE):
        members = {"tags": tags_of(portable, case) or None, "session_parameters": variables_tree(case.state) or None}
        expectations: Tree = [rubric.text for rubric in case.rubrics if text_in(rubric.text)] or None
        if _is_simulation(case):
            steps: list[Tree] = [_step(case.scenario) if case.scenario is not None else {}]
            simulations.append(present({"name": name, **members, "steps": steps, "expectations": expectations}))
        else:
            if case.scenario is not None:
                fields.remarks[case.scenario.node] = _NOT_BOTH
            trees = [_turn(turn, fields) for turn in case.turns or ()]
            turns = case.turns_tree(trees, fields, _READER, case.node.member("turns"))
            goldens.append(present({"conversation": name, **members, "turns": turns, "expectations": expectations}))
    has_goldens = bool(goldens) or not simulations
    return [present({"conversations": goldens if has_goldens else None, "evals": simulations or None})]


def _is_simulation(case: PortableCase) -> bool:
    return case.scenario is not None and case.turns is None


def _step(scenario: PortableScenario) -> Tree:
    goal: Tree = scenario.plan
    if not text_in(scenario.plan):
        goal = required(GOAL, scenario.node, "conversation_plan", _READER, scenario.plan)
    guide: Tree = None
    texts = persona_texts(value_of(scenario.persona))
    if texts and scenario.persona is not None:
        guide = remade(scenario.persona, "\n".join(f"{name}: {text}" for name, text in texts), _GUIDE)
    prompt = scenario.prompt if text_in(scenario.prompt) else None
    return present({"static_utterance": prompt, "goal": goal, "response_guide": guide})


# --- turns ---------------------------------------------------------------------------------------------------------


def _turn(turn: PortableTurn, fields: SourceFields) -> Tree:
    texts: list[Value] = []
    for event in turn.events:
        if (text := _text(event.content, fields)) is not None:
            texts.append(with_reason(text, _OF_THE_AGENT) if event.is_said_by_user else text)
    final = _text(turn.final, fields)
    if texts and final is None and isinstance(texts[-1], Node):
        texts[-1] = with_reason(texts[-1], _NOT_FINAL)
    texts += [final] if final is not None else []
    for part in turn.user.parts:
        # Tool responses in a user message are parts of the message that are not texts.
        for value in (part.name, part.response, part.id) if isinstance(part, ResponsePart) else ():
            if isinstance(value, Node):
                fields.note(value, SetField.USER_PARTS)
    parts = [part for event in turn.events for part in event.parts]
    for part in (*turn.user.parts, *parts):
        if isinstance(part, ResponsePart):
            fields.unread.update(dict.fromkeys(sources_of(part.name), _NO_NAME))
    return {
        "user": _text(turn.user, fields) or "",
        # cxas writes an absent text of the agent as a null.
        "agent": texts if len(texts) > 1 else texts[0] if texts else None,
        **present({"tool_calls": _calls(parts, fields)}),
    }


def _text(content: PortableContent | None, fields: SourceFields) -> Value | None:
    texts = []
    for part in content.parts if content is not None else ():
        if isinstance(part, TextPart) and text_in(part.text):
            if not part.is_thought:
                texts.append(part.text)
            elif isinstance(part.text, Node):
                fields.note(part.text, SetField.THOUGHTS)
    return joined_texts(texts, _JOINED)


def _calls(parts: Sequence[Part], fields: SourceFields) -> Tree:
    """The tool calls with their responses, paired by their ids, else by their names; None for a turn with neither."""
    waiting: dict[str, list[CallPart]] = defaultdict(list)
    responses: dict[int, ResponsePart] = {}
    for part in parts:
        if isinstance(part, CallPart):
            waiting[pair_key(part)].append(part)
        elif isinstance(part, ResponsePart) and text_in(part.name) != TRANSFER and waiting[pair_key(part)]:
            call = waiting[pair_key(part)].pop(0)
            responses[id(call)] = part
            # The call has the same name, so nothing of the response is lost.
            if isinstance(part.name, Node) and text_in(part.name) == text_in(call.name):
                fields.pass_over(part.name)
        elif isinstance(part, ResponsePart):
            fields.leave_out(part.node, _OF_TRANSFER if text_in(part.name) == TRANSFER else _OF_NO_CALL)
    calls = [_call(part, responses.get(id(part))) for part in parts if isinstance(part, CallPart)]
    return calls if any(isinstance(part, CallPart | ResponsePart) for part in parts) else None


def _call(part: CallPart, response: ResponsePart | None) -> Tree:
    target = transfer_target(part)
    if target is not None:
        return {"action": part.name, "agent": target}
    name: Tree = part.name if text_in(part.name) else required("TOOL", part.node, "name", _READER, part.name)
    args = part.ruled_args if part.ruled_args is not None else part.args
    output = response.response if response is not None else None
    # cxas takes a text or an object. google-adk and CX Agent Studio have other values under `output`.
    if output is not None and not isinstance(value_of(output), dict | str):
        output = remade(output, {"output": value_of(output)})
    return present({"action": name, "args": args if isinstance(value_of(args), dict) else None, "output": output})


def _read(portable: PortableSet) -> None:
    from evaltui.interop.cxas.reader import read_conversations  # noqa: PLC0415 - a conversion reads one format

    read_conversations(portable)


CXAS = FormatType(
    source_word="cxas-yaml",
    option="cxas-yaml",
    title="cxas YAML",
    ending=".cxas.yaml",
    holdings=_HOLDINGS,
    read=_read,
    write=write_conversations,
    is_yaml=True,
)
