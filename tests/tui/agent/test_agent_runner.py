"""f6: the agent runs with the command of the settings, once it is trusted, and its recordings move the scores."""

import asyncio
import os
import re
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest
from textual.containers import VerticalScroll

from evaltui.document.document import Document
from evaltui.settings.run_command import trusted_path
from evaltui.settings.user_settings import load_settings
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.open_file.open_file import OpenFile
from evaltui.tui.review.review_queue import ReviewStart
from tests.answered_dataset import ANSWERED, DATASET
from tests.sampling import sampled
from tests.scored_sets import EXPECTED, RECORDING, SET, a_set
from tests.tui.agent.fake_agents import (
    DEAF,
    RESULT,
    WAITS,
    WRITES_OUTPUT,
    WRITES_RESULT,
    begin,
    beside,
    make_gate,
    open_gate,
    run,
    settings,
    until_ended,
    until_shown,
)
from tests.tui.headless import HeadlessApp
from tests.tui.scenario import NARROW, NORMAL, Scenario, scenario
from tests.tui.sets import SNAKE

TOUCHES = "open('ran', 'a').write('x')\n"


def runs_of(s: Scenario) -> int:
    """How often the script `TOUCHES` ran."""
    ran = s.path.parent / "ran"
    return len(ran.read_text()) if ran.exists() else 0


@pytest.mark.thorough
async def test_without_a_command_the_sentence_says_how_to_name_one() -> None:
    async with scenario(SET, NORMAL) as s:
        await s.press("f6")
        s.expect("No agent command. Set `run` in evaltui.toml or in the settings (press ,).")
        await s.press("shift+f6")
        s.expect("The agent has not run yet. Press f6 to run the agent.")
        await s.press("4")
        s.expect("Press H to add one, f6 to run the agent.")


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([NARROW, NORMAL], 1))
async def test_the_result_of_the_agent_moves_the_scores(size: tuple[int, int]) -> None:
    async with scenario(SET, size, beside=beside(WRITES_RESULT, "{set} {cases}")) as s:
        assert not s.app.file.scores.has_any
        await run(s)
        assert s.focused == "agent"
        s.expect("✓ exit code 0 after", "all done", "2 lines", "The agent ended: exit code 0 after")
        s.expect("1 new recording.")
        await s.press("escape")
        assert s.focused == "tree"
        assert "4 ✓" in s.title
        assert "agent runs" not in s.title


@pytest.mark.thorough
async def test_a_command_of_the_project_never_runs_before_a_person_says_y() -> None:
    async with scenario(SET, beside=beside(TOUCHES)) as s:
        for answer in ("enter", "space", "tab", "down"):
            await s.press("f6", answer)
            assert s.focused == "trust question"
            await s.press("escape")
            s.expect("The agent was not started.")
        assert runs_of(s) == 0
        assert not trusted_path().exists()
        await run(s)
        await s.press("escape", "f6")
        await until_ended(s)
        assert runs_of(s) == 2


@pytest.mark.thorough
async def test_one_other_character_in_the_command_or_another_agent_asks_again() -> None:
    async with scenario(SET, beside=beside(TOUCHES, more={"other/agent.py": ""})) as s:
        await run(s)
        await s.press("escape")
        for text in (settings(arguments="{set}:{cases} "), settings(agent="other")):
            (s.path.parent / "evaltui.toml").write_text(text)
            await s.press("f6")
            assert s.focused == "trust question"
            await s.press("escape")
        assert runs_of(s) == 1


async def test_the_question_shows_the_command_its_file_and_its_folder_safely() -> None:
    hostile = 'run = "sh run.sh \\u001b[31mred \\u202e {set} ' + "x" * 900 + ' the-end"\n'
    async with scenario(SET, (80, 40), beside={"evaltui.toml": hostile, "run.sh": "", "agent.py": ""}) as s:
        await s.press("f6")
        s.expect(
            "Trust this command?", "evaltui.toml sets this command", "File ", "Folder ", "Command ", "␛[31mred", "⁞"
        )
        s.expect(str(s.path.parent), "esc  do not run it", "y  run it, and do not ask again")
        await s.press("end")
        s.expect("xxx the-end", "Files    run.sh", "It does not check other code")
        await s.press("escape")


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([NARROW, (80, 10), (40, 24), (24, 8)]))
async def test_a_command_runs_only_once_each_word_of_it_was_in_sight(size: tuple[int, int]) -> None:
    words = [f"w{number:03}" for number in range(150)]
    async with scenario(SET, size, beside=beside(TOUCHES, " ".join(words))) as s:
        await s.press("f6")
        await s.press("end")  # what was jumped over counts for nothing
        shown: dict[int, str] = {}
        while s.focused == "trust question":
            assert runs_of(s) == 0
            shown |= command_lines(s)
            await s.press("y")
        await until_ended(s)
        assert sorted(shown) == [*range(len(shown))]
        text = "".join(line for _, line in sorted(shown.items()))
        assert [word for word in words if word not in text] == []


def command_lines(s: Scenario) -> dict[int, str]:
    """The lines of the question's details that are on screen, by their number, without titles."""
    view = s.app.screen.query_one("#command", VerticalScroll)
    area = view.scrollable_content_region.intersection(s.app.screen.region)
    rows = [row[area.x + 9 : area.right] for row in s.screen()[area.y : area.bottom]]
    return {round(view.scroll_y) + number: row for number, row in enumerate(rows)}


async def test_a_short_command_is_shown_whole_and_enter_says_which_key_trusts_it() -> None:
    async with scenario(SET, NARROW, beside=beside(TOUCHES, "{set}")) as s:
        # A short command has no more lines.
        await s.press("f6")
        s.expect("Trust this command?", "Command ")
        assert not s.shows("more line")
        screen = s.screen()
        answer = next(number for number, line in enumerate(screen) if "do not run it" in line)
        assert [bool(line.strip("│ ")) for line in screen[answer - 2 : answer]] == [True, False], "one empty line"
        await s.press("escape")

        # Enter says which key trusts a command.
        await s.press("f6", "enter")
        s.expect("Enter does nothing here. Press y to run the command or esc to close.")
        await s.press("escape")
        assert runs_of(s) == 0


async def test_what_a_smaller_window_hides_of_a_command_does_not_count_as_seen() -> None:
    async with scenario(SET, (100, 40), beside=beside(TOUCHES, "x " * 300)) as s:
        await s.press("f6")
        await s.resize(60, 12)
        await s.press("y")
        assert s.focused == "trust question"
        await s.press("escape")
        s.expect("The agent was not started.")
        assert runs_of(s) == 0


async def test_the_users_own_command_is_asked_about_once_in_each_project(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    for name in ("one", "other"):
        path = tmp_path / name / "set.evalset.json"
        path.parent.mkdir()
        path.write_text(SET)
        path.with_name("agent.py").write_text(TOUCHES)
        app = EvaltuiApp(Document.open(path), settings=load_settings(config))
        async with app.run_test(size=NORMAL) as pilot:
            s = Scenario(app, pilot, path)
            await s.settle()
            config.write_text(settings(arguments="{agent}"))  # read when the key is pressed
            await s.press("f6")
            s.expect("config.toml sets this command", "if you trust the authors of all code in the folders.")
            s.expect(f"Folder   {path.parent}", f"Agent    {path.parent}", "Files    agent.py")
            assert runs_of(s) == 0
            await s.press("y")
            await until_ended(s)
            await s.press("escape", "f6")
            await until_ended(s)
            assert runs_of(s) == 2
            config.write_text("run = 3\n")
            await s.press("escape", "f6")
            s.expect("config.toml:1: run: must be a command")
            assert runs_of(s) == 2


async def test_a_trusted_command_whose_script_changed_is_asked_about() -> None:
    async with scenario(SET, beside=beside(TOUCHES)) as s:
        await run(s)
        await s.press("escape")
        (s.path.parent / "agent.py").write_text(TOUCHES + "# pulled\n")
        await s.press("f6")
        assert s.focused == "trust question"
        await s.press("escape")
        assert runs_of(s) == 1


async def test_a_script_that_changes_while_the_question_is_open_does_not_run() -> None:
    async with scenario(SET, beside=beside(TOUCHES)) as s:
        await s.press("f6")
        (s.path.parent / "agent.py").write_text(TOUCHES + "# pulled\n")
        await s.press("y")
        s.expect("The agent was not started: a file or folder of the command has")
        assert runs_of(s) == 0
        await run(s)
        assert runs_of(s) == 1


@pytest.mark.thorough
async def test_what_is_written_to_the_output_folder_counts_beside_a_named_recording() -> None:
    files = beside(WRITES_OUTPUT, "{output}", {"actual.json": RECORDING})
    async with scenario(SET, beside=files, recordings=["actual.json"]) as s:
        assert "1 ✓ 2 ✗" in s.title
        await run(s)
        s.expect("1 new recording.")
        await s.press("escape")
        assert "4 ✓" in s.title
        output = s.app.file.agent.run
        assert output is not None
        assert output.output is not None
        assert output.output.parent.name == "agent_runs"


async def test_an_agent_in_another_folder_has_its_history_there() -> None:
    script = WRITES_RESULT.replace("pathlib.Path(sys.argv[1]).parent", "pathlib.Path(sys.argv[1])")
    files = {"evaltui.toml": settings("run.py", "{agent}", agent="app"), "run.py": script, "app/agent.py": ""}
    async with scenario(SET, beside=files) as s:
        await run(s)
        s.expect("1 new recording.")
        assert (s.path.parent / "app" / ".adk").exists()
        await s.press("escape")
        assert "4 ✓" in s.title


@pytest.mark.thorough
async def test_an_agent_that_writes_nothing_is_said_and_no_empty_folder_stays() -> None:
    async with scenario(SET, beside=beside("print('nothing')")) as s:
        await run(s)
        s.expect("No new recording found.")
        ended = s.app.file.agent.run
        assert ended is not None
        assert ended.output is not None
        assert not ended.output.exists()


@pytest.mark.thorough
async def test_only_marked_cases_run() -> None:
    async with scenario(SET, beside=beside(WRITES_RESULT, "{set} {cases}")) as s:
        await s.to("book_flight")
        await s.press("m")
        await s.to("greeting")
        await s.press("m")
        await run(s)
        s.expect("2 cases", "greeting,book_flight")
        await s.press("escape", "escape", "f6")
        await until_ended(s)
        s.expect("all cases")
        assert not s.shows("greeting,book_flight")


async def test_a_command_without_cases_says_that_it_cannot_know_the_marked_ones() -> None:
    async with scenario(SET, beside=beside(WAITS, "{set}")) as s:
        gate = make_gate(s)
        await s.press("down", "m")
        await begin(s)
        s.expect("Without {cases} or $EVALTUI_CASES, the command runs all cases.")
        await open_gate(gate)
        await until_ended(s)


@pytest.mark.parametrize("eval_id", sampled(["a,b", "a:b", "-x", "", "$(touch ran)", "`touch ran`", "a b", "@file"]))
async def test_an_id_that_the_command_cannot_take_is_said_and_nothing_runs(eval_id: str) -> None:
    cases = {eval_id: EXPECTED["greeting"], "other": EXPECTED["escalate"]}
    async with scenario(a_set(cases), beside=beside(TOUCHES)) as s:
        await s.press("down", "m", "f6")
        assert s.focused == "tree"
        assert re.search("cannot be run by its id|cannot run this case alone", s.status)
        assert runs_of(s) == 0


async def test_unsaved_edits_are_said_and_saved_or_not() -> None:
    reads = "import sys; print('Ahoy' in open(sys.argv[1]).read())"
    async with scenario(SET, beside=beside(reads, "{set}")) as s:
        await run(s)
        await s.press("escape")
        await s.enter("Hello")
        await s.edit("Hello", "Ahoy")
        await s.press("f6")
        s.expect("set.evalset.json has unsaved changes.", "s  save and run", "r  run with the file on disk")
        await s.press("escape")
        assert s.focused == "form"
        await s.press("f6", "r")
        await until_ended(s)
        s.expect("False")
        await s.press("escape", "f6", "s")
        await until_ended(s)
        s.expect("True")
        assert b"Ahoy" in s.file_bytes()


@pytest.mark.thorough
async def test_f6_acts_while_a_field_is_edited() -> None:
    async with scenario(SET, beside=beside(TOUCHES)) as s:
        await s.enter("Hello")
        await s.enter("Hello")
        assert s.focused == "field"
        await run(s)
        assert runs_of(s) == 1


async def test_the_run_goes_on_behind_the_editor_and_f6_shows_it_again() -> None:
    async with scenario(SET, NORMAL, beside=beside(WAITS)) as s:
        gate = make_gate(s)
        await begin(s)
        await until_shown(s, "up")
        first = s.app.file.agent.run
        s.expect("running", "x cancel", "esc leave it running")
        await s.press("escape")
        s.expect("The agent is still running. Press f6 to show its output.")
        assert "agent runs" in s.title
        await s.press("f6")
        s.expect("running", "up")
        await s.press("f6")
        s.expect("The agent is running.")
        assert s.app.file.agent.run is first
        await s.press("escape")
        await open_gate(gate)
        await until_ended(s)
        assert s.focused == "tree"
        s.expect("The agent ended: exit code 0")
        assert "agent runs" not in s.title
        await s.press("shift+f6")
        s.expect("goes on", "✓ exit code 0")


async def test_the_head_says_how_long_the_run_before_took() -> None:
    async with scenario(SET, beside=beside(WAITS)) as s:
        gate = make_gate(s)
        await begin(s)
        assert not s.shows("last run took")
        await open_gate(gate)
        await until_ended(s)
        await s.press("f6")
        s.expect(re.compile(r"running \d+\.\d s  last run took \d"))
        await s.press("x")
        await until_ended(s)
        await s.press("f6")
        s.expect("running")
        assert not s.shows("last run took")
        await s.press("x")
        await until_ended(s)


async def test_x_cancels_then_leaves() -> None:
    async with scenario(SET, beside=beside(WAITS)) as s:
        make_gate(s)
        await begin(s)
        await until_shown(s, "up")
        await s.press("x")
        await until_ended(s)
        s.expect("– cancelled after", "The agent ended: cancelled after")
        await s.press("x")
        assert s.focused == "tree"


async def test_a_second_x_kills_what_ignores_the_first() -> None:
    async with scenario(SET, beside=beside(DEAF)) as s:
        await begin(s)
        await until_shown(s, "up")
        await s.press("x")
        s.expect("cancelling", "Cancelling the agent. Press x again to kill it at once.")
        await s.press("x")
        await until_ended(s)
        s.expect("– cancelled after")


@pytest.mark.thorough
async def test_a_failure_shows_its_last_lines_and_its_exit_code() -> None:
    fails = "import sys; print('step'); print('\\x1b[31mboom\\x1b[0m \\x07', file=sys.stderr); sys.exit(3)"
    async with scenario(SET, beside=beside(fails)) as s:
        await run(s)
        s.expect("✗ exit code 3 after", "step", "boom ␇", "The agent ended: exit code 3")


async def test_scores_are_outdated_after_a_run_that_failed_without_a_recording() -> None:
    script = "import os, sys; os.path.exists('works') or sys.exit(1)\n" + WRITES_OUTPUT
    files = beside(script, "{output}", {"actual.json": RECORDING})
    async with scenario(SET, NORMAL, beside=files, recordings=["actual.json"]) as s:
        await run(s)
        s.expect("✗ exit code 1", "No new recording found. The scores are outdated.")
        assert s.app.file.scores.counted() == "4 outdated"
        await s.press("escape", "4")
        s.expect("outdated: the last run of the agent failed. Press f5 to score the earlier recordings")
        await s.press("f5")
        assert s.app.file.scores.counted() == "1 ✓ 2 ✗ 1 –"
        await s.press("f6")
        await until_ended(s)
        assert s.app.file.scores.counted() == "4 outdated"
        (s.path.parent / "works").touch()
        await s.press("f6")
        await until_ended(s)
        s.expect("1 new recording.")
        assert s.app.file.scores.counted() == "4 ✓"


_LEAVES = """
import os, signal, sys
reading, writing = os.pipe()
if not os.fork():
    os.setsid()
    os.write(writing, b"up")
    signal.pause()
print(os.read(reading, 9).decode())
"""


async def test_what_was_ended_is_told_in_the_output_and_in_the_status_line() -> None:
    async with scenario(SET, beside=beside(f"{_LEAVES}signal.pause()")) as s:
        await begin(s)
        await until_shown(s, "up")
        await s.press("x")
        await until_ended(s)
        s.expect("evaltui: ended with the command: ", "The agent ended: cancelled after", "1 other process ended.")


@pytest.mark.thorough
async def test_a_server_that_goes_on_is_told() -> None:
    async with scenario(SET, NORMAL, beside=beside(_LEAVES)) as s:
        await run(s)
        s.expect("✓ exit code 0", "evaltui: still running: ", "1 other process still runs.")
        shown = re.search(r"\(pid (\d+)\)", "".join(s.app.file.agent.run.process.output.tail()))  # type: ignore[union-attr]
        assert shown is not None
        os.kill(int(shown[1]), signal.SIGKILL)


async def test_a_program_that_is_absent_is_a_sentence() -> None:
    async with scenario(SET, beside={"evaltui.toml": 'run = "no-such-agent {set}"'}) as s:
        await begin(s)
        s.expect("no-such-agent: there is no such program. Is its environment active?")
        assert s.focused == "tree"


async def test_settings_that_do_not_hold_are_said() -> None:
    async with scenario(SET, NORMAL, beside={".git/config": ""}) as s:
        for text, why in (
            ('run = "x {sett}"', "Unknown placeholder {sett} in the command."),
            ('run = "x {agent}"', "No agent found"),
            ("run = 3", "run must be a command"),
            ("run = ", "evaltui.toml: Invalid value"),
        ):
            (s.path.parent / "evaltui.toml").write_text(text)
            await s.press("f6", "f2")
            s.expect(why)
            await s.press("f2")


@pytest.mark.thorough
async def test_a_flood_is_followed_and_scrolled_back() -> None:
    script = "for n in range(12_000): print('line', n)"
    async with scenario(SET, beside=beside(script)) as s:
        await run(s)
        s.expect("12,000 lines", "line 11999")
        await s.press("home")
        s.expect("line 7000")
        assert not s.shows("line 11999")
        await s.press("pagedown")
        s.expect("line 7020")
        await s.press("end")
        s.expect("line 11999")


async def test_who_scrolled_back_stays_there_while_more_comes() -> None:
    script = "print(*range(300), sep='\\n')" + WAITS + "print(*range(300, 4_000), sep='\\n')\n" + WAITS
    async with scenario(SET, beside=beside(script)) as s:
        gate = make_gate(s)
        await begin(s)
        await until_shown(s, "299")
        await s.press("home", "pagedown", "pagedown")
        before = [line[:10].rstrip() for line in s.screen()[2:-2]]
        running = s.app.file.agent.run
        assert running is not None
        await open_gate(gate)
        await until_shown(s, "4,003 lines")
        assert [line[:10].rstrip() for line in s.screen()[2:-2]] == before
        await s.scroll(10, 10, -1)
        await s.press("end")
        # The view rests between two updates: it may still end with the first "up", after 299.
        await until_shown(s, "3999")
        await until_shown(s, "up ")
        await s.scroll(10, 10, -1)
        s.expect("3998")
        assert not s.shows("up ")
        await s.press("pagedown")
        await open_gate(gate)
        await until_ended(s)
        s.expect("goes on")


@pytest.mark.thorough
async def test_the_end_stays_in_sight_when_the_output_outgrows_the_screen() -> None:
    script = WAITS + "for n in range(60): print('x' * 150, n)"
    async with scenario(SET, beside=beside(script)) as s:
        gate = make_gate(s)
        await begin(s)
        await until_shown(s, "up")
        await open_gate(gate)
        await until_ended(s)
        s.expect("x 59")
        await s.resize(60, 20)
        s.expect("x 59")


async def test_a_long_line_is_folded_for_the_width() -> None:
    async with scenario(SET, beside=beside("print('a' * 100 + 'END', '日本' * 50)")) as s:
        await run(s)
        s.expect("END")
        await s.resize(60, 20)
        s.expect("END", "日本")


async def test_leaving_the_file_while_the_agent_runs_needs_a_second_press() -> None:
    async with scenario(SET, beside=beside(WAITS)) as s:
        make_gate(s)
        await begin(s)
        await until_shown(s, "up")
        running = s.app.file.agent.run
        assert running is not None
        await s.press("ctrl+q")
        s.expect("The agent is still running. Press ^q again to stop it and quit.")
        await s.press("down", "ctrl+q")
        assert not s.ended
        await s.press("ctrl+q")
        assert s.ended
    assert await asyncio.to_thread(running.process.wait, 30)
    (line,) = running.process.output.tail()
    with pytest.raises(ProcessLookupError):
        os.kill(int(line.removeprefix("up ")), 0)


async def test_the_review_runs_the_agent_and_takes_up_its_scores() -> None:
    files = beside(WRITES_OUTPUT, "{output}", {"actual.json": RECORDING})
    async with scenario(SET, NORMAL, beside=files, recordings=["actual.json"], starts_with=ReviewStart()) as s:
        s.expect("Review [1/")
        await run(s)
        s.expect("1 new recording.")
        await s.press("escape")
        assert s.app.file.scores.counted() == "4 ✓"


@pytest.mark.thorough
async def test_an_agent_runs_for_eval_sets_and_datasets_only() -> None:
    async with scenario('{"a": 1}', name="a.json", beside=beside(TOUCHES)) as s:
        await s.press("f6")
        s.expect("Agents run only for eval sets and datasets.")


async def test_the_agent_of_a_dataset_runs_and_its_traces_are_scored() -> None:
    script = f"""
import os, pathlib, sys
print("arguments", *sys.argv[1:])
traces = pathlib.Path("artifacts/traces")
traces.mkdir(parents=True)
(traces / "traces_20261127_052013.json").write_text({ANSWERED!r})
"""
    files = beside(script, "{set} --cases={cases}")
    async with scenario(DATASET, NORMAL, name="desk.json", beside=files) as s:
        await s.to("refund")
        await s.press("m")
        await run(s)
        s.expect(f"{s.path} --cases=refund", "1 new recording.")
        await s.press("escape")
        assert "1 ✗ 2 –" in s.title


@pytest.mark.thorough
async def test_without_a_command_a_dataset_is_told_the_one_of_agents_cli() -> None:
    async with scenario(DATASET, NORMAL, name="desk.json") as s:
        await s.press("f6")
        s.expect('No agent command. Set run = "agents-cli eval run --dataset {set}" in evaltui.toml (press ,).')


@pytest.mark.thorough
async def test_a_marked_case_of_a_dataset_without_an_id_does_not_run_alone() -> None:
    dataset = DATASET.replace('"eval_case_id": "open",', "")
    async with scenario(dataset, NORMAL, name="desk.json", beside=beside(TOUCHES)) as s:
        await s.to("Are you open?")
        await s.press("m", "f6")
        assert "has no eval_case_id, so the agent cannot run this case alone." in s.status
        assert runs_of(s) == 0


async def test_f6_does_nothing_in_a_file_that_is_not_json() -> None:
    async with scenario('{"eval_cases": [', beside=beside(TOUCHES)) as s:
        await s.press("f6", "shift+f6")
        assert s.focused == "repair"
        assert runs_of(s) == 0


@pytest.mark.thorough
async def test_it_runs_in_the_folder_of_its_settings_which_has_the_agent() -> None:
    script = "import os; print('in', os.path.basename(os.getcwd()), os.path.samefile(os.environ['EVALTUI_AGENT'], '.'))"
    async with scenario(SNAKE, beside=beside(script)) as s:
        await run(s)
        s.expect(f"in {s.path.parent.name} True")


def test_the_result_for_tests_is_one_of_google_adk() -> None:
    assert '"eval_set_result_id"' in RESULT


def test_the_recordings_of_a_run_are_scored_also_if_the_next_run_has_begun() -> None:
    recording = Path("run.json")
    earlier = SimpleNamespace(is_running=False, end_text="", has_failed=False, new_recordings=lambda: [recording])
    file = OpenFile(Document(b"{}"), HeadlessApp())
    file.is_agent_running = True
    file.agent.run = SimpleNamespace(is_running=True)  # type: ignore[assignment]
    file.agent.ended(earlier)  # type: ignore[arg-type]
    file.app.work_all()  # type: ignore[attr-defined]
    assert (file.scorer.choices.added, file.is_agent_running) == ((str(recording),), True)
