"""Baselines: the verdicts and scores of a run in a small JSON file without texts, for comparison with later runs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from operator import attrgetter
from typing import Any, NamedTuple, cast

from evaltui.document.document import Document
from evaltui.document.value_comparison import value_hash
from evaltui.evalset.dataset_turns import stated_text
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.printable import one_line, quoted
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.metrics.metric import OfflineCriterion
from evaltui.scoring.results import Status, plain
from evaltui.scoring.score_change import Standing, known_score, standing_of
from evaltui.scoring.scored_set import ScoredSet

_VERSION = 1
_STATUSES = ("passed", "failed", "not_evaluated")


class BaselineError(ValueError):
    """A baseline cannot be read, or is for another set. The message is a sentence without the file."""


class Baseline(NamedTuple):
    """The verdicts and scores of a run, for comparison with later runs."""

    set_title: str | None
    """The set of the run: its eval_set_id, or the file name of a dataset. None if the run had neither."""
    criteria: Mapping[str, Any]
    """The criteria in short, by the name of the metric."""
    cases: Mapping[str, tuple[Standing, str]]
    """The verdict and the hash (`hash_of_case`) of each case, by eval_id, in the order of the ids."""

    def is_for(self, subject: ExpectedSet) -> bool:
        """Whether it may be compared with a run of this set. One without a title may be of any dataset."""
        return self.set_title == subject.title or (self.set_title is None and subject.is_dataset)


def baseline_of(run: ScoredSet) -> Baseline:
    """The baseline of a run, without cases whose eval_id is absent or a duplicate."""
    unique = unique_ids(run.subject)
    cases = {
        case.eval_id: (standing_of(case), hash_of_case(run.subject, case.number))
        for case in sorted(run.cases, key=lambda case: case.eval_id)
        if case.eval_id in unique
    }
    return Baseline(run.subject.title, criteria_in_short(run.criteria), cases)


def hash_of_case(subject: ExpectedSet, number: int) -> str:
    """The hash of a case's value; in a dataset only of what the case states, without what an agent did."""
    source = subject.source_of(number)
    return value_hash(stated_text(source) if subject.is_dataset else source)


def unique_ids(subject: ExpectedSet) -> frozenset[str]:
    """The eval_ids that are unique in the set."""
    counts = Counter(subject.eval_ids)
    return frozenset(eval_id for eval_id, count in counts.items() if eval_id and count == 1)


def criteria_in_short(criteria: Criteria) -> dict[str, Any]:
    """The criteria in a baseline, by name. Rubrics and judge options become a hash: a baseline has no texts."""
    short = {criterion.name: criterion.to_json() for criterion in sorted(criteria.judged, key=attrgetter("name"))}
    for criterion in criteria.judged:
        has_options = isinstance(criterion.raw, dict) and bool(criterion.raw.keys() - {"threshold"})
        if has_options and not isinstance(criterion, OfflineCriterion):
            short[criterion.name]["hash"] = value_hash(json.dumps(plain(criterion.raw)).encode())
    return short


# --- the file ------------------------------------------------------------------------------------------------------


def baseline_text(baseline: Baseline) -> str:
    """The JSON text of a baseline: a line for each case, in the order of the ids, so that diffs in git are small."""
    cases = {
        eval_id: {"status": status, "hash": digest, "metrics": dict(sorted(scores.items()))}
        for eval_id, ((status, scores), digest) in baseline.cases.items()
    }
    members = [
        f'  "version": {_VERSION}',
        f'  "set": {_json(baseline.set_title)}',
        f'  "criteria": {_lines(baseline.criteria)}',
        f'  "cases": {_lines(cases)}',
    ]
    return "{\n" + ",\n".join(members) + "\n}\n"


def _lines(members: Mapping[str, Any]) -> str:
    if not members:
        return "{}"
    return "{\n" + ",\n".join(f"    {_json(name)}: {_json(value)}" for name, value in members.items()) + "\n  }"


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


def read_baseline(data: bytes) -> Baseline:
    """Parse a baseline from the bytes of a file. Raises `BaselineError`."""
    document = Document(data)
    if document.fault is not None:
        line, column = document.line_and_column(document.fault.offset)
        raise BaselineError(f"line {line}, column {column}: invalid JSON: {document.fault.message}")
    root = document.root
    cases = root.member("cases") if root is not None and root.kind == "object" else None
    # The cases in the output of `run --format json` are a list.
    if root is None or cases is None or cases.kind != "object" or root.member("version") is None:
        raise BaselineError("this is not a baseline; evaltui run --save-baseline writes one")
    for value in (root, cases):  # a git merge of two branches can produce a duplicate key
        counts = Counter(item.name for item in value.items)
        twice = next((name for name, count in counts.items() if count > 1), None)
        if twice is not None:
            raise BaselineError(f"the key {quoted(twice, 60)} appears twice; save the baseline again")
    try:
        return _read(root.value())
    except ValueError as error:
        if isinstance(error, BaselineError):
            raise
        raise BaselineError("the values of the baseline cannot be read; save the baseline again") from error


def _read(value: dict[str, Any]) -> Baseline:
    version = value["version"]
    if isinstance(version, bool) or version != _VERSION:
        number = one_line(str(version), 20)
        raise BaselineError(
            f"the baseline has version {number}, but this evaltui reads version {_VERSION}; save the baseline again"
        )
    title, criteria, cases = value.get("set"), value.get("criteria"), value["cases"]
    if not isinstance(title, str | None):
        raise _wrong("/set", "a string or null")
    if not isinstance(criteria, dict):
        raise _wrong("/criteria", "an object")
    return Baseline(title, criteria, {name: _read_case(name, cases[name]) for name in sorted(cases)})


def _read_case(eval_id: str, value: Any) -> tuple[Standing, str]:
    place = f"/cases/{one_line(eval_id, 60)}"
    if not isinstance(value, dict):
        raise _wrong(place, "an object")
    status, digest, metrics = value.get("status"), value.get("hash"), value.get("metrics")
    if status not in _STATUSES:
        raise _wrong(f"{place}/status", f"one of {', '.join(_STATUSES)}")
    if not isinstance(digest, str):
        raise _wrong(f"{place}/hash", "a string")
    if not isinstance(metrics, dict):
        raise _wrong(f"{place}/metrics", "an object")
    scores: dict[str, float | None] = {}
    for name, score in metrics.items():
        if isinstance(score, bool) or not isinstance(score, int | float | None):
            raise _wrong(f"{place}/metrics/{one_line(name, 60)}", "a number or null")
        try:
            scores[name] = known_score(None if score is None else float(score))
        except OverflowError:  # an integer beyond all floats
            scores[name] = None
    return (cast("Status", status), scores), digest


def _wrong(place: str, expected: str) -> BaselineError:
    return BaselineError(f"{place} is not {expected}; save the baseline again")
