"""Result files with any damage: a comparison or a sentence, never a traceback."""

import copy
import json
import random
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evaltui.printable import is_unsafe
from evaltui.report.compare_reports import comparison_as_data, comparison_lines, comparison_markdown
from evaltui.report.json_text import json_text
from evaltui.result_files.compared_results import ComparedResults, JudgedResult, ResultError, compare_results
from evaltui.result_files.result_file import open_result
from evaltui.scoring.score_change import REGRESSIONS_FIRST
from tests.commands.runs import ACTUAL, ASK, EXPECTED, GREETING
from tests.commands.test_compare_command import CALLS, FAILED, PASSED, WORDS, adk, agents_cli, judged

JUNK: list[Any] = [None, True, 0, -1, 5, 1e308, float("nan"), "", "passed", "\x1b[31m\ud800", [], [[]], {}, {"a": 1}]


def run_document() -> dict[str, Any]:
    side = {"calls": [{"name": "book", "args": {"flight_id": "1"}}], "response": "Booked"}
    metric = {"name": CALLS, "score": 1.0, "threshold": 1.0, "status": "passed", "reason": None}
    turn = {
        "turn": 1,
        "expected": side,
        "actual": {**side, "response": "No"},
        "metrics": [{**metric, "status": "failed", "explanation": {"sentences": ["it is wrong"]}}],
    }
    cases = [{"eval_id": "a", "status": "passed", "reason": None, "metrics": [metric], "turns": [turn]}]
    return {"version": 1, "set": {"eval_set_id": "trips"}, "cases": cases, "summary": {}}


def documents() -> list[Any]:
    (wanted,), (done,) = EXPECTED["conversation"], ACTUAL["conversation"]
    bad = judged("a", (CALLS, 0.0, FAILED), (WORDS, 0.5, FAILED), actual=done, expected=wanted)
    good = judged("a", (CALLS, 1.0, PASSED), (WORDS, 1.0, PASSED), actual=wanted, expected=wanted)
    other = judged("greeting", (WORDS, 1.0, PASSED), actual=GREETING["conversation"][0])
    assert ASK
    return [adk(good, other), adk(bad, good), agents_cli({"a": {WORDS: 0.5}, "b": {"q": 5, "r": "no"}}), run_document()]


def damaged(value: Any, rng: random.Random) -> Any:
    """A copy of the value with one to three members replaced by junk, deleted or doubled."""
    value = copy.deepcopy(value)
    for _ in range(rng.randint(1, 3)):
        places = list(_places(value))
        container, key = rng.choice(places)
        act = rng.random()
        if act < 0.7:
            container[key] = copy.deepcopy(rng.choice(JUNK))
        elif act < 0.85:
            del container[key]
        elif isinstance(container, list):
            container.append(copy.deepcopy(container[key]))
        if not places or not isinstance(value, dict) or not value:
            break
    return value


def _places(value: Any) -> Any:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def opened(value: Any, name: str) -> JudgedResult | None:
    try:
        return open_result(name, json.dumps(value).encode())
    except ResultError as error:
        assert str(error).startswith(f"{name}: ")
        return None


def compared(base: JudgedResult, candidate: JudgedResult) -> ComparedResults | None:
    try:
        return compare_results(base, candidate)
    except ResultError as error:
        assert "set" in str(error)
        return None


@given(st.randoms(use_true_random=False))
def test_any_damage_gives_a_comparison_or_a_sentence(rng: random.Random) -> None:
    one, other = (opened(damaged(rng.choice(documents()), rng), name) for name in ("base.json", "candidate.json"))
    found = compared(one, other) if one is not None and other is not None else None
    if found is None:
        return
    said = json.loads(json_text(comparison_as_data(found)))
    assert sum(said["counts"].values()) == len(said["cases"])
    ranks = [REGRESSIONS_FIRST.index(each["change"]) for each in said["cases"]]
    assert ranks == sorted(ranks)
    assert found.exit_code("never") == 0
    assert (found.exit_code("regression") == 1) == (said["counts"]["regressed"] > 0)
    shown = "\n".join(line.plain.rstrip() for line in comparison_lines(found, 80))
    for text in (comparison_markdown(found), shown):
        assert not is_unsafe(text.replace("\n", ""))


@given(st.randoms(use_true_random=False))
def test_a_result_compared_with_itself_never_changes(rng: random.Random) -> None:
    result = opened(damaged(rng.choice(documents()), rng), str(Path("base.json")))
    if result is None:
        return
    found = compare_results(result, result)
    assert found.gone == ()
    assert {each.change for each in found.cases} <= {"same", "not_evaluated"}
    assert not any(each.is_lost for each in found.cases)
    assert found.exit_code("regression") in (0, 3)
