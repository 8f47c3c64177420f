"""Rules about the agents, authors, turns and roles of an EvaluationDataset."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from evaltui.document.edits import Edit, Remove, Set, json_text
from evaltui.printable import one_line, quoted
from evaltui.validation.checked_case import CheckedCase, PointedValue, author_of
from evaltui.validation.misspellings import nearest
from evaltui.validation.rule_types import Diagnostic, Fix, Rule, a_dataset_case
from evaltui.validation.rules.dataset_cases import ANSWERED, ASKED, CALLED, GOOD, with_events

_NO_AGENTS = ("user", "tool", "model")
"""Authors that are not agents. `eval generate` replaces `model` with the name of the root agent."""
_ROLES = ("user", "model")
_KNOWN_ROLES = {
    **dict.fromkeys(("model", "assistant", "agent", "ai", "bot"), "model"),
    **dict.fromkeys(("user", "human"), "user"),
}
"""The role for names of other formats, and for Gemini's roles in other capitalization."""
_AGENTS = '"agents": {"desk": {"agent_id": "desk"}}, '


def _with_agents(text: str) -> str:
    return text.replace('"turns"', f'{_AGENTS}"turns"')


def check_case(case: CheckedCase) -> Iterator[Diagnostic]:
    """Events without an author or content, unknown authors, wrong turn indexes, and wrong roles."""
    yield from _check_authors(case)
    yield from _calls_by_user(case)
    for event in case.events:
        state = event.member("state_delta")
        if event.member("content") is None and (state is None or not state.data) and author_of(event) != "user":
            fix = Fix("Delete the event", False, (Remove(event.pointer),))
            yield EMPTY_EVENT.at(event, "the event has no content and no state_delta", fix=fix)
    for name, data in case.agents.items():  # the keys, by which events refer to agents
        agent = case.at(data)
        identifier = agent.text("agent_id")
        if identifier and identifier != name:
            message = f"agent_id is {quoted(identifier, 40)}, but the key is {quoted(name, 40)}"
            place = agent.place_of("agent_id")
            yield AGENT_ID_DIFFERS.at(place, message, fix=_writing(place, name))
    yield from _turn_indexes(case)
    yield from _check_roles(case)


def _writing(pointer: str, value: str, *, safe: bool = False) -> Fix:
    return Fix(f"Write {one_line(value, 30)}", safe, (Set(pointer, json_text(value)),))


EVENT_WITHOUT_AUTHOR = Rule(
    "event-without-author",
    "An event of the agent data has no author.",
    "`eval generate` adds earlier events to the session of google-adk. The `Event` of google-adk requires an author. "
    "Without an author, google-adk rejects the session, and the case fails. If the last event has no author, "
    "agents-cli finds no user message.",
    a_dataset_case(with_events(ASKED, ANSWERED.replace('"author": "desk", ', ""), ASKED)),
    a_dataset_case(with_events(ASKED, ANSWERED, ASKED)),
    "Adds an author that fits the role: `user`, or the only agent, else `model` (agents-cli replaces `model`).",
)
AUTHOR_WITHOUT_AGENT = Rule(
    "author-without-agent",
    "The author of an event is not among the agents of the agent data.",
    "A key of `agent_data.agents` *matches the `author` field in events* (agentplatform.types.evals.AgentData). If "
    "the author is not such a key, a judge sees no instruction and no tools of this agent. `user`, `tool` and "
    "`model` are not agents.",
    a_dataset_case(_with_agents(with_events(ASKED, ANSWERED.replace('"desk"', '"helpdesk"'), ASKED))),
    a_dataset_case(_with_agents(with_events(ASKED, ANSWERED, ASKED))),
    "Writes the agent with the most similar name (safe if only upper and lower case differ).",
)


def _check_authors(case: CheckedCase) -> Iterator[Diagnostic]:
    agents = case.agents
    similar: dict[str, str] = {}
    for event in case.events:
        author = author_of(event)
        if not author and event.member("author") is None:
            place = f"{event.pointer}/author"
            yield EVENT_WITHOUT_AUTHOR.at(place, "the event has no author", fix=_adding_author(event, [*agents]))
        elif author and agents and author not in agents and author not in _NO_AGENTS:
            # A cache: a search for each of thousands of events takes too long.
            if author not in similar:
                similar[author] = nearest(author, agents)
            agent, place = similar[author], event.place_of("author")
            fix = _writing(place, agent, safe=agent.casefold() == author.casefold()) if agent else None
            names = one_line(", ".join(islice(agents, 10)), 60)
            message = f"the author {quoted(author, 40)} is not among the agents: {names}"
            yield AUTHOR_WITHOUT_AGENT.at(place, message, fix=fix)


CALL_BY_USER = Rule(
    "call-by-user",
    "The user makes a tool call.",
    "Only agents call tools. If the tool call is in the last event, `eval generate` sends it to the agent as a user "
    "message (google.agents.cli.eval.cmd_generate). A judge sees that the user calls the tool. A tool response from "
    "the user is correct: some tools wait for a response from a person.",
    a_dataset_case(with_events(ASKED, CALLED.replace('"desk"', '"user"'), ANSWERED, ASKED)),
    a_dataset_case(with_events(ASKED, CALLED, ANSWERED, ASKED)),
    "Sets the author to the only agent of the case (not safe: the tool call itself may be wrong).",
)


def _calls_by_user(case: CheckedCase) -> Iterator[Diagnostic]:
    for event in case.events:
        content = event.member("content") if author_of(event) == "user" else None
        parts = content.items("parts") if content is not None else []
        call = next((call for part in parts if (call := part.member("function_call")) is not None), None)
        if call is not None:
            # Without a list of agents, the only one that responds or acts.
            agents = [*case.agents] or [*dict.fromkeys(map(author_of, case.events))]
            agents = [agent for agent in agents if case.agents or agent not in ("", *_NO_AGENTS)]
            place = event.place_of("author")
            name = one_line(call.text("name") or "a tool", 40)
            message = f"the user calls {name}, but only agents call tools"
            yield CALL_BY_USER.at(place, message, fix=_writing(place, agents[0]) if len(agents) == 1 else None)


def _adding_author(event: PointedValue, agents: list[str]) -> Fix | None:
    content = event.member("content")
    role = content.text("role") if content is not None else None
    if role not in _ROLES:
        return None
    author = "user" if role == "user" else agents[0] if len(agents) == 1 else "model"
    edit = event.setting("author", json_text(author), is_first=True)
    return Fix(f"Add the author {one_line(author, 30)}", True, (edit,))


EMPTY_EVENT = Rule(
    "empty-event",
    "An event has no content and does not change the state.",
    "`eval generate` adds the event to the session. `eval grade` deletes the event, because the evaluation service "
    "requires content (`_drop_content_less_events` in google.agents.cli.eval.cmd_grade).",
    a_dataset_case(with_events(ASKED, '{"author": "desk"}', ASKED)),
    a_dataset_case(with_events(ASKED, ANSWERED, ASKED)),
    "Deletes the event (not safe: its content may be missing).",
    severity="info",
)
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


def _turn_indexes(case: CheckedCase) -> Iterator[Diagnostic]:
    first: tuple[int, str] | None = None
    edits: list[Edit] = []
    for number, turn in enumerate(case.recorded_turns):
        key = turn.key("turn_index")
        if key is None or turn.data[key] != number or isinstance(turn.data[key], bool):
            edits.append(turn.setting("turn_index", b"%d" % number, is_first=True))
            # The index in the file: turns that are no objects count there.
            first = first or (int(turn.pointer.rpartition("/")[2]), turn.place_of("turn_index"))
    if first is not None:
        message = f"turn {first[0] + 1} must have turn_index {first[0]}"
        yield TURN_INDEX.at(first[1], message, fix=Fix("Number all turns", True, tuple(edits)))


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


def _check_roles(case: CheckedCase) -> Iterator[Diagnostic]:
    bare: list[tuple[PointedValue, str]] = []
    for content, role in case.contents:
        own = content.text("role")
        if role == "system":  # nothing reads the role of a system instruction
            continue
        if own and own not in _ROLES:
            own_role, place = _KNOWN_ROLES.get(own.strip().casefold(), ""), content.below("role").pointer
            right = role or own_role
            fix = _writing(place, right, safe=own_role == right) if right else None
            yield UNKNOWN_ROLE.at(place, f"the role {quoted(own, 30)} must be user or model", fix=fix)
        # An empty content has a problem of its own.
        elif role and content.data and content.member("role") is None:
            bare.append((content, role))
    if bare:
        is_sent = case.prompt is not None and bare[0][0].data is case.prompt.data and not case.is_recorded
        edits = [content.setting("role", json_text(role), is_first=True) for content, role in bare]
        message = "the message has no role" if len(bare) == 1 else f"{len(bare)} messages of the case have no role"
        yield CONTENT_WITHOUT_ROLE.at(
            f"{bare[0][0].pointer}/role",
            message,
            fix=Fix("Add the role", True, tuple(edits)),
            severity="warning" if is_sent else "info",
        )
