"""Nothing that a file says is a link, a mention, a formula or markup on a page of GitHub."""

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from evaltui.report.compare_reports import comparison_markdown
from evaltui.report.markdown import code, fenced, prose
from evaltui.report.review_reports import review_markdown
from evaltui.report.run_reports import report_pieces
from evaltui.result_files.compared_results import compare_results
from evaltui.result_files.result_file import open_result
from evaltui.review.decisions import Decision
from evaltui.review.set_review import SetReview
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import score_sets
from evaltui.scoring.baseline_changes import with_changes
from evaltui.scoring.baseline_file import baseline_of, baseline_text, read_baseline
from tests.commands.runs import case, eval_set, result, turn, write

HOSTILE = (
    "$x$",
    "$$\\frac{a}{b}$$",
    "$`x`$",
    "#123",
    "org/repo#5",
    "GH-1",
    "TICKET-7",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "da39a3e",
    "effaced",
    "1234567",
    "org/repo@da39a3e",
    ":smile:",
    ":+1:",
    "@team",
    "@org/team",
    "https://example.org",
    "http://example.org/a|b",
    "www.example.org",
    "somebody@example.org",
    "xmpp:a@b.example",
    "ftp://example.org",
    "[x](https://example.org)",
    "![x](https://example.org/i.png)",
    "[x][y]",
    "[^1]",
    "[^1]: note",
    "[y]: https://example.org",
    "<b>",
    "<!-- x -->",
    "<https://example.org>",
    "&lt;b&gt;",
    "&#64;team",
    "- [ ] task",
    "[x] task",
    "> [!NOTE]",
    "> quote",
    "# title",
    "1. one",
    "2) two",
    "+ plus",
    "* star",
    "=====",
    "-----",
    "| a | b |",
    "a|b",
    "a\\|b",
    "**bold**",
    "__bold__",
    "~~gone~~",
    "`code`",
    "``two``",
    "`open",
    "\\`",
    "```\n</details>\n~~~",
    "    indented",
    "back\\\nslash",
    "two  \nspaces",
)
LINKS = {
    "a reference": r"#\d|\bGH-\d|\b[A-Z]+-\d",
    "a commit": r"(?i)\b[0-9a-f]{7,40}\b",
    "a formula": r"\$",
    "a mention": r"@",
    "an address": r"(?i)\w://|www\.|\w\.(?:org|example|com)\b",
    "a sign": r":[\w+-]+:",
    "markup": r"[*~\[\]`]",
}
"""What GitHub searches for in the text of a finished page, outside of code."""


@pytest.fixture(scope="module")
def page() -> Callable[[str], list[Token]]:
    """Renders as GitHub does: tables, links in text, formulas, footnotes and tasks."""
    renderer = MarkdownIt("gfm-like", {"linkify": True, "html": True})
    renderer.use(dollarmath_plugin).use(footnote_plugin).use(tasklists_plugin)
    return renderer.parse


def inner_tokens(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from inner_tokens(token.children or [])


def faults(tokens: list[Token]) -> list[str]:
    """What acts on a page, other than the layout of a report."""
    layout = {"paragraph", "heading", "bullet_list", "list_item", "table", "thead", "tbody", "tr", "th", "td", "strong"}
    content = {"inline", "text", "code_inline", "fence", "softbreak"}
    found = []
    for token in inner_tokens(tokens):
        kind = token.type.removesuffix("_open").removesuffix("_close")
        is_ours = token.type == "html_inline" and token.content == "<br>"
        if kind not in layout | content and not is_ours:
            found.append(f"{token.type}: {token.content}")
        if token.type == "text":
            found += [f"{name}: {token.content}" for name, link in LINKS.items() if re.search(link, token.content)]
    return found


def test_the_page_of_the_tests_sees_what_the_values_would_do(page: Callable[[str], list[Token]]) -> None:
    """The others are layout that reports have, too, or act only beside other text."""
    acting = [text for text in HOSTILE if faults(page(text))]
    assert len(acting) == len(HOSTILE) - 15
    assert {"$x$", "#123", "org/repo#5", "GH-1", ":smile:", "@team", "effaced", "da39a3e", "> [!NOTE]"} <= set(acting)


@pytest.mark.parametrize("around", ["%s", "a %s b", "turn 1: %s, then", '"%s"', "(%s)", "%s %s", "x%sx"])
def test_no_value_acts_in_any_place(page: Callable[[str], list[Token]], around: str) -> None:
    for text in HOSTILE:
        assert_acts_nowhere(page, around.replace("%s", text))


def assert_acts_nowhere(page: Callable[[str], list[Token]], value: str) -> None:
    cell, sentence = code(value, in_table=True), prose(value, in_table=True)
    for shown in (
        f"- {prose(value)}",
        prose(value),
        f"**People disagree**: {prose(value)}",
        f"## ✗ {code(value)}",
        f"{code(value)} → {code(value)} {prose(value)}",
        f"| a | b | c |\n| --- | --- | --- |\n| {cell} | {sentence} | 1 |",
        "\n".join(fenced([f"+ {value}", value], "diff")),
    ):
        tokens = page(shown)
        assert faults(tokens) == []
        top = [token.type for token in tokens if token.level == 0 and token.nesting >= 0]
        assert len(top) == 1
        if top == ["table_open"]:
            assert sum(token.type == "td_open" for token in tokens) == 3


@given(st.lists(st.sampled_from([*HOSTILE, *" \\`|$#@:<[]()!*_~-+=.1aG\n", "deadbee", "f"]), max_size=12))
def test_no_pieces_act_together(pieces: list[str]) -> None:
    renderer = MarkdownIt("gfm-like", {"linkify": True, "html": True})
    renderer.use(dollarmath_plugin).use(footnote_plugin).use(tasklists_plugin)
    text = "".join(pieces)
    row = f"| {code(text, in_table=True)} | {prose(text, in_table=True)} |"
    tokens = renderer.parse(f"- {prose(text)}\n\n{prose(text)}\n\n| a | b |\n| --- | --- |\n{row}")
    assert faults(tokens) == []
    assert sum(token.type == "td_open" for token in tokens) == 2


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("turn 1 · response_match 0.57 < 0.80", "turn 1 · `response_match` 0.57 < 0.80"),
        ("no case: it's empty.", "no case: it's empty."),
        ('flight_id: "1" → 1 (type differs)', '`flight_id`: "1" → 1 (type differs)'),
        ('add call book(to="x"), then', 'add call `book(to="x")`, then'),
        ("", ""),
    ],
)
def test_sentences_stay_readable(sentence: str, shown: str) -> None:
    assert prose(sentence) == shown


# --- whole reports -------------------------------------------------------------------------------------------------

ALL = " ".join(HOSTILE)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The Markdown of all commands, with hostile text in each place that a file can fill."""
    folder = tmp_path_factory.mktemp("hostile")
    calls = [(f"tool {ALL}", {f"key {ALL}": ALL})]
    ours = [case(f"{name} {ALL}", turn(f"{name} {ALL}", f"yes {ALL}", calls)) for name in ("fails", "gone", "open")]
    theirs = case(f"fails {ALL}", turn(f"fails {ALL}", f"no {ALL} {ALL}", [(f"other {ALL}", {ALL: [ALL]})]))
    more = case(f"unknown {ALL}", turn(f"nobody {ALL}", ALL))
    name = f"set {ALL}"
    path = write(folder / "@team #1 $x$.evalset.json", eval_set(*ours, name=name))
    trace = folder / "https:www.example.org @team #2.json"

    def scored(*cases: dict[str, object]) -> SetReview:
        write(trace, result(*cases, name=name))
        metrics = ["tool_trajectory_avg_score=1", "response_match_score=1"]
        options = RunOptions([str(trace)], metrics=metrics)
        found = score_sets([(str(path), ())], options)
        accept = ("evaltui", "accept", str(path), "-r", str(trace))
        return SetReview(found.runs[0], None, accept, passing=True)

    baseline = read_baseline(baseline_text(baseline_of(scored(*ours[:2]).run)).encode())
    write(path, eval_set(ours[0], ours[2], name=name))
    reviewed = scored(theirs, more)
    items = reviewed.items
    said = [
        Decision(str(number), ALL, f"{author} {ALL}", item.eval_id, item.turn, item.seen, verdict, (), item.seen, ALL)
        for number, (author, verdict) in enumerate([("Ana", "accepted"), ("Bo", "agent is wrong"), ("Cy", None)])
        for item in items
    ]
    run = with_changes(reviewed.run, baseline, f"base {ALL}.json")
    reviewed.decisions.add(said)
    documents = ["".join(report_pieces([each.run], "json")) for each in (scored(*ours[:2]), scored(theirs))]
    results = [open_result(f"{ALL}.json", text.encode()) for text in documents]
    return {
        "run": "".join(report_pieces([run], "markdown")),
        "review": review_markdown([reviewed]),
        "compare": comparison_markdown(compare_results(*results)),
    }


def test_the_reports_have_what_the_other_tests_stand_on(reports: dict[str, str]) -> None:
    for word in ("▼ regressed", "Gone from the set", "`fails $x$", "not evaluated"):
        assert word in reports["run"]
    for word in ("People disagree", "### Accepted", "Conversations without a case", "```diff", "To accept a change"):
        assert word in reports["review"]
    for word in ("| case | metric |", "regressed", "→"):
        assert word in reports["compare"]


@pytest.mark.parametrize("command", ["run", "review", "compare"])
def test_nothing_of_a_file_acts_in_a_report(
    page: Callable[[str], list[Token]], reports: dict[str, str], command: str
) -> None:
    assert faults(page(reports[command])) == []
