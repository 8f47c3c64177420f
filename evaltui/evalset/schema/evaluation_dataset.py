"""An EvaluationDataset and its inner models (`agentplatform.types` of google-cloud-aiplatform 2.7.0).

No key is required. Keys are read in camelCase and snake_case at every level.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import ConfigDict

from evaltui.evalset.schema.base import GenaiModel, Word
from evaltui.evalset.schema.content import Content
from evaltui.evalset.schema.tools import Tool


class BigQuerySource(GenaiModel):
    """A table with the cases (`google.genai.types.BigQuerySource`)."""

    input_uri: str | None = None


class GcsSource(GenaiModel):
    """Files with the cases (`google.genai.types.GcsSource`)."""

    uris: list[str] | None = None


class ResponseCandidate(GenaiModel):
    """A response of a model: the reference of a case, or a recorded response."""

    response: Content | None = None


class HistoryMessage(GenaiModel):
    """A message before the prompt (`types.evals.Message`)."""

    turn_id: str | None = None
    content: Content | None = None
    creation_timestamp: datetime | None = None
    author: str | None = None


class IntermediateEvent(GenaiModel):
    """A call, tool response or text of the last turn before the response (`types.evals.Event`)."""

    event_id: str | None = None
    content: Content | None = None
    creation_timestamp: datetime | None = None
    author: str | None = None


class AgentConfig(GenaiModel):
    """The instruction and tools of an agent."""

    agent_id: str | None = None
    agent_type: str | None = None
    description: str | None = None
    instruction: str | None = None
    tools: list[Tool] | None = None
    sub_agents: list[str] | None = None


class AgentEvent(GenaiModel):
    """A message of the user or of an agent, with its state changes."""

    author: str | None = None
    content: Content | None = None
    event_time: datetime | None = None
    state_delta: dict[str, Any] | None = None
    active_tools: list[Tool] | None = None


class ConversationTurn(GenaiModel):
    """The events from one user message to the next."""

    turn_index: int | None = None
    turn_id: str | None = None
    events: list[AgentEvent] | None = None


class AgentData(GenaiModel):
    """A conversation with several turns or agents."""

    agents: dict[str, AgentConfig] | None = None
    turns: list[ConversationTurn] | None = None


class AgentInfo(GenaiModel):
    """The agents of a case without agent data."""

    name: str | None = None
    agents: dict[str, AgentConfig] | None = None
    root_agent_id: str | None = None


class UserScenario(GenaiModel):
    """The plan of a simulated user."""

    starting_prompt: str | None = None
    conversation_plan: str | None = None
    test_case_title: str | None = None


class RubricProperty(GenaiModel):
    """The text of a rubric (`types.evals.RubricContentProperty`)."""

    description: str | None = None


class DatasetRubricContent(GenaiModel):
    """The content of a rubric (`types.evals.RubricContent`)."""

    property: RubricProperty | None = None


class DatasetRubric(GenaiModel):
    """A rubric (`types.evals.Rubric`)."""

    rubric_id: str | None = None
    content: DatasetRubricContent | None = None
    type: str | None = None
    importance: Word | None = None


class RubricGroup(GenaiModel):
    """Rubrics that a metric checks together."""

    group_id: str | None = None
    display_name: str | None = None
    rubrics: list[DatasetRubric] | None = None


class GeminiAgentConfig(GenaiModel):
    """The agent of an interaction."""

    gemini_agent: str | None = None


class InteractionsDataSource(GenaiModel):
    """An interaction that the service converts into agent data."""

    gemini_agent_config: GeminiAgentConfig | None = None
    interaction: str | None = None


class DatasetCase(GenaiModel):
    """One case (`types.EvalCase`); unknown keys are kept for the prompts of custom metrics."""

    model_config = ConfigDict(extra="allow")

    prompt: Content | None = None
    responses: list[ResponseCandidate] | None = None
    reference: ResponseCandidate | None = None
    system_instruction: Content | None = None
    conversation_history: list[HistoryMessage] | None = None
    rubric_groups: dict[str, RubricGroup] | None = None
    eval_case_id: str | None = None
    intermediate_events: list[IntermediateEvent] | None = None
    agent_info: AgentInfo | None = None
    agent_data: AgentData | None = None
    user_scenario: UserScenario | None = None
    interactions_data_source: InteractionsDataSource | None = None


class EvaluationDataset(GenaiModel):
    """A dataset file; unknown keys are rejected at the top level."""

    bigquery_source: BigQuerySource | None = None
    gcs_source: GcsSource | None = None
    eval_cases: list[DatasetCase] | None = None
    eval_dataset_df: list[dict[str, Any]] | None = None
    candidate_name: str | None = None
