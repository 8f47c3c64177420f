"""All formats of conversion, by their names."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.file_formats import (
    SAMPLED,
    first_cases,
    format_of_document,
    has_cases_of_trpc,
    has_ids_of_adk_rs,
    has_scenarios_of_trpc,
    is_camel_set,
    is_case_of_trpc,
)
from evaltui.evalset.keys import filled, items_of, member
from evaltui.interop.adk_rs_set import ADK_RS
from evaltui.interop.ces.writer import CES
from evaltui.interop.cxas.writer import CXAS
from evaltui.interop.eval_sets.writer import EVAL_SET, SCENARIOS
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.format_type import FormatType
from evaltui.interop.legacy_lists import LEGACY_CASES, LEGACY_TURNS
from evaltui.interop.trpc_agent_go import TRPC_AGENT_GO

FORMATS: tuple[FormatType, ...] = (
    EVAL_SET,
    EVALUATION_DATASET,
    CES,
    LEGACY_CASES,
    LEGACY_TURNS,
    ADK_RS,
    CXAS,
    TRPC_AGENT_GO,
    SCENARIOS,
)
"""In the order in which tables and help list them."""


def format_to_write(option: str) -> FormatType | None:
    """The format that `--to` names; None for an unknown word."""
    return next((each for each in FORMATS if each.option == option and each.write is not None), None)


def format_called(source_word: str) -> FormatType | None:
    """The format with this word in reports; None for an unknown word."""
    return next((each for each in FORMATS if each.source_word == source_word), None)


_BY_KIND = {
    "eval_set": "evalset",
    "legacy_cases": "legacy_cases",
    "legacy_turns": "legacy_turns",
    "evaluation_dataset": "evaluation_dataset",
    "ces_evaluation": "ces_evaluation",
}
_DATASET_CASE = (
    "prompt",
    "agent_data",
    "conversation_history",
    "responses",
    "reference",
    "intermediate_events",
    "user_scenario",
)
"""Keys of a case that hold its messages in a dataset."""
_SIMULATION = ("steps", "task")
_ADK_RS_CASE = frozenset(["eval_id", "name", "session_input", "conversation", "creation_timestamp"])
_ADK_RS_DATA = frozenset(["tool_uses", "intermediate_responses"])


def format_of_source(root: Node, file_name: str = "") -> FormatType | None:
    """The format of a document; None if evaltui cannot convert it."""
    kind = format_of_document(root, file_name)
    if kind == "json" and _is_of_cxas(root):
        return format_called("cxas-yaml")
    if kind == "json" and any(map(_is_scenario, items_of(root, "scenarios")[:SAMPLED])):
        return format_called("scenarios")
    if kind == "evaluation_dataset" and root.kind == "array" and _are_evaluations(first_cases(root)):
        return format_called("ces_evaluation")
    if kind == "eval_set" and _has_words_of_a_dataset(first_cases(root)):
        return format_called("evaluation_dataset")
    if kind == "eval_set" and root.kind == "object":
        return format_called(_project_of(root))
    return format_called(_BY_KIND.get(kind, ""))


def _is_of_cxas(root: Node) -> bool:
    """Whether there are golden conversations with turns, or simulations with a name and steps or a task."""
    if root.kind == "object" and any(item.member("turns") for item in items_of(root, "conversations")[:SAMPLED]):
        return True
    simulations = root.items if root.kind == "array" else items_of(root, "evals")
    return any(item.member("name") is not None and any(map(item.member, _SIMULATION)) for item in simulations[:SAMPLED])


def _is_scenario(node: Node) -> bool:
    """Whether an item of a scenarios file has a plan or the first words of a simulated user."""
    return any(filled(node, name) is not None for name in ("starting_prompt", "conversation_plan"))


def _project_of(root: Node) -> str:
    """The project that the eval set belongs to."""
    if is_camel_set(root) or has_cases_of_trpc(root):
        return "trpc-agent-go"
    return "adk-rs" if _is_of_adk_rs(root, first_cases(root)) else "evalset"


def is_set_of_trpc(root: Node) -> bool:
    """Whether a document is a set that only trpc-agent-go reads: in camelCase, with members that google-adk lacks."""
    return is_camel_set(root) and (has_scenarios_of_trpc(root) or has_cases_of_trpc(root))


def _has_words_of_a_dataset(cases: list[Node]) -> bool:
    """Whether cases have content only under keys of datasets: agents-cli also accepts an eval_id as the id."""
    is_said = any(filled(case, name) is not None for case in cases for name in _messages_of_a_dataset(case))
    return is_said and not any(map(_has_words_of_an_eval_set, cases)) and not any(map(is_case_of_trpc, cases))


def _messages_of_a_dataset(case: Node) -> tuple[str, ...]:
    """The keys that show a case of a dataset. A reference beside a query is of another tool."""
    has_query = filled(case, "query") is not None
    return tuple(name for name in _DATASET_CASE if not has_query or name != "reference")


def _are_evaluations(cases: list[Node]) -> bool:
    """Whether cases have golden conversations or scenarios of CX Agent Studio, and only ids of datasets."""
    shapes = [filled(case, name) for case in cases for name in ("golden", "scenario")]
    has_messages = any(filled(case, name) is not None for case in cases for name in _DATASET_CASE)
    return not has_messages and any(shape is not None and shape.kind == "object" for shape in shapes)


def _has_words_of_an_eval_set(case: Node) -> bool:
    """Whether a case has turns, or a scenario and no id of a dataset beside it."""
    if items_of(case, "conversation"):
        return True
    scenario = filled(case, "conversation_scenario")
    return scenario is not None and bool(scenario.items) and filled(case, "eval_case_id") is None


def _is_of_adk_rs(root: Node, cases: list[Node]) -> bool:
    """Whether ids are called `id`, as in older files, or cases have names and nothing that adk-rs lacks."""
    if has_ids_of_adk_rs(root):
        return True
    if cases and not any(member(case, "eval_id") for case in cases):
        return False
    if not cases:
        return root.member("eval_set_id") is None and root.member("id") is not None
    return any(case.member("name") for case in cases) and all(map(_fits_adk_rs, cases))


def _fits_adk_rs(case: Node) -> bool:
    data = [filled(turn, "intermediate_data") for turn in items_of(case, "conversation")]
    return _names(case) <= _ADK_RS_CASE and all(each is None or _names(each) <= _ADK_RS_DATA for each in data)


def _names(node: Node) -> set[str]:
    return {item.name for item in node.items} if node.kind == "object" else set()
