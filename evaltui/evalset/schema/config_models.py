"""A config: the metrics with their options (`google.adk.evaluation.eval_config.EvalConfig`), and the simulated user.

Separate from the models of eval sets, because editing a set does not need these many models.

A config does not validate the criteria of metrics with keys of their own (`google.adk.evaluation.eval_metrics`):
`BaseCriterion` allows any key. Each evaluator validates its own criterion; if that fails, its metric is not evaluated.
"""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator
from pydantic.alias_generators import to_camel

from evaltui.evalset.schema.eval_case import AdkModel, Rubric
from evaltui.evalset.schema.genai_models import GenerateContentConfig

PLACEHOLDERS = ("stop_signal", "conversation_plan", "conversation_history")
"""Jinja variables that custom instructions must contain."""


def _with_placeholders(text: str | None) -> str | None:
    """`text`, if it is a Jinja template with all placeholders (`is_valid_user_simulator_template`)."""
    if text is None:
        return text
    from jinja2 import StrictUndefined, meta  # noqa: PLC0415  few configs ask it
    from jinja2.sandbox import SandboxedEnvironment  # noqa: PLC0415

    environment, used = SandboxedEnvironment(undefined=StrictUndefined), set[str]()
    # jinja2 can also raise RecursionError; google-adk rejects such a config, too.
    with suppress(Exception):
        used = meta.find_undeclared_variables(environment.parse(text))
    if not used.issuperset(PLACEHOLDERS):
        raise ValueError("custom_instructions")
    return text


class _UserSimulatorConfig(BaseModel):
    """Options of any kind of simulated user; unknown keys are kept."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow")

    model: str = "gemini-2.5-flash"
    model_configuration: GenerateContentConfig = Field(default_factory=GenerateContentConfig)
    max_allowed_invocations: int = 20
    custom_instructions: Annotated[str | None, AfterValidator(_with_placeholders)] = None
    include_function_calls: bool = False


class LlmBackedUserSimulatorConfig(_UserSimulatorConfig):
    """A simulated user who writes."""

    type: Literal["llm_backed"] = "llm_backed"


class LlmAudioUserSimulatorConfig(_UserSimulatorConfig):
    """A simulated user who speaks."""

    type: Literal["llm_audio"] = "llm_audio"
    audio_model: str = "cloud_tts"
    audio_model_configuration: GenerateContentConfig = Field(default_factory=GenerateContentConfig)
    include_text_with_audio: bool = True


_BOTH_SPELLINGS = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class BaseCriterion(BaseModel):
    """The threshold and options of a metric; keys of specific metrics are validated later, so any key is kept."""

    model_config = ConfigDict(**_BOTH_SPELLINGS, extra="allow")

    threshold: float
    include_intermediate_responses_in_final: bool = False


class CodeConfig(BaseModel):
    """A Python object by its dotted path; snake_case only."""

    model_config = ConfigDict(extra="forbid")

    name: str


class ScoreInterval(AdkModel):
    """The range of scores of a metric (`Interval`; genai has another class of that name)."""

    min_value: float
    open_at_min: bool = False
    max_value: float
    open_at_max: bool = False


class MetricValueInfo(AdkModel):
    """The kind of score that a metric gives."""

    interval: ScoreInterval | None = None


class MetricInfo(AdkModel):
    """A metric's description of itself."""

    metric_name: str
    description: str | None = None
    metric_value_info: MetricValueInfo
    requires_threshold: bool = True


class CustomMetricConfig(BaseModel):
    """A custom metric."""

    model_config = _BOTH_SPELLINGS

    code_config: CodeConfig
    metric_info: MetricInfo | None = None
    description: str = ""


class LiveModelConfig(BaseModel):
    """Time limits for a live model."""

    model_config = _BOTH_SPELLINGS

    timeout_seconds: int = 300


class EvalConfig(BaseModel):
    """A config file; unknown keys are allowed."""

    model_config = _BOTH_SPELLINGS

    criteria: dict[str, float | BaseCriterion] = Field(default_factory=dict)
    custom_metrics: dict[str, CustomMetricConfig] | None = None
    user_simulator_config: (
        Annotated[LlmBackedUserSimulatorConfig | LlmAudioUserSimulatorConfig, Field(discriminator="type")] | None
    ) = None
    live_model_config: LiveModelConfig | None = None

    @model_validator(mode="before")
    @classmethod
    def _llm_backed_unless_said(cls, values: Any) -> Any:
        """A simulator without a type is `llm_backed`, the only kind before types existed."""
        if not isinstance(values, dict):
            return values
        for key in ("user_simulator_config", "userSimulatorConfig"):
            inner = values.get(key)
            if isinstance(inner, dict) and inner.get("type") is None:
                values = {**values, key: {**inner, "type": "llm_backed"}}
        return values


class JudgeModelOptions(AdkModel):
    """Options for asking a judge model."""

    judge_model: str = "gemini-2.5-flash"
    judge_model_config: GenerateContentConfig | None = None
    num_samples: int = Field(default=5, ge=1)
    parallelism_limit: int = Field(default=1, ge=1)


class LlmAsAJudgeCriterion(BaseCriterion):
    """Criterion with a judge model."""

    judge_model_options: JudgeModelOptions = Field(default_factory=JudgeModelOptions)


class RubricsBasedCriterion(LlmAsAJudgeCriterion):
    """Criterion with rubrics."""

    rubrics: list[Rubric] = Field(default_factory=list)


class HallucinationsCriterion(LlmAsAJudgeCriterion):
    """Criterion for hallucinations: sentences must be supported by what the agent knew."""

    evaluate_intermediate_nl_responses: bool = False


class LlmBackedUserSimulatorCriterion(LlmAsAJudgeCriterion):
    """Criterion for simulated users, based on the scenario."""

    stop_signal: str = "</finished>"


class MatchType(Enum):
    """The ways to compare calls."""

    EXACT = 0
    IN_ORDER = 1
    ANY_ORDER = 2


class ToolTrajectoryCriterion(BaseCriterion):
    """Criterion that compares calls."""

    match_type: MatchType = MatchType.EXACT
    ignore_args: bool = False

    @field_validator("match_type", mode="before")
    @classmethod
    def _by_name(cls, value: Any) -> Any:
        if isinstance(value, str):
            name = value.strip().upper().replace("-", "_").replace(" ", "_")
            return MatchType.__members__.get(name, value)
        return value


CRITERIA: MappingProxyType[str, type[BaseCriterion]] = MappingProxyType(
    {
        "plain": BaseCriterion,
        "trajectory": ToolTrajectoryCriterion,
        "judge": LlmAsAJudgeCriterion,
        "rubrics": RubricsBasedCriterion,
        "hallucinations": HallucinationsCriterion,
        "user_simulator": LlmBackedUserSimulatorCriterion,
    }
)
