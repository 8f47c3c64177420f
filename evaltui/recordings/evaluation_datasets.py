"""Recordings in EvaluationDatasets of the Gemini Enterprise Agent Platform: trace files and results of agents-cli."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from evaltui.evalset.case_data import (
    PlainTurn,
    get,
    items_in,
    moment,
    number,
    objects,
    objects_in,
    parts_of,
    text,
    text_of_parts,
)
from evaltui.evalset.content_parts import read_content
from evaltui.evalset.dataset_turns import (
    Exchange,
    content_in,
    exchanges_of,
    explain_unread,
    intermediate_events,
    is_answered,
    responses_of,
    turns_of,
    with_predicted_calls,
)
from evaltui.evalset.turn import Turn, TurnPart, turn_in, with_read_calls, with_read_text
from evaltui.evalset.unread_members import ids_of_calls, is_read_whole, why_calls_are_missing
from evaltui.recordings.conversation import Conversation, ConversationsRead, StoredScore, recorded_turns
from evaltui.recordings.unread_dataset_members import (
    doubts_about,
    ends_with_error,
    error_beside,
    error_in,
    index_of_final,
    lacks_turns,
    unread_in_case,
    unread_message,
    with_read_contents,
)

_Object = dict[str, Any]
NO_RESPONSES = "this result of agents-cli has scores without responses; `evaltui compare` reads its scores"
_NO_RESPONSE = "no response yet; `agents-cli eval generate` records one"
_INFORMATIONAL = 4
"""The status of google-adk (`EvalStatus`) for scores without a verdict."""
_FAILED = "the inference failed, so its response and calls are not recorded"
_WHERE_CALLS_ARE = "evaltui reads tool calls in agent_data, intermediate_events and predicted_trajectory"
_UNFINISHED: frozenset[TurnPart] = frozenset({"calls", "response"})
"""The parts that nobody knows if the agent may have done more."""


def conversations_of_dataset(dataset: Any, path: Path, *, for_cases: bool = False, first: int = 1) -> ConversationsRead:
    """A conversation for each response; a case without one gives a warning. `first` is the number of the first case."""
    cases = dataset if isinstance(dataset, list) else get(dataset, "eval_cases")
    conversations: list[Conversation] = []
    warnings: list[str] = []
    for index, case in enumerate(cases if isinstance(cases, list) else [dataset], first):
        eval_id = text(case, "eval_case_id") or text(case, "eval_id")
        name = eval_id or f"case {index}"
        read = _DatasetCase(case)
        runs, sentences = read.runs()
        warnings += [f"{name}: {sentence}" for sentence in sentences]
        if not runs:
            continue
        events = [*chain.from_iterable(objects(turn, "events") for turn in turns_of(read.case))]
        events += intermediate_events(read.case)
        moments = (moment(get(event, "event_time") or get(event, "creation_timestamp")) for event in events)
        times = [time for time in moments if time is not None]
        # An id with invisible characters cannot be the id of a case in an eval set.
        own_id = eval_id if eval_id and eval_id.strip() and eval_id.isprintable() else None
        conversation = Conversation(
            path,
            name,
            (),
            eval_id=eval_id,
            recorded_at=max(times, default=None),
            unread=explain_unread(read.case, is_answer=True) or unread_message(read.case),
            lacks_turns=lacks_turns(read.case),
            started=min(times, default=None),
            own_id=own_id,
        )
        for run, turns in enumerate(runs):
            recorded = recorded_turns(turns, read.invocations(run)) if for_cases else ()
            conversations.append(replace(conversation, turns=turns, recorded_turns=recorded))
    return conversations, warnings


def warnings_as_own(warnings: Iterable[str]) -> list[str]:
    """Warnings about a dataset that is its own recording. The scores already show cases without a response."""
    return [warning for warning in warnings if not warning.endswith(_NO_RESPONSE)]


# --- results of agents-cli -------------------------------------------------------------------------------------------


def graded_cases(result: Any) -> Iterator[list[Any]]:
    """The cases that a result of agents-cli is of, in order, for each agent that was graded; none if it lacks them."""
    datasets = get(result, "evaluation_dataset")
    for dataset in objects_in(datasets) if isinstance(datasets, list) else [datasets]:
        yield items_in(dataset, "eval_cases")


def conversations_of_agents_cli_result(result: Any, path: Path, *, for_cases: bool = False) -> ConversationsRead:
    """A conversation for each response that agents-cli graded, with the scores of its graders."""
    graded_at = moment(get(get(result, "metadata"), "creation_timestamp"))
    conversations: list[Conversation] = []
    warnings: list[str] = []
    grades, datasets = _grades(result), [*graded_cases(result)]
    for agent, cases in enumerate(datasets):
        for index, case in enumerate(cases):
            runs, sentences = conversations_of_dataset([case], path, for_cases=for_cases, first=index + 1)
            for run, conversation in enumerate(runs):
                # With several agents, a response has the number of its agent (`merge_evaluation_datasets`).
                scores = grades.get((index, agent if len(datasets) > 1 else run), ())
                recorded_at = conversation.recorded_at or graded_at
                conversations.append(replace(conversation, recorded_at=recorded_at, grades=scores))
            warnings += sentences
    return conversations, warnings or ([] if conversations else [NO_RESPONSES])


def _grades(result: Any) -> dict[tuple[int, int], tuple[StoredScore, ...]]:
    """The scores of graders, by the places of the case and of its response, from 0."""

    def index_in(value: Any, name: str, place: int) -> int:
        index = get(value, name)
        return index if isinstance(index, int) and not isinstance(index, bool) else place

    grades: dict[tuple[int, int], tuple[StoredScore, ...]] = {}
    for place, case in enumerate(items_in(result, "eval_case_results")):
        for run, candidate in enumerate(items_in(case, "response_candidate_results")):
            key = index_in(case, "eval_case_index", place), index_in(candidate, "response_index", run)
            metrics = get(candidate, "metric_results")
            grades[key] = tuple(
                StoredScore(name, number(metric, "score"), _INFORMATIONAL, error=text(metric, "error_message"))
                for name, metric in (metrics.items() if isinstance(metrics, dict) else ())
                if isinstance(metric, dict)
            )
    return grades


# --- cases -----------------------------------------------------------------------------------------------------------


class _DatasetCase:
    """A case of a dataset. Its responses are several runs, which differ in the last turn."""

    def __init__(self, case: Any) -> None:
        self.case = with_read_contents(with_predicted_calls(case))
        self._unread = ", ".join(dict.fromkeys(unread_in_case(case)))
        turns = turns_of(self.case)
        errors = map(error_beside, (self.case, get(self.case, "agent_data"), *turns))
        self._error, self._has_turns = next(filter(None, errors), ""), bool(turns)
        self._exchanges = exchanges_of(self.case, with_intermediate=True)
        self._responses = responses_of(self.case)

    def runs(self) -> tuple[list[tuple[Turn, ...]], list[str]]:
        """The turns of each response, and warnings."""
        responses, error = self._responses, self._error
        if not self._exchanges or not is_answered(self.case):
            return [], [_explain_no_response(self.case, error)]
        turns, warnings = self._read_turns()
        if self._unread:
            warnings.append(f"{self._unread} is not read: {_WHERE_CALLS_ARE}")
        if error:
            warnings.append(f"{_FAILED}: {error}")
        if not responses:
            return [tuple(turns)], warnings
        chosen = responses[:1] if self._has_turns else responses
        has_failed = bool(error) or ends_with_error(self._exchanges[-1])
        last_turns = [turns[-1] if has_failed else _with_response(turns[-1], response) for response in chosen]
        errors = (error_in(_text(response)) for response in responses)
        warnings += dict.fromkeys(f"{_FAILED}: {error}" for error in errors if error is not None)
        if skipped := len(responses) - len(chosen):
            warnings.append(f"{skipped} of {len(responses)} responses skipped: agent_data describes only one")
        return [(*turns[:-1], last_turn) for last_turn in last_turns], warnings

    def _read_turns(self) -> tuple[list[Turn], list[str]]:
        exchanges, responses, has_turns = self._exchanges, self._responses, self._has_turns
        contents = (event["content"] for exchange in exchanges for event in exchange.events)
        calls = ids_of_calls(get(part, "function_call") for content in contents for part in parts_of(content))
        # A response beside turns may repeat their last text; without a text, it does not end them.
        is_complete = any(map(_text, responses)) if has_turns else bool(responses)
        has_contents = (content_in(get(event, "content")) is not None for event in intermediate_events(self.case))
        tells_events = get(self.case, "intermediate_events") == [] or any(has_contents)
        turns: list[Turn] = []
        doubts: list[str] = []
        interruptions: list[str] = []
        for position, exchange in enumerate(exchanges, 1):
            turn, sentences = _read_turn(exchange, calls)
            doubts += sentences
            is_last = position == len(exchanges)
            unrecorded = set(turn.unrecorded)
            if _is_interrupted(exchange) and not (is_last and is_complete):
                unrecorded |= _UNFINISHED
                interruptions.append(f"turn {position} ends before a final response, so later calls may be missing")
            # Messages alone do not tell whether the agent called tools between them.
            tells_calls = has_turns
            if is_last:
                tells_calls = bool(exchange.events) if has_turns else tells_events
            if self._unread or not (turn.calls or tells_calls):
                unrecorded.add("calls")
            if ends_with_error(exchange) or (is_last and self._error):
                unrecorded |= _UNFINISHED
            turns.append(replace(turn, unrecorded=frozenset(unrecorded)))
        return turns, [*dict.fromkeys(doubts), *interruptions]

    def invocations(self, run: int) -> Iterator[_Object]:
        """The exchanges of a run as invocations; its response replaces the last final response."""
        response = content_in(self._responses[run]) if run < len(self._responses) else None
        for exchange in self._exchanges:
            final = exchange.final
            invocation: _Object = {"invocation_id": exchange.identifier} if exchange.identifier else {}
            invocation["user_content"] = exchange.user_content
            is_last = exchange is self._exchanges[-1]
            answer = response if is_last and _text(response) else get(final, "content")
            if answer is not None:
                invocation["final_response"] = answer
            steps = (event for event in exchange.events if event is not final)
            # google-adk requires an author, and a dataset may name none.
            events = [{"author": event["author"] or "agent", "content": event["content"]} for event in steps]
            invocation["intermediate_data"] = {"invocation_events": events}
            yield invocation


def _explain_no_response(case: Any, error: str) -> str:
    for index, response in enumerate(items_in(case, "responses")):
        if not isinstance(response, dict):
            return f"responses/{index} is not read: it is not an object with a response"
    if get(case, "response") is not None:
        return "response is not read: evaltui reads the responses of agents in responses and agent_data"
    return f"{_FAILED}: {error}" if error else _NO_RESPONSE


def _read_turn(exchange: Exchange, known_calls: Container[str]) -> tuple[Turn, list[str]]:
    """The turn of an exchange, and sentences about what is not read. `known_calls` are the ids of all calls."""
    final = exchange.final
    data = PlainTurn(
        {
            "invocation_id": exchange.identifier,
            "intermediate_data": {"invocation_events": exchange.events},
            "final_response": get(final, "content"),
        }
    )
    turn, sentences = with_read_calls(turn_in(data), data.calls)
    doubts = [[*doubts_about(event)] for event in exchange.recorded]
    missing = [*why_calls_are_missing(data.responses, data.calls, known_calls)]
    sentences += dict.fromkeys([*chain.from_iterable(doubts), *missing])
    unrecorded = set(turn.unrecorded)
    words = "\n".join(filter(None, map(text_of_parts, exchange.messages)))
    # Datasets record no model calls, and `turn_in` counts the events of a model as google-adk does.
    turn = replace(turn, user_text=words, inference_calls=turn.inference_calls or None)
    if not turn.user_text:
        unrecorded.add("user_text")
    if missing or any(doubts):
        unrecorded.add("calls")
    if not all(call.has_args for call in turn.calls):
        unrecorded.add("arguments")
    last_content = exchange.events[-1]["content"] if exchange.events else None
    if final is None:  # a last event may have an image
        turn = replace(turn, other_parts=read_content(last_content)[1])
    # The last event tells the whole response, if only as an empty text.
    if final is not None:
        has_response = is_read_whole(final["content"])
    else:
        has_text = any(isinstance(part.get("text"), str) for part in parts_of(last_content))
        has_response = not _is_interrupted(exchange) and (bool(turn.other_parts) or has_text)
    later_doubts = doubts[index_of_final(exchange) + 1 :] if turn.response else doubts
    if any(later_doubts) or not has_response:
        unrecorded.add("response")
    return with_read_text(replace(turn, unrecorded=frozenset(unrecorded))), sentences


def _is_interrupted(exchange: Exchange) -> bool:
    """Whether the last event of the agent is a call or a tool response, so that the turn goes on after it."""
    last_parts = parts_of(exchange.events[-1]["content"]) if exchange.events else ()
    return any(get(part, name) is not None for part in last_parts for name in ("function_call", "function_response"))


def _with_response(turn: Turn, response: Any) -> Turn:
    words = _text(response)
    if error_in(words) is not None:
        return replace(turn, unrecorded=turn.unrecorded | _UNFINISHED)
    if words and is_read_whole(response):
        return replace(turn, response=words, unrecorded=turn.unrecorded - {"response"})
    if turn.response and not words:
        return turn
    return replace(turn, unrecorded=turn.unrecorded | {"response"})


def _text(response: Any) -> str:
    return text_of_parts(content_in(response))
