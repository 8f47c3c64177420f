"""`evaltui compare` as docs/cli.md has it."""

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Done, Evaltui
from tests.commands.runs import ACTUAL, EXPECTED, GREETING, eval_set, result, turn, write

SET = "trips.evalset.json"
CALLS, WORDS = "tool_trajectory_avg_score", "response_match_score"
PASSED, FAILED, OPEN, INFORMS = 1, 2, 3, 4


def document(done: Done) -> dict[str, Any]:
    return dict(json.loads(done.out))


def assert_refused(done: Done, *words: str) -> None:
    assert (done.code, done.out) == (2, b"")
    assert done.err.count("\n") == 1
    assert [word for word in words if word not in done.err] == []


# --- results of google-adk -----------------------------------------------------------------------------------------


def judged(
    eval_id: str, *scores: tuple[str, float | None, int], actual: Any = None, expected: Any = None, **members: Any
) -> dict[str, Any]:
    """A case result with these overall scores and verdicts, and one turn if a side is given."""
    found = [
        {"metric_name": name, "score": score, "eval_status": status, "threshold": 0.8, "criterion": {"threshold": 0.8}}
        for name, score, status in scores
    ]
    statuses = {status for _, _, status in scores}
    final = FAILED if FAILED in statuses else PASSED if PASSED in statuses else OPEN
    turns = [{"actual_invocation": actual, "expected_invocation": expected, "eval_metric_results": found}]
    return {
        "eval_id": eval_id,
        "final_eval_status": final,
        "overall_eval_metric_results": found,
        "eval_metric_result_per_invocation": turns if actual else [],
        "session_id": "s",
        **members,
    }


def adk(*cases: dict[str, Any], name: str = "trips") -> dict[str, Any]:
    return {"eval_set_result_id": f"app_{name}_1", "eval_set_id": name, "eval_case_results": list(cases)}


Compare = Callable[..., Done]


@pytest.fixture
def compare(evaltui: Evaltui, tmp_path: Path) -> Compare:
    """Writes two results and compares them: `compare(base, candidate, "--fail-on", "any")`."""

    def run(base: Any, candidate: Any, *options: str) -> Done:
        write(tmp_path / "base.json", base)
        write(tmp_path / "candidate.json", candidate)
        return evaltui("compare", "base.json", "candidate.json", "--format", "json", *options)

    return run


def test_the_json_has_both_scores_and_the_change(compare: Compare) -> None:
    done = compare(
        adk(judged("a", (CALLS, 1.0, PASSED), (WORDS, 0.9, PASSED)), judged("old", (CALLS, 1.0, PASSED))),
        adk(judged("a", (CALLS, 0.5, FAILED), (WORDS, 0.9, PASSED)), judged("b", (CALLS, 1.0, PASSED))),
    )
    assert done.code == 1
    said = document(done)
    first, second = said["cases"]
    assert (said["version"], said["base"], said["candidate"], said["gone"]) == (
        1,
        "base.json",
        "candidate.json",
        ["old"],
    )
    assert (first["eval_id"], first["change"]) == ("a", "regressed")
    assert first["metrics"] == [
        {"name": CALLS, "base": 1.0, "candidate": 0.5, "change": "regressed"},
        {"name": WORDS, "base": 0.9, "candidate": 0.9, "change": "same"},
    ]
    assert (second["eval_id"], second["change"]) == ("b", "new")
    assert (said["counts"]["regressed"], said["counts"]["new"], said["counts"]["same"]) == (1, 1, 0)
    assert "1 case (old) of base.json is missing" in done.err


ONE = [
    ((0.9, PASSED), (0.2, FAILED), "regressed", (1, 1, 0)),
    ((0.2, FAILED), (0.9, PASSED), "improved", (0, 0, 0)),
    ((0.9, PASSED), (0.85, PASSED), "lower", (0, 1, 0)),
    ((0.2, FAILED), (0.1, FAILED), "lower", (0, 1, 0)),
    ((0.1, FAILED), (0.2, FAILED), "higher", (0, 1, 0)),
    ((0.9, PASSED), (0.95, PASSED), "higher", (0, 0, 0)),
    ((0.9, PASSED), (0.9, PASSED), "same", (0, 0, 0)),
    ((0.2, FAILED), (0.2, FAILED), "same", (0, 1, 0)),
    ((0.9, PASSED), (None, OPEN), "not_evaluated", (3, 3, 0)),
    ((None, OPEN), (None, OPEN), "not_evaluated", (3, 3, 0)),
    ((None, OPEN), (0.2, FAILED), "new", (0, 1, 0)),
    ((float("nan"), FAILED), (float("nan"), FAILED), "same", (0, 1, 0)),
    ((float("nan"), FAILED), (0.1, FAILED), "higher", (0, 1, 0)),
]


@pytest.mark.parametrize(("base", "candidate", "word", "codes"), ONE)
def test_each_word_and_its_exit_code(
    compare: Compare,
    base: tuple[float | None, int],
    candidate: tuple[float | None, int],
    word: str,
    codes: tuple[int, int, int],
) -> None:
    results = adk(judged("a", (WORDS, *base))), adk(judged("a", (WORDS, *candidate)))
    done = compare(*results)
    (only,) = document(done)["cases"]
    assert (only["change"], only["metrics"][0]["change"]) == (word, word)
    found = tuple(compare(*results, "--fail-on", each).code for each in ("regression", "any", "never"))
    assert found == codes


def test_regressions_come_first_in_every_form(evaltui: Evaltui, compare: Compare) -> None:
    good, bad = (WORDS, 0.9, PASSED), (WORDS, 0.1, FAILED)
    done = compare(
        adk(judged("same", good), judged("better", bad), judged("worse", good)),
        adk(judged("same", good), judged("better", good), judged("worse", bad)),
    )
    assert [each["eval_id"] for each in document(done)["cases"]] == ["worse", "better", "same"]
    for form in ("table", "markdown"):
        text = evaltui("compare", "base.json", "candidate.json", "--format", form).out.decode()
        assert text.index("worse") < text.index("better"), form
        assert "1 regressed, 1 improved, 1 same" in text


def test_why_names_what_the_agent_did(compare: Compare) -> None:
    (wanted,), (done,) = EXPECTED["conversation"], ACTUAL["conversation"]
    said = document(
        compare(
            adk(judged("a", (CALLS, 1.0, PASSED), (WORDS, 1.0, PASSED), actual=wanted, expected=wanted)),
            adk(judged("a", (CALLS, 0.0, FAILED), (WORDS, 0.5, FAILED), actual=done, expected=wanted)),
        )
    )
    why = said["cases"][0]["why"]
    assert why[0] == "tool calls and responses of the agent changed"
    assert "turn 1 · tool_trajectory 0.00 < 0.80: book: flight_id is the string" in why[1]
    assert why[2].startswith("turn 1 · response_match 0.50 < 0.80: 4 of 7 expected words are missing")


def test_without_the_expected_side_why_tells_what_the_agent_did_otherwise(compare: Compare) -> None:
    before = [turn("Hi", "Hello", [("find", {"to": "NYC", "day": 1})]), turn("And?", "Yes", [("find", {})])]
    now = [turn("Hi", "Hello", [("find", {"to": "LA", "day": 1})]), turn("And?", "No", [("book", {}), ("mail", {})])]
    base, candidate = (
        adk(
            judged(
                "a",
                (WORDS, score, PASSED),
                eval_metric_result_per_invocation=[{"actual_invocation": each} for each in turns],
            )
        )
        for score, turns in ((1.0, before), (0.9, now))
    )
    assert document(compare(base, candidate))["cases"][0]["why"] == [
        "tool calls and responses of the agent changed",
        "turn 1 · find: arguments differ: to",
        "turn 2 · tools: find → book · mail",
        'turn 2 · response: "Yes" → "No"',
    ]


def test_two_tools_are_not_one_tool_with_both_names(compare: Compare) -> None:
    base, candidate = (
        adk(
            judged(
                "a",
                (WORDS, score, PASSED),
                eval_metric_result_per_invocation=[{"actual_invocation": turn("Hi", "Hello", calls)}],
            )
        )
        for score, calls in ((1.0, [("find · mail", {})]), (0.9, [("find", {}), ("mail", {})]))
    )
    assert document(compare(base, candidate))["cases"][0]["why"] == [
        "tool calls of the agent changed",
        "turn 1 · tools: find · mail → find · mail",
    ]


def test_nothing_is_claimed_where_the_set_expects_something_else(compare: Compare) -> None:
    one, other = turn("Hi", "Hello"), turn("Hi", "Hello, friend")
    done = compare(
        adk(judged("a", (WORDS, 1.0, PASSED), actual=one, expected=one)),
        adk(judged("a", (WORDS, 0.5, FAILED), actual=one, expected=other)),
    )
    (only,) = document(done)["cases"]
    assert (done.code, only["change"], only["metrics"][0]["change"]) == (0, "edited", "edited")


def test_nan_in_an_expectation_is_no_edit(compare: Compare) -> None:
    one = turn("Hi", "Hello", [("book", {"price": float("nan")})])
    value = adk(judged("a", (WORDS, 1.0, PASSED), actual=one, expected=one))
    assert document(compare(value, value))["cases"][0]["change"] == "same"


def test_metrics_that_only_one_side_has(compare: Compare) -> None:
    done = compare(
        adk(judged("a", (WORDS, 1.0, PASSED), ("old", 0.5, PASSED))),
        adk(judged("a", (WORDS, 1.0, PASSED), ("new", 0.5, PASSED))),
    )
    (only,) = document(done)["cases"]
    assert only["change"] == "same"
    assert {each["name"]: each["change"] for each in only["metrics"]} == {
        WORDS: "same",
        "new": "new",
        "old": "not_evaluated",
    }
    assert done.code == 3


def test_metrics_that_inform_are_left_out(compare: Compare) -> None:
    done = compare(
        adk(judged("a", (WORDS, 1.0, PASSED), ("token_usage_v1", 10, INFORMS))),
        adk(judged("a", (WORDS, 1.0, PASSED), ("token_usage_v1", 99, INFORMS))),
    )
    assert [each["name"] for each in document(done)["cases"][0]["metrics"]] == [WORDS]
    assert done.code == 0


def test_several_runs_of_a_case_are_compared_by_their_mean(compare: Compare, evaltui: Evaltui, tmp_path: Path) -> None:
    once = adk(judged("a", (WORDS, 0.9, PASSED)))
    done = compare(once, adk(judged("a", (WORDS, 0.9, PASSED)), judged("a", (WORDS, 0.5, FAILED))))
    (only,) = document(done)["cases"]
    assert only["metrics"][0]["candidate"] == 0.7
    assert only["change"] == "regressed"
    done = compare(once, adk(judged("a", (WORDS, 0.9, PASSED)), judged("a", (WORDS, 0.75, FAILED))))
    assert document(done)["cases"][0]["change"] == "lower"
    lines = [adk(judged("a", (WORDS, score, PASSED))) for score in (0.9, 0.8)]
    (tmp_path / "candidate.json").write_text("\n".join(map(json.dumps, lines)))
    said = document(evaltui("compare", "base.json", "candidate.json", "--format", "json"))
    assert said["cases"][0]["metrics"][0]["candidate"] == pytest.approx(0.85)


def test_a_run_that_failed_without_scores_fails_the_case(compare: Compare) -> None:
    good = judged("a", (WORDS, 0.9, PASSED))
    crashed = {**judged("a"), "final_eval_status": FAILED}
    done = compare(adk(good), adk(good, crashed))
    assert (done.code, document(done)["cases"][0]["change"]) == (1, "regressed")
    assert compare(adk(good), adk(crashed)).code == 1


def test_other_thresholds_are_said(compare: Compare) -> None:
    strict = judged("a", (WORDS, 0.85, FAILED))
    strict["overall_eval_metric_results"][0]["threshold"] = 0.9
    done = compare(adk(judged("a", (WORDS, 0.85, PASSED))), adk(strict))
    assert "response_match_score was 0.8 and is 0.9 now" in done.err


def test_results_of_different_sets_are_refused(compare: Compare) -> None:
    mine, other = judged("a", (WORDS, 0.9, PASSED)), judged("b", (WORDS, 0.9, PASSED))
    assert_refused(compare(adk(mine), adk(mine, name="hotels")), "candidate.json", "hotels", "trips")
    nameless = agents_cli({"b": {"m": 1}})
    assert_refused(compare(adk(mine), nameless), "no case in common with base.json")
    assert compare(adk(mine), adk(other)).code == 3  # one set, and nothing to compare


def test_real_results_of_google_adk_are_read_in_both_spellings(evaltui: Evaltui, shared_folder: Path) -> None:
    files = (shared_folder / "recordings").glob("*.evalset_result.json")
    done = evaltui("compare", *sorted(files, key=lambda path: len(path.name)), "--format", "json")
    first, second = document(done)["cases"]
    assert done.code == 0
    assert (first["eval_id"], first["change"]) == ("pass_case", "same")
    assert (second["eval_id"], second["change"]) == ("fail_case", "same")
    score = 0.28571428571428575
    assert {"name": WORDS, "base": score, "candidate": score, "change": "same"} in second["metrics"]


def test_the_old_spelling_in_a_text_is_read(compare: Compare) -> None:
    value = adk(judged("a", (WORDS, 0.9, PASSED)))
    done = compare(json.dumps(value), value)
    assert (done.code, document(done)["counts"]["same"]) == (0, 1)


# --- documents of evaltui run --------------------------------------------------------------------------------------


@pytest.fixture
def runs(evaltui: Evaltui, tmp_path: Path) -> None:
    """before.json and after.json, documents of two runs, in which a case got worse."""
    write(tmp_path / SET, eval_set(EXPECTED, GREETING))
    write(tmp_path / "one.json", result(EXPECTED, GREETING))
    write(tmp_path / "two.json", result(ACTUAL, GREETING, at=1_700_000_001.0))
    assert evaltui("run", SET, "-r", "one.json", "-o", "before.json").code == 0
    assert evaltui("run", SET, "-r", "two.json", "-o", "after.json").code == 1


@pytest.mark.usefixtures("runs")
def test_documents_of_runs_are_compared_with_why(evaltui: Evaltui) -> None:
    done = evaltui("compare", "before.json", "after.json")
    text = done.out.decode()
    assert done.code == 1
    assert "▼ book_flight  regressed" in text
    assert "tool_trajectory  1.00 → 0.00  regressed" in text
    assert "flight_id is the string" in " ".join(text.split())
    assert "= greeting  same" in text
    assert evaltui("compare", "after.json", "before.json").code == 0
    assert evaltui("compare", "before.json", "before.json").code == 0


@pytest.mark.usefixtures("runs")
def test_kinds_can_be_mixed(evaltui: Evaltui, tmp_path: Path) -> None:
    write(
        tmp_path / "adk.json",
        adk(judged("greeting", (WORDS, 0.9, PASSED)), judged("book_flight", (WORDS, 0.4, FAILED))),
    )
    done = evaltui("compare", "adk.json", "before.json", "--format", "json")
    said = {each["eval_id"]: each for each in document(done)["cases"]}
    assert (said["greeting"]["change"], said["book_flight"]["change"]) == ("higher", "improved")
    write(tmp_path / "cli.json", agents_cli({"greeting": {WORDS: 0.4}}))
    done = evaltui("compare", "before.json", "cli.json", "--format", "json")
    assert (done.code, document(done)["cases"][0]["change"]) == (3, "lower")  # the calls are not judged there
    assert evaltui("compare", "before.json", "cli.json", "--fail-on", "any").code == 1


@pytest.mark.usefixtures("runs")
def test_a_document_of_several_sets_is_refused_and_of_one_taken(evaltui: Evaltui, tmp_path: Path) -> None:
    before = json.loads((tmp_path / "before.json").read_text())
    write(tmp_path / "two.json", {"version": 1, "runs": [before, before], "summary": {}})
    assert_refused(evaltui("compare", "two.json", "after.json"), "two.json", "2 sets")
    write(tmp_path / "one.json", {"version": 1, "runs": [before], "summary": {}})
    assert evaltui("compare", "one.json", "before.json").code == 0
    write(tmp_path / "later.json", {**before, "version": 2})
    assert_refused(evaltui("compare", "later.json", "after.json"), "version")


@pytest.mark.usefixtures("runs")
def test_of_several_documents_of_runs_the_last_counts(evaltui: Evaltui, tmp_path: Path) -> None:
    lines = [json.dumps(json.loads((tmp_path / name).read_text())) for name in ("after.json", "before.json")]
    (tmp_path / "watched.jsonl").write_text("\n".join(lines) + "\n")
    done = evaltui("compare", "before.json", "watched.jsonl")
    assert done.code == 0
    assert "2 documents" in done.err


@pytest.mark.usefixtures("runs")
def test_a_side_may_be_packed_or_standard_input(evaltui: Evaltui, tmp_path: Path) -> None:
    data = (tmp_path / "after.json").read_bytes()
    (tmp_path / "after.json.gz").write_bytes(gzip.compress(data))
    assert evaltui("compare", "before.json", "after.json.gz").code == 1
    assert evaltui("compare", "before.json", "-", stdin=data).code == 1
    assert evaltui("compare", "-", "before.json", stdin=data).code == 0
    assert_refused(evaltui("compare", "-", "-", stdin=data), "standard input")


@pytest.mark.usefixtures("runs")
def test_all_runs_of_a_case_are_compared_by_their_mean(evaltui: Evaltui) -> None:
    evaltui("run", SET, "-r", "one.json", "-r", "two.json", "--runs", "all", "-o", "all.json")
    done = evaltui("compare", "before.json", "all.json", "--format", "json")
    first = document(done)["cases"][0]
    assert (first["eval_id"], first["change"], first["metrics"][0]["candidate"]) == ("book_flight", "regressed", 0.5)


# --- results of agents-cli -----------------------------------------------------------------------------------------


def agents_cli(cases: dict[str, dict[str, Any]], **members: Any) -> dict[str, Any]:
    """A result with scores of metrics by case; texts in place of a score are errors."""
    dataset = [
        {
            "eval_case_id": name,
            "prompt": {"role": "user", "parts": [{"text": f"Question of {name}"}]},
            "responses": [{"response": {"role": "model", "parts": [{"text": f"Answer {scores}"}]}}],
        }
        for name, scores in cases.items()
    ]
    results = [
        {
            "eval_case_index": place,
            "response_candidate_results": [
                {
                    "response_index": 0,
                    "metric_results": {
                        name: {"metric_name": name, "score": None, "error_message": score}
                        if isinstance(score, str)
                        else {"metric_name": name, "score": score, "explanation": f"It is worth {score}"}
                        for name, score in scores.items()
                    },
                }
            ],
        }
        for place, scores in enumerate(cases.values())
    ]
    return {
        "eval_case_results": results,
        "summary_metrics": [],
        "evaluation_dataset": [{"eval_cases": dataset}],
        "metadata": {},
        **members,
    }


def test_scores_without_verdicts_are_only_lower_higher_or_same(compare: Compare) -> None:
    done = compare(
        agents_cli({"a": {"quality": 5.0}, "b": {"quality": 2}, "c": {"quality": 3}}),
        agents_cli({"c": {"quality": 3.0}, "b": {"quality": 4}, "a": {"quality": 1.0}}),
    )
    said = {each["eval_id"]: each for each in document(done)["cases"]}
    assert {name: each["change"] for name, each in said.items()} == {"a": "lower", "b": "higher", "c": "same"}
    assert said["a"]["why"] == [
        "responses of the agent changed",
        """turn 1 · response: "Answer {'quality': 5.0}" → "Answer {'quality': 1.0}\"""",
        "quality: It is worth 1.0",
    ]
    assert done.code == 0
    assert compare(agents_cli({"a": {"q": 2}}), agents_cli({"a": {"q": 1}}), "--fail-on", "any").code == 1


def test_a_metric_that_ended_in_an_error_is_no_longer_evaluated(compare: Compare) -> None:
    done = compare(agents_cli({"a": {"q": 5}}), agents_cli({"a": {"q": "quota exceeded"}}))
    (only,) = document(done)["cases"]
    assert (done.code, only["change"]) == (3, "not_evaluated")
    assert "q: quota exceeded" in only["why"]


def test_cases_without_a_dataset_go_by_their_place(compare: Compare) -> None:
    base, candidate = agents_cli({"a": {"q": 5}, "b": {"q": 1}}), agents_cli({"a": {"q": 5}, "b": {"q": 2}})
    for each in (base, candidate):
        del each["evaluation_dataset"]
    said = document(compare(base, candidate))
    assert [(each["eval_id"], each["change"]) for each in said["cases"]] == [("case 2", "higher"), ("case 1", "same")]


def test_cases_without_an_id_go_by_their_first_user_text(compare: Compare) -> None:
    base = agents_cli({"a": {"q": 5}, "b": {"q": 1}})
    candidate = agents_cli({"b": {"q": 1}, "a": {"q": 4}, "c": {"q": 3}})
    for each in (base, candidate):
        for one in each["evaluation_dataset"][0]["eval_cases"]:
            del one["eval_case_id"]
    said = document(compare(base, candidate))
    assert [(each["eval_id"], each["change"]) for each in said["cases"]] == [
        ("Question of a", "lower"),
        ("Question of c", "new"),
        ("Question of b", "same"),
    ]


def test_several_candidates_of_a_case_are_said(compare: Compare) -> None:
    candidate = agents_cli({"a": {"q": 4}})
    found = candidate["eval_case_results"][0]["response_candidate_results"]
    found.append({"response_index": 1, "metric_results": {"q": {"score": 2}}})
    done = compare(agents_cli({"a": {"q": 3}}), candidate)
    assert document(done)["cases"][0]["metrics"][0]["candidate"] == 3.0
    assert "several graded responses" in done.err


# --- hostile files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"{", "invalid JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "base.json:1:7: this number has more than 4,300 digits"),
        (b"[]", "not a result"),
        (b"5", "not a result"),
        (b'{"eval_set_id": "trips", "eval_cases": []}', "not a result"),
        (b'{"version": 1, "set": "trips", "criteria": {}, "cases": {}}', "--baseline"),
        (b'{"version": 1, "set": null, "cases": "x"}', "not a result"),
        (b'{"eval_set_result_id": "x", "eval_set_id": "trips", "eval_case_results": 5}', "is not a list"),
        (b"\x1f\x8bnope", "gzip"),
        (b'{"eval_set_result_id": ' + b"[" * 100_000, "base.json"),
        (b'{"eval_set_id": "\xff", "eval_case_results": []} x', "base.json"),
    ],
)
def test_what_is_no_result_is_a_sentence(evaltui: Evaltui, tmp_path: Path, data: bytes, words: str) -> None:
    (tmp_path / "base.json").write_bytes(data)
    write(tmp_path / "candidate.json", adk())
    assert_refused(evaltui("compare", "base.json", "candidate.json"), "base.json", words)
    assert_refused(evaltui("compare", "candidate.json", "base.json"), "base.json", words)


def test_yaml_is_named_also_on_standard_input(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "candidate.json", adk())
    done = evaltui("compare", "-", "candidate.json", stdin=b"cases:\n- id: a\n")
    assert_refused(done, "-: this is YAML, not a result")


def test_a_missing_file_or_a_folder_is_a_sentence(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "candidate.json", adk())
    for name in ("none.json", ".", "a\0b"):
        assert_refused(evaltui("compare", name, "candidate.json"))


JUNK: list[Any] = [None, 5, "x", [], {}, [[]], True, -1e308, {"a": []}]


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_values_of_other_types_are_counted_as_absent(compare: Compare, junk: Any) -> None:
    good = adk(judged("a", (WORDS, 0.9, PASSED), actual=turn("Hi", "Hello"), expected=turn("Hi", "Hello")))
    for bad in (
        adk({**judged("a"), "overall_eval_metric_results": junk}, junk),
        adk({**judged("a"), "eval_metric_result_per_invocation": junk, "final_eval_status": junk}),
        adk(judged("a", (junk, junk, junk))) if not isinstance(junk, list | dict) else adk(judged("a")),
        agents_cli({"a": {"q": 1}}, evaluation_dataset=junk, eval_case_results=[junk, {"eval_case_index": junk}]),
        {
            "version": 1,
            "set": junk,
            "cases": [junk, {"eval_id": "a", "metrics": junk, "turns": [junk], "status": junk}],
        },
        {"version": 1, "set": {"eval_set_id": "trips"}, "cases": [{"eval_id": "a", "turns": [{"expected": junk}]}]},
    ):
        for done in (compare(good, bad), compare(bad, good)):
            assert done.code in (0, 1, 2, 3)
            assert bool(done.out) == (done.code != 2)
            assert not done.out or document(done)["version"] == 1


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_nothing_of_a_file_acts_on_a_terminal_or_a_page(compare: Compare, evaltui: Evaltui, form: str) -> None:
    odd = "\x1b[31m\u202e|`<b>@team\nnext"
    good = judged(odd, (odd, 0.9, PASSED), actual=turn(odd, odd, [(odd, {odd: odd})]))
    bad = judged(odd, (odd, 0.1, FAILED), actual=turn(odd, f"{odd} no", [(odd, {odd: 1})]))
    gone = judged(f"gone{odd}", (odd, 0.1, FAILED))
    compare(adk(good, gone, name=odd), adk(bad, name=odd))
    done = evaltui("compare", "base.json", "candidate.json", "--format", form)
    assert done.code == 1
    for text in (done.out.decode(), done.err):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert not any(line.startswith("next") for line in text.splitlines())
    beside_code = re.sub(r"(`+).*?\1", "", done.out.decode())
    assert form == "table" or not re.search(r"<b>|@team", beside_code)


def test_the_command_loads_no_screen(tmp_path: Path) -> None:
    write(tmp_path / "one.json", adk(judged("a", (WORDS, 0.9, PASSED))))
    script = "import sys; from evaltui.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    words = [sys.executable, "-c", script, "compare", "one.json", "one.json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "1 same" in done.stdout
    assert not {"textual", "pydantic"} & {name.partition(".")[0] for name in done.stderr.split()}


def test_values_nested_deeper_than_python_compares_are_a_sentence(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("evaltui.result_files.compared_results.compare_results", too_deep)
    assert_refused(compare(adk(), adk()), "candidate.json", "nested too deeply")
