"""Whatever texts a set or a recording holds, no report of a run acts on a terminal, a page or a parser."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evaltui.printable import is_unsafe
from evaltui.report.run_reports import report_pieces
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import score_sets
from evaltui.scoring.scored_set import ScoredSet
from tests.commands.runs import case, eval_set, result, turn, write

ODD = "\x1b[31m\x07[/x] ]]>&<b>@team `|*_# \u202e\x00\ufffe https://example.org www.example.org"


@pytest.fixture(params=[ODD, f"{ODD}\ud800"], ids=["odd", "an incomplete character"])
def hostile(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def runs(tmp_path: Path, hostile: str) -> list[ScoredSet]:
    """A failing case, one without a recording and a passing one, hostile all over."""
    calls = [(f"tool{hostile}", {f"key{hostile}": hostile})]
    wanted = [
        case(f"failing{hostile}", turn(f"one {hostile}", f"yes {hostile}", calls)),
        case(f"open{hostile}", turn(f"two {hostile}")),
        case(f"passing{hostile}", turn(f"three {hostile}", f"yes {hostile}", calls)),
    ]
    other = turn(f"one {hostile}", f"no {hostile}", [(f"other{hostile}", {}), (f"tool{hostile}", {})])
    set_path = write(tmp_path / "set.json", eval_set(*wanted, name=f"set{hostile}"))
    trace = write(tmp_path / "run.json", result(case(f"failing{hostile}", other), wanted[2], name=f"set{hostile}"))
    return score_sets([(str(set_path), ())], RunOptions(recordings=[str(trace)])).runs


def without_newlines(text: str) -> str:
    return text.replace("\n", "")


def test_the_cases_are_what_the_other_tests_stand_on(runs: list[ScoredSet], hostile: str) -> None:
    statuses = [each.status for run in runs for each in run.cases]
    assert statuses == (["failed", "not_evaluated", "passed"] if hostile == ODD else ["not_evaluated"] * 3)


@pytest.mark.parametrize("form", ["table", "markdown", "junit", "github"])
def test_nothing_unsafe_is_printed(runs: list[ScoredSet], form: str) -> None:
    assert not is_unsafe(without_newlines("".join(report_pieces(runs, form))))


def test_xml_is_well_formed_and_whole(runs: list[ScoredSet]) -> None:
    root = ElementTree.fromstring("".join(report_pieces(runs, "junit")))
    assert len(root.findall("testsuite/testcase")) == 3


def test_json_is_json(runs: list[ScoredSet], hostile: str) -> None:
    said = json.loads("".join(report_pieces(runs, "json")).encode())
    assert said["cases"][0]["eval_id"] == f"failing{hostile}"


def test_markdown_has_no_markup_and_no_mention_of_a_file(runs: list[ScoredSet]) -> None:
    text = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", "".join(report_pieces(runs, "markdown")))
    assert "<b>" not in text
    assert "@team" not in text
    assert "https://" not in text
