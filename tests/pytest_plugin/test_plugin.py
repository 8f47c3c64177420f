"""Eval sets as tests of pytest."""

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.answered_dataset import ANSWERED, DATASET
from tests.pytest_plugin.conftest import HELLO, ODDS, TRIPS, WITH_RUN, Run, collected, outcomes, text_of
from tests.sampling import sampled
from tests.scored_sets import ACTUAL, EXPECTED, SET, history

pytest_plugins = ["pytester"]

NONE_EVALUATED = "evaltui: no case is evaluated, so this run fails. -rs shows the reasons."


def line_of(eval_id: str) -> int:
    """The line where a case of `SET` begins: the one before its eval_id."""
    return SET.splitlines().index(f'      "eval_id": "{eval_id}",')


def test_each_case_is_a_test(run: Run, project: Path) -> None:
    done = run("-rA", *WITH_RUN, "--junit-xml", "scores.xml", "evals", "test_own.py")
    assert outcomes(done) == {
        f"{ODDS}::twice[1]": "FAILED",
        f"{ODDS}::a%3A%3Ab": "FAILED",
        f"{ODDS}::twice[2]": "FAILED",
        f"{TRIPS}::greeting": "PASSED",
        f"{TRIPS}::book_flight": "FAILED",
        f"{TRIPS}::escalate": "FAILED",
        f"{TRIPS}::too_long": "FAILED",
        "test_own.py::test_own": "PASSED",
    }
    told = messages(project / "scores.xml")
    first, *_, place = told["book_flight"].splitlines()
    assert first.startswith("turn 2 · tool_trajectory 0.00 < 1.00: book_flight: flight_id is ")
    assert place == f"{TRIPS}:{line_of('book_flight')}: failed"
    assert told["too_long"].startswith("1 turn recorded, 2 expected\n")
    assert told["escalate"].splitlines() == [
        "there is no recording of this case",
        "1 recorded conversation has no case. The first is nobody in run.json: "
        'case "nobody" is not in this eval set; no case has the same first user message',
        f"{TRIPS}:{line_of('escalate')}: not evaluated",
    ]
    assert "3 cases begin with this user message" in told["twice[1]"]
    said = text_of(done)
    assert "evaltui: 4 tests fail because something is not evaluated. --evaltui-allow-not-evaluated allows" in said
    assert not any(each in said for each in ("Traceback", "evaltui/pytest", "\x1b"))
    assert properties(project / "scores.xml")["book_flight"].items() >= {
        ("evaltui_status", "failed"),
        ("tool_trajectory_avg_score", "0.5"),
    }


def messages(report: Path) -> dict[str, str]:
    """The message of each failing test in a JUnit file."""
    tests = ElementTree.parse(report).iter("testcase")
    return {test.get("name", ""): failure.text or "" for test in tests for failure in test.iter("failure")}


def properties(report: Path) -> dict[str, dict[str | None, str | None]]:
    """The properties of each test in a JUnit file."""
    tests = ElementTree.parse(report).iter("testcase")
    return {
        test.get("name", ""): {each.get("name"): each.get("value") for each in test.iter("property")} for test in tests
    }


def test_cases_are_collected_in_their_order_and_chosen_by_name(run: Run) -> None:
    every = collected(run("--collect-only", "-q", "evals"))
    trips = [f"{TRIPS}::{name}" for name in EXPECTED]
    assert every == [f"{ODDS}::{name}" for name in ("twice[1]", "a%3A%3Ab", "twice[2]")] + trips
    chosen = collected(run("--collect-only", "-q", f"{ODDS}::twice", f"{TRIPS}::greeting", "evals/other.json"))
    others = [f"evals/other.json::{name}" for name in EXPECTED]
    assert chosen == [f"{ODDS}::twice[1]", f"{ODDS}::twice[2]", trips[0], *others]
    assert collected(run("--collect-only", "-q", "evals", "-k", "long or twice")) == [every[0], every[2], trips[3]]
    assert collected(run("--collect-only", "-q", f"{ODDS}::a%3A%3Ab")) == [every[1]]


def test_a_set_that_cannot_be_scored_is_one_sentence(run: Run) -> None:
    done = run("faults")
    assert done.ret == pytest.ExitCode.INTERRUPTED
    done.stdout.fnmatch_lines(
        [
            "faults/broken.evalset.json:1:21: invalid JSON: *",
            "faults/empty.evalset.json: there are no cases, so nothing is evaluated",
            "faults/legacy.evalset.json: google-adk rejects this: *",
            "*3 errors in *",
        ]
    )
    done.stdout.no_fnmatch_line("*Traceback*")


def test_a_metric_that_does_not_exist_is_named_with_the_option_of_the_plug_in(run: Run) -> None:
    done = run(TRIPS, "--evaltui-metric", "response_match")
    done.stdout.fnmatch_lines(["--evaltui-metric response_match: there is no such metric; did you mean *"])
    wrong = run(TRIPS, "--evaltui-metric", "response_match_score=high")
    assert "--evaltui-metric response_match_score=high: the threshold after = is not a number" in text_of(wrong)


def test_without_recordings_a_failure_says_how_to_give_them(run: Run) -> None:
    done = run(f"{TRIPS}::greeting")
    searched = (
        "There are no recordings of this set in evals/.adk/eval_history; the agent is unknown: *. Give them with *"
    )
    done.stdout.fnmatch_lines([searched])


def test_recordings_that_cannot_be_read(run: Run) -> None:
    missing = run("evals", "--evaltui-recordings", "nowhere")
    assert missing.ret == pytest.ExitCode.USAGE_ERROR
    missing.stderr.fnmatch_lines(["ERROR: --evaltui-recordings nowhere: there is no such file or folder"])
    other = run("-rA", f"{TRIPS}::greeting", "--evaltui-recordings", "own.json")
    assert outcomes(other) == {f"{TRIPS}::greeting": "ERROR"}
    other.stdout.fnmatch_lines(["own.json: this is an eval config. Recordings are *"])


def test_recordings_in_the_history_of_google_adk_are_found(run: Run, project: Path) -> None:
    for name, text in history(ACTUAL).items():
        (project / "evals" / name).parent.mkdir(parents=True)
        (project / "evals" / name).write_text(text)
    assert outcomes(run("-rA", f"{TRIPS}::greeting")) == {f"{TRIPS}::greeting": "PASSED"}


def test_a_metric_that_is_not_evaluated_fails_unless_it_is_allowed(run: Run) -> None:
    words = "-rA", *WITH_RUN, f"{TRIPS}::greeting", "--evaltui-metric", "safety_v1", "--evaltui-metric"
    done = run(*words, "response_match_score")
    done.stdout.fnmatch_lines(["safety_v1: it needs Vertex AI, which evaltui never calls", "*: not evaluated"])
    allowed = run(*words, "response_match_score", "--evaltui-allow-not-evaluated")
    assert outcomes(allowed) == {f"{TRIPS}::greeting": "PASSED"}


def test_settings_and_workers(run: Run, project: Path) -> None:
    (project / "evals/pytest.ini").write_text(
        "[pytest]\naddopts = -p evaltui.pytest\nevaltui_recordings = ../run.json\nevaltui_allow_not_evaluated = true\n"
        "evaltui_metrics =\n    response_match_score=0.99\n    tool_trajectory_avg_score\n"
        "evaltui_match_type = IN_ORDER\nevaltui_ignore_args = true\nevaltui_runs = all\n"
    )
    words = "-p", "xdist", "-n", "2", "-rA", "evals", "-c", "evals/pytest.ini", "--rootdir", "."
    done = run(*words)
    assert {name: outcome for name, outcome in outcomes(done).items() if outcome != "SKIPPED"} == {
        f"{TRIPS}::greeting": "FAILED",
        f"{TRIPS}::book_flight": "FAILED",
        f"{TRIPS}::too_long": "FAILED",
    }
    done.assert_outcomes(failed=3, skipped=4)
    said = text_of(done)
    assert f"{TRIPS}:{line_of('escalate')}: there is no recording of this case" in said
    assert "run 1 in run.json · turn 1 · response_match 0.92 < 0.99" in said
    assert "tool_trajectory 0.00" not in said  # IN_ORDER and ignore_args let the calls of book_flight pass


def test_options_come_before_settings(run: Run, project: Path) -> None:
    (project / "own.ini").write_text("[pytest]\nevaltui_config = nowhere.json\n")
    words = "-c", "own.ini", *WITH_RUN, f"{TRIPS}::book_flight", "-rA"
    done = run(*words)
    assert "nowhere.json: there is no such file" in text_of(done)
    done = run(*words, "--evaltui-config", "own.json", "-v")
    assert outcomes(done) == {f"{TRIPS}::book_flight": "PASSED"}


def test_a_run_without_eval_sets_loads_nothing_of_evaltui() -> None:
    script = (
        "import sys, evaltui.pytest as plugin\n"
        "assert plugin.pytest_collect_file\n"
        "raise SystemExit(bool({'pydantic', 'rich', 'textual', 'evaltui.api'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


COMMANDS = re.compile(r"(?m)^\s*::|##(?:vso|teamcity)?\[|section_(?:start|end):")


@pytest.mark.parametrize(
    "words", sampled([("-vv", "-rA"), ("-v",), ("-q", "-rs"), ("--collect-only",), ("--collect-only", "-q")])
)
def test_no_line_is_a_command_to_a_runner(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Names of files and cases, reasons, and texts of recordings are commands."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    odd = "##[group]x section_start:1:a\n::error::y"
    cases = [{"eval_id": odd, "conversation": HELLO}, {"eval_id": "::z", "conversation": 3}]
    for name, value in (
        ("own/::set ##[group]x.evalset.json", {"eval_set_id": odd, "eval_cases": cases}),
        ("own/::folder::/##vso[a]b.evalset.json", {"eval_set_id": odd, "eval_cases": cases}),
        ("broken/::none::.evalset.json", {"eval_set_id": odd, "eval_cases": []}),
        ("broken/section_end:1.evalset.json", {"eval_set_id": odd, "eval_cases": 3}),
    ):
        path = pytester.path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(json.dumps(value))
    for chosen in (("own",), ("own", "--evaltui-allow-not-evaluated"), ("broken",)):
        done = run(*words, *chosen, *WITH_RUN)
        text = "\n".join([*done.outlines, *done.errlines])
        assert "##" in text or "section_end" in text
        assert [line for line in text.splitlines() if COMMANDS.search(line)] == []


def test_datasets_of_a_folder_are_collected_and_their_traces_are_not(run: Run, project: Path) -> None:
    own = ("tests/eval/datasets/basic.json", "my-dataset.json")
    for name in (*own, "artifacts/traces/datasets/x.json", "artifacts/traces/x-dataset.json", "datasets/other.json"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(DATASET if name != "datasets/other.json" else '{"rows": []}')
    names = collected(run("--collect-only", "-q", "--ignore", "faults", "--ignore", "evals"))
    assert [name for name in names if ".json" in name] == [
        f"{name}::{case}" for name in reversed(own) for case in ("refund", "open", "nobody")
    ]


def test_a_case_without_an_expectation_is_not_evaluated_with_that_reason(run: Run, project: Path) -> None:
    (project / "my-dataset.json").write_text(ANSWERED)
    result = run("-rA", "my-dataset.json::open")
    assert outcomes(result) == {"my-dataset.json::open": "FAILED"}
    assert "the case states no expectation: it has no intermediate_events and no text in reference" in text_of(result)
    assert "my-dataset.json:" in text_of(result)
    assert ": not evaluated" in text_of(result)
    result = run("-rA", "--evaltui-allow-not-evaluated", "my-dataset.json::open")
    assert set(outcomes(result).values()) == {"SKIPPED"}
    assert (result.ret, result.outlines.count(NONE_EVALUATED)) == (1, 1)
    result = run("--evaltui-allow-not-evaluated", "my-dataset.json::open", "my-dataset.json::refund", "test_own.py")
    assert NONE_EVALUATED not in result.outlines


def test_a_run_without_an_evaluated_case_fails(run: Run) -> None:
    words = "--evaltui-allow-not-evaluated", f"{TRIPS}::escalate", "test_own.py"
    for workers in ((), ("-p", "xdist", "-n", "2")):
        done = run(*workers, *words, *WITH_RUN)
        done.assert_outcomes(passed=1, skipped=1)
        assert (done.ret, done.outlines.count(NONE_EVALUATED)) == (1, 1)
    evaluated = run(*words, f"{TRIPS}::greeting", *WITH_RUN)
    assert (evaluated.ret, evaluated.outlines.count(NONE_EVALUATED)) == (0, 0)
    assert run("--collect-only", *words).ret == run("test_own.py").ret == 0
