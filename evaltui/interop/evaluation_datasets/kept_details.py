"""Keys in EvaluationDatasets (`agentplatform.types`, google-cloud-aiplatform 2.7.0), and keys that evaltui adds.

An `EvalCase` allows extra members. What agentplatform has no member for is kept there: under google-adk's own name
where it has one (`session_input`), else under one of the names below.
"""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.interop.fields import SourceFields, changed
from evaltui.interop.output_tree import Value, text_in

AUTHOR_OF_USERS = "user"
UNNAMED_AUTHORS = ("agent", "model")
"""Authors without a name: "agent" from agents-cli's migration, and "model", which agents-cli replaces."""

GROUP_OF_RUBRICS = "adk_rubrics"
"""The group of rubrics without a type, as in `EvaluationDataset.load_from_adk_eval_set`."""

EXTRA = changed("kept as an extra field of the case, which agents-cli and agentplatform ignore")
"""Why a value counts as changed although the case has it unchanged."""

SET_MEMBERS = ("bigquery_source", "gcs_source", "candidate_name")
CASE_MEMBERS = (
    "eval_case_id",
    "prompt",
    "responses",
    "reference",
    "system_instruction",
    "conversation_history",
    "rubric_groups",
    "intermediate_events",
    "agent_info",
    "agent_data",
    "user_scenario",
)
"""Keys that are read and written here; `interactions_data_source` is handled like any extra key."""
TRAJECTORY = "reference_trajectory"
"""The key for tool calls of the last turn in `load_from_adk_eval_set`."""
SESSION_INPUTS = "session_inputs"
"""The session in the tables of agentplatform's run_inference; the state in it holds texts only."""

TURN_DETAILS = "invocation_details"
"""An extra list with an object for each turn: ids, times and whatever else has no place in a turn."""
RUBRIC_DESCRIPTIONS = "rubric_descriptions"
"""An extra object with the descriptions of rubrics by group and rubric_id."""
RUBRIC_ORDER = "rubric_order"
"""An extra list with the group of each rubric in order. It is written if groups alone would change the order."""
KNOWN_MEMBERS = frozenset([*CASE_MEMBERS, SESSION_INPUTS, TRAJECTORY, TURN_DETAILS, RUBRIC_DESCRIPTIONS, RUBRIC_ORDER])
"""All keys of a case that are read here, apart from google-adk's."""
UNREAD_DETAIL = changed(
    "kept in invocation_details of the case, which agents-cli and agentplatform ignore",
    "Check the spelling of the key: `evaltui validate` reports misspelt keys.",
)
KEPT_SHAPE = "shape"
KEPT_NO_CALLS = "expects_no_calls"
KEPT_FINAL = "has_final_response"
"""Whether the last message of a turn is its final response, if its form suggests otherwise."""
KEPT_GROUP = "rubric_group"
"""The group that holds the rubrics of the turn."""
_KEY = "turn_id"


class TurnDetails:
    """`invocation_details` of a case: details that evaltui keeps for each turn, found by turn id, else by position."""

    def __init__(self, case: Node, fields: SourceFields) -> None:
        self._fields = fields
        self._objects = items_of(case, TURN_DETAILS)
        self._by_id = {turn_id: node for node in self._objects if (turn_id := text_of(node, _KEY))}

    def for_turn(self, turn_id: Value | None, index: int) -> Node | None:
        """The object of a turn; None if it has none."""
        details = self._by_id.get(text_in(turn_id))
        if details is not None:
            self._fields.pass_over(filled(details, _KEY))
            return details
        # A turn may have been deleted or moved since, so an object that names a turn belongs to no other.
        positioned = self._objects[index] if index < len(self._objects) else None
        return positioned if positioned is not None and not text_of(positioned, _KEY) else None
