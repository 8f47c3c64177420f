"""Rules about the agents, authors, turns and roles of an EvaluationDataset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from evaltui.document.edits import Edit, Insert, Remove, Set, json_text
from evaltui.printable import one_line, quoted
from evaltui.validation.dataset_case import PointedDatasetCase, author_of
from evaltui.validation.misspellings import nearest
from evaltui.validation.pointed_values import PointedValue
from evaltui.validation.rule import Diagnostic, Fix, Rule, a_dataset_case
from evaltui.validation.rules.datasets import ASKED, CALLED, GOOD, SAID, with_events

_OF_NO_AGENT = ("user", "tool", "model")
"""Authors that are not agents. `eval generate` replaces `model` with the name of the root agent."""
_ROLES = ("user", "model")
_MEANT_ROLES = {
    **dict.fromkeys(("model", "assistant", "agent", "ai", "bot"), "model"),
    **dict.fromkeys(("user", "human"), "user"),
}
"""Role names of other formats, and Gemini's roles in other capitalization."""
_AGENTS = '"agents": {"desk": {"agent_id": "desk"}}, '


def _with_agents(text: str) -> str:
    return text.replace('"turns"', f'{_AGENTS}"turns"')


def check_case(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    """Events without an author or content, unknown authors, wrong turn indexes, and wrong roles."""
    yield from _authors(case)
    yield from _calls_by_user(case)
    for event in case.events:
        yield from _emptiness(event)
    yield from _agent_ids(case)
    yield from _turn_indexes(case)
    yield from _roles(case)


EVENT_WITHOUT_AUTHOR = Rule(
    "event-without-author",
    "An event of the agent data has no author.",
    "`eval generate` adds earlier events to the session of google-adk. The `Event` of google-adk requires an author. "
    "Without an author, google-adk rejects the session, and the case fails. If the last event has no author, "
    "agents-cli finds no user message.",
    a_dataset_case(with_events(ASKED, SAID.replace('"author": "desk", ', ""), ASKED)),
    a_dataset_case(with_events(ASKED, SAID, ASKED)),
    "Adds an author that fits the role: `user`, or the only agent, else `model` (agents-cli replaces `model`).",
)
AUTHOR_WITHOUT_AGENT = Rule(
    "author-without-agent",
    "The author of an event is not among the agents of the agent data.",
    "A key of `agent_data.agents` *matches the `author` field in events* (agentplatform.types.evals.AgentData). If "
    "the author is not such a key, a judge sees no instruction and no tools of this agent. `user`, `tool` and "
    "`model` are not agents.",
    a_dataset_case(_with_agents(with_events(ASKED, SAID.replace('"desk"', '"helpdesk"'), ASKED))),
    a_dataset_case(_with_agents(with_events(ASKED, SAID, ASKED))),
    "Writes the agent with the most similar name (safe if only upper and lower case differ).",
)


def _authors(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    agents = case.agents
    known = {*agents, *_OF_NO_AGENT}
    near: dict[str, str] = {}
    for event in case.events:
        author = author_of(event)
        if not author and event.member("author") is None:
            at = f"{event.pointer}/author"
            yield EVENT_WITHOUT_AUTHOR.at(at, "the event has no author", fix=_authored(event, at, [*agents]))
        elif author and agents and author not in known:
            if author not in near:
                near[author] = nearest(author, agents)
            yield _unknown_author(event, author, near[author], agents)


def _unknown_author(event: PointedValue, author: str, near: str, agents: Iterable[str]) -> Diagnostic:
    place = event.below(event.key("author") or "author")
    is_same = near.casefold() == author.casefold()
    fix = Fix(f"Write {one_line(near, 30)}", is_same, (Set(place.pointer, json_text(near)),)) if near else None
    names = one_line(", ".join(islice(agents, 10)), 60)
    said = f"the author {quoted(author, 40)} is not among the agents: {names}"
    return AUTHOR_WITHOUT_AGENT.at(place, said, fix=fix)


CALL_BY_USER = Rule(
    "call-by-user",
    "The user makes a tool call.",
    "Only agents call tools. If the tool call is in the last event, `eval generate` sends it to the agent as a user "
    "message (google.agents.cli.eval.cmd_generate). A judge sees that the user calls the tool. A tool response from "
    "the user is correct: some tools wait for a response from a person.",
    a_dataset_case(with_events(ASKED, CALLED.replace('"desk"', '"user"'), SAID, ASKED)),
    a_dataset_case(with_events(ASKED, CALLED, SAID, ASKED)),
    "Sets the author to the only agent of the case (not safe: the tool call itself may be wrong).",
)


def _calls_by_user(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    for event in case.events:
        content = event.member("content") if author_of(event) == "user" else None
        parts = content.items("parts") if content is not None else []
        calls = [call for part in parts if (call := part.member("function_call")) is not None]
        if calls:
            place = event.below(event.key("author") or "author")
            agents = [*case.agents] or [*_answering(case)]
            fix = None
            if len(agents) == 1:
                fix = Fix(f"Write {one_line(agents[0], 30)}", False, (Set(place.pointer, json_text(agents[0])),))
            name = one_line(calls[0].text("name") or "a tool", 40)
            yield CALL_BY_USER.at(place, f"the user calls {name}, but only agents call tools", fix=fix)


def _answering(case: PointedDatasetCase) -> dict[str, None]:
    """The agents that respond or act in a case."""
    return {author: None for event in case.events if (author := author_of(event)) and author not in _OF_NO_AGENT}


def _authored(event: PointedValue, at: str, agents: list[str]) -> Fix | None:
    content = event.member("content")
    role = content.text("role") if content is not None else None
    if role not in _ROLES:
        return None
    author = "user" if role == "user" else agents[0] if len(agents) == 1 else "model"
    is_there = event.key("author") is not None
    text = json_text(author)
    edit: Edit = Set(at, text) if is_there else Insert(at, text, before=next(iter(event.data), None))
    return Fix(f"Add the author {one_line(author, 30)}", True, (edit,))


EMPTY_EVENT = Rule(
    "empty-event",
    "An event has no content and does not change the state.",
    "`eval generate` adds the event to the session. `eval grade` deletes the event, because the evaluation service "
    "requires content (`_drop_content_less_events` in google.agents.cli.eval.cmd_grade).",
    a_dataset_case(with_events(ASKED, '{"author": "desk"}', ASKED)),
    a_dataset_case(with_events(ASKED, SAID, ASKED)),
    "Deletes the event (not safe: its content may be missing).",
    severity="info",
)


def _emptiness(event: PointedValue) -> Iterator[Diagnostic]:
    state = event.member("state_delta")
    if event.member("content") is None and (state is None or not state.data) and author_of(event) != "user":
        fix = Fix("Delete the event", False, (Remove(event.pointer),))
        yield EMPTY_EVENT.at(event, "the event has no content and no state_delta", fix=fix)


AGENT_ID_DIFFERS = Rule(
    "agent-id-differs",
    "The `agent_id` of an agent differs from its key.",
    "Events refer to agents by the key in `agent_data.agents`. `agent_id` *must be unique within the `agents` map*, "
    "and should be the same as the key (agentplatform.types.evals.AgentConfig).",
    a_dataset_case(_with_agents(with_events(ASKED)).replace('"agent_id": "desk"', '"agent_id": "help"')),
    a_dataset_case(_with_agents(with_events(ASKED))),
    "Writes the key as `agent_id` (not safe: the key may be wrong).",
    severity="info",
)


def _agent_ids(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    agents = case.agent_data.member("agents") if case.agent_data is not None else None
    for name in case.agents if agents is not None else ():
        agent = agents.below(name) if agents is not None else case.root
        identifier = agent.text("agent_id")
        if identifier and identifier != name:
            place = agent.below(agent.key("agent_id") or "agent_id")
            fix = Fix(f"Write {one_line(name, 30)}", False, (Set(place.pointer, json_text(name)),))
            said = f"agent_id is {quoted(identifier, 40)}, but the key is {quoted(name, 40)}"
            yield AGENT_ID_DIFFERS.at(place, said, fix=fix)


TURN_INDEX = Rule(
    "turn-index",
    "The `turn_index` values of a case are not 0, 1, 2 and so on.",
    "`turn_index` is *the 0-based index of the turn* (agentplatform.types.evals.ConversationTurn). The skill of "
    "agents-cli says: always set `turn_index`. No local command reads it, but the evaluation service may read it.",
    a_dataset_case(with_events(ASKED).replace('"turn_index": 0', '"turn_index": 1')),
    a_dataset_case(with_events(ASKED)),
    "Numbers all turns of the case.",
    severity="info",
)


def _turn_indexes(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    wrong: list[PointedValue] = []
    edits: list[Edit] = []
    for number, turn in enumerate(case.turns):
        key = turn.key("turn_index")
        if key is None or turn.data[key] != number or isinstance(turn.data[key], bool):
            at = f"{turn.pointer}/{key or turn.spelt('turn_index')}"
            first = next(iter(turn.data), None)
            edits.append(Insert(at, b"%d" % number, before=first) if key is None else Set(at, b"%d" % number))
            wrong.append(turn)
    if wrong:
        said = f"turn {(number := int(wrong[0].pointer.rpartition('/')[2])) + 1} must have turn_index {number}"
        at_first = f"{wrong[0].pointer}/{wrong[0].key('turn_index') or wrong[0].spelt('turn_index')}"
        yield TURN_INDEX.at(at_first, said, fix=Fix("Number all turns", True, tuple(edits)))


UNKNOWN_ROLE = Rule(
    "unknown-role",
    "Gemini does not know the role of a message.",
    "google-genai says about `Content.role`: *Must be either 'user' or 'model'*. The model API refuses other roles. "
    "Other formats call the model `assistant`.",
    a_dataset_case('{"eval_case_id": "greeting", "prompt": {"role": "human", "parts": [{"text": "Hi"}]}}'),
    GOOD,
    "Writes the role that the field requires. In other fields: `model` for assistant, agent, ai and bot, `user` for "
    "human.",
)
CONTENT_WITHOUT_ROLE = Rule(
    "content-without-role",
    "A message has no role.",
    "The official migration adds `user` to each prompt, *required by the Agent Platform Content type*. google-adk "
    "adds the role to the message that it receives, but not to earlier events. The severity is warning for prompts "
    "that `eval generate` sends.",
    a_dataset_case('{"eval_case_id": "greeting", "prompt": {"parts": [{"text": "Hi"}]}}'),
    GOOD,
    "Adds the missing roles to all messages of the case. The role comes from the field or the author.",
)


def _roles(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    bare: list[tuple[PointedValue, str]] = []
    for content, role in case.contents():
        said = content.text("role")
        if role == "system":  # nothing reads the role of a system instruction
            continue
        if said and said not in _ROLES:
            yield _unknown_role(content, said, role)
        elif role and content.data and content.member("role") is None:
            bare.append((content, role))
    if bare:
        is_sent = case.prompt is not None and bare[0][0].data is case.prompt.data and not case.is_recorded
        fix = Fix("Add the role", True, tuple(_role_added(content, role) for content, role in bare))
        place = f"{bare[0][0].pointer}/role"
        said = "the message has no role" if len(bare) == 1 else f"{len(bare)} messages of the case have no role"
        yield CONTENT_WITHOUT_ROLE.at(place, said, fix=fix, severity="warning" if is_sent else "info")


def _role_added(content: PointedValue, role: str) -> Edit:
    at, text = f"{content.pointer}/role", json_text(role)
    first = next(iter(content.data), None)
    return Set(at, text) if content.key("role") is not None else Insert(at, text, before=first)


def _unknown_role(content: PointedValue, said: str, of_place: str) -> Diagnostic:
    """The diagnostic for the role `said`; `of_place` is the role that the place requires, "" for any."""
    place, meant = content.below("role"), _MEANT_ROLES.get(said.strip().casefold(), "")
    wanted = of_place or meant
    fix = Fix(f"Write {wanted}", meant == wanted, (Set(place.pointer, json_text(wanted)),)) if wanted else None
    return UNKNOWN_ROLE.at(place, f"the role {quoted(said, 30)} must be user or model", fix=fix)
