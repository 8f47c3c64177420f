"""The criteria of metrics with keys of their own (`google.adk.evaluation.eval_metrics`).

A config does not validate them (`BaseCriterion` allows any key). Each evaluator validates its own; if that fails,
its metric is not evaluated.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import Any

from pydantic import Field, field_validator

from evaltui.evalset.schema.base import AdkModel
from evaltui.evalset.schema.eval_case import Rubric
from evaltui.evalset.schema.eval_config import BaseCriterion
from evaltui.evalset.schema.generate_content import GenerateContentConfig


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
        """Accept the name of a match type in any spelling."""
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
