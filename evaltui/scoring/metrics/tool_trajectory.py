"""`tool_trajectory_avg_score`: whether the expected tool calls were made (google-adk's `TrajectoryEvaluator`)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast, get_args

from evaltui.evalset.case_data import as_bool, get
from evaltui.evalset.turn import Turn, TurnCall
from evaltui.printable import one_line
from evaltui.scoring.call_alignment import Calls, Row, align_calls
from evaltui.scoring.call_equality import number_calls, same_call
from evaltui.scoring.call_reasons import describe_call_faults
from evaltui.scoring.metrics.metric import Criterion, Metric, OfflineCriterion, why_unstated

NAME = "tool_trajectory_avg_score"
MatchType = Literal["EXACT", "IN_ORDER", "ANY_ORDER"]
"""EXACT: the same calls, no others. IN_ORDER: the expected calls in order, others between. ANY_ORDER: in any order."""
MATCH_TYPES = cast("tuple[MatchType, ...]", get_args(MatchType))
"""The strictest first. google-adk also accepts their numbers 0, 1, 2."""

_WOULD_PASS = "the tool calls would pass if the config had"
_NAMED = 3
"""The most tools that one sentence names."""

Passes = Mapping[MatchType, bool]


class CallsExplained(NamedTuple):
    """The calls of both sides in rows, and the match types that pass."""

    rows: tuple[Row, ...]
    passes: Passes
    passes_ignoring_args: Passes
    sentences: tuple[str, ...] = ()
    """The faults, each without a capital and full stop; empty if there are none. `options` are the last sentence."""
    options: str = ""
    """The options of the criterion with which failing calls would pass: `match_type IN_ORDER`; "" for none."""

    def to_json(self) -> dict[str, Any]:
        """The explanation for JSON reports."""
        return {
            "rows": [row.to_json() for row in self.rows],
            "passes": dict(self.passes),
            "passes_ignoring_args": dict(self.passes_ignoring_args),
            "sentences": list(self.sentences),
        }


@dataclass(frozen=True)
class ToolTrajectory(OfflineCriterion):
    """1.0 for a turn with the expected calls, else 0.0."""

    match_type: MatchType = "EXACT"
    ignore_args: bool = False

    @classmethod
    def read(cls, name: str, threshold: float | None, raw: Any) -> Criterion:
        """Read the criterion with its match type and `ignore_args`."""
        keys = raw.keys() if isinstance(raw, dict) else set()
        # A key with null is an error, an absent key is the default.
        value = get(raw, "match_type") if keys & {"match_type", "matchType"} else "EXACT"
        kind = read_match_type(value)
        if kind is None:
            refusal = f"its match_type {_json_text(value)} is not one of {', '.join(MATCH_TYPES)}"
            return Criterion(name, threshold, raw, refusal)
        value = get(raw, "ignore_args") if keys & {"ignore_args", "ignoreArgs"} else False
        ignore_args = as_bool(value)
        if ignore_args is None:
            refusal = f"its ignore_args must be true or false, not {_json_text(value)}"
            return Criterion(name, threshold, raw, refusal)
        return cls(name, threshold, raw, match_type=kind, ignore_args=ignore_args)

    def to_json(self) -> dict[str, Any]:
        """The criterion for JSON reports."""
        return {
            **super().to_json(),
            "match_type": self.match_type,
            **({"ignore_args": True} if self.ignore_args else {}),
        }

    def options_text(self) -> str:
        """` IN_ORDER ignoring args`."""
        kind = f" {self.match_type}" if self.match_type != "EXACT" else ""
        return f"{kind}{' ignoring args' if self.ignore_args else ''}"

    def score(self, expected: Turn, actual: Turn) -> float:
        """1.0 if the calls match, else 0.0."""
        return float(trajectory_matches(expected.calls, actual.calls, self.match_type, ignore_args=self.ignore_args))

    def why_unknown(self, expected: Turn, actual: Turn) -> str | None:
        """The calls are not stated or not recorded, or match if their arguments, which are not recorded, do."""
        if reason := why_calls_unknown(expected, actual):
            return reason
        recorded = [call for call in actual.calls if call.has_args]
        if self.ignore_args or len(recorded) == len(actual.calls):
            return None
        if not trajectory_matches(expected.calls, actual.calls, self.match_type, supposes_args=True):
            return None
        has_placeholders = all(call.args for call in actual.calls if not call.has_args)
        if has_placeholders and trajectory_matches(expected.calls, actual.calls, self.match_type):
            return None  # the set has the same placeholders, so somebody accepted this recording
        if self.match_type != "EXACT" and trajectory_matches(expected.calls, recorded, self.match_type):
            return None
        return f"{why_arguments_unknown(actual)}; {_WOULD_PASS} ignore_args"

    def explain(self, expected: Turn, actual: Turn, *, has_failed: bool) -> CallsExplained:
        """The calls side by side, the match types that would pass, and the faults."""
        rows, passing = align_calls(expected.calls, actual.calls), passes(expected.calls, actual.calls)
        ignoring = passing if all(passing.values()) else passes(expected.calls, actual.calls, ignore_args=True)
        explained = CallsExplained(rows, passing, ignoring)
        if not has_failed:
            return explained
        if self.ignore_args:  # arguments that differ are no faults then
            rows = align_calls(*([call._replace(args=None) for call in turn.calls] for turn in (expected, actual)))
        faults = describe_call_faults(expected.calls, actual.calls, rows, self.match_type)
        # The strictest other options that would pass. If these pass, the calls match, but the threshold is above 1.0.
        # Comparing arguments is stricter than any match type, so a looser match type is offered before ignore_args.
        options, compared = "", ignoring if self.ignore_args else passing
        if not compared[self.match_type]:
            if kind := next((kind for kind in MATCH_TYPES if compared[kind]), None):
                options = f"match_type {kind}"
            elif ignoring[self.match_type]:
                options = "ignore_args"
            elif kind := next((kind for kind in MATCH_TYPES if ignoring[kind]), None):
                options = f"match_type {kind} and ignore_args"
        sentences = (*faults, f"{_WOULD_PASS} {options}") if options else faults
        return explained._replace(sentences=sentences, options=options)


METRIC = Metric(
    name=NAME,
    needs="tool_calls",
    since="0.1",
    criterion="trajectory",
    own_keys=("match_type", "ignore_args"),
    default_threshold=1.0,
    offline=ToolTrajectory,
)


def read_match_type(value: object) -> MatchType | None:
    """The match type that google-adk reads from a JSON value; None if google-adk rejects the value.

    It accepts strings in any case, with spaces around and `-` or a space for `_`, and the numbers 0, 1, 2
    (`ToolTrajectoryCriterion._coerce_match_type`). true and 1.0 count as 1, as in a Python enum.
    """
    if isinstance(value, str):
        name = value.strip().upper().replace("-", "_").replace(" ", "_")
        return next((kind for kind in MATCH_TYPES if kind == name), None)
    if isinstance(value, int | float) and value in (0, 1, 2):
        return MATCH_TYPES[int(value)]
    return None


def trajectory_matches(
    expected: Calls, actual: Calls, match_type: MatchType, *, ignore_args: bool = False, supposes_args: bool = False
) -> bool:
    """Whether the actual calls match the expected ones.

    With `supposes_args`, arguments that are not recorded are those that are expected.
    """

    def is_same(call: TurnCall, other_call: TurnCall) -> bool:
        return same_call(call, other_call, ignore_args=ignore_args or (supposes_args and not other_call.has_args))

    if match_type == "EXACT":
        return len(expected) == len(actual) and all(map(is_same, expected, actual))
    # The iterator is shared: each search continues after the last call that was found.
    rest = iter(actual)
    is_in_order = all(any(is_same(call, other_call) for other_call in rest) for call in expected)
    if is_in_order or match_type == "IN_ORDER":
        return is_in_order
    # Counting names is cheap, and a missing tool decides; numbering calls hashes all their arguments.
    if Counter(call.name for call in expected) - Counter(call.name for call in actual):
        return False
    free = [call.name for call in actual if supposes_args and not call.has_args]
    compared = [call for call in actual if not supposes_args or call.has_args]
    numbers, other_numbers = number_calls(expected, compared, ignore_args=ignore_args)
    names = {number: call.name for number, call in zip(numbers, expected, strict=True)}
    return Counter(names[number] for number in (Counter(numbers) - Counter(other_numbers)).elements()) <= Counter(free)


def why_calls_unknown(expected: Turn, actual: Turn) -> str | None:
    """Why nothing is known about the calls; None if they are stated and recorded.

    A recording that states a response and no calls matches a turn that expects none, as for google-adk.
    """
    if reason := why_unstated(expected, "calls"):
        return reason
    is_unknown = "calls" in actual.unrecorded and (bool(expected.calls) or "response" in actual.unrecorded)
    return "the tool calls are not recorded" if is_unknown else None


def why_arguments_unknown(actual: Turn) -> str:
    """`the arguments of get_price are not recorded`."""
    names = dict.fromkeys(one_line(call.name or "", 40) or "a tool" for call in actual.calls if not call.has_args)
    more = len(names) - _NAMED
    *first, last = [*list(names)[:_NAMED], *([f"{more} more"] if more > 0 else [])]
    tools = f"{', '.join(first)} and {last}" if first else last
    return f"the arguments of {tools} are not recorded"


def passes(expected: Calls, actual: Calls, *, ignore_args: bool = False) -> dict[MatchType, bool]:
    """Whether the actual calls pass, by match type. A pass implies a pass of all looser match types."""
    results: dict[MatchType, bool] = {}
    for kind in MATCH_TYPES:
        results[kind] = any(results.values()) or trajectory_matches(expected, actual, kind, ignore_args=ignore_args)
    return results


def raw_with_options(
    raw: Any, threshold: float | None, *, match_type: MatchType | None, ignore_args: bool | None
) -> dict[str, Any]:
    """The config value of a criterion with another match type and `ignore_args`; None leaves an option as it is."""
    changed = dict(raw) if isinstance(raw, dict) else {"threshold": threshold}
    # google-adk prefers the camelCase spelling where a criterion has both, so that one has to go.
    for key, camel_key, value in (("match_type", "matchType", match_type), ("ignore_args", "ignoreArgs", ignore_args)):
        if value is not None:
            changed.pop(camel_key, None)
            changed[key] = value
    return changed


def _json_text(value: Any) -> str:
    return one_line(f'"{value}"' if isinstance(value, str) else json.dumps(value), 40)
