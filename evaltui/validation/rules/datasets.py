"""Rules about cases of an EvaluationDataset that agents-cli does not run, or runs differently than written."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document.edits import Remove
from evaltui.validation.dataset_case import PointedDatasetCase, author_of
from evaltui.validation.pointed_values import PointedValue
from evaltui.validation.rule import Diagnostic, Fix, Rule, Severity, a_dataset, a_dataset_case
from evaltui.validation.rules import conversations
from evaltui.validation.rules.conversations import check_parts, check_scenario, is_silent

PROMPT = '"prompt": {"role": "user", "parts": [{"text": "Hi"}]}'
ASKED = '{"author": "user", "content": {"role": "user", "parts": [{"text": "Hi"}]}}'
SAID = '{"author": "desk", "content": {"role": "model", "parts": [{"text": "Hello"}]}}'
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


_SPLIT = "`split_case_history` (google.agents.cli.eval.cmd_generate) "


def check_case(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    """Cases without a message to send or with two, fields that nothing reads, and empty texts."""
    yield from _message_to_send(case)
    yield from _history(case)
    yield from _reference(case)
    yield from _beside_agent_data(case)
    yield from check_scenario(case.root.member("user_scenario"))
    for content, _ in case.contents():
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
    a_dataset_case(
        with_events(
            ASKED,
            '{"author": "desk", "content": {"role": "model", "parts": [\n'
            '     {"function_call": {"name": "get_fines", "args": {}}}]}}',
        )
    ),
    a_dataset_case(with_events(ASKED, SAID, ASKED)),
)


def _message_to_send(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    prompt, agent_data = case.prompt, case.agent_data
    turns = agent_data.member("turns") if agent_data is not None else None
    if prompt is not None and turns is not None and turns.data:
        if not case.is_recorded:
            said = "the case has prompt and agent_data.turns; eval generate refuses both together"
            yield PROMPT_AND_AGENT_DATA.at(prompt, said, fix=_without_prompt(case, prompt))
    elif not (prompt is not None and prompt.data) and not (agent_data is not None and agent_data.data):
        yield from _nothing_to_send(case)
    elif prompt is not None:
        if is_silent(prompt.data):
            yield conversations.NO_USER_TEXT.at(prompt, "the prompt is empty")
    elif agent_data is not None and not case.is_recorded:
        yield from _last_event(case, agent_data)


def _without_prompt(case: PointedDatasetCase, prompt: PointedValue) -> Fix:
    last = case.events[-1].member("content") if case.events and author_of(case.events[-1]) == "user" else None
    text = _only_text(prompt)
    is_same = last is not None and text is not None and _only_text(last) == text
    return Fix("Delete the prompt", is_same, (Remove(prompt.pointer),))


def _only_text(content: PointedValue) -> str | None:
    """The text of a content with a single text part; None for other contents."""
    parts = content.items("parts")
    is_plain = len(parts) == 1 and isinstance(parts[0].data, dict) and [*parts[0].data] == ["text"]
    return parts[0].text("text") if is_plain else None


def _nothing_to_send(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    others = ("user_scenario", "conversation_history", "interactions_data_source", "responses")
    held = next((name for name in others if (found := case.root.member(name)) is not None and found.data), None)
    if held is None:
        said = "the case has no prompt, agent_data or user_scenario; eval generate runs no case of the dataset"
        yield EMPTY_DATASET_CASE.at(case.root, said)
    else:
        said = f"eval generate needs prompt or agent_data, not {held}, so no case of the dataset runs"
        severity: Severity | None = "info" if case.is_recorded or held == "interactions_data_source" else None
        yield CASE_NOT_GENERATED.at(case.root.below(case.root.key(held) or held), said, severity=severity)


def _last_event(case: PointedDatasetCase, agent_data: PointedValue) -> Iterator[Diagnostic]:
    if not case.events:
        yield NO_USER_MESSAGE_LAST.at(agent_data, "agent_data has no events, so there is no message to send")
        return
    last = case.events[-1]
    content = last.member("content")
    if author_of(last) != "user":
        is_answer = content is not None and any(part.text("text") for part in content.items("parts"))
        said = "eval generate needs a user message as the last event"
        said += "; a finished trace can only be scored" if is_answer else ""
        yield NO_USER_MESSAGE_LAST.at(last, said, severity="info" if is_answer else "warning")
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
    a_dataset_case(f'{{"eval_case_id": "greeting", {PROMPT},\n "conversation_history": [\n   {ASKED},\n   {SAID}]}}'),
    a_dataset_case(with_events(ASKED, SAID, ASKED)),
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


def _history(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    history, instruction = case.root.member("conversation_history"), case.root.member("system_instruction")
    if case.is_recorded:
        return
    if history is not None and history.data and case.prompt is not None:
        said = "eval generate does not send conversation_history; put earlier turns into agent_data"
        yield UNSENT_HISTORY.at(history, said)
    if instruction is not None and instruction.data and (case.prompt is not None or case.events):
        yield UNSENT_INSTRUCTION.at(instruction, "eval generate does not give system_instruction to the agent")


EMPTY_REFERENCE = Rule(
    "empty-reference",
    "The reference of a case has no response.",
    "`exact_match`, `bleu`, `rouge` and the translation metrics fail for such a case with *Reference text missing* "
    "(agentplatform._genai._evals_metric_handlers). The mean does not include this case.",
    a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n "reference": {{"response": {{"role": "model", "parts": []}}}}}}'
    ),
    a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n'
        ' "reference": {"response": {"role": "model", "parts": [{"text": "Hello"}]}}}'
    ),
)


def _reference(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    reference = case.root.member("reference")
    if reference is None or not isinstance(reference.data, dict) or "parts" in reference.data:
        return
    response = reference.member("response")
    if response is None or (isinstance(response.data, dict) and is_silent(response.data)):
        yield EMPTY_REFERENCE.at(reference, "the reference has no response to compare with")


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


def _beside_agent_data(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    if not case.events:
        return
    for name in ("agent_info", "interactions_data_source"):
        found = case.root.member(name)
        if found is not None and found.data:
            yield UNREAD_BESIDE_AGENT_DATA.at(
                found, f"agentplatform ignores {name}, because the case has agent_data", at_key=True
            )
