"""Reports of a review: both sides, reasons and commands for people; and no text of a file acts on who reads them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.printable import is_unsafe
from evaltui.report.review_reports import diff_of_item, review_json, review_lines, review_markdown
from evaltui.review.decisions import Decision, ReviewDecisions
from evaltui.review.set_review import SetReview
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import score_sets
from tests.commands.runs import case, eval_set, result, turn, write

ODD = (
    "\x1b[31m\x07[/x] ]]>&<b>@team `|*_# \u202e\x00\ufffe https://example.org www.example.org"
    "\u3164\r\n```\n</details>\n~~~"
)
ACCEPT = ("evaltui", "accept", "set.json")


def reviewed(folder: Path, expected: dict[str, Any], actual: dict[str, Any], *said: Decision) -> SetReview:
    """The review of a set of one case, in which metrics need 1.0 to pass."""
    name = str(write(folder / "set.json", eval_set(expected, name=f"set{ODD}")))
    trace = str(write(folder / "run.json", result(actual, name=f"set{ODD}")))
    options = RunOptions([trace], metrics=["tool_trajectory_avg_score=1", "response_match_score=1"])
    scored = score_sets([(name, ())], options)
    decisions = ReviewDecisions()
    decisions.add(said)
    return SetReview(scored.runs[0], decisions, ACCEPT, passing=True)


def simple(folder: Path, ours: str, theirs: str) -> SetReview:
    return reviewed(folder, case("a", turn("Hello", ours)), case("a", turn("Hello", theirs)))


def text_of(each: SetReview, width: int = 80) -> str:
    return "\n".join(line.plain.rstrip() for line in review_lines([each], width))


def json_of(review: SetReview) -> str:
    name = review.run.subject.name
    return review_json([review], {name: Document.open(Path(name))})


@pytest.fixture
def hostile(tmp_path: Path) -> SetReview:
    """A failing turn and a turn that comes, hostile all over, with decisions of people with hostile names."""
    ours = case(f"-id{ODD}", turn("one", f"yes {ODD}", [(f"tool{ODD}", {f"key{ODD}": ODD})]))
    theirs = case(
        f"-id{ODD}",
        turn("one", f"no {ODD} {ODD}", [(f"tool{ODD}", {f"key{ODD}": [ODD]}), (ODD, {ODD: {ODD: ODD}})]),
        turn(f"two {ODD}", ODD, [(ODD, {})]),
    )
    first = reviewed(tmp_path, ours, theirs)
    said = [
        Decision(str(number), ODD, f"{author}{ODD}", item.eval_id, item.turn, item.seen, verdict, (), item.seen, ODD)
        for number, (author, verdict) in enumerate([("Ana", "accepted"), ("Bo", "agent is wrong"), ("Cy", None)])
        for item in first.items
    ]
    return reviewed(tmp_path, ours, theirs, *said)


def test_the_hostile_review_has_all_that_the_other_tests_stand_on(hostile: SetReview) -> None:
    assert [each.turn for each in hostile.items] == [1, 2]
    assert all(len(hostile.decisions.about(each)) == 3 for each in hostile.items)


@pytest.mark.parametrize("width", [20, 80, 300])
def test_nothing_unsafe_is_printed(hostile: SetReview, width: int) -> None:
    for text in (text_of(hostile, width), review_markdown([hostile])):
        assert not is_unsafe(text.replace("\n", ""))


def test_each_id_is_printed_whole_and_is_no_option(hostile: SetReview) -> None:
    text, markdown = text_of(hostile), review_markdown([hostile])
    for item in hostile.items:
        for change in item.changes:
            identifier = hostile.id_of(item, change)
            assert f"--change '{identifier}'" in text or f"--change {identifier}" in text
            assert identifier in markdown
            assert not identifier.startswith("-")
    assert "add its id to this command: `evaltui accept set.json --change`" in markdown


def test_json_is_json_with_the_texts_as_they_are(hostile: SetReview) -> None:
    said = json.loads(json_of(hostile).encode())
    assert said["items"][0]["eval_id"] == f"-id{ODD}"
    assert ODD in said["items"][0]["actual"]["response"]


def test_markdown_has_no_markup_and_no_mention_of_a_file(hostile: SetReview) -> None:
    text = "\n".join(_outside_of_fences(review_markdown([hostile]).splitlines())).replace("\\`", "")
    text = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", text).replace("<br>", "").replace("<!-- -->", " ")
    assert "<" not in text
    assert not re.search(r"(?m)^(```|~~~|#### |> )", text)
    assert "@team" not in text
    assert "https://" not in text


def _outside_of_fences(lines: list[str]) -> list[str]:
    """The lines that CommonMark does not take for code; every fence must be closed by the one that we wrote."""
    outside: list[str] = []
    fence = ""
    for line in lines:
        if fence:
            if re.fullmatch(rf" {{0,3}}`{{{len(fence)},}}\s*", line):
                assert line == fence
                fence = ""
        elif found := re.match(r" {0,3}(`{3,})diff$", line):
            fence = found[1]
        else:
            outside.append(line)
    assert fence == ""
    return outside


@pytest.mark.parametrize("ticks", ["```", "````\n```", "   ```", "`" * 30])
def test_no_text_ends_the_fence_around_it(tmp_path: Path, ticks: str) -> None:
    text = review_markdown([simple(tmp_path, f"a\n{ticks}\nb", f"a\n{ticks}\nc\n{ticks}")])
    assert not any(line.strip() == "+ c" for line in _outside_of_fences(text.splitlines()))


def test_the_diff_shows_calls_and_lines_of_the_response(tmp_path: Path) -> None:
    ours = case("a", turn("Hello", "One\nTwo\nThree", [("search", {"to": "YUL"}), ("book", {"id": "1"})]))
    theirs = case("a", turn("Hello", "One\n2\nThree", [("search", {"to": "YUL"}), ("book", {"id": 1}), ("mail", {})]))
    (item,) = reviewed(tmp_path, ours, theirs).items
    assert [f"{sign} {line}" for sign, line in diff_of_item(item)] == [
        '  search(to="YUL")',
        '- book(id="1")',
        "+ book(id=1)",
        "+ mail()",
        "  response: One",
        "-           Two",
        "+           2",
        "            Three",
    ]


def test_of_long_lines_what_differs_is_shown(tmp_path: Path) -> None:
    same, more = "word " * 1000, "tail " * 1000
    (item,) = simple(tmp_path, f"{same}expected {more}", f"{same}recorded {more}").items
    shown = [line for sign, line in diff_of_item(item) if sign != " "]
    assert ["expected" in shown[0], "recorded" in shown[1]] == [True, True]
    assert all(len(line) < 200 and line.startswith("response: …") and line.endswith("…") for line in shown)


def test_equal_lines_far_from_a_difference_are_counted(tmp_path: Path) -> None:
    lines = "\n".join(f"line {number}" for number in range(100))
    (item,) = simple(tmp_path, f"{lines}\nold\n{lines}", f"{lines}\nnew\n{lines}").items
    shown = diff_of_item(item)
    assert [line for _, line in shown if "equal lines" in line] == ["… 98 equal lines", "… 98 equal lines"]
    assert len(shown) == 8


def test_very_long_texts_are_cut_and_many_items_are_counted(tmp_path: Path) -> None:
    users = [f"Question {number}" for number in range(40)]
    ours = case("a", *(turn(user, "old " * 700, [("t", {"x": "y" * 5000})]) for user in users))
    theirs = case("a", *(turn(user, "new " * 700, [("t", {"x": "z" * 5000})]) for user in users))
    found = reviewed(tmp_path, ours, theirs)
    text = review_markdown([found])
    assert len(text) < 65_536
    assert re.search(r"… \d+ more items?", text)
    assert max(map(len, text_of(found).splitlines())) < 2_100


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", 10**400, 1e400])
def test_values_that_are_no_json_are_reported(tmp_path: Path, value: Any) -> None:
    ours = case("a", turn("Hello", "Hi", [("t", {"x": 1})]))
    theirs = case("a", turn("Hello", "Hi", [("t", {"x": value})]))
    found = reviewed(tmp_path, ours, theirs)
    text = json_of(found)
    data = json.loads(text.encode(), parse_constant=pytest.fail)
    assert len(data["items"]) == len(found.items)
    assert text_of(found)
    assert review_markdown([found])


def test_a_set_without_items_says_so(tmp_path: Path) -> None:
    found = simple(tmp_path, "Hi", "Hi")
    assert "nothing to review" in text_of(found)
    assert "nothing to review" in review_markdown([found])


def test_fills_are_offered_together(tmp_path: Path) -> None:
    ours = case("a", *({**turn("Hello"), "intermediate_data": None} for _ in range(2)))
    theirs = case("a", *(turn("Hello", "Hi", [("t", {})]) for _ in range(2)))
    text = text_of(reviewed(tmp_path, ours, theirs))
    assert text.endswith("All 4 changes of kind fill:\n    evaltui accept set.json --fills")


def test_a_command_names_a_case_although_another_long_id_begins_alike(tmp_path: Path) -> None:
    ids, users = (f"{'x' * 80}1", f"{'x' * 80}2"), ("Hello", "And back")
    ours, theirs = (
        [case(name, turn(user, text, [("book", {"n": text})])) for name, user in zip(ids, users, strict=True)]
        for text in ("yes", "no")
    )
    name, trace = write(tmp_path / "set.json", eval_set(*ours)), write(tmp_path / "run.json", result(*theirs))
    options = RunOptions([str(trace)], metrics=["tool_trajectory_avg_score=1", "response_match_score=1"])
    review = SetReview(score_sets([(str(name), ())], options).runs[0], accept=ACCEPT)
    assert all(f"--case {eval_id} --turn 1" in text_of(review) for eval_id in ids)
