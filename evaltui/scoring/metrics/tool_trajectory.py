"""`tool_trajectory_avg_score`: whether the expected tool calls were made (google-adk's `TrajectoryEvaluator`)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self, cast, get_args

from evaltui.evalset.case_data import as_bool, get
from evaltui.evalset.turn import Turn, TurnCall
from evaltui.printable import one_line
from evaltui.scoring.alignment import Calls, Row, align
from evaltui.scoring.call_sentences import sentences_on_calls
from evaltui.scoring.equality import Kinds, same_call
from evaltui.scoring.metrics.metric import CriterionError, Metric, OfflineCriterion, why_unstated

NAME = "tool_trajectory_avg_score"
MatchType = Literal["EXACT", "IN_ORDER", "ANY_ORDER"]
"""EXACT: the same calls, no others. IN_ORDER: the expected calls in order, others between. ANY_ORDER: in any order."""
MATCH_TYPES = cast("tuple[MatchType, ...]", get_args(MatchType))
"""The strictest first. google-adk also accepts their numbers 0, 1, 2."""

_IGNORING = "the tool calls would pass if the config had ignore_args"
_NAMED = 3
"""The most tools that one sentence names."""

Passes = Mapping[MatchType, bool]


class CallsExplained(NamedTuple):
    """The calls of both sides in rows, and the match types that pass."""

    rows: tuple[Row, ...]
    passes: Passes
    passes_ignoring_args: Passes
    sentences: tuple[str, ...] = ()
    """The faults, each without a capital and full stop; empty if there are none."""

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
    def read(cls, name: str, threshold: float | None, raw: Any) -> Self:
        """Read the criterion with its match type and `ignore_args`. Raises `CriterionError`."""
        kind, ignoring = "EXACT", False
        members = raw.keys() if isinstance(raw, dict) else set()
        if members & {"match_type", "matchType"}:
            value = get(raw, "match_type")
            found = match_type(value)
            if found is None:
                raise CriterionError(f"its match_type {_shown(value)} is not one of {', '.join(MATCH_TYPES)}")
            kind = found
        if members & {"ignore_args", "ignoreArgs"}:
            value = get(raw, "ignore_args")
            is_set = as_bool(value)
            if is_set is None:
                raise CriterionError(f"its ignore_args must be true or false, not {_shown(value)}")
            ignoring = is_set
        return cls(name, threshold, raw, match_type=cast("MatchType", kind), ignore_args=ignoring)

    def to_json(self) -> dict[str, Any]:
        """The criterion for JSON reports."""
        shown = {**super().to_json(), "match_type": self.match_type}
        return {**shown, "ignore_args": True} if self.ignore_args else shown

    def options_text(self) -> str:
        """` IN_ORDER ignoring args`."""
        kind = f" {self.match_type}" if self.match_type != "EXACT" else ""
        return f"{kind}{' ignoring args' if self.ignore_args else ''}"

    def score(self, expected: Turn, actual: Turn) -> float:
        """1.0 if the calls match, else 0.0."""
        return float(trajectory_matches(expected.calls, actual.calls, self.match_type, ignore_args=self.ignore_args))

    def why_unknown(self, expected: Turn, actual: Turn) -> str | None:
        """The calls are not stated or not recorded, or match if their arguments, which are not recorded, do."""
        if why := why_calls_unknown(expected, actual):
            return why
        known = [call for call in actual.calls if call.has_args]
        if self.ignore_args or len(known) == len(actual.calls):
            return None
        if not may_match(expected.calls, actual.calls, self.match_type):
            return None
        are_kept = all(call.args for call in actual.calls if not call.has_args)
        if are_kept and trajectory_matches(expected.calls, actual.calls, self.match_type):
            return None  # the set has the same placeholders
        if self.match_type != "EXACT" and trajectory_matches(expected.calls, known, self.match_type):
            return None
        return f"{why_arguments_unknown(actual)}; {_IGNORING}"

    def explain(self, expected: Turn, actual: Turn, *, has_failed: bool) -> CallsExplained:
        """The calls side by side, the match types that would pass, and the faults."""
        ours, theirs = expected.calls, actual.calls
        rows, passing = align(ours, theirs), passes(ours, theirs)
        ignoring = passing if all(passing.values()) else passes(ours, theirs, ignore_args=True)
        said = self._sentences(ours, theirs, rows, passing, ignoring) if has_failed else ()
        return CallsExplained(rows, passing, ignoring, said)

    def _sentences(
        self, expected: Calls, actual: Calls, rows: Sequence[Row], passing: Passes, ignoring: Passes
    ) -> tuple[str, ...]:
        seen = align(_names_only(expected), _names_only(actual)) if self.ignore_args else rows
        said = sentences_on_calls(expected, actual, seen, self.match_type)
        hint = self._what_would_pass(passing, ignoring)
        return (*said, hint) if hint is not None else said

    def _what_would_pass(self, passing: Passes, ignoring: Passes) -> str | None:
        """A sentence about the strictest other options that would pass; None if no options would."""
        if (ignoring if self.ignore_args else passing)[self.match_type]:
            return None  # the calls match, but the threshold is above 1.0
        if not self.ignore_args:
            found = next((kind for kind in MATCH_TYPES if passing[kind]), None)
            if found:
                return f"the tool calls would pass if the config had match_type {found}"
            if ignoring[self.match_type]:
                return _IGNORING
        found = next((kind for kind in MATCH_TYPES if ignoring[kind]), None)
        also = "" if self.ignore_args else " and ignore_args"
        return f"the tool calls would pass if the config had match_type {found}{also}" if found else None


METRIC = Metric(
    name=NAME,
    needs="tool_calls",
    since="0.1",
    criterion="trajectory",
    own_keys=("match_type", "ignore_args"),
    default_threshold=1.0,
    offline=ToolTrajectory,
)


def match_type(value: object) -> MatchType | None:
    """The match type that google-adk reads from a JSON value; None if google-adk rejects the value.

    It accepts strings in any case, with spaces around and `-` or a space for `_`, and the numbers 0, 1, 2
    (`ToolTrajectoryCriterion._coerce_match_type`). true and 1.0 count as 1, as in a Python enum.
    """
    if isinstance(value, str):
        name = value.strip().upper().replace("-", "_").replace(" ", "_")
        return next((each for each in MATCH_TYPES if each == name), None)
    if isinstance(value, int | float) and value in (0, 1, 2):
        return MATCH_TYPES[int(value)]
    return None


def trajectory_matches(expected: Calls, actual: Calls, match_type: MatchType, *, ignore_args: bool = False) -> bool:
    """Whether the actual calls match the expected ones."""
    if match_type == "EXACT":
        if len(expected) != len(actual):
            return False
        for one, other in zip(expected, actual, strict=True):  # noqa: SIM110 - a generator takes twice the time
            if not same_call(one, other, ignore_args=ignore_args):
                return False
        return True
    # The iterator is shared: each search continues after the last call that was found.
    left = iter(actual)
    is_in_order = all(any(same_call(call, other, ignore_args=ignore_args) for other in left) for call in expected)
    if is_in_order or match_type == "IN_ORDER":
        return is_in_order
    if Counter(call.name for call in expected) - Counter(call.name for call in actual):
        return False
    kinds = Kinds(ignore_args=ignore_args)
    return Counter(kinds.of(expected)) <= Counter(kinds.of(actual))


def may_match(expected: Calls, actual: Calls, match_type: MatchType) -> bool:
    """Whether the actual calls match if arguments that are not recorded are those that are expected."""
    if match_type == "ANY_ORDER":
        kinds = Kinds()
        left = Counter(kinds.of(expected)) - Counter(kinds.of(call for call in actual if call.has_args))
        names = {kind: call.name for kind, call in zip(kinds.of(expected), expected, strict=True)}
        needed = Counter(names[kind] for kind in left.elements())
        return needed <= Counter(call.name for call in actual if not call.has_args)
    if match_type == "EXACT" and len(expected) != len(actual):
        return False
    rest = iter(actual)
    if match_type == "EXACT":
        return all(_may_be(call, other) for call, other in zip(expected, rest, strict=True))
    return all(any(_may_be(call, other) for other in rest) for call in expected)


def _may_be(expected: TurnCall, actual: TurnCall) -> bool:
    return same_call(expected, actual, ignore_args=not actual.has_args)


def why_calls_unknown(expected: Turn, actual: Turn) -> str | None:
    """Why nothing is known about the calls; None if they are stated and recorded.

    A recording that states a response and no calls matches a turn that expects none, as for google-adk.
    """
    if why := why_unstated(expected, "calls"):
        return why
    is_unknown = "calls" in actual.unrecorded and (bool(expected.calls) or "response" in actual.unrecorded)
    return "the tool calls are not recorded" if is_unknown else None


def why_arguments_unknown(actual: Turn) -> str:
    """`the arguments of get_price are not recorded`."""
    names = dict.fromkeys(one_line(call.name or "", 40) or "a tool" for call in actual.calls if not call.has_args)
    more = len(names) - _NAMED
    shown = [*list(names)[:_NAMED], *([f"{more} more"] if more > 0 else [])]
    said = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"the arguments of {said} are not recorded"


def passes(expected: Calls, actual: Calls, *, ignore_args: bool = False) -> dict[MatchType, bool]:
    """Whether the actual calls pass, by match type. A pass implies a pass of all looser match types."""
    found: dict[MatchType, bool] = {}
    does = False
    for match_type in MATCH_TYPES:
        does = does or trajectory_matches(expected, actual, match_type, ignore_args=ignore_args)
        found[match_type] = does
    return found


def with_options(
    raw: Any, threshold: float | None, *, wanted: MatchType | None, ignore_args: bool | None
) -> dict[str, Any]:
    """The config value of a criterion with another match type and `ignore_args`; None leaves an option as it is."""
    changed = dict(raw) if isinstance(raw, dict) else {"threshold": threshold}
    if wanted is not None:
        changed.pop("matchType", None)
        changed["match_type"] = wanted
    if ignore_args is not None:
        changed.pop("ignoreArgs", None)
        changed["ignore_args"] = ignore_args
    return changed


def _names_only(calls: Calls) -> list[TurnCall]:
    return [call._replace(args=None) for call in calls]


def _shown(value: Any) -> str:
    return one_line(f'"{value}"' if isinstance(value, str) else json.dumps(value), 40)
