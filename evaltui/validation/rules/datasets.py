"""Cases of an EvaluationDataset that agents-cli does not run, or not as they are written."""

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
"""An example in which no rule finds anything; the texts above are pieces of others."""


def with_events(*events: str) -> str:
    """The text of a case with one turn of these events."""
    listed = ",\n   ".join(events)
    return (
        f'{{"eval_case_id": "greeting", "agent_data": {{"turns": [{{"turn_index": 0, "events": [\n   {listed}]}}]}}}}'
    )


_SPLIT = "`split_case_history` (google.agents.cli.eval.cmd_generate) "


def check_case(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    """Cases without a message to send, or with two; members that are not read beside others; empty texts."""
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
    "`agents-cli eval generate` ends with *Dataset must contain a non-empty 'eval_cases' list*, and `eval grade` with "
    "*No eval_cases found*. Cases of a table or of files (`bigquery_source`, `gcs_source`) are read by "
    "`client.evals` of agentplatform only.",
    a_dataset('{"eval_cases": []}'),
    a_dataset(f'{{"eval_cases": [{GOOD.text}]}}'),
)


def check_set(rest: PointedValue, count: int) -> Iterator[Diagnostic]:
    """A dataset without cases; `rest` is the dataset with an empty list for its `count` cases."""
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
    "'agent_data'*), so none of the dataset is run. Members of your own are kept and sent to no agent.",
    a_dataset_case('{"eval_case_id": "greeting", "question": "Hi"}'),
    GOOD,
)
CASE_NOT_GENERATED = Rule(
    "case-not-generated",
    "A case has neither a prompt nor agent data, but something that only other programs read.",
    "`agents-cli eval generate` takes the message from `prompt` or `agent_data` and stops before the first case where "
    "one has neither, so one such case keeps all others of the file from being run. A `user_scenario` is played by "
    "`client.evals.run_inference` of agentplatform: keep scenarios in a file of their own. Recorded `responses` "
    "and interactions are graded; for them it is only an info.",
    a_dataset_case(
        '{"eval_case_id": "refund", "user_scenario": {\n'
        '  "starting_prompt": "Hi", "conversation_plan": "Ask for a refund of order 12."}}'
    ),
    GOOD,
)
PROMPT_AND_AGENT_DATA = Rule(
    "prompt-and-agent-data",
    "A case has a prompt and turns in its agent data.",
    _SPLIT + "refuses it: *Case has both top-level 'prompt' and agent_data.turns; ambiguous*. The case fails, the "
    "others are run. In a trace that `eval generate` wrote both stand side by side, and are graded.",
    a_dataset_case(f"{{{PROMPT},\n {with_events(ASKED)[1:]}"),
    a_dataset_case(with_events(ASKED)),
    "Takes the prompt out (safe where it is the last message of the agent data).",
)
NO_USER_MESSAGE_LAST = Rule(
    "no-user-message-last",
    "The agent data of a case do not end with a message of the user.",
    _SPLIT + "sends the last event, which must be of author `user` and have content: *no trailing user event in "
    "agent_data.turns*. Where the last event is an answer, the case is a finished trace, which `eval grade` scores; "
    "then it is only an info.",
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
            said = "the case has a prompt and agent_data with turns; eval generate refuses both at once"
            yield PROMPT_AND_AGENT_DATA.at(prompt, said, fix=_without_prompt(case, prompt))
    elif not (prompt is not None and prompt.data) and not (agent_data is not None and agent_data.data):
        yield from _nothing_to_send(case)
    elif prompt is not None:
        if is_silent(prompt.data):
            yield conversations.NO_USER_TEXT.at(prompt, "the prompt says nothing")
    elif agent_data is not None and not case.is_recorded:
        yield from _last_event(case, agent_data)


def _without_prompt(case: PointedDatasetCase, prompt: PointedValue) -> Fix:
    last = case.events[-1].member("content") if case.events and author_of(case.events[-1]) == "user" else None
    text = _only_text(prompt)
    is_same = last is not None and text is not None and _only_text(last) == text
    return Fix("Take the prompt out", is_same, (Remove(prompt.pointer),))


def _only_text(content: PointedValue) -> str | None:
    """The text of a content that holds nothing else; None for other contents."""
    parts = content.items("parts")
    is_plain = len(parts) == 1 and isinstance(parts[0].data, dict) and [*parts[0].data] == ["text"]
    return parts[0].text("text") if is_plain else None


def _nothing_to_send(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    others = ("user_scenario", "conversation_history", "interactions_data_source", "responses")
    held = next((name for name in others if (found := case.root.member(name)) is not None and found.data), None)
    if held is None:
        said = "the case has no prompt, agent_data or user_scenario; eval generate runs none of the dataset"
        yield EMPTY_DATASET_CASE.at(case.root, said)
    else:
        said = f"eval generate reads prompt or agent_data, and not {held}; it runs none of the dataset"
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
        said = "eval generate needs a message of the user as the last event"
        said += "; eval grade takes this for a finished trace" if is_answer else ""
        yield NO_USER_MESSAGE_LAST.at(last, said, severity="info" if is_answer else "warning")
    elif content is None:
        yield NO_USER_MESSAGE_LAST.at(last, "the last event has no content to send")
    elif is_silent(content.data):
        yield conversations.NO_USER_TEXT.at(content, "the user says nothing in the last event")


UNSENT_HISTORY = Rule(
    "unsent-history",
    "A case has messages before its prompt in `conversation_history`, which no agent gets.",
    _SPLIT + "sends the prompt to a new session without any history. Messages that the agent should have had before "
    "are events of `agent_data`, whose last one is then the prompt. Metrics of agentplatform read "
    "`conversation_history` beside recorded responses.",
    a_dataset_case(f'{{"eval_case_id": "greeting", {PROMPT},\n "conversation_history": [\n   {ASKED},\n   {SAID}]}}'),
    a_dataset_case(with_events(ASKED, SAID, ASKED)),
)


UNSENT_INSTRUCTION = Rule(
    "unsent-instruction",
    "A case has a system instruction, which no agent gets.",
    "`eval generate` sends a message to the agent as it is built, with its own instruction. `eval optimize` puts "
    "`system_instruction` into the state of the session; metrics of agentplatform may name it in their prompts.",
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
        said = "eval generate sends the prompt without conversation_history; agent_data holds earlier turns"
        yield UNSENT_HISTORY.at(history, said)
    if instruction is not None and instruction.data and (case.prompt is not None or case.events):
        yield UNSENT_INSTRUCTION.at(instruction, "eval generate does not give system_instruction to the agent")


EMPTY_REFERENCE = Rule(
    "empty-reference",
    "The reference of a case holds no answer.",
    "`exact_match`, `bleu`, `rouge` and the translation metrics (agentplatform._genai._evals_metric_handlers) fail for "
    "such a case with *Reference text missing*, and their mean leaves it out.",
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
        yield EMPTY_REFERENCE.at(reference, "the reference holds no answer to compare with")


UNREAD_BESIDE_AGENT_DATA = Rule(
    "unread-beside-agent-data",
    "A case has intermediate events, agent info or an interaction beside its agent data.",
    "Metrics take `agent_data` as it is (`_eval_case_to_agent_data` in agentplatform._genai._evals_metric_handlers); "
    "neither `intermediate_events` nor `agent_info` are read then; of an interaction the service says that agent data "
    "*must not also be set*.",
    a_dataset_case(f'{with_events(ASKED)[:-1]},\n "agent_info": {{"name": "desk"}}}}'),
    a_dataset_case(with_events(ASKED)),
    severity="info",
)


def _beside_agent_data(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    if not case.events:
        return
    for name in ("intermediate_events", "agent_info", "interactions_data_source"):
        found = case.root.member(name)
        if found is not None and found.data:
            yield UNREAD_BESIDE_AGENT_DATA.at(found, f"{name} is not read beside agent_data", at_key=True)
