"""Makes the recordings beside this file anew, with google-adk and the OpenTelemetry SDK, and without a model.

    pip install "google-adk[eval]==2.13.0" opentelemetry-exporter-otlp-json-file==0.65b0
    python sample_sets/recordings/make.py

The agents are google-adk's own; their model plays what the sets expect, with the slips of `RUNS`. Clock, ids and
random numbers are fixed, so that the same versions write the same bytes.
"""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
import os
import random
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

HERE = Path(__file__).parent
SETS = HERE.parent
BEGIN = {"first": 1_795_000_000, "second": 1_795_090_000, "traced": 1_795_180_000}  # from 18 November 2026 on
Json = dict[str, Any]

_ticks = itertools.count()


def _now_ns() -> int:
    """A clock that goes on by 5 ms whenever somebody looks."""
    return BEGIN.get(sys.argv[-1], 0) * 10**9 + next(_ticks) * 5_000_000


random.seed(" ".join(sys.argv[1:]))
# Before google-adk and OpenTelemetry are imported, which take these functions by name.
time.time_ns = _now_ns
time.time = lambda: _now_ns() / 1e9
time.perf_counter = time.time
uuid.uuid4 = lambda: uuid.UUID(int=random.getrandbits(128), version=4)
os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

from google.adk.agents import LlmAgent
from google.adk.evaluation.base_eval_service import (
    EvaluateConfig,
    EvaluateRequest,
    InferenceConfig,
    InferenceRequest,
)
from google.adk.evaluation.eval_config import EvalConfig, get_eval_metrics_from_config
from google.adk.evaluation.eval_set import EvalSet
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools import BaseTool, ToolContext
from google.genai import types

# --- what the agents do otherwise than expected ------------------------------------------------------------------

Replies = list[list[types.Part]]
"""What a model says in a turn, one list of parts for each time it is asked."""
Slip = Callable[[Replies], None]


def _calls(replies: Replies) -> list[types.FunctionCall]:
    return [part.function_call for parts in replies for part in parts if part.function_call]


def answers(text: str) -> Slip:
    """Other words at the end of the turn."""

    def slip(replies: Replies) -> None:
        replies[-1] = [types.Part(text=text)]

    return slip


def argument(tool: str, **changed: Any) -> Slip:
    """Other arguments of a call."""

    def slip(replies: Replies) -> None:
        next(call for call in _calls(replies) if call.name == tool).args.update(changed)

    return slip


def extra(tool: str, at: int, **args: Any) -> Slip:
    """A call more than expected."""
    return lambda replies: replies.insert(at, [types.Part.from_function_call(name=tool, args=args)])


def moved(replies: Replies) -> None:
    """The last call before all others."""
    replies.insert(0, replies.pop(-2))


class Run(NamedTuple):
    """One run of an agent: so many turns of these cases, and what it does otherwise, by case and turn."""

    cases: dict[str, int]
    slips: dict[tuple[str, int], list[Slip]]


RUNS: dict[tuple[str, str], Run] = {
    ("trip_planner", "first"): Run(
        {"book_flight_lisbon_montreal": 3},
        {
            ("book_flight_lisbon_montreal", 1): [argument("book_flight", passengers="1")],
            ("book_flight_lisbon_montreal", 3): [
                answers("Cancelling is free until 26 February; from then on it costs €120, the rest goes to your card.")
            ],
        },
    ),
    ("trip_planner", "second"): Run(
        {"greeting_without_tools": 1, "tokyo_day_trip_by_train": 2},
        {("tokyo_day_trip_by_train", 1): [moved]},
    ),
    # The last turn of cancel_one_of_two_hotels is missing.
    ("trip_planner", "traced"): Run(
        {"greeting_without_tools": 1, "tokyo_day_trip_by_train": 2, "cancel_one_of_two_hotels": 2},
        {
            ("tokyo_day_trip_by_train", 2): [argument("reserve_seats", seats=1)],
            ("cancel_one_of_two_hotels", 2): [extra("list_bookings", 0, city="Bergen")],
        },
    ),
    ("support_desk", "first"): Run(
        {"service_status_stays_with_triage": 1, "unclear_request_is_asked_back": 2},
        {
            ("service_status_stays_with_triage", 1): [
                answers("The Frankfurt region has had slow uploads since 08:40; colleagues are on it.")
            ]
        },
    ),
    ("support_desk", "traced"): Run(
        {"duplicate_charge_refunded": 2, "service_status_stays_with_triage": 1},
        {("duplicate_charge_refunded", 1): [extra("send_email", -1, to="ac_20417", template="refund")]},
    ),
}
CRITERIA = {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}


# --- agents that play a set -----------------------------------------------------------------------------------------


class Script:
    """What happens in each turn of a set, found by what the user says."""

    def __init__(self, name: str, slips: dict[tuple[str, int], list[Slip]]) -> None:
        self.set = json.loads((SETS / f"{name}.evalset.json").read_text("utf-8"))
        self.replies: dict[str, Replies] = {}
        self.responses: dict[tuple[str, str], Json] = {}
        for case in self.set["eval_cases"]:
            for number, turn in enumerate(case["conversation"], 1):
                replies = self._replies(turn)
                for slip in slips.get((case["eval_id"], number), ()):
                    slip(replies)
                self.replies[turn["user_content"]["parts"][0]["text"]] = replies

    def _replies(self, turn: Json) -> Replies:
        data = copy.deepcopy(turn["intermediate_data"]) if "intermediate_data" in turn else {}
        events = [event["content"] for event in data.get("invocation_events", ()) if "content" in event]
        calls = data.get("tool_uses", []) + _members(events, "function_call")
        answers = data.get("tool_responses", []) + _members(events, "function_response")
        names = {call["id"]: call for call in calls}
        for answer in answers:
            self.responses[answer["name"], json.dumps(names[answer["id"]]["args"])] = answer["response"]
        spoken = [content["parts"] for content in events if content["role"] == "model"]
        asked = spoken or [[{"function_call": call}] for call in calls]
        final = turn.get("final_response", {"parts": [{"text": ""}]})["parts"]
        replies = [[types.Part.model_validate(part) for part in parts] for parts in (*asked, final)]
        for call in _calls(replies):
            call.id = None  # google-adk gives ids of its own
        return replies

    def reply(self, request: LlmRequest) -> list[types.Part]:
        """What the model says now: it has been asked once for each time that it has spoken since the user did."""
        said = [content for content in request.contents if content.parts]
        start, text = max(
            (index, part.text)
            for index, content in enumerate(said)
            for part in content.parts
            if content.role == "user" and part.text in self.replies
        )
        count = sum(any(part.function_response for part in content.parts) for content in said[start + 1 :])
        count += sum("`transfer_to_agent` tool returned" in (p.text or "") for c in said[start + 1 :] for p in c.parts)
        return self.replies[text][min(count, len(self.replies[text]) - 1)]


def _members(contents: list[Json], name: str) -> list[Json]:
    return [part[name] for content in contents for part in content["parts"] if name in part]


class Played(BaseLlm):
    """A model that plays a script."""

    script: Any

    async def generate_content_async(self, request: LlmRequest, stream: bool = False) -> AsyncIterator[LlmResponse]:
        """One response with what the script says, and with tokens counted by words."""
        parts = [part.model_copy(deep=True) for part in self.script.reply(request)]
        taken = sum(len((part.text or "").split()) for content in request.contents for part in content.parts or ())
        given = sum(len(part.model_dump_json(exclude_none=True)) // 4 for part in parts)
        yield LlmResponse(
            content=types.Content(role="model", parts=parts),
            model_version=self.model,
            usage_metadata=types.GenerateContentResponseUsageMetadata(
                prompt_token_count=taken, candidates_token_count=given, total_token_count=taken + given
            ),
        )


class Answering(BaseTool):
    """A tool that answers as in the script."""

    def __init__(self, name: str, script: Script) -> None:
        super().__init__(name=name, description=f"Does {name.replace('_', ' ')}.")
        self._script = script

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(name=self.name, description=self.description)

    async def run_async(self, *, args: Json, tool_context: ToolContext) -> Json:
        """The answer to these arguments; to others one that says that all is well."""
        return self._script.responses.get((self.name, json.dumps(args)), {"status": "ok"})


def agent_of(name: str, script: Script) -> LlmAgent:
    """The agent of a set, with those that it passes on to."""
    used = {call.name for replies in script.replies.values() for call in _calls(replies)} - {"transfer_to_agent"}
    tools = [Answering(each, script) for each in sorted(used)]
    model = Played(model="played-1", script=script)
    if name != "support_desk":
        return LlmAgent(name=name, model=model, instruction="Help travellers.", tools=tools)
    billing = LlmAgent(name="billing_agent", model=model, description="Answers on payments.", tools=tools)
    return LlmAgent(name="triage_agent", model=model, instruction="Pass on.", tools=tools, sub_agents=[billing])


# --- recordings -----------------------------------------------------------------------------------------------------


async def make_result(name: str, which: str) -> None:
    """A result file, as `adk eval` writes it."""
    from google.adk.evaluation import evaluation_generator
    from google.adk.evaluation.in_memory_eval_sets_manager import InMemoryEvalSetsManager
    from google.adk.evaluation.local_eval_service import LocalEvalService
    from google.adk.evaluation.local_eval_set_results_manager import LocalEvalSetResultsManager
    from google.adk.telemetry import _instrumentation

    for module in (evaluation_generator, _instrumentation):  # the event loop keeps the real clock
        module.time = SimpleNamespace(**{**vars(time), "monotonic": time.time})
    run = RUNS[name, which]
    order = list(run.cases)

    class InOrder(LocalEvalSetResultsManager):
        """Writes the cases in their order; the service gives them in that in which they happen to end."""

        def save_eval_set_result(self, app_name: str, eval_set_id: str, eval_case_results: list[Any]) -> None:
            eval_case_results.sort(key=lambda each: order.index(each.eval_id))
            super().save_eval_set_result(app_name, eval_set_id, eval_case_results)

    script = Script(name, run.slips)
    sets = InMemoryEvalSetsManager()
    sets.create_eval_set(name, name)
    for case in EvalSet.model_validate(script.set).eval_cases:
        sets.add_eval_case(name, name, case)
    service = LocalEvalService(agent_of(name, script), sets, eval_set_results_manager=InOrder(str(HERE / "agents")))
    inferences = []
    for eval_id in order:
        asked = InferenceRequest(
            app_name=name, eval_set_id=name, eval_case_ids=[eval_id], inference_config=InferenceConfig()
        )
        inferences += [each async for each in service.perform_inference(asked)]
    config = EvaluateConfig(eval_metrics=get_eval_metrics_from_config(EvalConfig(criteria=CRITERIA)), parallelism=1)
    async for case in service.evaluate(EvaluateRequest(inference_results=inferences, evaluate_config=config)):
        print(name, which, case.eval_id, case.final_eval_status.name)
    history = HERE / "agents" / name / ".adk" / "eval_history"
    (written,) = history.iterdir()
    written.replace(HERE / f"{name}_{which}.evalset_result.json")
    for folder in (history, *list(history.parents)[:3]):
        folder.rmdir()


async def make_traces(name: str, which: str) -> None:
    """The spans of a run, as google-adk records them, an export a line."""
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.json.file import FileSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    path = HERE / f"{name}_{which}.otlp.jsonl"
    path.unlink(missing_ok=True)
    provider = TracerProvider(resource=Resource({"service.name": name}))
    provider.add_span_processor(SimpleSpanProcessor(FileSpanExporter(path)))
    trace.set_tracer_provider(provider)
    run = RUNS[name, which]
    script = Script(name, run.slips)
    runner = InMemoryRunner(agent=agent_of(name, script), app_name=name)
    cases = {case["eval_id"]: case["conversation"] for case in script.set["eval_cases"]}
    for eval_id, count in run.cases.items():
        session = await runner.session_service.create_session(app_name=name, user_id="sample")
        for turn in cases[eval_id][:count]:
            content = types.Content.model_validate(turn["user_content"])
            async for _ in runner.run_async(user_id="sample", session_id=session.id, new_message=content):
                pass
    provider.shutdown()


if __name__ == "__main__":
    if len(sys.argv) == 3:
        make = make_traces if sys.argv[2] == "traced" else make_result
        asyncio.run(make(*sys.argv[1:]))
    else:  # each in a process of its own, in which clock and tracer begin anew
        for task in RUNS:
            subprocess.run([sys.executable, __file__, *task], check=True)
