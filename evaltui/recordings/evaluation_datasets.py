"""Recordings in EvaluationDatasets of the Gemini Enterprise Agent Platform: trace files and results of agents-cli."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaltui.evalset.case_data import InvocationData, get, items_in, objects_in, parts_of, text_of_parts
from evaltui.evalset.datasets.dataset_checks import unread_in_answers
from evaltui.evalset.datasets.exchanges import (
    Exchange,
    content_in,
    exchanges_of,
    intermediate_events,
    is_answered,
    joined_text,
    responses_of,
    turns_of,
)
from evaltui.evalset.datasets.predicted_calls import with_predicted_calls
from evaltui.evalset.other_parts import read_content
from evaltui.evalset.turn import Turn, turn_in, with_read_calls, with_read_text
from evaltui.evalset.unread_members import ids_of_calls, why_calls_are_missing
from evaltui.printable import one_line
from evaltui.recordings.conversation import (
    Conversation,
    ConversationDetails,
    ConversationsRead,
    RecordedTurn,
    StoredScore,
)
from evaltui.recordings.json_members import moment, number, objects, text
from evaltui.recordings.unread_datasets import (
    calls_in,
    doubts_about,
    ends_with_error,
    error_in,
    error_of_run,
    lacks_turns,
    place_of,
    tells_all,
    unread_in_case,
    unread_message,
    with_read_contents,
)

_Object = dict[str, Any]
_SHOWN = 200
"""The most characters of an error in a warning."""
_AGENT = "agent"
"""The author if a dataset names none, because google-adk requires one."""
NO_RESPONSES = "this result of agents-cli has scores without responses; `evaltui compare` reads its scores"
_NO_RESPONSE = "no response yet; `agents-cli eval generate` records one"
_INFORMATIONAL = 4
"""The status of google-adk (`EvalStatus`) for scores without a verdict."""
_FAILED = "the inference failed, so its response and calls are not recorded"
_WHERE_CALLS_ARE = "evaltui reads tool calls in agent_data, intermediate_events and predicted_trajectory"


def conversations_of_dataset(
    dataset: Any, path: Path, *, with_details: bool = False, first: int = 1
) -> ConversationsRead:
    """A conversation for each response to a case; a case without a response gives a warning.

    `first` is the number of the first case, for names of cases without id.
    """
    cases = dataset if isinstance(dataset, list) else get(dataset, "eval_cases")
    cases = cases if isinstance(cases, list) else [dataset]
    found: list[Conversation] = []
    warnings: list[str] = []
    for index, case in enumerate(cases, first):
        eval_id = text(case, "eval_case_id") or text(case, "eval_id")
        name = eval_id or f"case {index}"
        told = with_read_contents(with_predicted_calls(case))
        runs, said = _runs(told, unread_in_case(case))
        warnings += [f"{name}: {sentence}" for sentence in said]
        recorded_at = max(_times(told), default=None)
        unread = (unread_in_answers(told) or unread_message(told)) if runs else None
        conversations = [
            Conversation(
                *(path, name, turns),
                eval_id=eval_id,
                recorded_at=recorded_at,
                unread=unread,
                lacks_turns=lacks_turns(told),
            )
            for turns in runs
        ]
        if with_details:
            each_details = _details(told, len(runs), min(_times(told), default=None))
            kept = (replace(details, eval_id=_kept_id(eval_id)) for details in each_details)
            pairs = zip(conversations, kept, strict=True)
            conversations = [replace(each, details=details.of_turns(each.turns)) for each, details in pairs]
        found += conversations
    return found, warnings


def _kept_id(eval_id: str | None) -> str | None:
    """The id that a case of an eval set can keep; None for one with invisible characters."""
    return eval_id if eval_id is not None and eval_id.strip() and eval_id.isprintable() else None


def is_agents_cli_result(value: Any) -> bool:
    """Whether a JSON value is a result of agents-cli."""
    if not isinstance(get(value, "eval_case_results"), list):
        return False
    return any(get(case, "response_candidate_results") is not None for case in objects(value, "eval_case_results")) or (
        isinstance(get(value, "summary_metrics"), list)
    )


def graded_cases(result: Any) -> Iterator[list[Any]]:
    """The cases that a result of agents-cli is of, in order, for each agent that was graded; none if it lacks them."""
    found = get(result, "evaluation_dataset")
    for dataset in objects_in(found) if isinstance(found, list) else [found]:
        yield items_in(dataset, "eval_cases")


def conversations_of_agents_cli_result(result: Any, path: Path, *, with_details: bool = False) -> ConversationsRead:
    """A conversation for each response that agents-cli graded, with the scores of its graders."""
    graded_at = moment(get(get(result, "metadata"), "creation_timestamp"))
    found: list[Conversation] = []
    warnings: list[str] = []
    grades, datasets = _grades(result), [*graded_cases(result)]
    for agent, cases in enumerate(datasets):
        for index, case in enumerate(cases):
            runs, said = conversations_of_dataset([case], path, with_details=with_details, first=index + 1)
            for number_of_run, conversation in enumerate(runs):
                # With several agents, a response has the number of its agent (`merge_evaluation_datasets`).
                response = agent if len(datasets) > 1 else number_of_run
                recorded_at, scores = conversation.recorded_at or graded_at, grades.get((index, response), ())
                found.append(replace(conversation, recorded_at=recorded_at, grades=scores))
            warnings += said
    return found, warnings or ([] if found else [NO_RESPONSES])


def _grades(result: Any) -> dict[tuple[int, int], tuple[StoredScore, ...]]:
    """The scores of graders, by the places of the case and of its response, from 0."""
    found: dict[tuple[int, int], tuple[StoredScore, ...]] = {}
    for place, case in enumerate(items_in(result, "eval_case_results")):
        for run, candidate in enumerate(items_in(case, "response_candidate_results")):
            key = _index(case, "eval_case_index", place), _index(candidate, "response_index", run)
            metrics = get(candidate, "metric_results")
            named = metrics.items() if isinstance(metrics, dict) else ()
            found[key] = tuple(
                StoredScore(name, number(each, "score"), _INFORMATIONAL, error=text(each, "error_message"))
                for name, each in named
                if isinstance(each, dict)
            )
    return found


def _index(value: Any, name: str, place: int) -> int:
    """The index that a result names; without one, its place."""
    index = get(value, name)
    return index if isinstance(index, int) and not isinstance(index, bool) else place


def warnings_as_own(warnings: Iterable[str]) -> list[str]:
    """Warnings about a dataset that is its own recording. The scores already show cases without a response."""
    return [each for each in warnings if not each.endswith(_NO_RESPONSE)]


def _runs(case: Any, unread: Iterable[str]) -> tuple[list[tuple[Turn, ...]], list[str]]:
    """The turns of each response to a case, and warnings. `unread` are members that may hold calls."""
    exchanges = exchanges_of(case, with_intermediate=True)
    told = bool(exchanges) and bool(turns_of(case))
    responses = responses_of(case)
    if not exchanges or not is_answered(case):
        return [], [_why_no_response(case)]
    known = ids_of_calls(calls_in(exchanges))
    read = [_turn(exchange, known) for exchange in exchanges]
    turns = [turn for turn, _ in read]
    warnings = list(dict.fromkeys(sentence for _, said in read for sentence in said))
    is_complete = any(map(_text, responses)) if told else bool(responses)
    for at, exchange in enumerate(exchanges[:-1] if is_complete else exchanges):
        if _is_interrupted(exchange):
            turns[at] = _unfinished(turns[at])
            warnings.append(f"turn {at + 1} ends before a final response, so later calls may be missing")
    # Messages alone do not tell whether the agent called tools between them.
    tells_last = bool(exchanges[-1].events) if told else _tells_events(case)
    if not told:
        turns[:-1] = map(_without_calls, turns[:-1])
    if not tells_last:
        turns[-1] = _without_calls(turns[-1])
    if keys := ", ".join(dict.fromkeys(unread)):
        turns = [replace(turn, unrecorded=turn.unrecorded | {"calls"}) for turn in turns]
        warnings.append(f"{keys} is not read: {_WHERE_CALLS_ARE}")
    if error := error_of_run(case):
        warnings.append(f"{_FAILED}: {error}")
    failed = [ends_with_error(exchange) for exchange in exchanges]
    failed[-1] |= bool(error)
    turns = [_unfinished(turn) if has_error else turn for turn, has_error in zip(turns, failed, strict=True)]
    if not responses:
        return [tuple(turns)], warnings
    last = [turns[-1] if failed[-1] else _with_response(turns[-1], each) for each in responses[: 1 if told else None]]
    warnings += dict.fromkeys(f"{_FAILED}: {one_line(error, _SHOWN)}" for error in _errors(responses))
    if more := len(responses) - len(last):
        warnings.append(f"{more} of {len(responses)} responses skipped: agent_data describes only one")
    return [(*turns[:-1], each) for each in last], warnings


def _tells_events(case: Any) -> bool:
    """Whether the intermediate events of a case are recorded; there may be none."""
    events = get(case, "intermediate_events")
    return events == [] or any(content_in(get(event, "content")) is not None for event in intermediate_events(case))


def _why_no_response(case: Any) -> str:
    """Why a case has no response: none is recorded, or it stands in another place."""
    strange = next((at for at, each in enumerate(items_in(case, "responses")) if not isinstance(each, dict)), None)
    if strange is not None:
        return f"responses/{strange} is not read: it is not an object with a response"
    if get(case, "response") is not None:
        return "response is not read: evaltui reads the responses of agents in responses and agent_data"
    error = error_of_run(case)
    return f"{_FAILED}: {error}" if error else _NO_RESPONSE


def _without_calls(turn: Turn) -> Turn:
    """The turn, whose tool calls are not recorded if it has none."""
    return turn if turn.calls else replace(turn, unrecorded=turn.unrecorded | {"calls"})


def _unfinished(turn: Turn) -> Turn:
    """The turn, after whose last event nobody knows what the agent did."""
    return replace(turn, unrecorded=turn.unrecorded | {"calls", "response"})


def _errors(responses: Iterable[Any]) -> Iterator[str]:
    """The errors that stand in the place of responses."""
    return (error for each in responses if (error := error_in(_text(each))) is not None)


def _is_interrupted(exchange: Exchange) -> bool:
    """Whether the last event of the agent is a call or a tool response, so that the turn goes on after it."""
    last = parts_of(exchange.events[-1]["content"]) if exchange.events else ()
    return any(get(part, name) is not None for part in last for name in ("function_call", "function_response"))


def _with_response(turn: Turn, response: Any) -> Turn:
    """The turn with a recorded response; a response without a text tells nothing."""
    said = _text(response)
    if error_in(said) is not None:
        return _unfinished(turn)
    if said and tells_all(response):
        return replace(turn, response=said, unrecorded=turn.unrecorded - {"response"})
    if turn.response and not said:
        return turn
    return replace(turn, unrecorded=turn.unrecorded | {"response"})


def _turn(exchange: Exchange, known_calls: Container[str]) -> tuple[Turn, list[str]]:
    """The turn of an exchange, and sentences about what is not read. `known_calls` are the ids of all calls."""
    final = exchange.final
    data = InvocationData(
        {
            "invocation_id": exchange.identifier,
            "intermediate_data": {"invocation_events": exchange.events},
            "final_response": get(final, "content"),
        }
    )
    turn, said = with_read_calls(turn_in(data), data.calls)
    doubts = [[*doubts_about(event)] for event in exchange.recorded]
    missing = [*why_calls_are_missing(data.responses, data.calls, known_calls)]
    said += dict.fromkeys([*(sentence for each in doubts for sentence in each), *missing])
    unrecorded = set(turn.unrecorded)
    # Datasets record no model calls, and `turn_in` counts the events of a model as google-adk does.
    turn = replace(turn, user_text=joined_text(exchange.said), inference_calls=turn.inference_calls or None)
    if not turn.user_text:
        unrecorded.add("user_text")
    if missing or any(doubts):
        unrecorded.add("calls")
    if not all(call.has_args for call in turn.calls):
        unrecorded.add("arguments")
    if final is None and exchange.events:  # a last event may have an image
        turn = replace(turn, other_parts=read_content(exchange.events[-1]["content"])[1])
    after = doubts[place_of(final, exchange) + 1 :] if turn.response else doubts
    if any(after) or not _tells_response(exchange, turn):
        unrecorded.add("response")
    return with_read_text(replace(turn, unrecorded=frozenset(unrecorded))), said


def _tells_response(exchange: Exchange, turn: Turn) -> bool:
    """Whether the last event of an exchange has the whole response, if only as an empty text."""
    if exchange.final is not None:
        return tells_all(exchange.final["content"])
    if _is_interrupted(exchange):
        return False
    last = [*parts_of(exchange.events[-1]["content"])] if exchange.events else []
    return bool(turn.other_parts) or any(isinstance(part.get("text"), str) for part in last)


def _details(case: Any, runs: int, started: float | None) -> Iterator[ConversationDetails]:
    """The details of each of `runs` runs, which differ in the last response."""
    exchanges = exchanges_of(case, with_intermediate=True)
    responses = responses_of(case)
    for run in range(runs):
        last = content_in(responses[run]) if run < len(responses) else None
        said = [None] * (len(exchanges) - 1) + [last if _text(last) else None]
        turns = (RecordedTurn(_invocation(each, answer)) for each, answer in zip(exchanges, said, strict=True))
        yield ConversationDetails(tuple(turns), started=started)


def _invocation(exchange: Exchange, response: _Object | None) -> _Object:
    """The exchange as an invocation; `response`, if given, replaces its final response."""
    final = exchange.final
    found: _Object = {"invocation_id": exchange.identifier} if exchange.identifier else {}
    found["user_content"] = exchange.user_content
    answer = response if response is not None else get(final, "content")
    if answer is not None:
        found["final_response"] = answer
    events = [
        {"author": event["author"] or _AGENT, "content": event["content"]}
        for event in exchange.events
        if event is not final
    ]
    found["intermediate_data"] = {"invocation_events": events}
    return found


def _text(response: Any) -> str:
    return text_of_parts(content_in(response))


def _times(case: Any) -> Iterator[float]:
    events = [event for turn in objects(get(case, "agent_data"), "turns") for event in objects(turn, "events")]
    for event in (*events, *objects(case, "intermediate_events")):
        found = moment(get(event, "event_time") or get(event, "creation_timestamp"))
        if found is not None:
            yield found
