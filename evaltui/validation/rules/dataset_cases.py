"""Rules about cases of an EvaluationDataset that agents-cli does not run, or runs differently than written.

Some are about values without the object around them, or in the form of google-adk's eval sets: `with_shapes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set, json_text
from evaltui.validation.checked_case import CheckedCase, PointedValue, author_of
from evaltui.validation.rule_types import Diagnostic, Example, Fix, Rule, Severity, a_dataset, a_dataset_case
from evaltui.validation.rules import conversations
from evaltui.validation.rules.conversations import check_parts, check_scenario, is_silent

PROMPT = '"prompt": {"role": "user", "parts": [{"text": "Hi"}]}'
ASKED = '{"author": "user", "content": {"role": "user", "parts": [{"text": "Hi"}]}}'
ANSWERED = '{"author": "desk", "content": {"role": "model", "parts": [{"text": "Hello"}]}}'
CALLED = (
    '{"author": "desk", "content": {"role": "model", "parts": [\n'
    '     {"function_call": {"name": "get_fines", "args": {}}}]}}'
)
GOOD = a_dataset_case(f'{{"eval_case_id": "greeting", {PROMPT}}}')
"""An example without problems; the texts above are pieces of other examples."""


def with_events(*events: str) -> str:
    """The text of a case with these events in one turn."""
    listed = ",\n   ".join(events)
    return (
        f'{{"eval_case_id": "greeting", "agent_data": {{"turns": [{{"turn_index": 0, "events": [\n   {listed}]}}]}}}}'
    )


# --- what agents-cli runs --------------------------------------------------------------------------------------------

_SPLIT = "`split_case_history` (google.agents.cli.eval.cmd_generate) "


def check_case(case: CheckedCase) -> Iterator[Diagnostic]:
    """Cases without a message to send or with two, fields that nothing reads, and empty texts."""
    yield from _message_to_send(case)
    history, instruction = case.root.member("conversation_history"), case.root.member("system_instruction")
    is_run = not case.is_recorded  # no agent runs for a recorded case
    if is_run and history is not None and history.data and case.prompt is not None:
        message = "eval generate does not send conversation_history; put earlier turns into agent_data"
        yield UNSENT_HISTORY.at(history, message)
    if is_run and instruction is not None and instruction.data and (case.prompt is not None or case.events):
        yield UNSENT_INSTRUCTION.at(instruction, "eval generate does not give system_instruction to the agent")
    reference = case.root.member("reference")
    # A reference with parts is a content without the object around it, which `with_shapes` reports.
    if reference is not None and isinstance(reference.data, dict) and "parts" not in reference.data:
        response = reference.member("response")
        if response is None or (isinstance(response.data, dict) and is_silent(response.data)):
            yield EMPTY_REFERENCE.at(reference, "the reference has no response to compare with")
    for name in ("agent_info", "interactions_data_source") if case.events else ():
        value = case.root.member(name)
        if value is not None and value.data:
            message = f"agentplatform ignores {name}, because the case has agent_data"
            yield UNREAD_BESIDE_AGENT_DATA.at(value, message, at_key=True)
    yield from check_scenario(case.root.member("user_scenario"))
    for content, _ in case.contents:
        yield from check_parts(content)


EMPTY_DATASET = Rule(
    "empty-dataset",
    "A dataset has no cases.",
    "`agents-cli eval generate` ends with *Dataset must contain a non-empty 'eval_cases' list*, and `eval grade` "
    "with *No eval_cases found*. Only `client.evals` of agentplatform reads cases from a table or from files "
    "(`bigquery_source`, `gcs_source`).",
    a_dataset('{"eval_cases": []}'),
    a_dataset(f'{{"eval_cases": [{GOOD.text}]}}'),
)


def check_set(rest: PointedValue, count: int) -> Iterator[Diagnostic]:
    """A dataset without cases; `rest` is the dataset with an empty list of its `count` cases."""
    sources = ("bigquery_source", "gcs_source", "eval_dataset_df")
    if count or not isinstance(rest.data, dict) or any(rest.member(name) is not None for name in sources):
        return
    cases = rest.member("eval_cases")
    if cases is None or cases.data == []:
        place = rest.key("eval_cases") or "eval_cases"
        yield EMPTY_DATASET.at(f"/{place}", "the dataset has no cases, so nothing is evaluated")


EMPTY_DATASET_CASE = Rule(
    "empty-dataset-case",
    "A case has no message, no conversation and no scenario.",
    "`agents-cli eval generate` stops before the first case (*eval_cases[0] is missing both 'prompt' and "
    "'agent_data'*), so no case runs. Your own fields are kept but not sent to any agent.",
    a_dataset_case('{"eval_case_id": "greeting", "question": "Hi"}'),
    GOOD,
)
CASE_NOT_GENERATED = Rule(
    "case-not-generated",
    "A case has no prompt and no agent data, only fields that other programs read.",
    "`agents-cli eval generate` reads the message from `prompt` or `agent_data`. If one case has neither field, "
    "agents-cli stops before the first case, so no case of the file runs. `client.evals.run_inference` of "
    "agentplatform can run a `user_scenario`, so keep scenarios in a separate file. Recorded `responses` and "
    "interactions can be scored, so for such cases the severity is info.",
    a_dataset_case(
        '{"eval_case_id": "refund", "user_scenario": {\n'
        '  "starting_prompt": "Hi", "conversation_plan": "Ask for a refund of order 12."}}'
    ),
    GOOD,
)
PROMPT_AND_AGENT_DATA = Rule(
    "prompt-and-agent-data",
    "A case has a prompt, and its agent data has turns.",
    _SPLIT + "refuses such a case: *Case has both top-level 'prompt' and agent_data.turns; ambiguous*. The case fails, "
    "and the other cases run. A trace that `eval generate` wrote has both, which is correct.",
    a_dataset_case(f"{{{PROMPT},\n {with_events(ASKED)[1:]}"),
    a_dataset_case(with_events(ASKED)),
    "Deletes the prompt (safe if it equals the last message of the agent data).",
)
NO_USER_MESSAGE_LAST = Rule(
    "no-user-message-last",
    "The agent data of a case does not end with a user message.",
    _SPLIT + "sends the last event. The last event must have the author `user` and content. Otherwise the case fails: "
    "*no trailing user event in agent_data.turns*. If the last event is a response, the case is a finished trace for "
    "`eval grade`, and the severity is info.",
    a_dataset_case(with_events(ASKED, CALLED)),
    a_dataset_case(with_events(ASKED, ANSWERED, ASKED)),
)


def _message_to_send(case: CheckedCase) -> Iterator[Diagnostic]:
    prompt, agent_data = case.prompt, case.agent_data
    turns = agent_data.member("turns") if agent_data is not None else None
    if prompt is not None and turns is not None and turns.data:
        if not case.is_recorded:  # a trace that eval generate wrote has both
            last = case.events[-1].member("content") if case.events and author_of(case.events[-1]) == "user" else None
            text = _only_text(prompt)
            is_same = last is not None and text is not None and _only_text(last) == text
            fix = Fix("Delete the prompt", is_same, (Remove(prompt.pointer),))
            message = "the case has prompt and agent_data.turns; eval generate refuses both together"
            yield PROMPT_AND_AGENT_DATA.at(prompt, message, fix=fix)
    elif not (prompt is not None and prompt.data) and not (agent_data is not None and agent_data.data):
        yield _nothing_to_send(case)
    elif prompt is not None:
        if is_silent(prompt.data):
            yield conversations.NO_USER_TEXT.at(prompt, "the prompt is empty")
    elif agent_data is not None and not case.is_recorded:
        yield from _last_event(case, agent_data)


def _only_text(content: PointedValue) -> str | None:
    """The text of a content with a single text part; None for other contents."""
    parts = content.items("parts")
    is_plain = len(parts) == 1 and isinstance(parts[0].data, dict) and [*parts[0].data] == ["text"]
    return parts[0].text("text") if is_plain else None


def _nothing_to_send(case: CheckedCase) -> Diagnostic:
    names = ("user_scenario", "conversation_history", "interactions_data_source", "responses")
    values = ((name, case.root.member(name)) for name in names)
    name = next((name for name, value in values if value is not None and value.data), None)
    if name is None:
        message = "the case has no prompt, agent_data or user_scenario; eval generate runs no case of the dataset"
        return EMPTY_DATASET_CASE.at(case.root, message)
    message = f"eval generate needs prompt or agent_data, not {name}, so no case of the dataset runs"
    # Recorded responses and interactions can be scored.
    severity: Severity | None = "info" if case.is_recorded or name == "interactions_data_source" else None
    return CASE_NOT_GENERATED.at(case.root.place_of(name), message, severity=severity)


def _last_event(case: CheckedCase, agent_data: PointedValue) -> Iterator[Diagnostic]:
    if not case.events:
        yield NO_USER_MESSAGE_LAST.at(agent_data, "agent_data has no events, so there is no message to send")
        return
    last = case.events[-1]
    content = last.member("content")
    if author_of(last) != "user":
        is_answer = content is not None and any(part.text("text") for part in content.items("parts"))
        message = "eval generate needs a user message as the last event"
        message += "; a finished trace can only be scored" if is_answer else ""
        yield NO_USER_MESSAGE_LAST.at(last, message, severity="info" if is_answer else "warning")
    elif content is None:
        yield NO_USER_MESSAGE_LAST.at(last, "the last event has no content, so there is no message to send")
    elif is_silent(content.data):
        yield conversations.NO_USER_TEXT.at(content, "the user message in the last event is empty")


UNSENT_HISTORY = Rule(
    "unsent-history",
    "A case has messages before its prompt in `conversation_history`, but no agent gets them.",
    _SPLIT
    + "sends the prompt to a new session without history. Write earlier messages as events of `agent_data`, with the "
    "prompt as the last event. Metrics of agentplatform read `conversation_history` for recorded responses.",
    a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n "conversation_history": [\n   {ASKED},\n   {ANSWERED}]}}'
    ),
    a_dataset_case(with_events(ASKED, ANSWERED, ASKED)),
)
UNSENT_INSTRUCTION = Rule(
    "unsent-instruction",
    "A case has a system instruction, but no agent gets it.",
    "`eval generate` sends only the message: the agent has its own instruction. `eval optimize` puts "
    "`system_instruction` into the state of the session. Metrics of agentplatform may use it in their prompts.",
    a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n "system_instruction": {{"parts": [{{"text": "Be polite."}}]}}}}'
    ),
    GOOD,
    severity="info",
)


_REFERENCED = (
    f'{{"eval_case_id": "greeting", {PROMPT},\n'
    ' "reference": {"response": {"role": "model", "parts": [{"text": "Hello"}]}}}'
)
EMPTY_REFERENCE = Rule(
    "empty-reference",
    "The reference of a case has no response.",
    "`exact_match`, `bleu`, `rouge` and the translation metrics fail for such a case with *Reference text missing* "
    "(agentplatform._genai._evals_metric_handlers). The mean does not include this case.",
    a_dataset_case(_REFERENCED.replace('{"text": "Hello"}', "")),
    a_dataset_case(_REFERENCED),
)
UNREAD_BESIDE_AGENT_DATA = Rule(
    "unread-beside-agent-data",
    "A case has agent data, and also agent info or an interaction.",
    "If a case has `agent_data`, the metrics of agentplatform do not read `agent_info` (`_eval_case_to_agent_data` in "
    "agentplatform._genai._evals_metric_handlers). For an interaction, the service says that agent data *must not "
    "also be set*. These metrics do not read `intermediate_events` there either, but evaltui does: they are the "
    "expected calls.",
    a_dataset_case(f'{with_events(ASKED)[:-1]},\n "agent_info": {{"name": "desk"}}}}'),
    a_dataset_case(with_events(ASKED)),
    severity="info",
)


# --- values without the object around them ---------------------------------------------------------------------------

# agentplatform's models reject such values. These diagnostics replace the less helpful ones about single keys.


def _with_rubric(content: str) -> Example:
    return a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n "rubric_groups": {{"tone": {{"rubrics": [\n'
        f'   {{"rubric_id": "polite", {content}}}]}}}}}}'
    )


UNWRAPPED_CONTENT = Rule(
    "unwrapped-content",
    "The object that must be around a string or a content object is missing.",
    "`reference` and each item of `responses` must be an object with `response` (`ResponseCandidate`). An event, or "
    "a message of the history, must be an object with `author` and `content`. Only `prompt` and `content` are "
    "content objects themselves. `agents-cli eval grade` rejects the whole file "
    "(`EvaluationDataset.model_validate_json` of agentplatform.types). `eval generate` ends with *malformed eval "
    "case*.",
    a_dataset_case(f'{{"eval_case_id": "greeting", {PROMPT}, "reference": "Hello"}}'),
    a_dataset_case(_REFERENCED),
    "Puts the value into the missing object. In an event, also adds the author that fits the role.",
    severity="error",
    group="schema",
)
ADK_RUBRIC = Rule(
    "adk-rubric",
    "A rubric in a dataset is written in the format of google-adk's eval sets.",
    "In google-adk, the text of a rubric is `rubric_content.text_property`. In agentplatform, it is "
    "`content.property.description`. agentplatform forbids other keys, so `EvaluationDataset.model_validate_json` "
    "rejects the whole file.",
    _with_rubric('"rubric_content": {"text_property": "It is polite."}'),
    _with_rubric('"content": {"property": {"description": "It is polite."}}'),
    "Writes the rubric in the form of agentplatform.",
    severity="error",
    group="schema",
)


def with_shapes(errors: Sequence[Diagnostic], case: CheckedCase) -> list[Diagnostic]:
    """The errors of a case, with one diagnostic for each such value in place of the errors about its keys and types."""
    if not errors:
        return []
    wrong = {error.pointer for error in errors}
    explained: set[str] = set()
    shaped = []
    for diagnostic in (*_unwrapped(case), *_adk_rubrics(case)):
        # The models object to the value, or to the keys of the content in it.
        places = {f"{diagnostic.pointer}{key}" for key in ("", "/role", "/parts")}
        explained |= places
        if not wrong.isdisjoint(places):
            shaped.append(diagnostic)
    return [*(error for error in errors if error.pointer not in explained), *shaped]


def _unwrapped(case: CheckedCase) -> Iterator[Diagnostic]:
    candidates = [("response", response) for response in case.root.items("responses")]
    if (reference := case.root.member("reference")) is not None:
        candidates.insert(0, ("reference", reference))
    for name, place in candidates:
        is_text = isinstance(place.data, str)
        if is_text or _is_content(place, "response"):
            message = f"{name} must be an object with response, not just {'a string' if is_text else 'content'}"
            yield UNWRAPPED_CONTENT.at(place, message, fix=_wrapping(place, "response", "model"))
    for event in (*case.other_events, *case.events):
        if _is_content(event, "content"):
            message = "an event must be an object with author and content, not just content"
            yield UNWRAPPED_CONTENT.at(event, message, fix=_wrapping(event, "content", ""))


def _is_content(place: PointedValue, name: str) -> bool:
    return isinstance(place.data, dict) and "parts" in place.data and name not in place.data


def _wrapping(place: PointedValue, name: str, role: str) -> Fix:
    """The fix that moves a content into `name`; an event also gets an author by its role, if it has none."""
    pointer, title = place.pointer, f"Put it into {name}"
    if isinstance(place.data, str):
        value = {name: {"role": role, "parts": [{"text": place.data}]}}
        return Fix(title, True, (Set(pointer, json_text(value)),))
    edits: list[Edit] = [Insert(f"{pointer}/{name}", b"{}")]
    edits += [Move(f"{pointer}/{key}", f"{pointer}/{name}/{key}") for key in ("role", "parts") if key in place.data]
    own = place.text("role")
    if not role and own in ("user", "model") and "author" not in place.data:
        edits.insert(0, Insert(f"{pointer}/author", json_text(own)))
    return Fix(title, True, tuple(edits))


def _adk_rubrics(case: CheckedCase) -> Iterator[Diagnostic]:
    for rubric in chain.from_iterable(case.rubric_lists):
        key = rubric.key("rubric_content")
        if key is None:
            continue
        place = rubric.below(key)
        text = place.text("text_property")
        fix = None
        if text is not None and rubric.key("content") is None:
            value = json_text({"property": {"description": text}})
            edits = (Rename(place.pointer, "content"), Set(f"{rubric.pointer}/content", value))
            fix = Fix("Write it as content", True, edits)
        message = f"{key} is from google-adk's rubrics; use content.property.description"
        yield ADK_RUBRIC.at(place, message, at_key=True, fix=fix)
