"""The run pane after a second run: what changed, which cases are shown in which order, and a baseline."""

import json
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from evaltui.tui.commands import other_keys
from evaltui.tui.panes.score_head import bar_of_rates
from tests.scored_sets import ACTUAL, EXPECTED, RECORDING, SET, a_set, history, recording_with, turn
from tests.tui.scenario import NARROW, WIDE, Scenario, scenario

OTHER = a_set(
    {
        **ACTUAL,
        "greeting": [turn(1, "Hello", "No")],
        "book_flight": EXPECTED["book_flight"],
        "escalate": EXPECTED["escalate"],
    }
)
"""A recording after which greeting fails, book_flight passes, and escalate has a recording at last."""


@asynccontextmanager
async def scored(size: tuple[int, int] = WIDE) -> AsyncIterator[Scenario]:
    async with scenario(SET, size, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.press("4")
        yield s


def lines(s: Scenario) -> list[str]:
    rows = [re.sub(r" · took \d+\.\d\d s\b", "", " ".join(row.split())) for row in s.rows()]
    return [re.sub(r"\d\d:\d\d(:\d\d)?", "10:42", row) for row in rows]


def cases(s: Scenario) -> list[str]:
    shown = [line.split() for line in lines(s)[2:]]
    return [words[1] for words in shown if len(words) > 1 and words[1] in EXPECTED]


async def record(s: Scenario, recording: str) -> None:
    """Have the agent do something else, and score that."""
    (s.path.parent / "actual.json").write_text(recording)
    await s.press("f5")


# --- what changed ----------------------------------------------------------------------------------------------


async def test_a_run_says_what_it_changed_in_each_order_and_a_second_score_keeps_that() -> None:
    async with scored() as s:
        # A run says what it changed.
        assert "change" not in lines(s)[1]
        await record(s, OTHER)
        assert lines(s)[0] == "2 of 4 pass (50 %) · ▲1 ▼1 1 new · scored 10:42 · sorted: failing first last runs ▂▄"
        shown = "\n".join(lines(s))
        assert "✗ greeting ✓ 1.00 ≥ 1.00 ✗ 0.00 < 0.80 0.00 ▼ -0.92 fails now, text changed actual.json now" in shown
        assert "✓ book_flight ✓ 1.00 ≥ 1.00 ✓ 1.00 ≥ 0.80 1.00 ▲ +0.50 passes now, tools changed" in shown
        assert "✓ escalate ✓ 1.00 ≥ 1.00 ✓ 1.00 ≥ 0.80 1.00 new actual.json now" in shown

        # Scoring twice keeps the marks and the bar.
        await record(s, OTHER)
        before = lines(s)
        await s.press("f5", "f5")
        assert lines(s) == before

        # S goes through the orders and the head names each.
        await record(s, OTHER)
        await s.press("home")
        found = {}
        for _ in range(4):
            order = lines(s)[0].split(" · ")[-1].removesuffix(" last runs ▂▄").removeprefix("sorted: ")
            found[order] = cases(s)
            assert "greeting" in s.cursor()
            await s.press("s")
            assert s.status.strip().startswith("sorted: ")
        assert found == {
            "failing first": ["greeting", "too_long", "book_flight", "escalate"],
            "file order": ["greeting", "book_flight", "escalate", "too_long"],
            "biggest loss": ["greeting", "too_long", "book_flight", "escalate"],
            "changed first": ["greeting", "book_flight", "escalate", "too_long"],
        }


@pytest.mark.thorough
async def test_a_save_marks_what_it_changed_and_nothing_else() -> None:
    async with scored() as s:
        await record(s, OTHER)
        await s.press("1")
        await s.enter("Get me a human")
        await s.edit("I hand you over.", "No.")
        await s.press("ctrl+s", "4")
        assert "▼1 · scored" in lines(s)[0]
        shown = "\n".join(lines(s))
        assert "✗ escalate ✓ 1.00 ≥ 1.00 ✗ 0.00 < 0.80 1.00 ▼ -1.00 fails now, case changed" in shown
        assert "text changed" not in shown
        assert len(lines(s)[0].split()[-1]) == 3  # runs


@pytest.mark.thorough
async def test_marks_stay_with_their_cases_that_are_moved_deleted_and_restored() -> None:
    async with scored() as s:
        await record(s, OTHER)
        before = lines(s)[0]
        await s.press("1")
        await s.to("book_flight")
        await s.press("alt+up", "d")
        s.expect("1 of 3 pass (33 %) · ▼1 1 new · scored")
        await s.press("u", "f5", "4", "o")
        assert cases(s) == ["greeting", "book_flight", "escalate"]
        assert lines(s)[0].startswith(before.partition(" · scored")[0])


@pytest.mark.thorough
async def test_a_renamed_case_is_compared_with_itself() -> None:
    async with scored() as s:
        await s.press("1")
        await s.edit_id("greeting", "hello")
        await record(s, OTHER)
        await s.press("4")
        assert any("hello" in line and "▼ -0.92 fails now, text changed" in line for line in lines(s))


@pytest.mark.thorough
async def test_an_outdated_case_claims_no_change() -> None:
    async with scored() as s:
        await record(s, OTHER)
        await s.press("1")
        await s.enter("Hello")
        await s.edit("Hi, how can I", "Good day")
        await s.press("4")
        shown = next(line for line in lines(s) if "greeting" in line)
        assert shown.startswith("~ greeting")
        assert shown.endswith("outdated")
        assert "▼" not in shown
        s.expect("2 of 3 pass (67 %) · ▲1 1 new", "1 outdated")


@pytest.mark.thorough
async def test_a_case_without_a_recording_from_now_on_says_so() -> None:
    async with scored() as s:
        await record(s, a_set({"book_flight": ACTUAL["book_flight"]}))
        head, row = s.rows()[1], next(row for row in s.rows() if "– greeting" in row)
        assert "there is no recording of this case" in row
        assert row.index("– not evaluated now") == head.index("change"), "the change is below its head"
        assert "1 not evaluated now" not in lines(s)[0] or "▲" not in lines(s)[0]


# --- which cases, in which order -------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_keys_show_all_failing_or_changed_cases_and_the_filter_stays() -> None:
    async with scored() as s:
        await s.press("f")
        assert cases(s) == ["book_flight", "too_long"]
        s.expect("─ Scores 1 ✓ 2 ✗ 1 – · only failing · google-adk's defaults")
        await record(s, OTHER)
        assert cases(s) == ["greeting", "too_long"]
        await s.press("o")
        assert cases(s) == ["greeting", "book_flight", "escalate"]
        s.expect("· only changed ·")
        assert "f failing" in s.keys
        assert "a all" in s.keys
        assert "o changed" not in s.keys
        await s.press("a")
        assert len(cases(s)) == 4
        assert "a all" not in s.keys


@pytest.mark.thorough
async def test_a_filter_that_leaves_nothing_says_the_key_that_shows_all() -> None:
    for key, said in [
        ("o", "No case changed. Press a to show all cases."),
        ("f", "No case fails. Press a to show all cases."),
    ]:
        recording = a_set(EXPECTED)
        async with scenario(SET, NARROW, beside={"actual.json": recording}, recordings=["actual.json"]) as s:
            await s.press("4", key)
            assert lines(s)[1] == said
            assert cases(s) == []
            await s.press("enter", "down", "a")
            assert len(cases(s)) == 4


async def test_a_filter_selects_a_case_and_never_a_warning() -> None:
    async with scenario(SET, WIDE, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.press("4", "down")
        case = s.cursor()
        await s.press("o")
        assert "No case changed. Press a to show all cases." in s.cursor()
        await s.press("enter")
        assert "No case changed. Press a to show all cases." in s.status
        await s.press("a")
        assert s.cursor() == case
        await s.press("end")
        assert "conversation nobody skipped" in s.cursor()
        await s.press("f")
        assert "too_long" in s.cursor()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("keys", "review"), [({"list.review": "f6"}, "f6"), ({"list.review": "O,o", "run.changed": "o"}, "O")]
)
async def test_o_stays_in_the_scores_whatever_key_the_review_has(keys: dict[str, str], review: str) -> None:
    async with scored() as s:
        s.app.set_keymap(other_keys(keys))
        await s.press("o")
        s.expect("· only changed ·", "No case changed. Press a to show all cases.")
        await s.press(review)
        s.expect("Review [1/")


# --- a baseline ------------------------------------------------------------------------------------------------


async def test_nothing_is_claimed_of_a_case_that_was_edited_since_the_baseline() -> None:
    async with scored() as s:
        await s.press("b", "1")
        await s.enter("Hello")
        await s.edit("Hi, how can I", "Good day")
        await s.press("ctrl+s", "4")
        shown = next(line for line in lines(s) if "greeting" in line)
        assert shown.endswith("edited actual.json now")
        assert "1 edited · against baseline 10:42" in lines(s)[0]


# --- the text, the recordings, the bar -------------------------------------------------------------------------


@pytest.mark.thorough
async def test_the_head_says_which_text_was_scored() -> None:
    async with scored() as s:
        assert "· scored 10:42" in lines(s)[0]
        await s.press("1")
        await s.enter("Hello")
        await s.edit("Hi, how can I", "Good day")
        s.expect("· scored ", "1 outdated")
        await s.press("f5")
        s.expect("with unsaved changes")
        assert not s.shows("outdated")
        await s.press("ctrl+s")
        s.expect("· scored ")
        assert not s.shows("with unsaved changes")


@pytest.mark.thorough
async def test_a_recording_is_as_old_as_it_says_else_as_its_file() -> None:
    async with scored() as s:
        path = s.path.parent / "actual.json"
        os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 3 * 86_400))
        await s.press("f5")
        assert any(line.endswith("actual.json 3 d") for line in lines(s))
    found = history({"greeting": ACTUAL["greeting"]})
    async with scenario(SET, WIDE, beside=found) as s:
        await s.press("4")
        dated = next(line for line in lines(s) if "greeting" in line)
        assert re.search(r" app_trips_\S+ \d+ (d|y)$", dated)


async def test_a_recording_without_a_file_has_no_age() -> None:
    async with scored() as s:
        scores = s.app.file.scores
        assert scores.facts is not None
        scores.facts = scores.facts._replace(written={})
        await s.press("s")
        assert any(line.endswith("actual.json –") for line in lines(s))


@pytest.mark.thorough
async def test_the_bar_is_plain_where_the_terminal_has_no_block_characters() -> None:
    async with scored() as s:
        await record(s, OTHER)
        past = s.app.file.scores.past
        assert past is not None
        for term, bar in (("xterm-256color", "▂▄"), ("linux", ":="), ("", "▂▄")):
            assert bar_of_rates([*past.rates], {"TERM": term}) == bar


async def test_a_hostile_name_does_nothing_in_a_row_with_a_change() -> None:
    odd = "[bold]x[/bold]\x1b[31m"
    named = json.dumps(odd)[1:-1]
    async with scenario(
        SET.replace("greeting", named), NARROW, beside={"actual.json": RECORDING}, recordings=["actual.json"]
    ) as s:
        await s.press("4")
        (s.path.parent / "actual.json").write_text(OTHER)
        await s.press("f5", "home")
        assert any("[bold]x" in row and "\x1b" not in row for row in s.rows())


async def test_filters_end_o_shows_what_changed_and_a_baseline_is_dropped() -> None:
    async with scored() as s:
        # The key of a filter ends it too.
        every = cases(s)
        await s.press("f")
        assert cases(s) != every
        await s.press("f")
        assert sorted(cases(s)) == sorted(every)

        # O shows what changed in the scores and opens the review elsewhere.
        await s.press("o")
        assert s.focused == "run"
        await s.press("a", "O")
        s.expect("Review [1/")
        await s.press("escape", "1", "o")
        s.expect("Review [1/")
        await s.press("escape", "4")

        # A baseline is what runs are compared with until it is dropped.
        assert "b baseline" in s.keys
        await s.press("b")
        assert "against baseline 10:42" in lines(s)[0]
        assert s.status.strip() == "New baseline: later runs are compared with this run. Press b to remove it."
        assert "b drop baseline" in s.keys
        await record(s, OTHER)
        await record(s, recording_with("greeting", turn(1, "Hello", "No")))
        assert "▼1 · against baseline 10:42" in lines(s)[0]
        await s.press("b")
        assert "▼1 1 not evaluated now · scored" in lines(s)[0]
        assert "No baseline" in s.status


@pytest.mark.thorough
async def test_a_baseline_by_other_criteria_says_so() -> None:
    async with scored() as s:
        await s.press("b")
        assert "against baseline 10:42 ·" in lines(s)[0]
        (s.path.parent / "test_config.json").write_text('{"criteria": {"response_match_score": 0.1}}')
        await s.press("f5")
        assert "against baseline 10:42, criteria changed" in lines(s)[0]


@pytest.mark.thorough
async def test_a_narrow_terminal_keeps_the_sign_of_a_change_and_the_key_of_all_keys() -> None:
    async with scored(NARROW) as s:
        # The keys line keeps the key of all keys.
        assert s.keys.rstrip().endswith("? help")

        # In a narrow terminal the sign stays and the words are said of the selected case.
        await record(s, OTHER)
        await s.press("home")
        assert "▼ -0.92" in s.cursor()
        assert "fails now" not in s.cursor()
        assert s.status.strip().startswith("▼ -0.92 fails now, text changed")
        assert all(len(row) <= 80 for row in s.screen())


async def test_sources_that_come_go_break_or_change_no_verdict_are_said() -> None:
    async with scored() as s:
        # A config that comes and goes is said even if no verdict changes.
        config = s.path.parent / "test_config.json"
        same = '{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}}'
        in_force = "changed on disk · scored with test_config.json"
        for text, said in ((same, in_force), (None, "is gone · scored with google-adk's defaults")):
            config.write_text(text) if text is not None else config.unlink()
            s.app.call_later(s.app.file.sources.touched, frozenset({config}))
            await s.settle()
            assert s.status.strip() == f"test_config.json {said}"

        # A broken source is said and so is that it is well again.
        assert (await changed_on_disk(s, "actual.json", "{")).startswith(
            "3 cases outdated: actual.json:1:2: invalid JSON:"
        )
        said = await changed_on_disk(s, "actual.json", RECORDING)
        assert said == "actual.json changed on disk · the scores are up to date again"
        assert (await changed_on_disk(s, "test_config.json", "{")).startswith("The scores are outdated: test_config.")
        same = '{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}}'
        assert "scored with test_config.json" in await changed_on_disk(s, "test_config.json", same)

        # Scores that change without a verdict are said.
        value = json.loads(RECORDING)
        value["eval_cases"][1]["conversation"][0]["final_response"]["parts"][0]["text"] = "Quite another answer"
        said = await changed_on_disk(s, "actual.json", json.dumps(value))
        assert said == "actual.json changed on disk · no verdict changed"


async def test_recordings_that_newly_count_or_are_gone_are_not_said_to_have_changed() -> None:
    ((name, text),) = history(EXPECTED).items()
    async with scenario(SET, (140, 40)) as s:
        path = s.path.parent / name
        path.parent.mkdir(parents=True)
        assert await changed_on_disk(s, name, text) == f"{path.name} is used now · 4 of 4 cases pass"
        path.unlink()
        s.app.call_later(s.app.file.sources.touched, frozenset({path}))
        await s.settle()
        assert s.status.strip().startswith("No recordings. Press H to add one")
        path.write_text(text)
        s.app.call_later(s.app.file.sources.touched, frozenset())
        await s.settle()
        assert s.status.strip() == f"{path.name} is used now · 4 of 4 cases pass"


async def changed_on_disk(s: Scenario, name: str, text: str) -> str:
    """Write a file long ago, have the app hear of it, and give what the status line says then."""
    path = s.path.parent / name
    path.write_text(text)
    os.utime(path, (1_700_000_000, 1_700_000_000 + len(text)))
    s.app.call_later(s.app.file.sources.touched, frozenset({path}))
    await s.settle()
    return s.status.strip()


@pytest.mark.thorough
async def test_nothing_is_scored_live_while_the_watch_is_paused() -> None:
    async with scored() as s:
        await s.press("L", "p", "1")
        await s.enter("Get me a human")
        await s.edit("I hand you over.", "No.")
        assert "1 outdated" in s.title
