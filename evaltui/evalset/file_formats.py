"""Formats of JSON files, recognized by content: eval set, config, result, or a foreign format."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from evaltui.document.node import Node
from evaltui.document.scanner import read_json
from evaltui.evalset.keys import OWN_OF_CASES, filled, items_of, member

Format = Literal[
    "eval_set",
    "eval_config",
    "legacy_cases",
    "legacy_turns",
    "evaluation_dataset",
    "ces_evaluation",
    "eval_set_result",
    "adk_session",
    "trpc_eval_set",
    "json",
]
"""Format names that the command line prints; `json` is any other JSON."""

ENDINGS_OF_SETS = (".evalset.json", ".test.json")
"""File endings that google-adk uses for eval sets; such files are listed whatever they contain."""
ENDING_OF_DATASETS = "dataset.json"
"""The ending of dataset names for agents-cli, such as `basic-dataset.json`."""
ENDING_OF_SIDECARS = ".review.jsonl"
"""The ending of the sidecar with review decisions, which is beside its set."""

SAMPLED = 20
"""The most items of a list to look at."""
_DATASET_CASE = ("eval_case_id", "prompt", "responses", "agent_data", "conversation_history", "user_scenario")
_DATASET = ("bigquery_source", "gcs_source", "eval_dataset_df", "candidate_name")
_MEMBERS_OF_DATASETS = frozenset({"evalcases", "bigquerysource", "gcssource", "evaldatasetdf", "candidatename"})
"""All keys of a dataset, spelled as by `_bare` (`agentplatform._genai.types.EvaluationDataset`)."""
_SESSION = ("app_name", "user_id", "id")
"""Keys that every session of google-adk has beside its events (`google.adk.sessions.Session`)."""
_SNAKE, _CAMEL = ("eval_cases", "eval_set_id"), ("evalCases", "evalSetId")
"""The outermost keys of an eval set in google-adk's spelling, and in that of other programs."""
_CONFIG = ("criteria", "custom_metrics", "user_simulator_config", "live_model_config")
_BY_NAME: dict[str, Format] = {"test_config.json": "eval_config", "eval_config.json": "eval_config"}


def format_of(value: Any, file_name: str = "") -> Format:
    """The format of a JSON value; the file name decides only if the content does not."""
    kind: Format = "json"
    if isinstance(value, dict):
        kind = _of_object(value)
    elif isinstance(value, list):
        kind = _of_items([item for item in value[:SAMPLED] if isinstance(item, dict)])
    elif isinstance(value, str) and value.lstrip().startswith("{"):
        with suppress(ValueError):  # google-adk up to 1.21 wrote results as a string
            inner = read_json(value)
            kind = "eval_set_result" if isinstance(inner, dict) and _is_result(_names(inner)) else "json"
    if kind != "json":
        return kind
    return "eval_set" if file_name.endswith(ENDINGS_OF_SETS[0]) else _BY_NAME.get(file_name, "json")


def format_of_document(root: Node, file_name: str = "") -> Format:
    """The format of a document, judged by its outermost levels like `format_of`."""
    # These two tests decide nearly every file like `_of_object` does, without reading more than one case.
    if root.member("eval_set_id") is not None and root.member("eval_cases") is not None:
        return "eval_set"
    names = _names(item.name for item in root.items[:SAMPLED])
    if names <= _MEMBERS_OF_DATASETS and len(names) == len(root.items):
        first_case = [_sample(case, 1) for case in items_of(root, "eval_cases")[:1] if case.kind == "object"]
        if first_case and _of_items(first_case) == "evaluation_dataset":
            return "evaluation_dataset"
    # The whole value of a large file takes seconds and its memory; three levels of its first items tell as much.
    return format_of(_sample(root, 3, len(root.items)), file_name)


def kind_of(root: Node | None, name: str) -> str:
    """The format whose rules apply; `not_json` without a root."""
    if root is None:
        return "not_json"
    kind = format_of_document(root, Path(name).name)
    # An eval set of trpc-agent-go has google-adk's outline, but none of its rules. google-adk reads sets in camelCase,
    # too, so only members that it lacks tell the two apart.
    if kind == "eval_set" and is_camel_set(root) and _is_of_trpc(root):
        return "trpc_eval_set"
    return kind


def is_sought(kind: str, root: Node | None) -> bool:
    """Whether a file of the format `kind` counts in a folder search: an eval set, a dataset, or a broken file."""
    return kind in ("eval_set", "not_json") or (kind == "evaluation_dataset" and is_dataset(root))


def is_eval_set(root: Node | None, kind: str = "") -> bool:
    """Whether a document is an eval set whose cases can be shown: an object with an id or a list of cases.

    A bare list of cases, a set with misspelled keys and an empty `*.evalset.json` also have the format of a set, but
    are shown as JSON. `kind` is the format, if that is known.
    """
    if root is None or root.kind != "object":
        return False
    cases = member(root, "eval_cases")
    has_shape = (cases is not None and cases.kind == "array") or member(root, "eval_set_id") is not None
    return has_shape and (kind or format_of_document(root)) == "eval_set"


def is_camel_set(root: Node) -> bool:
    """Whether an eval set itself is in camelCase, which google-adk rejects and other programs read."""
    return any(map(root.member, _CAMEL)) and not any(map(root.member, _SNAKE))


def has_ids_of_adk_rs(root: Node) -> bool:
    """Whether the first cases of an eval set have an `id` and no `eval_id`, as in older files of adk-rs."""
    cases = first_cases(root)
    return bool(cases) and all(case.member("id") and not member(case, "eval_id") for case in cases)


def is_of_dialect(root: Node) -> bool:
    """Whether an eval set is one of another program, which reads its keys as they are.

    A set of trpc-agent-python has google-adk's keys, and recorded turns of its own.
    A set of trpc-agent-go with some keys of google-adk is one too: google-adk would reject it under any keys.
    """
    has_recorded_turns = any(filled(case, name) for case in first_cases(root) for name in _OF_RECORDED_CASES)
    if is_camel_set(root) or has_ids_of_adk_rs(root) or has_recorded_turns:
        return True
    return any(map(root.member, _CAMEL)) and _is_of_trpc(root)


def is_dataset(root: Node | None, kind: str = "") -> bool:
    """Whether a document is an EvaluationDataset whose cases can be shown: an object whose cases are a list or absent.

    A bare list of cases is shown as JSON. `kind` is the format, if that is known.
    """
    if root is None or root.kind != "object":
        return False
    cases = member(root, "eval_cases")
    # A dataset whose cases are in BigQuery or on Cloud Storage has none of its own.
    has_none = _names(item.name for item in root.items[:SAMPLED]) <= _MEMBERS_OF_DATASETS - {"evalcases"}
    has_shape = cases.kind in ("array", "null") if cases is not None else has_none
    return has_shape and (kind or format_of_document(root)) == "evaluation_dataset"


def _of_object(value: dict[str, Any]) -> Format:
    names = _names(value)
    # Results name their set, and datasets may name one: what has cases is no result.
    if _is_result(names) and "evalcases" not in names:
        return "eval_set_result"
    if names & {"evalsetid"}:
        return "eval_set"
    cases = next((value[key] for key in value if _bare(key) in ("evalcases", "evalcase")), None)
    if isinstance(cases, list):
        kind = _of_items([case for case in cases[:SAMPLED] if isinstance(case, dict)])
        if kind in ("eval_set", "evaluation_dataset"):
            return kind
        return "evaluation_dataset" if _has(names, _DATASET) else "eval_set"
    if _is_session(value, names):
        return "adk_session"
    if _is_ces(value, names):
        return "ces_evaluation"
    # A config comes late: `criteria` is a word that other files use as well.
    if _has(names, _CONFIG):
        return "eval_config"
    return "evaluation_dataset" if _has(names, _DATASET) else "json"


def _of_items(items: list[dict[str, Any]]) -> Format:
    """The format of a list of objects, decided by the first object that shows one."""
    for item in items:
        names = _names(item)
        if "query" in names:
            return "legacy_turns"
        if isinstance(item.get("data"), list):
            return "legacy_cases"
        if _is_session(item, names):
            return "adk_session"
        # A converted case may keep the session_input of its format in the other one.
        is_dataset_case = _has(names, _DATASET_CASE)
        if _has(names, OWN_OF_CASES) or ("sessioninput" in names and not is_dataset_case):
            return "eval_set"
        if is_dataset_case:
            return "evaluation_dataset"
        if _is_ces(item, names):
            return "ces_evaluation"
    return "json"


def _is_ces(value: dict[str, Any], names: frozenset[str]) -> bool:
    """Whether an object is an evaluation of CES: it has a golden conversation or a scenario, and a name."""
    shapes = [value.get("golden"), value.get("scenario")]
    return any(isinstance(shape, dict) for shape in shapes) and _has(names, ("display_name", "name"))


def _is_session(value: dict[str, Any], names: frozenset[str]) -> bool:
    return isinstance(value.get("events"), list) and all(_bare(name) in names for name in _SESSION)


def _is_result(names: frozenset[str]) -> bool:
    return "evalsetresultid" in names or {"evalcaseresults", "evalsetid"} <= names


def _has(names: frozenset[str], some: Iterable[str]) -> bool:
    return any(_bare(name) in names for name in some)


def _names(keys: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_bare, keys))


def _bare(name: str) -> str:
    """A key in lower case without separators, so that both spellings, and misspelled ones, match."""
    return name.replace("_", "").replace("-", "").casefold()


def _sample(node: Node, levels: int, members: int = SAMPLED) -> Any:
    """A JSON value cut down: some keys, the first items of lists, and nothing below some levels."""
    if node.kind == "object":
        return {item.name: _sample(item, levels - 1) for item in node.items[:members]} if levels else {}
    if node.kind == "array":
        return [_sample(item, levels - 1) for item in node.items[:SAMPLED]] if levels else []
    return node.text() if node.kind == "string" else None


def is_agents_cli_result(value: Any) -> bool:
    """Whether a JSON value is a result of agents-cli."""
    from evaltui.evalset.case_data import get, objects  # noqa: PLC0415 - few files are results; it loads datetime

    if not isinstance(get(value, "eval_case_results"), list):
        return False
    candidates = (get(case, "response_candidate_results") for case in objects(value, "eval_case_results"))
    return isinstance(get(value, "summary_metrics"), list) or any(results is not None for results in candidates)


# --- cases of trpc-agent-go and trpc-agent-python ---------------------------------------------------------------------

# Both write google-adk's keys, and these besides.
_OF_RECORDED_CASES = ("eval_mode", "actual_conversation")
_OF_TRPC_CASES = (*_OF_RECORDED_CASES, "context_messages", "expected_runner_enabled")
_OF_TRPC_SCENARIOS = ("driver", "stop_signal", "max_allowed_invocations")
_OF_TRPC_TURNS = ("tools", "tool_mock", "metric_names")


def first_cases(root: Node) -> list[Node]:
    """The first cases of a set or of a list of cases."""
    listed = root.items if root.kind == "array" else items_of(root, "eval_cases")
    return [case for case in listed[:SAMPLED] if case.kind == "object"]


def has_cases_of_trpc(root: Node) -> bool:
    """Whether any of the first cases has members or messages that only trpc-agent-go knows."""
    return any(map(is_case_of_trpc, first_cases(root)))


def _is_of_trpc(root: Node) -> bool:
    scenarios = [filled(case, "conversation_scenario") for case in first_cases(root)]
    has_own_scenario = any(member(scenario, name) for scenario in scenarios for name in _OF_TRPC_SCENARIOS)
    return has_own_scenario or has_cases_of_trpc(root)


def is_case_of_trpc(case: Node) -> bool:
    """Whether a case has members or messages that only trpc-agent-go knows."""
    if any(filled(case, name) is not None for name in _OF_TRPC_CASES):
        return True
    turns = items_of(case, "conversation")[:SAMPLED]
    # A message has its text in `content`; google's models have a list `parts`.
    texts = [filled(filled(turn, name), "content") for turn in turns for name in ("user_content", "final_response")]
    has_text_content = any(text is not None and text.kind == "string" for text in texts)
    return has_text_content or any(member(turn, name) is not None for turn in turns for name in _OF_TRPC_TURNS)
