"""`evaltui run` with baselines, as docs/cli.md has it."""

import json
import os
import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.commands.conftest import Done, Evaltui
from tests.commands.runs import ACTUAL, EXPECTED, GREETING, case, eval_set, result, turn, write

SET, TRACE, BASE = "trips.evalset.json", "run.json", "base.json"
RUN = ("run", SET, "-r", TRACE)
COMPARED = (*RUN, "--baseline", BASE)
REGRESSIONS = (*COMPARED, "--fail-on", "regression")
THIRD = case("refund", turn("Refund me, please", "Your money is on its way to you"))
WORSE = case("refund", turn("Refund me, please", "Your money is on its way to you today and then some more"))
CASES = (EXPECTED, GREETING, THIRD)


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, evaltui: Evaltui) -> None:
    """A set of three cases, and the baseline of a run in which all pass."""
    write(tmp_path / SET, eval_set(*CASES))
    write(tmp_path / TRACE, result(*CASES))
    assert evaltui(*RUN, "--save-baseline", BASE).code == 0


def document(done: Done) -> dict[str, Any]:
    return dict(json.loads(done.out))


def changes(evaltui: Evaltui, *options: str) -> dict[str, str]:
    said = document(evaltui(*COMPARED, "--format", "json", *options))
    return {each["eval_id"]: each["change"] for each in said["cases"]}


def saved(tmp_path: Path) -> dict[str, Any]:
    return dict(json.loads((tmp_path / BASE).read_text("utf-8")))


def edit(tmp_path: Path, **members: Any) -> None:
    write(tmp_path / BASE, {**saved(tmp_path), **members})


# --- the file ------------------------------------------------------------------------------------------------------


def test_a_baseline_has_verdicts_scores_and_hashes_and_no_texts(tmp_path: Path) -> None:
    said = saved(tmp_path)
    assert list(said) == ["version", "set", "criteria", "cases"]
    assert (said["version"], said["set"]) == (1, "trips")
    assert said["criteria"] == {
        "response_match_score": {"threshold": 0.8},
        "tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "EXACT"},
    }
    assert list(said["cases"]) == ["book_flight", "greeting", "refund"]
    assert said["cases"]["greeting"].keys() == {"status", "hash", "metrics"}
    assert said["cases"]["greeting"]["status"] == "passed"
    assert said["cases"]["greeting"]["metrics"] == {"response_match_score": 1.0, "tool_trajectory_avg_score": 1.0}
    assert "flight is booked" not in (tmp_path / BASE).read_text("utf-8")


def test_the_order_of_cases_never_changes_the_file(evaltui: Evaltui, tmp_path: Path) -> None:
    before = (tmp_path / BASE).read_bytes()
    write(tmp_path / SET, eval_set(*reversed(CASES)))
    assert evaltui(*RUN, "--save-baseline", BASE).code == 0
    assert (tmp_path / BASE).read_bytes() == before
    assert before.endswith(b"\n}\n")
    assert before.count(b"\n") == 13  # a line a case


def test_rubrics_of_a_judge_are_kept_as_a_hash(evaltui: Evaltui, tmp_path: Path) -> None:
    judge = {"threshold": 0.7, "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "Is polite"}}]}
    config = tmp_path / "test_config.json"
    write(config, {"criteria": {"rubric_based_final_response_quality_v1": judge, "response_match_score": 0.5}})
    evaltui(*RUN, "--save-baseline", BASE)
    assert "polite" not in (tmp_path / BASE).read_text("utf-8")
    assert saved(tmp_path)["criteria"]["rubric_based_final_response_quality_v1"].keys() == {"threshold", "hash"}
    judge["rubrics"] = []
    write(config, {"criteria": {"rubric_based_final_response_quality_v1": judge, "response_match_score": 0.5}})
    assert "the options of rubric_based_final_response_quality_v1 are different" in evaltui(*REGRESSIONS).err


def test_cases_without_an_id_of_their_own_are_left_out_and_said(evaltui: Evaltui, tmp_path: Path) -> None:
    twins = [case("twin", turn(text, "Yes")) for text in ("One", "Two")]
    write(tmp_path / SET, eval_set(GREETING, *twins))
    done = evaltui(*RUN, "--save-baseline", BASE, "--allow-not-evaluated")
    assert list(saved(tmp_path)["cases"]) == ["greeting"]
    assert "2 cases not saved: eval_id is missing or a duplicate" in done.err


def test_of_cases_with_one_id_the_one_with_the_hash_is_compared(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING, case("greeting", turn("Hello", "Bye"))))
    write(tmp_path / TRACE, result({**GREETING, "eval_id": "x"}, case("y", turn("Hello", "Bye"))))
    said = document(evaltui(*COMPARED, "--format", "json"))
    assert [each["change"] for each in said["cases"]] == ["same", "new"]


# --- the words -----------------------------------------------------------------------------------------------------


def test_without_a_change_all_is_the_same(evaltui: Evaltui) -> None:
    done = evaltui(*COMPARED, "--format", "json")
    assert done.code == 0
    assert {each["change"] for each in document(done)["cases"]} == {"same"}
    words = ("regressed", "not_evaluated", "lower", "improved", "higher", "new", "edited")
    assert document(done)["baseline"] == {
        "path": BASE,
        "gone": [],
        "counts": {**dict.fromkeys(words, 0), "same": 3},
    }


def test_each_word(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(*CASES, case("fresh", turn("And me?", "You, too"))))
    write(tmp_path / TRACE, result(ACTUAL, WORSE, case("fresh", turn("And me?", "You, too"))))
    done = evaltui(*COMPARED, "--format", "json")
    assert changes(evaltui) == {
        "book_flight": "regressed",
        "greeting": "not_evaluated",
        "refund": "regressed",
        "fresh": "new",
    }
    assert document(done)["baseline"]["counts"]["regressed"] == 2
    evaltui(*RUN, "--save-baseline", BASE)
    write(tmp_path / TRACE, result(EXPECTED, WORSE, GREETING))
    assert changes(evaltui) == {
        "book_flight": "improved",
        "greeting": "new",
        "refund": "same",
        "fresh": "not_evaluated",
    }


@pytest.mark.parametrize(("then", "now", "word"), [(0.91, 1.0, "higher"), (1.5, 1.0, "lower"), (1.0, 1.0, "same")])
def test_another_score_with_one_verdict(evaltui: Evaltui, tmp_path: Path, then: float, now: float, word: str) -> None:
    cases = saved(tmp_path)["cases"]
    cases["greeting"]["metrics"]["response_match_score"] = then
    edit(tmp_path, cases=cases)
    assert now == 1.0
    assert changes(evaltui)["greeting"] == word


def test_a_case_that_fails_without_a_score_now_is_lower(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(ACTUAL, GREETING, THIRD))
    evaltui(*RUN, "--save-baseline", BASE)
    longer = case("book_flight", *ACTUAL["conversation"], turn("More"))
    write(tmp_path / TRACE, result(longer, GREETING, THIRD))
    assert changes(evaltui)["book_flight"] == "lower"


def test_nothing_is_claimed_of_an_edited_case(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(EXPECTED, GREETING, case("refund", turn("Refund me, please", "No"))))
    assert changes(evaltui) == {"book_flight": "same", "greeting": "same", "refund": "edited"}
    done = evaltui(*REGRESSIONS)
    assert done.code == 0
    assert "~ edited" in done.out.decode()


def test_cases_that_the_set_no_longer_has_are_gone(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(EXPECTED))
    done = evaltui(*COMPARED, "--format", "json")
    assert document(done)["baseline"]["gone"] == ["greeting", "refund"]
    assert evaltui(*REGRESSIONS).code == 0


def test_cases_that_are_not_run_are_not_gone(evaltui: Evaltui) -> None:
    said = document(evaltui("run", f"{SET}:greeting", "-r", TRACE, "--baseline", BASE, "--format", "json"))
    assert [each["change"] for each in said["cases"]] == ["same"]
    assert said["baseline"]["gone"] == []


def test_all_runs_are_compared_by_their_mean(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "run2.json", result(EXPECTED, GREETING, WORSE, at=1_800_000_000.0))
    done = evaltui(*COMPARED, "-r", "run2.json", "--runs", "all", "--format", "json")
    by_id = {each["eval_id"]: each for each in document(done)["cases"]}
    assert (by_id["greeting"]["change"], by_id["refund"]["change"]) == ("same", "lower")
    assert by_id["refund"]["passed_runs"] == 1


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.randoms(use_true_random=False))
def test_order_and_layout_of_the_set_never_change_a_word(evaltui: Evaltui, tmp_path: Path, rng: random.Random) -> None:
    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: shuffled(value[key]) for key in rng.sample(sorted(value), len(value))}
        return [shuffled(each) for each in value] if isinstance(value, list) else value

    cases = [shuffled(each) for each in rng.sample(CASES, len(CASES))]
    indent = rng.choice([None, 1, 4])
    (tmp_path / SET).write_text(json.dumps(shuffled(eval_set(*cases)), indent=indent, ensure_ascii=rng.random() < 0.5))
    assert set(changes(evaltui).values()) == {"same"}


def test_cases_that_nest_deep_or_hold_odd_values_are_compared(evaltui: Evaltui, tmp_path: Path) -> None:
    args = {"deep": "DEEP", "nan": float("nan"), "half": "\ud800", "big": 10**30}
    text = json.dumps(eval_set(GREETING, case("odd", turn("Odd?", "Yes", [("call", args)]))))
    for spelt in ("[" * 1000 + "1" + "]" * 1000, "[ " * 1000 + "1.0" + "]" * 1000):
        (tmp_path / SET).write_text(text.replace('"DEEP"', spelt).replace(str(10**30), "1e30"))
        evaltui(*RUN, "--save-baseline", f"{len(spelt)}.json")
    one, other = (json.loads(path.read_text()) for path in tmp_path.glob("[0-9]*.json"))
    assert one == other
    assert len(one["cases"]) == 2
    evaltui(*RUN, "--save-baseline", BASE)
    (tmp_path / SET).write_text(text.replace('"DEEP"', "[" * 1000 + "2" + "]" * 1000))
    assert changes(evaltui) == {"greeting": "same", "odd": "edited"}


# --- exit codes ----------------------------------------------------------------------------------------------------


def test_fail_on_any_leaves_the_exit_codes(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(ACTUAL, GREETING, THIRD))
    assert evaltui(*COMPARED).code == evaltui(*COMPARED, "--fail-on", "any").code == 1
    evaltui(*RUN, "--save-baseline", BASE)
    assert evaltui(*COMPARED).code == 1
    assert evaltui(*REGRESSIONS).code == 0


def test_only_a_regression_fails(evaltui: Evaltui, tmp_path: Path) -> None:
    fresh = case("fresh", turn("And me?", "You, too"))
    write(tmp_path / SET, eval_set(*CASES, fresh))
    write(tmp_path / TRACE, result(*CASES, case("fresh", turn("And me?", "Never"))))
    assert evaltui(*RUN).code == 1
    assert evaltui(*REGRESSIONS).code == 0  # a new case that fails has not regressed
    write(tmp_path / TRACE, result(EXPECTED, GREETING, WORSE, fresh))
    assert evaltui(*REGRESSIONS).code == 1


@pytest.mark.parametrize(
    ("recorded", "code", "marks"),
    [
        ((EXPECTED, GREETING, THIRD), 0, {}),
        ((ACTUAL, GREETING, WORSE), 1, {"book_flight": "skipped", "refund": "failure"}),
        ((ACTUAL, GREETING), 3, {"book_flight": "skipped", "refund": "error"}),
        ((ACTUAL, GREETING, THIRD), 0, {"book_flight": "skipped"}),
    ],
)
def test_junit_is_green_where_nothing_regressed(
    evaltui: Evaltui, tmp_path: Path, recorded: tuple[Any, ...], code: int, marks: dict[str, str]
) -> None:
    write(tmp_path / TRACE, result(ACTUAL, GREETING, THIRD))
    evaltui(*RUN, "--save-baseline", BASE)
    write(tmp_path / TRACE, result(*recorded))
    done = evaltui(*REGRESSIONS, "--format", "junit")
    (suite,) = ElementTree.fromstring(done.out)
    marked = {case.get("name"): case[0].tag for case in suite.iter("testcase") if len(case)}
    assert (done.code, marked) == (code, marks)
    for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        assert suite.get(attribute) == str(list(marks.values()).count(kind))


def test_what_is_no_longer_evaluated_is_3(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(EXPECTED, GREETING))
    assert evaltui(*REGRESSIONS).code == 3
    assert evaltui(*REGRESSIONS, "--allow-not-evaluated").code == 0
    assert evaltui(*COMPARED, "--allow-not-evaluated").code == 0


def test_a_regression_counts_more_than_what_is_not_evaluated(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(ACTUAL, GREETING))
    assert evaltui(*REGRESSIONS).code == 1
    assert evaltui(*REGRESSIONS, "--allow-not-evaluated").code == 1


def test_what_was_not_evaluated_before_is_not_missed(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(EXPECTED, GREETING))
    evaltui(*RUN, "--save-baseline", BASE)
    assert evaltui(*COMPARED).code == 3
    assert evaltui(*REGRESSIONS).code == 0


def test_a_case_that_became_invalid_is_edited_and_3(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(EXPECTED, GREETING, {**THIRD, "conversation": [{"user_content": 1}]}))
    assert changes(evaltui)["refund"] == "edited"
    assert evaltui(*REGRESSIONS).code == 3


def test_nothing_evaluated_at_all_is_3_whatever_is_allowed(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result())
    assert evaltui(*REGRESSIONS).code == 3
    evaltui(*RUN, "--save-baseline", BASE)
    assert evaltui(*REGRESSIONS, "--allow-not-evaluated").code == 3


def test_a_metric_that_is_no_longer_evaluated_is_3(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "test_config.json", {"criteria": {"safety_v1": 0.8, "response_match_score": 0.8}})
    cases = saved(tmp_path)["cases"]
    for each in cases.values():
        each["metrics"] = {"safety_v1": 0.9, "response_match_score": 1.0}
    edit(tmp_path, cases=cases, criteria={"safety_v1": {"threshold": 0.8}, "response_match_score": {"threshold": 0.8}})
    assert set(changes(evaltui).values()) == {"same"}
    assert evaltui(*REGRESSIONS).code == 3
    assert evaltui(*REGRESSIONS, "--allow-not-evaluated").code == 0


def test_a_set_that_google_adk_rejects_is_3_unless_that_is_allowed(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, {**eval_set(*CASES), "name": 5})
    assert evaltui(*REGRESSIONS).code == 3
    assert evaltui(*REGRESSIONS, "--allow-not-evaluated").code == 0


# --- refusals ------------------------------------------------------------------------------------------------------


def assert_refused(done: Done, *words: str) -> None:
    assert (done.code, done.out) == (2, b"")
    assert done.err.count("\n") == 1
    assert [word for word in words if word not in done.err] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"version": 2, "set": "trips", "criteria": {}, "cases": {}}', ("the baseline has version 2",)),
        ('{"version": true, "set": "trips", "criteria": {}, "cases": {}}', ("the baseline has version True",)),
        ("[]", ("this is not a baseline",)),
        ("{}", ("this is not a baseline",)),
        ("", (BASE, "invalid JSON")),
        ('{"version": 1,\n<<<<<<< HEAD', ("line 2", "invalid JSON")),
        ('{"version": 1, "set": 1, "criteria": {}, "cases": {}}', ("/set",)),
        ('{"version": 1, "set": "trips", "criteria": [], "cases": {}}', ("/criteria",)),
        ('{"version": 1, "set": "trips", "criteria": {}, "cases": []}', ("this is not a baseline",)),
        ('{"version": 1, "set": "trips", "criteria": {}, "cases": {"a": 1}}', ("/cases/a",)),
        ('{"version": 1, "set": "trips", "criteria": {}, "cases": {"a": {}, "a": {}}}', ('the key "a" appears twice',)),
        (
            '{"version": 1, "set": "trips", "criteria": {}, "cases": {"a": {"status": "fine"}}}',
            ("/cases/a/status", "not_evaluated"),
        ),
        (
            '{"version": 1, "set": "t", "criteria": {}, "cases": {"\\u001b[31m": {"status": "passed", "hash": 1}}}',
            ("/cases/␛[31m/hash",),
        ),
        (
            '{"version": 1, "set": "t", "criteria": {}, "cases":'
            ' {"a": {"status": "passed", "hash": "", "metrics": {"m": "1"}}}}',
            ("/cases/a/metrics/m",),
        ),
        ('{"version": 1, "set": "other", "criteria": {}, "cases": {}}', ('set "other"', 'set "trips"')),
        ('{"version": 1, "set": null, "criteria": {}, "cases": {}}', ("a set without eval_set_id",)),
        ('{"version": 1, "cases": ' + "[" * 3000 + "]" * 3000 + "}", (BASE,)),
        ('{"version": 1' + "0" * 5000 + ', "cases": {}}', (BASE,)),
    ],
)
def test_a_baseline_that_cannot_be_used_is_a_sentence(
    evaltui: Evaltui, tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    (tmp_path / BASE).write_text(text)
    before = (tmp_path / BASE).read_bytes()
    done = evaltui(*COMPARED, "--save-baseline", BASE, "-o", "report.json")
    assert_refused(done, BASE, *words)
    assert (tmp_path / BASE).read_bytes() == before
    assert not (tmp_path / "report.json").exists()


def test_a_missing_baseline_names_the_option_that_makes_it(evaltui: Evaltui) -> None:
    assert_refused(evaltui(*RUN, "--baseline", "none.json"), "none.json", "--save-baseline")
    assert_refused(evaltui(*RUN, "--baseline", "."), "a folder")
    evaltui(*RUN, "--format", "json", "-o", "report.json")
    for name in (SET, "report.json"):
        assert_refused(evaltui(*RUN, "--baseline", name), "this is not a baseline", "--save-baseline")


def test_fail_on_regression_needs_a_baseline(evaltui: Evaltui) -> None:
    assert_refused(evaltui(*RUN, "--fail-on", "regression"), "--baseline")


def test_other_criteria_are_refused_or_said(evaltui: Evaltui) -> None:
    refused = evaltui(*REGRESSIONS, "--metric", "response_match_score=0.7")
    assert_refused(refused, "response_match_score was 0.8 and is 0.7 now", "tool_trajectory_avg_score is only in")
    done = evaltui(*COMPARED, "--metric", "response_match_score=0.7")
    assert done.code == 0
    assert "other criteria" in done.err
    assert "was 0.8 and is 0.7 now" in done.err
    assert "the options of " in evaltui(*COMPARED, "--match-type", "ANY_ORDER").err


@pytest.mark.parametrize("depth", [100, 900, 960, 990])
def test_criteria_that_nest_deep_are_other_criteria_or_refused(evaltui: Evaltui, tmp_path: Path, depth: int) -> None:
    text = (tmp_path / BASE).read_text("utf-8")
    deep = "[" * depth + "]" * depth
    (tmp_path / BASE).write_text(text.replace('"threshold": 0.8', f'"threshold": 0.8, "x": {deep}'))
    done = evaltui(*COMPARED)
    assert done.code in (0, 2)
    assert ("the options of " in done.err) == (done.code == 0)


def test_criteria_in_another_order_or_spelling_are_the_same(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "test_config.json", {"criteria": {"response_match_score": 0.8, "tool_trajectory_avg_score": 1}})
    assert evaltui(*REGRESSIONS).code == 0


def test_a_baseline_is_of_one_set(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "other.evalset.json", eval_set(GREETING, name="other"))
    for option in ("--baseline", "--save-baseline"):
        assert_refused(evaltui("run", SET, "other.evalset.json", "-r", TRACE, option, BASE), "one set", "2")
    write(tmp_path / "sets" / SET, eval_set(*CASES))
    assert evaltui("run", "sets", "-r", TRACE, "--baseline", BASE).code == 0


# --- files ---------------------------------------------------------------------------------------------------------


def test_one_file_is_compared_with_first_and_then_written(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(ACTUAL, GREETING, THIRD))
    done = evaltui(*REGRESSIONS, "--save-baseline", BASE, "--format", "json")
    assert done.code == 1
    assert document(done)["baseline"]["counts"]["regressed"] == 1
    assert saved(tmp_path)["cases"]["book_flight"]["status"] == "failed"
    assert evaltui(*REGRESSIONS).code == 0


def test_nothing_is_written_if_the_comparison_is_refused(evaltui: Evaltui, tmp_path: Path) -> None:
    before = (tmp_path / BASE).read_bytes()
    assert evaltui(*REGRESSIONS, "--match-type", "IN_ORDER", "--save-baseline", BASE).code == 2
    assert (tmp_path / BASE).read_bytes() == before


@pytest.mark.parametrize("name", [SET, TRACE, "test_config.json", "new.evalset.json", ".", "none/base.json", "-"])
def test_an_input_or_what_cannot_be_written_is_refused(evaltui: Evaltui, tmp_path: Path, name: str) -> None:
    write(tmp_path / "test_config.json", {"criteria": {"response_match_score": 0.8}})
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert_refused(evaltui(*RUN, "--save-baseline", name))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_report_never_takes_the_place_of_the_baseline(evaltui: Evaltui, tmp_path: Path) -> None:
    assert_refused(evaltui(*COMPARED, "-o", BASE), BASE, "input")
    assert_refused(evaltui(*RUN, "--save-baseline", "new.json", "-o", "new.json"), "new.json")
    os.link(tmp_path / BASE, tmp_path / "link.json")
    assert_refused(evaltui(*COMPARED, "-o", "link.json"), "link.json")


def test_the_baseline_may_be_standard_input(evaltui: Evaltui, tmp_path: Path) -> None:
    text = (tmp_path / BASE).read_bytes()
    assert evaltui(*RUN, "--baseline", "-", "--fail-on", "regression", stdin=text).code == 0
    assert_refused(evaltui("run", "-", "-r", TRACE, "--baseline", "-", stdin=text), "standard input")


# --- reports -------------------------------------------------------------------------------------------------------


def test_without_a_baseline_reports_say_nothing_of_changes(evaltui: Evaltui) -> None:
    reports = ("a.json", "a.xml", "a.md", "a.txt")
    evaltui(*RUN, *(word for name in reports for word in ("-o", name)))
    for name in reports:
        assert not {"change", "baseline", "since"} & set(Path(name).read_text("utf-8").replace('"', " ").split())


def test_all_reports_show_the_changes(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(EXPECTED, GREETING))
    write(tmp_path / TRACE, result(ACTUAL, GREETING))
    done = evaltui(*COMPARED, "-o", "a.xml", "-o", "a.md", "-o", "a.txt")
    table = done.out.decode()
    assert "book_flight  ▼ regressed" in table
    assert "response_match 1.00 → 0.55" in table
    assert "1 regressed, 1 same, 1 gone (refund) since base.json" in table
    (suite,) = ElementTree.parse("a.xml").findall("testsuite")
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("message", "").startswith("▼ regressed; ")
    assert "book_flight: regressed" in (suite.findtext("system-out") or "").splitlines()
    assert "refund: gone" in (suite.findtext("system-out") or "").splitlines()
    assert ("baseline", BASE) in [(each.get("name"), each.get("value")) for each in suite.findall("properties/*")]
    markdown = Path("a.md").read_text("utf-8")
    assert "| ▼ regressed | `book_flight` |" in markdown
    assert "Gone from the set: `refund`" in markdown


def test_regressions_come_first(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(ACTUAL, GREETING, THIRD))
    evaltui(*RUN, "--save-baseline", BASE)
    write(tmp_path / TRACE, result(ACTUAL, GREETING, WORSE))
    for form in ("table", "markdown"):
        text = evaltui(*COMPARED, "--format", form).out.decode()
        assert text.index("refund") < text.index("book_flight"), form
