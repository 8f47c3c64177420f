"""`evaltui run --format github`, and the files, lines and times of JUnit: what a CI system shows of a run."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.commands.conftest import Evaltui
from tests.commands.runs import ACTUAL, EXPECTED, GREETING, case, eval_set, result, turn, write

SET, TRACE, BASE = "trips.evalset.json", "run.json", "base.json"
THIRD = case("refund", turn("Refund me, please", "Your money is on its way to you"))
RUN = ("run", SET, "-r", TRACE, "--format", "github")


def write_lines(path: Path, *cases: dict[str, Any]) -> None:
    """A set with blank lines between its cases, and three lines in front."""
    listed = ",\n\n  ".join(json.dumps(each, indent=1) for each in cases)
    path.write_text(f'\n{{"eval_set_id": "trips",\n "eval_cases": [\n  {listed}\n]}}\n')


def lines_of_cases(path: Path, *cases: dict[str, Any]) -> list[int]:
    """The line in which each case begins."""
    text = path.read_text()
    return [text[: text.index(json.dumps(each, indent=1))].count("\n") + 1 for each in cases]


def annotations(evaltui: Evaltui, *options: str) -> list[str]:
    """The annotations up to their titles."""
    return [line.rpartition("::")[0] for line in evaltui(*RUN, *options).out.decode().splitlines()]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write_lines(tmp_path / SET, GREETING, EXPECTED, THIRD)
    write(tmp_path / TRACE, result(ACTUAL, GREETING))


@pytest.mark.parametrize("large", [False, True])
def test_failing_cases_are_errors_at_their_lines(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    if large:
        monkeypatch.setattr("evaltui.document.disk.file_content.LARGE", 0)
        monkeypatch.setattr("evaltui.document.json_stream.WINDOW", 100)
    failed, missing = lines_of_cases(tmp_path / SET, EXPECTED, THIRD)
    done = evaltui(*RUN)
    first, second = done.out.decode().splitlines()
    assert done.code == 1
    assert first.startswith(
        f"::error file={SET},line={failed},title=book_flight failed"
        "::tool_trajectory_avg_score 0.00 < 1.00; response_match_score 0.55 < 0.80%0Aturn 1 · tool_trajectory"
    )
    assert second.startswith(
        f"::warning file={SET},line={missing},title=refund is not evaluated::there is no recording"
    )
    assert done.err.startswith(f"evaltui: {SET}: 3 cases: 1 passed, 1 failed, 1 not evaluated\n")


def test_what_is_allowed_is_a_notice(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(EXPECTED, GREETING))
    assert (evaltui(*RUN).code, [line[:9] for line in annotations(evaltui)]) == (3, ["::warning"])
    allowed = "--allow-not-evaluated"
    assert (evaltui(*RUN, allowed).code, [line[:8] for line in annotations(evaltui, allowed)]) == (0, ["::notice"])


def test_a_run_without_failures_has_no_annotation(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(EXPECTED, GREETING, THIRD))
    done = evaltui(*RUN)
    assert (done.code, done.out, done.err) == (0, b"", f"evaltui: {SET}: 3 cases: 3 passed\n")


@pytest.mark.parametrize(
    ("recorded", "code", "levels"),
    [
        ((ACTUAL, GREETING, THIRD), 0, {"book_flight did not pass in the baseline either": "notice"}),
        (
            (ACTUAL, case("greeting", turn("Hi there", "No")), THIRD),
            1,
            {"greeting failed": "error", "book_flight did not pass in the baseline either": "notice"},
        ),
        (
            (ACTUAL, GREETING),
            3,
            {"book_flight did not pass in the baseline either": "notice", "refund is not evaluated": "warning"},
        ),
    ],
)
def test_only_regressions_are_errors_where_only_they_fail_the_run(
    evaltui: Evaltui, tmp_path: Path, recorded: Sequence[Any], code: int, levels: dict[str, str]
) -> None:
    write(tmp_path / TRACE, result(ACTUAL, GREETING, THIRD))
    evaltui("run", SET, "-r", TRACE, "--save-baseline", BASE)
    write(tmp_path / TRACE, result(*recorded))
    options = ("--baseline", BASE, "--fail-on", "regression")
    lines = annotations(evaltui, *options)
    assert evaltui(*RUN, *options).code == code
    assert [line.rpartition("title=")[2] for line in lines] == list(levels)
    assert [line.split()[0][2:] for line in lines] == list(levels.values())


def test_a_change_since_the_baseline_is_said(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / TRACE, result(EXPECTED, GREETING, THIRD))
    evaltui("run", SET, "-r", TRACE, "--save-baseline", BASE)
    write(tmp_path / TRACE, result(ACTUAL, GREETING, THIRD))
    done = evaltui(*RUN, "--baseline", BASE)
    message = done.out.decode().strip().rpartition("::")[2].split("%0A")
    assert message[0] == "▼ regressed: tool_trajectory 1.00 → 0.00, response_match 1.00 → 0.55"
    assert message[1] == "tool_trajectory_avg_score 0.00 < 1.00; response_match_score 0.55 < 0.80"
    assert done.err.startswith(f"evaltui: {SET}: 3 cases: 2 passed, 1 failed; 1 regressed, 2 same since {BASE}\n")


def test_each_of_several_sets_has_its_file(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "more" / "a,b.evalset.json", eval_set(case("x", turn("Hi", "Ho"))))
    out = evaltui("run", SET, "more", *RUN[2:]).out.decode()
    assert [line.partition(",line=")[0] for line in out.splitlines()] == [
        f"::error file={SET}",
        f"::warning file={SET}",
        "::warning file=more/a%2Cb.evalset.json",
    ]


def test_a_set_that_counts_for_nothing_has_a_warning(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, {**eval_set(), "creation_timestamp": "yesterday"})
    rejected, empty = evaltui(*RUN).out.decode().splitlines()
    assert rejected.startswith(f"::warning file={SET},line=1,title=eval set is rejected::google-adk rejects this set: ")
    assert empty == (
        f"::warning file={SET},line=1,title=eval set has no cases::there are no cases, so nothing is evaluated"
    )


def test_a_set_on_standard_input_has_no_file(evaltui: Evaltui, tmp_path: Path) -> None:
    source = (tmp_path / SET).read_bytes()
    out = evaltui("run", "-", "-r", TRACE, "--format", "github", stdin=source).out.decode()
    assert out.startswith("::error title=book_flight failed::")
    suite = ElementTree.fromstring(evaltui("run", "-", "-r", TRACE, "--format", "junit", stdin=source).out)[0]
    assert not {"file", "line"} & {name for element in suite.iter() for name in element.attrib}


@pytest.mark.parametrize("command", [RUN, ("validate", SET, "--format", "github")])
def test_paths_begin_at_the_checkout(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    write(tmp_path / SET, eval_set({**EXPECTED, "session_input": {"app": 1}}))
    roots = {"": SET, str(tmp_path.parent): f"{tmp_path.name}/{SET}", str(tmp_path / "other"): SET}
    for root, path in roots.items():
        monkeypatch.setenv("GITHUB_WORKSPACE", root)
        assert f" file={path}," in evaltui(*command).out.decode()


# --- JUnit ---------------------------------------------------------------------------------------------------------


def junit(evaltui: Evaltui, *options: str) -> ElementTree.Element:
    """The only suite."""
    (suite,) = ElementTree.fromstring(evaltui("run", SET, "-r", TRACE, "--format", "junit", *options).out)
    return suite


def timed(eval_id: str, *seconds: Any) -> dict[str, Any]:
    """A case whose turns take this time."""
    return case(eval_id, *({**turn(f"{eval_id} {number}"), "duration": each} for number, each in enumerate(seconds)))


def test_a_test_case_has_its_file_and_line(evaltui: Evaltui, tmp_path: Path) -> None:
    cases = junit(evaltui).findall("testcase")
    lines = lines_of_cases(tmp_path / SET, GREETING, EXPECTED, THIRD)
    assert [(each.get("file"), each.get("line")) for each in cases] == [(SET, str(line)) for line in lines]


def test_the_time_is_what_the_agent_took(evaltui: Evaltui, tmp_path: Path) -> None:
    cases = [
        timed("both", 1.25, 0.5),
        timed("one", 1.0, None),
        timed("never", "x"),
        timed("less", -1),
        timed("odd", 2),
    ]
    write(tmp_path / SET, eval_set(*cases))
    write(tmp_path / TRACE, result(*cases))
    suite = junit(evaltui)
    times = {each.get("name"): each.get("time") for each in suite.iter("testcase")}
    assert times == {"both": "1.750", "one": "0", "never": "0", "less": "0", "odd": "2.000"}
    assert suite.get("time") == "3.750"


def test_several_runs_of_a_case_add_up(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(timed("a", 0)))
    for number in (1, 2):
        write(tmp_path / f"{number}.json", result(timed("a", number), at=number * 1e9))
    out = evaltui("run", SET, "-r", "1.json", "-r", "2.json", "--runs", "all", "--format", "junit").out
    suite = ElementTree.fromstring(out)[0]
    assert (suite.get("time"), suite.get("timestamp")) == ("3.000", "2033-05-18T03:33:20")


@pytest.mark.parametrize(
    ("at", "timestamp"),
    [(1_700_000_000.9, "2023-11-14T22:13:20"), (None, None), ("soon", None)],
)
def test_the_timestamp_is_that_of_the_recording(
    evaltui: Evaltui, tmp_path: Path, at: Any, timestamp: str | None
) -> None:
    write(tmp_path / TRACE, result(EXPECTED, at=at))
    assert junit(evaltui).get("timestamp") == timestamp


def test_the_same_input_gives_the_same_bytes(evaltui: Evaltui) -> None:
    first, second = (evaltui("run", SET, "-r", TRACE, "--format", "junit").out for _ in range(2))
    assert first == second
