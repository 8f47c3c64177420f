"""Options of the plug-in: paths, baselines and wrong values."""

import json
from pathlib import Path

import pytest

from tests.answered_dataset import ANSWERED
from tests.commands.conftest import Evaltui, evaltui  # noqa: F401 - a fixture
from tests.pytest_plugin.conftest import HELLO, TRIPS, WITH_RUN, Run, collected, outcomes, text_of
from tests.scored_sets import ACTUAL, EXPECTED, RECORDING, a_set, history

pytest_plugins = ["pytester"]

BOOKING = f"{TRIPS}::book_flight"
FAILS = {BOOKING: "FAILED"}
CHANGES_FOLDER = "import os, pathlib\nos.chdir(pathlib.Path(__file__).parent / 'other')\n"


@pytest.fixture
def other_folder(project: Path) -> Path:
    """A folder in which files with the names of the options let every case pass."""
    folder = project / "other"
    (folder / "evals").mkdir(parents=True)
    for name, text in {**history(EXPECTED), "run.json": a_set(EXPECTED)}.items():
        for path in (folder / name, folder / "evals" / name):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    (folder / "own.json").write_text('{"criteria": {"response_match_score": 0.0}}')
    (project / "own.json").write_text('{"criteria": {"tool_trajectory_avg_score": 1.0}}')
    return folder


@pytest.mark.parametrize("place", ["test_first.py", "conftest.py"])
def test_a_changed_working_directory_changes_no_verdict(
    run: Run, project: Path, other_folder: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    indent = "def test_first():\n" + "".join(f"    {line}\n" for line in CHANGES_FOLDER.splitlines())
    (project / place).write_text(indent if place == "test_first.py" else CHANGES_FOLDER)
    first = [place] if place == "test_first.py" else []
    done = run("-rA", *first, str(project / BOOKING), *WITH_RUN, "--evaltui-config", "own.json")
    assert outcomes(done).items() >= FAILS.items()


def test_the_history_of_google_adk_is_that_of_the_set(
    run: Run, project: Path, other_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    for name, text in history(ACTUAL).items():
        (project / "evals" / name).parent.mkdir(parents=True)
        (project / "evals" / name).write_text(text)
    (project / "test_first.py").write_text(f"import os\n\ndef test_first():\n    os.chdir({str(other_folder)!r})\n")
    assert outcomes(run("-rA", "test_first.py", BOOKING)).items() >= FAILS.items()


@pytest.mark.thorough
def test_workers_have_the_paths_of_the_run_that_started_them(run: Run, project: Path, other_folder: Path) -> None:
    (project / "conftest.py").write_text(CHANGES_FOLDER)
    words = "-p", "xdist", "-n", "1", "-rA", str(project / BOOKING)
    done = run(*words, *WITH_RUN, "--evaltui-config", "own.json")
    assert outcomes(done) == FAILS
    (project / "pytest.ini").write_text("[pytest]\nevaltui_recordings = run.json\nevaltui_config = own.json\n")
    assert outcomes(run(*words)) == FAILS


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("--evaltui-config=", "--evaltui-config is empty; give the name of a file"),
        ("--evaltui-recordings=", "--evaltui-recordings is empty; give the name of a file"),
        ("--evaltui-baseline=", "--evaltui-baseline is empty; give the name of a file"),
        ("--evaltui-baseline=nowhere", "--evaltui-baseline nowhere: there is no such file or folder"),
        ("--evaltui-fail-on=regression", "--evaltui-fail-on regression needs --evaltui-baseline FILE"),
        ("--evaltui-metric=safety_v1=", "--evaltui-metric safety_v1=: the threshold after = is not a number"),
        ("-oevaltui_runs=first", "evaltui_runs first: there is no such choice; use latest or all"),
        ("-oevaltui_fail_on=x", "evaltui_fail_on x: there is no such choice; use any or regression"),
    ],
)
def test_a_wrong_option_is_one_sentence(run: Run, word: str, said: str) -> None:
    done = run(TRIPS, word)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert [line for line in done.errlines if line] == [f"ERROR: {said}"]


def test_values_of_a_recording_are_not_rewritten(run: Run, project: Path) -> None:
    case = {"eval_id": "c", "conversation": [_call({"text": "--config and --runs all"})]}
    (project / "words.evalset.json").write_text(json.dumps({"eval_set_id": "w", "eval_cases": [case]}))
    case["conversation"] = [_call({"text": "nothing"})]
    (project / "words.json").write_text(json.dumps({"eval_set_id": "w", "eval_cases": [case]}))
    done = run("words.evalset.json", "--evaltui-recordings", "words.json")
    assert 'text is "--config and --runs all" in the set' in text_of(done)


def _call(args: dict[str, str]) -> object:
    return {**HELLO[0], "intermediate_data": {"tool_uses": [{"name": "say", "args": args}], "tool_responses": []}}


def test_a_case_with_several_recordings_names_the_option_of_the_plug_in(run: Run, project: Path) -> None:
    (project / "again.json").write_text(RECORDING.replace("Enjoy", "Have fun"))
    done = run(BOOKING, *WITH_RUN, "--evaltui-recordings", "again.json")
    assert "the latest of 2 recordings. Use --evaltui-runs all for the mean of all recordings." in text_of(done)


@pytest.mark.parametrize("words", [(), pytest.param(("-p", "xdist", "-n", "1"), marks=pytest.mark.thorough)])
def test_files_that_are_skipped_are_named_at_the_end(run: Run, project: Path, words: tuple[str, ...]) -> None:
    (project / "rec").mkdir()
    (project / "rec/broken.json").write_text('{"eval')
    (project / "rec/notes.txt").write_text("x")
    done = run(*words, "-rA", f"{TRIPS}::greeting", "--evaltui-recordings", "rec")
    lines = [line for line in done.outlines if line.startswith("evaltui: ")]
    assert lines == [
        "evaltui: rec/broken.json:1:2: invalid JSON: the string has no closing quote; skipped",
        "evaltui: rec: there is no recording in this folder; 1 file in it (.txt) is not a recording",
        "evaltui: 1 test fails because something is not evaluated. --evaltui-allow-not-evaluated allows this.",
    ]
    done.stdout.fnmatch_lines(["No recording was read. --evaltui-recordings has none that can be used."])
    (project / "rec/run.json").write_text(history(ACTUAL).popitem()[1])
    (project / "rec/same.json").write_text(history(ACTUAL).popitem()[1])
    well = run(*words, "-rA", f"{TRIPS}::greeting", "--evaltui-recordings", "rec")
    assert outcomes(well) == {f"{TRIPS}::greeting": "PASSED"}
    said = "evaltui: rec/same.json: this is a copy of rec/run.json, so each session in it counts once"
    assert [line for line in well.outlines if line.startswith("evaltui: ")] == [
        lines[0],
        "evaltui: 1 file in rec (.txt) is not a recording",
        said,
    ]


def test_each_case_has_the_marker(run: Run) -> None:
    trips = [f"{TRIPS}::{name}" for name in EXPECTED]
    words = "--collect-only", "-q", "--strict-markers", TRIPS, "test_own.py", "-m"
    assert collected(run(*words, "evaltui")) == trips
    assert collected(run(*words, "not evaltui")) == ["test_own.py::test_own"]


NODE_IDS = ["twice[1]", "a%3A%3Ab", "twice[2]", "open%5Bone", "open[one]", "größe→[ü]"]


@pytest.fixture
def odd_ids(project: Path) -> str:
    """A set whose ids are not easy to restore."""
    ids = ["twice", "a::b", "twice", "open[one", "open[one]", "größe→[ü]"]
    cases = [{"eval_id": eval_id, "conversation": HELLO} for eval_id in ids]
    (project / "ids.evalset.json").write_text(json.dumps({"eval_set_id": "ids", "eval_cases": cases}))
    return "ids.evalset.json"


@pytest.mark.parametrize("option", ["--lf", "--ff", "--sw"])
def test_failures_of_the_last_run_are_found_by_any_id(run: Run, odd_ids: str, option: str) -> None:
    names = [f"{odd_ids}::{name}" for name in NODE_IDS]
    words = "-p", "cacheprovider", "-p", "stepwise"
    assert outcomes(run("-rA", *words, odd_ids)) == dict.fromkeys(names, "FAILED")
    if option == "--sw":
        run(*words, odd_ids, option, "--deselect", names[0], "--deselect", names[1])
    again = collected(run(*words, odd_ids, option, "--collect-only", "-q"))
    assert again == (names[2:] if option == "--sw" else names)


def test_an_id_that_the_locale_lacks_is_escaped(run: Run, odd_ids: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In such a locale, pytest could not put the name of the test into the environment."""
    monkeypatch.setattr("os.fsencode", lambda name: name.encode("ascii"))
    found = collected(run("--collect-only", "-q", odd_ids))
    assert found[-1] == rf"{odd_ids}::gr\xf6\xdfe\u2192[\xfc]"


@pytest.fixture
def baseline(evaltui: Evaltui, project: Path) -> Path:  # noqa: F811 - the fixture
    """A baseline of the set in which `too_long` and `book_flight` failed, and `escalate` was not evaluated."""
    assert evaltui("run", TRIPS, "-r", "run.json", "--save-baseline", "base.json").code == 1
    return project / "base.json"


@pytest.mark.usefixtures("baseline")
def test_only_regressions_fail(run: Run, project: Path, evaltui: Evaltui) -> None:  # noqa: F811 - the fixture
    words = "-rA", TRIPS, "--evaltui-baseline", "base.json", "--evaltui-fail-on", "regression"
    done = run(*words, *WITH_RUN)
    assert outcomes(done) == {
        f"{TRIPS}::greeting": "PASSED",
        BOOKING: "XFAIL",
        f"{TRIPS}::too_long": "XFAIL",
        f"{TRIPS}:{_line_of(project, 'escalate')}:": "SKIPPED",
    }
    assert "known failure: this case failed in base.json, too. turn 2 · tool_trajectory 0.00 < 1.00" in text_of(done)
    assert done.ret == evaltui("run", TRIPS, "-r", "run.json", *_of_command(words)).code == 0

    (project / "run.json").write_text(a_set({**ACTUAL, "greeting": ACTUAL["too_long"]}))
    worse = run(*words, *WITH_RUN)
    assert outcomes(worse)[f"{TRIPS}::greeting"] == "FAILED"
    assert "regressed: this case passed in base.json" in text_of(worse)
    assert worse.ret == evaltui("run", TRIPS, "-r", "run.json", *_of_command(words)).code == 1

    (project / "run.json").write_text(a_set({"nobody": ACTUAL["nobody"]}))
    lost = outcomes(run(*words, *WITH_RUN))
    assert [name for name, outcome in lost.items() if outcome == "FAILED"] == [
        f"{TRIPS}::{name}" for name in ("greeting", "book_flight", "too_long")
    ]
    assert evaltui("run", TRIPS, "-r", "run.json", *_of_command(words)).code == 3


def _of_command(words: tuple[str, ...]) -> list[str]:
    """The options of `evaltui run` for those of the plug-in."""
    return [word.replace("--evaltui-", "--") for word in words[2:]]


def _line_of(project: Path, eval_id: str) -> int:
    return (project / TRIPS).read_text().splitlines().index(f'      "eval_id": "{eval_id}",')


@pytest.mark.usefixtures("baseline")
def test_a_failure_says_what_the_baseline_has(run: Run, project: Path) -> None:
    done = run("-rA", TRIPS, *WITH_RUN, "--evaltui-baseline", "base.json")
    assert outcomes(done)[BOOKING] == "FAILED"
    assert "known failure: this case failed in base.json, too" in text_of(done)
    edited = {**EXPECTED, "more": EXPECTED["escalate"], "book_flight": EXPECTED["book_flight"][:1]}
    (project / TRIPS).write_text(a_set(edited))
    (project / "run.json").write_text(a_set({**ACTUAL, "more": ACTUAL["too_long"], "escalate": ACTUAL["nobody"]}))
    said = text_of(run(TRIPS, *WITH_RUN, "--evaltui-baseline", "base.json"))
    assert "no regression: this case was edited since base.json was saved" in said
    assert "no regression: this case is not in base.json" in said
    assert "no regression: this case was not evaluated in base.json" in said


@pytest.mark.usefixtures("baseline")
def test_a_baseline_that_says_nothing_is_refused(run: Run, project: Path) -> None:
    regressions = "--evaltui-baseline", "base.json", "--evaltui-fail-on", "regression"
    other = run(TRIPS, *WITH_RUN, *regressions, "--evaltui-metric", "response_match_score=0.1")
    other.stdout.fnmatch_lines(["*trips.evalset.json: base.json: this baseline was made with other criteria: *"])
    assert other.ret == pytest.ExitCode.TESTS_FAILED
    warned = run(TRIPS, *WITH_RUN, *regressions[:2], "--evaltui-metric", "response_match_score=0.1", "-rA")
    assert "verdicts may differ" in text_of(warned)
    odd = run("evals/odd.test.json", TRIPS, *WITH_RUN, *regressions)
    odd.stdout.fnmatch_lines(['evals/odd.test.json: no baseline is for set "odd"; save one with *'])
    odd.assert_outcomes(errors=3, passed=1, xfailed=2, skipped=1)
    (project / "copy.json").write_bytes((project / "base.json").read_bytes())
    twice = run(TRIPS, *WITH_RUN, *regressions, "--evaltui-baseline", "copy.json")
    twice.stdout.fnmatch_lines(["copy.json: base.json is for the same set; give one baseline for each set"])
    broken = run(TRIPS, *WITH_RUN, "--evaltui-baseline", "run.json")
    broken.stdout.fnmatch_lines(["run.json: this is not a baseline; *"])


def test_each_dataset_has_its_own_baseline(run: Run, project: Path, evaltui: Evaltui) -> None:  # noqa: F811
    for name in ("three", "other"):
        (project / f"{name}-dataset.json").write_text(ANSWERED)
        evaltui("run", f"{name}-dataset.json", "--save-baseline", f"{name}.json")
    both = "--evaltui-baseline", "three.json", "--evaltui-baseline", "other.json", "--evaltui-fail-on", "regression"
    run("three-dataset.json", "other-dataset.json", *both).assert_outcomes(xfailed=2, skipped=4)
    one = run("three-dataset.json", "other-dataset.json", *both[:2], *both[4:])
    one.assert_outcomes(xfailed=1, skipped=2, errors=3)
    one.stdout.fnmatch_lines(['other-dataset.json: no baseline is for set "other-dataset.json"; save one with *'])


@pytest.mark.thorough
@pytest.mark.usefixtures("baseline")
def test_the_loop_of_a_team_with_workers_and_a_baseline(run: Run, project: Path) -> None:
    """Known failures are settled, the agent gets worse, the failing case is run again, and the agent gets well."""
    words = "-p", "xdist", "-n", "2", "-rA", TRIPS, *WITH_RUN, "--evaltui-baseline", "base.json"
    words = *words, "--evaltui-fail-on", "regression"
    run(*words).assert_outcomes(passed=1, xfailed=2, skipped=1)
    (project / "run.json").write_text(a_set({**ACTUAL, "greeting": ACTUAL["too_long"]}))
    run(*words).assert_outcomes(failed=1, xfailed=2, skipped=1)
    assert outcomes(run(*words, "--lf")) == {f"{TRIPS}::greeting": "FAILED"}
    (project / "run.json").write_text(RECORDING)
    run(*words, "--lf").assert_outcomes(passed=1)
    run(*words, "--runxfail").assert_outcomes(passed=1, failed=2, skipped=1)
