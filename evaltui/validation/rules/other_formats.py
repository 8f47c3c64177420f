"""Rules about files that are not eval sets: what each file is, and what google-adk does with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.file_formats import ENDINGS_OF_SETS
from evaltui.printable import one_line
from evaltui.validation.rule_types import Diagnostic, Example, Rule, Severity

if TYPE_CHECKING:  # `evaltui rule` does not load configs
    from evaltui.scoring.eval_config import LoadedConfig

_LOADER = (
    "`adk eval` first reads the file as an `EvalSet`. If that fails, it reads the file as the old list of cases "
    "(`load_eval_set_from_file` in google.adk.evaluation.local_eval_sets_manager). "
)
_GOOD = Example("text", '{"eval_set_id": "trips", "eval_cases": []}')


def _format(code: str, summary: str, why: str, bad: str, severity: Severity = "error") -> Rule:
    return Rule(code, summary, why, Example("text", bad), _GOOD, severity=severity, group="format")


LEGACY_CASES = _format(
    "legacy-cases",
    "The file is a list of cases in google-adk's old format (v1).",
    _LOADER + "So `adk eval` still runs the list. But each time it loads the file, it makes new ids and times, and "
    "drops unknown fields of turns. Without a `reference`, google-adk adds an empty expected response. `adk web` "
    "(when it saves) and agentevals read only eval sets.",
    '[{"name": "booking", "data": [{"query": "Book it", "expected_tool_use": [], "reference": "Booked"}],\n'
    '  "initial_session": {"state": {}, "app_name": "trips", "user_id": "u"}}]',
)
LEGACY_TURNS = _format(
    "legacy-turns",
    "The file is a list of turns in google-adk's oldest format (v0).",
    "Only `AgentEvaluator` (pytest) reads such a file (`_get_eval_set_from_old_format`). The turns become one case, "
    "named after the file. It needs the keys of its metrics in the first turn (`_validate_input`): with the default "
    "metrics `query`, `expected_tool_use` and `reference`. " + _LOADER + "`adk eval` and `adk web` end with "
    "`KeyError: 'data'`.",
    '[{"query": "Book it", "expected_tool_use": [{"tool_name": "book", "tool_input": {}}], "reference": "Booked"}]',
)
EVALUATION_DATASET = _format(
    "evaluation-dataset",
    "The file is an `EvaluationDataset` for the Agent Platform and agents-cli, with the name of an eval set.",
    _LOADER
    + "A dataset is an object, not a list, so `adk eval` ends with `TypeError: string indices must be integers`. "
    "agents-cli and `vertexai.types.EvaluationDataset` read datasets. Give the file another name, such as "
    "`NAME-dataset.json`, or convert it with `evaltui convert`.",
    '{"eval_cases": [{"eval_case_id": "booking", "prompt": {"role": "user", "parts": [{"text": "Book it"}]}}]}',
    severity="warning",  # its own readers accept it
)
CES_EVALUATION = _format(
    "ces-evaluation",
    "The file is an evaluation of Gemini Enterprise for Customer Experience (CES).",
    _LOADER
    + "An evaluation is an object, not a list, so `adk eval` ends with `TypeError: string indices must be integers`.",
    '{"displayName": "booking", "golden": {"turns": [{"steps": [{"userInput": {"text": "Book it"}}]}]}}',
)
EVAL_SET_RESULT = _format(
    "eval-set-result",
    "The file is the result of a run, not an eval set.",
    _LOADER + "A result is not an eval set, so `adk eval` ends with a `TypeError`. `adk web` lists results from "
    "`.adk/eval_history` (google.adk.evaluation.local_eval_set_results_manager).",
    '{"eval_set_result_id": "trips_1", "eval_set_id": "trips", "eval_case_results": []}',
)
CONFIG_AS_SET = _format(
    "config-as-set",
    "The file is a config, but an eval set is expected.",
    _LOADER
    + "A config has no cases, so `adk eval` ends with `TypeError: string indices must be integers`. `adk eval` reads "
    "the config from `--config_file_path`, or from `test_config.json` beside the eval set.",
    '{"criteria": {"response_match_score": 0.8}}',
)
TRPC_EVAL_SET = _format(
    "trpc-eval-set",
    "The file is an eval set of trpc-agent-go, which has other messages and calls than google-adk.",
    _LOADER
    + "google-adk reads `eval_set_id` and `eval_cases`, and contents with `parts`. trpc-agent-go reads `evalSetId` "
    "and `evalCases`, messages with `content`, and `tools`. If keys were renamed, trpc-agent-go would not read the "
    "file any more, and google-adk would still reject it. `evaltui convert FILE --to evalset` makes an eval set for "
    "google-adk.",
    '{"evalSetId": "trips", "evalCases": [{"evalId": "a", "conversation": [\n'
    '  {"userContent": {"role": "user", "content": "Book it"}}]}]}',
)
YAML_FILE = _format(
    "yaml-file",
    "The file is YAML, but google-adk reads only JSON.",
    _LOADER + "Its JSON parser stops at the first character. evaltui reads configs of agentevals in YAML (`--config`), "
    "and converts conversations of cxas and other eval sets in YAML (`evaltui convert`).",
    "evaluators:\n  - name: tool_trajectory_avg_score\n    type: builtin\n    threshold: 0.9",
)
OTHER_JSON = _format(
    "no-eval-set",
    "The file is JSON, but not an eval set or another known format.",
    _LOADER + "google-adk loads `{}` and `[]` as empty eval sets. For most other files, `adk eval` ends with a "
    "`TypeError` or `KeyError`.",
    '{"openapi": "3.1.0"}',
)

_MESSAGES: dict[str, tuple[Rule, str]] = {
    "legacy_cases": (LEGACY_CASES, "the file is a list of cases in the old format v1"),
    "legacy_turns": (LEGACY_TURNS, "the file is a list of turns in the oldest format v0"),
    "evaluation_dataset": (
        EVALUATION_DATASET,
        "the file is an EvaluationDataset, not an eval set; agents-cli reads it",
    ),
    "ces_evaluation": (CES_EVALUATION, "the file is a CES evaluation, not an eval set"),
    "eval_set_result": (
        EVAL_SET_RESULT,
        "the file is the result of a run, not an eval set; load it as a recording with -r",
    ),
    "adk_session": (
        OTHER_JSON,
        "the file is a session of google-adk, not an eval set; load it as a recording with -r",
    ),
    "eval_config": (
        CONFIG_AS_SET,
        "the file is a config, not an eval set; save it as test_config.json beside the eval set",
    ),
    "trpc_eval_set": (
        TRPC_EVAL_SET,
        "the file is an eval set of trpc-agent-go; `evaltui convert FILE --to evalset` makes one of google-adk",
    ),
    "json": (OTHER_JSON, "the file is not an eval set: it has no eval_set_id and no eval_cases"),
}


def check_name_of_dataset(name: str) -> list[Diagnostic]:
    """The diagnostic for a dataset that google-adk takes for an eval set because of its name; empty for any other."""
    # By its name google-adk takes the dataset for an eval set; its own readers do not look at names.
    return check_as_set("evaluation_dataset") if name.endswith(ENDINGS_OF_SETS) else []


def check_as_set(kind: str, readers: str = "", file: str = "FILE") -> list[Diagnostic]:
    """The diagnostic for a file of this format that is checked as an eval set; empty for an eval set.

    `readers` is a clause about the programs that read such a file (`readers_of_list`). `file` is its name in commands.
    """
    if kind == "eval_set":
        return []
    rule, message = _MESSAGES.get(kind, _MESSAGES["json"])
    message = message.replace("convert FILE", f"convert {file}")
    return [rule.at("", f"google-adk rejects this: {message}{readers and f'; {readers}'}")]


def readers_of_list(kind: str, root: Node, config: LoadedConfig | None) -> str:
    """Which program of google-adk reads a legacy list, or why it refuses the list; "" for other formats.

    `config` is the config beside the list, which AgentEvaluator uses.
    """
    if kind == "legacy_cases":
        fault = next(_faults_of_cases(root.items), "")
        return f"adk eval refuses it, too: {fault}" if fault else "only adk eval still converts it"
    if kind == "legacy_turns":
        fault = _fault_of_turns(root, _DEFAULT_METRICS if config is None else list(config.criteria))
        return f"AgentEvaluator refuses it, too: {fault}" if fault else "only AgentEvaluator reads it"
    return ""


# --- legacy lists: what google-adk 2.13 needs before it converts one -------------------------------------------------


_NEEDED = {
    "tool_trajectory_avg_score": ("query", "expected_tool_use"),
    "response_evaluation_score": ("query",),
    "response_match_score": ("query", "reference"),
    "safety_v1": (),
}
"""The metrics that AgentEvaluator allows for a list of turns, and the keys that each needs in the first turn."""
_DEFAULT_METRICS = ("tool_trajectory_avg_score", "response_match_score")
"""The metrics without a config (`get_evaluation_criteria_or_default` of google.adk.evaluation.eval_config)."""
_TEXT, _OBJECT = ("string", "null"), ("object", "null")


def _fault_of_turns(root: Node, metrics: Sequence[str]) -> str:
    """Why AgentEvaluator refuses a list of turns with a config of these metrics, as a clause; "" if it reads the list.

    `_load_dataset` and `_validate_input` (google.adk.evaluation.agent_evaluator), then the conversion.
    """
    turns = root.items
    if any(turn.kind != "object" for turn in turns):
        return "an item of the list is not an object"
    if foreign := next((name for name in metrics if name not in _NEEDED), None):
        return f"for such a list, it allows no metric {one_line(foreign, 40)}"
    needed = dict.fromkeys(chain.from_iterable(_NEEDED[name] for name in metrics))
    if absent := [key for key in needed if turns and turns[0].member(key) is None]:
        return f"the first turn has no {' and no '.join(absent)}"
    return next(_faults_of_turns(turns), "")


def _faults_of_cases(cases: Iterable[Node]) -> Iterator[str]:
    """Why adk eval refuses a list of cases, as clauses.

    `convert_eval_set_to_pydantic_schema` (google.adk.evaluation.local_eval_sets_manager).
    """
    for number, case in enumerate(cases, 1):
        name, data, session = (case.member(key) for key in ("name", "data", "initial_session"))
        if case.kind != "object" or name is None or data is None:
            absent = " and no ".join(key for key, value in (("name", name), ("data", data)) if value is None)
            yield f"case {number} is not an object" if case.kind != "object" else f"case {number} has no {absent}"
            continue
        if name.kind != "string":
            yield f"the name of case {number} is not a string"
        if data.kind != "array":
            yield f"data of case {number} is not a list"
        elif any(turn.kind != "object" for turn in data.items):
            yield f"a turn of case {number} is not an object"
        if session is not None and session.kind != "object":
            yield f"initial_session of case {number} is not an object"
        yield from (f"{fault} (case {number})" for fault in _faults_of_turns(data.items))


def _faults_of_turns(turns: Iterable[Node]) -> Iterator[str]:
    """The faults for which the conversion refuses a turn (`_convert_invocation_to_pydantic_schema`)."""
    lists: dict[str, dict[str, tuple[str, ...]]] = {
        "expected_tool_use": {"tool_name": _TEXT, "tool_input": _OBJECT},
        "expected_intermediate_agent_responses": {"author": ("string",), "text": _TEXT},
    }
    for number, turn in enumerate((turn for turn in turns if turn.kind == "object"), 1):
        if turn.member("query") is None:
            yield f"turn {number} has no query"
        for key in ("query", "reference"):
            value = turn.member(key)
            if value is not None and value.kind not in _TEXT:
                yield f"{key} of turn {number} is not a string"
        for name, members in lists.items():
            listed = turn.member(name)
            if listed is not None and listed.kind != "array":
                yield f"{name} of turn {number} is not a list"
            for item in listed.items if listed is not None and listed.kind == "array" else ():
                for key, kinds in members.items():
                    value = item.member(key)
                    if value is None or value.kind not in kinds:
                        yield f"an item of {name} in turn {number} has no valid {key}"
