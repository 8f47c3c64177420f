"""All formats of conversion, and the format of a source document, recognised by its content.

`evaltui.evalset.file_formats` recognises kinds of files. This module separates google-adk's eval sets from eval sets of
other projects, which have the same outline.
"""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.file_formats import (
    SAMPLED,
    first_cases,
    format_of_document,
    has_ids_of_adk_rs,
    is_camel_set,
    is_case_of_trpc,
)
from evaltui.evalset.keys import filled, items_of, member
from evaltui.interop.adk_rs_set import ADK_RS
from evaltui.interop.ces.writer import CES
from evaltui.interop.cxas.writer import CXAS
from evaltui.interop.eval_sets.writer import EVAL_SET, SCENARIOS
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.legacy_lists import LEGACY_CASES, LEGACY_TURNS
from evaltui.interop.portable_set import FormatType
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
_BY_KIND = {
    "eval_set": EVAL_SET,
    "legacy_cases": LEGACY_CASES,
    "legacy_turns": LEGACY_TURNS,
    "evaluation_dataset": EVALUATION_DATASET,
    "ces_evaluation": CES,
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
_ADK_RS_CASE = frozenset(["eval_id", "name", "session_input", "conversation", "creation_timestamp"])
_ADK_RS_DATA = frozenset(["tool_uses", "intermediate_responses"])


def format_of_source(root: Node, file_name: str = "") -> FormatType | None:
    """The format of a document; None if evaltui cannot convert it."""
    kind = format_of_document(root, file_name)
    if kind == "json" and _is_of_cxas(root):
        return CXAS
    if kind == "json":
        scenarios = items_of(root, "scenarios")[:SAMPLED]
        keys = ("starting_prompt", "conversation_plan")
        return SCENARIOS if any(filled(item, key) is not None for item in scenarios for key in keys) else None
    if kind == "evaluation_dataset" and root.kind == "array":
        # A list with ids of datasets may be evaluations of CX Agent Studio: golden conversations or scenarios.
        cases = first_cases(root)
        shapes = [filled(case, name) for case in cases for name in ("golden", "scenario")]
        has_messages = any(filled(case, name) is not None for case in cases for name in _DATASET_CASE)
        if not has_messages and any(shape is not None and shape.kind == "object" for shape in shapes):
            return CES
    if kind == "eval_set" and _has_words_of_a_dataset(first_cases(root)):
        return EVALUATION_DATASET
    # A bare list has no keys of a set, by which the projects could be told apart.
    if kind == "eval_set" and root.kind == "object":
        if is_camel_set(root) or any(map(is_case_of_trpc, first_cases(root))):
            return TRPC_AGENT_GO
        return ADK_RS if _is_of_adk_rs(root, first_cases(root)) else EVAL_SET
    return _BY_KIND.get(kind)


def _is_of_cxas(root: Node) -> bool:
    """Whether there are golden conversations with turns, or simulations with a name and steps or a task."""
    if root.kind == "object" and any(item.member("turns") for item in items_of(root, "conversations")[:SAMPLED]):
        return True
    # cxas reads a list of simulations under `evals`, and simulations without anything around them.
    simulations = root.items if root.kind == "array" else items_of(root, "evals")
    return any(
        item.member("name") is not None and (item.member("steps") or item.member("task"))
        for item in simulations[:SAMPLED]
    )


def _has_words_of_a_dataset(cases: list[Node]) -> bool:
    """Whether cases have content only under keys of datasets: agents-cli also accepts an eval_id as the id."""
    has_words = False
    for case in cases:
        # A reference beside a query is of another tool.
        names = [name for name in _DATASET_CASE if name != "reference" or filled(case, "query") is None]
        has_words = has_words or any(filled(case, name) is not None for name in names)
        scenario = filled(case, "conversation_scenario")
        is_scenario = scenario is not None and bool(scenario.items) and filled(case, "eval_case_id") is None
        if items_of(case, "conversation") or is_scenario:
            return False
    return has_words and not any(map(is_case_of_trpc, cases))


def _is_of_adk_rs(root: Node, cases: list[Node]) -> bool:
    """Whether ids are called `id`, as in older files, or cases have names and nothing that adk-rs lacks."""
    if has_ids_of_adk_rs(root):
        return True
    if cases and not any(member(case, "eval_id") for case in cases):
        return False
    if not cases:
        return root.member("eval_set_id") is None and root.member("id") is not None
    # google-adk ignores the name of a case, so a set with one key more than adk-rs knows is google-adk's.
    has_names = any(case.member("name") for case in cases)
    if not has_names or any(item.name not in _ADK_RS_CASE for case in cases for item in case.items):
        return False
    data = [filled(turn, "intermediate_data") for case in cases for turn in items_of(case, "conversation")]
    objects = [value for value in data if value is not None and value.kind == "object"]
    return all(item.name in _ADK_RS_DATA for value in objects for item in value.items)
