"""google-adk's metrics as they are known here, and as google-adk itself tells them."""

import json
import subprocess
from typing import Any

import pytest

from evaltui.evalset.schema.config_models import CRITERIA, MatchType, ToolTrajectoryCriterion
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES, read_match_type

_PROGRAM = """
import json, warnings
warnings.simplefilter("ignore")
from google.adk.evaluation import metric_info_providers as providers
from google.adk.evaluation.eval_metrics import MetricInfoProvider, PrebuiltMetrics
def infos():
    for kind in vars(providers).values():
        if isinstance(kind, type) and issubclass(kind, MetricInfoProvider) and kind is not MetricInfoProvider:
            if kind is providers.ResponseEvaluatorMetricInfoProvider:
                yield kind("response_match_score").get_metric_info()
                yield kind("response_evaluation_score").get_metric_info()
            else:
                yield kind().get_metric_info()
def span(info):
    interval = info.metric_value_info.interval
    return interval and [interval.min_value, interval.max_value if interval.max_value != float("inf") else None]
print(json.dumps({getattr(info.metric_name, "value", info.metric_name): [span(info), info.requires_threshold]
                  for info in infos()}))
"""


def test_the_metrics_their_ranges_and_which_only_inform_are_those_of_google_adk(adk_python: str) -> None:
    run = subprocess.run([adk_python, "-c", _PROGRAM], capture_output=True, text=True, check=True)
    theirs = json.loads(run.stdout.splitlines()[-1])
    assert {name: needs for name, (_, needs) in theirs.items()} == {
        metric.name: not metric.informational for metric in METRICS.values()
    }
    assert {name: span for name, (span, needs) in theirs.items() if needs} == {
        metric.name: list(metric.range) for metric in METRICS.values() if metric.range is not None
    }


def test_a_kind_of_criterion_has_the_keys_of_its_model() -> None:
    theirs = {(kind, tuple(model.model_fields)) for kind, model in CRITERIA.items()}
    assert {(metric.criterion, metric.criterion_keys) for metric in METRICS.values()} == theirs


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("EXACT", "EXACT"),
        (" any order\n", "ANY_ORDER"),
        ("in-order", "IN_ORDER"),
        (0, "EXACT"),
        (1.0, "IN_ORDER"),
        (True, "IN_ORDER"),
        (2, "ANY_ORDER"),
        (3, None),
        (1.5, None),
        ("1", None),
        ("FUZZY", None),
        (None, None),
        ([], None),
    ],
)
def test_a_match_type_is_read_as_the_criterion_reads_it(value: Any, expected: str | None) -> None:
    assert read_match_type(value) == expected
    try:
        read = ToolTrajectoryCriterion(threshold=1, match_type=value).match_type.name
    except ValueError:
        read = None
    assert read == expected


def test_match_types_stand_in_the_order_of_their_numbers() -> None:
    assert [MatchType(number).name for number in range(3)] == list(MATCH_TYPES)
