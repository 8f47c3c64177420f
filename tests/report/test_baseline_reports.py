"""Reports with changes since a baseline: nothing of a file acts on who reads them, and without one nothing differs."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evaltui.printable import is_unsafe
from evaltui.report.run_reports import report_pieces
from evaltui.report.scores_text import move_text
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import score_sets
from evaltui.scoring.baseline_changes import with_changes
from evaltui.scoring.baseline_file import baseline_of, baseline_text, read_baseline
from evaltui.scoring.scored_set import ScoredSet
from tests.commands.runs import case, eval_set, result, turn, write

ODD = "\x1b[31m\x07[/x] ]]>&<b>@team `|*_# \u202e\x00\ufffe\nhttps://example.org"


@pytest.fixture
def run(tmp_path: Path) -> ScoredSet:
    """A run in which a hostile case regressed and another one is gone since a baseline with a hostile name."""
    wanted = [case(name, turn(f"Hi {name}", "Hello")) for name in (f"worse{ODD}", f"gone{ODD}")]
    worse = case(f"worse{ODD}", turn(f"Hi worse{ODD}", "No"))
    path = write(tmp_path / "set.json", eval_set(*wanted, name=f"set{ODD}"))

    def scored(*cases: dict[str, object]) -> ScoredSet:
        trace = write(tmp_path / "run.json", result(*cases, name=f"set{ODD}"))
        return score_sets([(str(path), ())], RunOptions(recordings=[str(trace)])).runs[0]

    baseline = read_baseline(baseline_text(baseline_of(scored(*wanted))).encode())
    write(path, eval_set(wanted[0], name=f"set{ODD}"))
    return with_changes(scored(worse), baseline, f"base{ODD}\ud800.json")


def test_the_run_is_what_the_other_tests_stand_on(run: ScoredSet) -> None:
    assert run.changes is not None
    assert [each.change for each in run.changes.cases.values()] == ["regressed"]
    assert run.changes.gone == (f"gone{ODD}",)


@pytest.mark.parametrize("form", ["table", "markdown", "junit", "github"])
def test_nothing_unsafe_is_printed(run: ScoredSet, form: str) -> None:
    text = "".join(report_pieces([run], form))
    assert "regressed" in text
    assert form == "github" or "gone" in text.casefold()
    assert not is_unsafe(text.replace("\n", ""))
    # A table wraps at blanks; elsewhere no text of a file begins a line.
    assert form == "table" or not any(line.strip().startswith("https:") for line in text.splitlines())


def test_xml_is_well_formed(run: ScoredSet) -> None:
    (failure,) = ElementTree.fromstring("".join(report_pieces([run], "junit"))).findall("testsuite/testcase/failure")
    assert (failure.text or "").startswith("▼ regressed: response_match 1.00 → 0.00")


def test_json_has_the_texts_as_they_are(run: ScoredSet) -> None:
    said = json.loads("".join(report_pieces([run], "json")))
    assert said["baseline"]["path"] == f"base{ODD}\ud800.json"
    assert said["baseline"]["gone"] == [f"gone{ODD}"]
    assert said["cases"][0]["change"] == "regressed"


@pytest.mark.parametrize("form", ["json", "table", "markdown", "junit", "github"])
def test_only_a_baseline_adds_to_a_report(run: ScoredSet, form: str) -> None:
    without = "".join(report_pieces([replace(run, changes=None)], form))
    for word in ("regressed", "gone", "since", "system-out>"):
        assert word not in without.replace(f"gone{ODD}", "")
    if form == "json":
        said = json.loads("".join(report_pieces([run], "json")))
        said.pop("baseline")
        said["cases"][0].pop("change")
        assert json.loads(without) == said


@pytest.mark.parametrize(
    ("before", "now", "text"),
    [
        (0.91, 0.57, "0.91 → 0.57"),
        (0.9101, 0.9102, "0.9101 → 0.9102"),
        (None, 1.0, "– → 1.00"),
        (1.0, None, "1.00 → –"),
        (1e300, 2e300, "1.00e+300 → 2.00e+300"),
    ],
)
def test_a_move_has_as_many_digits_as_tell_both_apart(before: float | None, now: float | None, text: str) -> None:
    assert move_text(before, now) == text


def test_numbers_in_markdown_have_the_format_of_the_table(run: ScoredSet) -> None:
    text = "".join(report_pieces([run], "markdown"))
    assert "| `response_match_score` | 0.00 |" in text
    assert "1.00 → 0.00" in text
