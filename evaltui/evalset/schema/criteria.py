"""The criteria of the metrics that have keys of their own (`google.adk.evaluation.eval_metrics`).

A config keeps them unread (`BaseCriterion` allows any key); each evaluator reads its own when it is made, and where
that fails its metric is not evaluated.
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
    """How a judge model is asked."""

    judge_model: str = "gemini-2.5-flash"
    judge_model_config: GenerateContentConfig | None = None
    num_samples: int = Field(default=5, ge=1)
    parallelism_limit: int = Field(default=1, ge=1)


class LlmAsAJudgeCriterion(BaseCriterion):
    """Judged by a model."""

    judge_model_options: JudgeModelOptions = Field(default_factory=JudgeModelOptions)


class RubricsBasedCriterion(LlmAsAJudgeCriterion):
    """Judged by rubrics."""

    rubrics: list[Rubric] = Field(default_factory=list)


class HallucinationsCriterion(LlmAsAJudgeCriterion):
    """Judged by what the agent could know."""

    evaluate_intermediate_nl_responses: bool = False


class LlmBackedUserSimulatorCriterion(LlmAsAJudgeCriterion):
    """Judged by the scenario."""

    stop_signal: str = "</finished>"


class MatchType(Enum):
    """How calls are compared."""

    EXACT = 0
    IN_ORDER = 1
    ANY_ORDER = 2


class ToolTrajectoryCriterion(BaseCriterion):
    """Compared by calls."""

    match_type: MatchType = MatchType.EXACT
    ignore_args: bool = False

    @field_validator("match_type", mode="before")
    @classmethod
    def _by_name(cls, value: Any) -> Any:
        """Take the name of a match type in any spelling for it."""
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
