"""Checks of a set together with the config that is loaded for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaltui.document import Insert, Set, json_text
from evaltui.evalset.configs import LoadedConfig
from evaltui.evalset.metrics import match_type
from evaltui.printable import one_line
from evaltui.validation.case_facts import CaseFacts, Found
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.rules import with_config as rules
from evaltui.validation.rules.conversations import NO_EXPECTATION
from evaltui.validation.rules.rubrics import RUBRIC_WITHOUT_TYPE

_CASES = "/eval_cases"


def under(config: LoadedConfig, found: Diagnostic) -> Diagnostic:
    """A finding as it is under a config: worse, or with a fix that only the config can tell."""
    if found.code == NO_EXPECTATION.code and (config.needing("tool_calls") or config.needing("final_response")):
        return replace(found, severity="warning")
    if found.code == RUBRIC_WITHOUT_TYPE.code and found.fix is not None and len(config.rubric_types) == 1:
        (kind,) = config.rubric_types
        edits = tuple(
            replace(edit, source=json_text(kind)) for edit in found.fix.edits if isinstance(edit, Insert | Set)
        )
        return replace(found, fix=Fix(f"Give it the type {kind}", True, edits))
    return found


def check_with_config(config: LoadedConfig, cases: Sequence[CaseFacts]) -> Iterator[Found]:
    """The findings of group `config` in a set, by what is known of its cases."""
    if not any(facts.expects_text for facts in cases):  # scenarios, or no cases: nothing to compare with by nature
        return
    yield from _final_responses(config, cases)
    yield from _trajectories(config, cases)
    yield from _rubrics(config, cases)


def _final_responses(config: LoadedConfig, cases: Sequence[CaseFacts]) -> Iterator[Found]:
    metrics = [metric.name for metric in config.needing("final_response")]
    if not metrics:
        return
    if not any(any(facts.expects_text) for facts in cases):
        said = f"the config has {' and '.join(metrics)}, and no case has a final response to compare with"
        yield None, rules.METRIC_WITHOUT_EXPECTATIONS.at(_CASES, said)
        return
    for number, facts in enumerate(cases):
        if facts.expects_nothing:
            continue
        for turn, has_text in enumerate(facts.expects_text):
            if not has_text:
                said = f"no final response is expected here, which {metrics[0]} scores as 0.0"
                pointer = f"/conversation/{turn}/final_response"
                yield number, rules.EMPTY_FINAL_RESPONSE.at(pointer, said)


def _trajectories(config: LoadedConfig, cases: Sequence[CaseFacts]) -> Iterator[Found]:
    metrics = config.needing("tool_calls")
    if not metrics:
        return
    if not any(any(facts.expects_calls) for facts in cases):
        said = f"the config has {metrics[0].name}, and no case expects a tool call"
        yield None, rules.METRIC_WITHOUT_EXPECTATIONS.at(_CASES, said)
    elif _is_exact(config, metrics[0].name):
        for number, facts in enumerate(cases):
            if any(facts.expects_calls) and not all(facts.expects_calls):
                without = [str(turn) for turn, expects in enumerate(facts.expects_calls, 1) if not expects]
                turns = f"turn{'s' * (len(without) > 1)} {', '.join(without[:5])}{' …' if len(without) > 5 else ''}"
                said = f"no tool call is expected in {turns}, unlike in others, so the agent must make none there"
                yield number, rules.UNEVEN_TRAJECTORY.at("/conversation", said)


def _is_exact(config: LoadedConfig, metric: str) -> bool:
    raw = config.criteria[metric].raw
    given = raw.get("match_type", raw.get("matchType", "EXACT")) if isinstance(raw, dict) else "EXACT"
    return match_type(given) == "EXACT"


def _rubrics(config: LoadedConfig, cases: Sequence[CaseFacts]) -> Iterator[Found]:
    for metric in config.needing("rubrics"):
        criterion = config.criteria[metric.name]
        if not criterion.rubric_ids and not any(metric.rubric_type in facts.rubric_types for facts in cases):
            said = f"the config has {metric.name} without rubrics, and no case has one of type {metric.rubric_type}"
            yield None, rules.METRIC_WITHOUT_RUBRICS.at(_CASES, said)
        for number, facts in enumerate(cases):
            for identifier, kind, pointer in facts.rubric_ids:
                if kind == metric.rubric_type and identifier in criterion.rubric_ids:
                    said = f"the config has a rubric {one_line(identifier, 40)!r}, so {metric.name} is not evaluated"
                    yield number, rules.RUBRIC_ID_IN_CONFIG.at(pointer, said)
