"""One case and its inner models (`google.adk.evaluation.eval_case` and related modules)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from pydantic.alias_generators import to_camel

from evaltui.evalset.schema.genai_models import (
    Content,
    FunctionCall,
    FunctionResponse,
    GenerateContentResponseUsageMetadata,
    GroundingMetadata,
    Part,
)

PERSONAS = ("EXPERT", "NOVICE", "EVALUATOR")
"""The ids in google-adk's registry of personas."""


class AdkModel(BaseModel):
    """Reads camelCase and snake_case, rejects unknown keys (`google.adk.evaluation.common.EvalBaseModel`)."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", defer_build=True)


class IntermediateData(AdkModel):
    """Calls and responses as two lists."""

    tool_uses: list[FunctionCall] = []
    tool_responses: list[FunctionResponse] = []
    intermediate_responses: list[tuple[str, list[Part]]] = []


class InvocationEvent(AdkModel):
    """An intermediate message; unknown keys are allowed, because adk web writes some."""

    model_config = ConfigDict(extra="ignore")

    author: str
    content: Content | None = None
    grounding_metadata: GroundingMetadata | None = None
    usage_metadata: GenerateContentResponseUsageMetadata | None = None
    model_version: str | None = None


class InvocationEvents(AdkModel):
    """Calls and responses as parts of events."""

    invocation_events: list[InvocationEvent] = []


class RubricContent(AdkModel):
    """The text of a rubric."""

    text_property: str | None = None


class Rubric(AdkModel):
    """A rubric: a sentence that a judge model checks."""

    rubric_id: str
    rubric_content: RubricContent
    description: str | None = None
    type: str | None = None


class AgentDetails(AdkModel):
    """The instructions and tools of an agent."""

    name: str
    instructions: str = ""
    tool_declarations: list[Any] = []


class AppDetails(AdkModel):
    """The agents of an app by name."""

    agent_details: dict[str, AgentDetails] = {}


class Invocation(AdkModel):
    """A turn: the user message and the expectations for the agent."""

    invocation_id: str = ""
    user_content: Content
    final_response: Content | None = None
    intermediate_data: IntermediateData | InvocationEvents | None = None
    creation_timestamp: float = 0.0
    duration: float | None = None
    model_duration: float | None = None
    tool_duration: float | None = None
    rubrics: list[Rubric] | None = None
    app_details: AppDetails | None = None


class UserBehavior(BaseModel):
    """One behavior of a simulated user; snake_case only."""

    name: str
    description: str
    behavior_instructions: list[str]
    violation_rubrics: list[str]


class UserPersona(BaseModel):
    """The persona of a simulated user; snake_case only."""

    id: str
    description: str
    behaviors: Sequence[UserBehavior]


class ConversationScenario(AdkModel):
    """The plan of a simulated user."""

    starting_prompt: str
    conversation_plan: str
    user_persona: UserPersona | None = None

    @field_validator("user_persona", mode="before")
    @classmethod
    def _registered(cls, value: Any) -> Any:
        """Replace the id of a registered persona with the persona, as google-adk does."""
        if not isinstance(value, str):
            return value
        if value not in PERSONAS:
            raise ValueError(value)
        return UserPersona(id=value, description="", behaviors=[])


class SessionInput(AdkModel):
    """The session at the start of a case; unknown keys are kept."""

    model_config = ConfigDict(extra="allow")

    app_name: str
    user_id: str
    session_id: str | None = None
    state: dict[str, Any] = {}


class EvalCase(AdkModel):
    """An expected conversation, or a scenario to play; unknown keys are kept."""

    model_config = ConfigDict(extra="allow")

    eval_id: str
    conversation: list[Invocation] | None = None
    conversation_scenario: ConversationScenario | None = None
    session_input: SessionInput | None = None
    creation_timestamp: float = 0.0
    rubrics: list[Rubric] | None = None
    final_session_state: dict[str, Any] | None = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.conversation is None) == (self.conversation_scenario is None):
            raise ValueError("conversation")
        return self


class EvalSet(BaseModel):
    """An eval set file; snake_case only. Unknown keys are allowed but lost when google-adk writes the file."""

    eval_set_id: str
    name: str | None = None
    description: str | None = None
    eval_cases: list[EvalCase]
    creation_timestamp: float = 0.0
