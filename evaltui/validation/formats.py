"""What google-adk says to a file that is no eval set."""

from __future__ import annotations

from types import MappingProxyType

from evaltui.evalset.formats import Format
from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.rule import Rule
from evaltui.validation.rules import formats as rules

_SAID: MappingProxyType[Format, tuple[Rule, str]] = MappingProxyType(
    {
        "legacy_cases": (
            rules.LEGACY_CASES,
            "this is a list of cases in google-adk's old form (v1), which adk eval still converts at each run",
        ),
        "legacy_turns": (
            rules.LEGACY_TURNS,
            "this is a list of turns in google-adk's oldest form (v0), which only AgentEvaluator reads",
        ),
        "evaluation_dataset": (
            rules.EVALUATION_DATASET,
            "this is an EvaluationDataset of Vertex AI, which agents-cli reads",
        ),
        "ces_evaluation": (rules.CES_EVALUATION, "this is a CES evaluation"),
        "eval_set_result": (rules.EVAL_SET_RESULT, "this is the result of a run, and not what was run"),
        "eval_config": (rules.CONFIG_AS_SET, "this is an eval config, which goes beside a set as test_config.json"),
        "json": (rules.OTHER_JSON, "this is no eval set: it has neither eval_set_id nor eval_cases"),
    }
)


def as_set(found: Format) -> list[Diagnostic]:
    """What is wrong with a file of a format when it is given as an eval set; nothing for one."""
    if found not in _SAID:
        return []
    rule, said = _SAID[found]
    return [rule.at("", f"google-adk rejects this: {said}")]
