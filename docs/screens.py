"""All screens of the app with the sample sets, for pictures and for tests of how they look."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from textual.app import App
from textual.pilot import Pilot

from docs.sample_runs import WatchedTrips, run_later, watch_later
from evaltui.document.document import Document
from evaltui.interop.conversion import convert
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.runs.run_options import RunOptions
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.open_file.journal_keeper import start_journal
from evaltui.tui.review.review_queue import ReviewStart
from evaltui.tui.screens.sets_screen import SetsApp

SAMPLES = Path(__file__).resolve().parent.parent / "sample_sets"
_TRIPS = "trip_planner.evalset.json"
_AGENT = "import sys\nprint('agent on', *sys.argv[1:])\nfor n in range(30):\n    print('event', n)\n"
_LEGACY = [
    {
        "name": "refund",
        "data": [
            {"query": "Refund order 7", "expected_tool_use": [], "reference": "Which one?", "mark": "unknown"},
            {"query": "The blue one", "expected_tool_use": [{"tool_name": "refund", "tool_input": {"order": 7}}]},
        ],
        "initial_session": {"state": {"tier": "gold"}, "app_name": "shop", "user_id": "u", "session_id": "s1"},
    }
]

Act = Callable[[App[Any], Path], Awaitable[None]]


class ShownScreen(NamedTuple):
    """A screen, and how to get there: an app on a folder with the samples, then keys, texts to type (`=…`) and acts."""

    name: str
    open: Callable[[Path], App[Any]]
    steps: Sequence[str | Act] = ()
    before: Callable[[Path], Awaitable[None]] | None = None
    """Prepares the folder before the app starts."""


def samples_in(folder: Path) -> None:
    """Copy the sample sets into a folder, and add files of other kinds."""
    shutil.copytree(SAMPLES, folder, dirs_exist_ok=True)
    (folder / "legacy.json").write_text(json.dumps(_LEGACY, indent=2), "utf-8")
    (folder / "not_json.evalset.json").write_text('{"eval_set_id": "x",\n  "eval_cases": [{"eval_id" "a"},]\n', "utf-8")
    (folder / "empty.evalset.json").write_text('{"eval_set_id": "empty", "eval_cases": []}\n', "utf-8")
    (folder / "agent").mkdir(exist_ok=True)
    shutil.copy(SAMPLES / _TRIPS, folder / "agent")
    (folder / "agent" / "agent.py").write_text(_AGENT, "utf-8")
    (folder / "agent" / "evaltui.toml").write_text('run = "python3 agent.py {set} {cases}"\n', "utf-8")
    root = Document.open(SAMPLES / "migration" / "flight_desk.evalset.json").root
    assert root is not None
    made = convert(root, EVAL_SET, EVALUATION_DATASET, "flight_desk")
    (folder / "flight_desk-dataset.json").write_text(json.dumps(made.documents[0], indent=2), "utf-8")


def on(
    name: str, *recordings: str, review: ReviewStart | None = None, keeps: bool = False
) -> Callable[[Path], App[Any]]:
    """Opens the app on a file of the folder, scored with recordings; a journal `keeps` unsaved changes."""

    def opened(folder: Path) -> App[Any]:
        scored_with = RunOptions(tuple(str(folder / each) for each in recordings))
        app = EvaltuiApp(Document.open(folder / name), review=review, scored_with=scored_with)
        if keeps:
            start_journal(app.file)
        return app

    return opened


def _sets(folder: Path) -> App[Any]:
    return SetsApp(folder, None, "")


async def _others_write(app: App[Any], folder: Path) -> None:
    path = folder / _TRIPS
    path.write_text(path.read_text("utf-8").replace("23 kg", "40 kg").replace("Hi there!", "Hello!"), "utf-8")
    app.call_later(app.file.disk.look)


async def _killed(folder: Path) -> None:
    """An earlier session edits the file and is killed."""
    earlier = on(_TRIPS, keeps=True)(folder)
    assert isinstance(earlier, EvaltuiApp)
    async with earlier.run_test() as pilot:
        await pilot.press("down", "c")
        await settle(earlier, pilot)  # checks that still run would look for a screen when none is left
        assert earlier.file.journal is not None
        earlier.file.journal.flush()
    earlier.file.journal._thread.shutdown()
    earlier.file.journal._journal.close()


async def _agent_ended(app: App[Any], _: Path) -> None:
    running = app.file.agent.run  # type: ignore[attr-defined]
    await asyncio.to_thread(running.process.wait, 60)


def jump(pointer: str, *more: str) -> tuple[str, ...]:
    """The keys that go to a pointer and open its form."""
    return ("ctrl+g", f"={pointer}", "enter", "enter", *more)


_CASE = "/eval_cases/0"
_TURN = f"{_CASE}/conversation/0"
_TOOLS = f"{_TURN}/intermediate_data"
_scored = on(_TRIPS, "recordings")
_review = on(_TRIPS, "recordings", review=ReviewStart(is_first=True))
_unscored = on(_TRIPS)
_broken = on("broken.evalset.json")
_typed = jump(f"{_CASE}/conversation/1", "enter", "end", "= mine", "escape")

SCREENS = (
    ShownScreen("edit", _scored, ("right_square_bracket", "w")),
    ShownScreen("turn", _scored, ("down", "down")),
    ShownScreen("tree", _scored),
    ShownScreen("tree_without_scores", _unscored),
    ShownScreen("tree_marked", _scored, ("down", "m", "down", "m", "d")),
    ShownScreen("tree_filter", _scored, ("slash", "=tokyo")),
    ShownScreen("set_form", _scored, ("home", "enter")),
    ShownScreen("case_form", _scored, jump(_CASE)),
    ShownScreen("turn_form", _scored, jump(_TURN)),
    ShownScreen("turn_form_edited", _scored, jump(_TURN, "enter")),
    ShownScreen("call_form", _scored, jump(f"{_TOOLS}/tool_uses/0")),
    ShownScreen("call_form_edited", _scored, jump(f"{_TOOLS}/tool_uses/0", "enter", "tab")),
    ShownScreen("response_form", _scored, jump(f"{_TOOLS}/tool_responses/0")),
    ShownScreen("rubric_form", _scored, jump(f"{_CASE}/rubrics/0")),
    ShownScreen("session_form", _scored, jump(f"{_CASE}/session_input")),
    ShownScreen("state_form", _scored, jump(f"{_CASE}/session_input/state")),
    ShownScreen("scenario_form", on("scenario_persona.evalset.json"), ("down", "enter")),
    ShownScreen("parts_form", on("picture_quote.evalset.json"), ("down", "right", "down", "enter")),
    ShownScreen("dataset", on("flight_desk-dataset.json"), ("down", "down", "enter")),
    ShownScreen("recorded_turn", _scored, ("right_square_bracket", "enter", "right")),
    ShownScreen("problems", _broken, ("3",)),
    ShownScreen("problems_zoomed", _broken, ("3", "z")),
    ShownScreen("problem_in_form", _broken, ("f8", "enter")),
    ShownScreen("run", _scored, ("4", run_later, "f5", "home", "enter", "4")),
    ShownScreen("run_zoomed", _scored, ("4", "z")),
    ShownScreen("run_all_runs", _scored, ("4", "n")),
    ShownScreen("run_without_recordings", _unscored, ("4",)),
    ShownScreen("baseline", _scored, ("4", "b", "1", "down", "right", "down", "d", "ctrl+s", "4", "z")),
    ShownScreen("baseline_changed", _scored, ("4", "b", "1", "down", "right", "down", "d", "ctrl+s", "4", "z", "o")),
    ShownScreen("criteria", _scored, ("4", "c")),
    ShownScreen("recordings", _scored, ("H",)),
    ShownScreen("recordings_conversations", _scored, ("H", "enter")),
    ShownScreen("recordings_none", _unscored, ("H",)),
    ShownScreen("runs_of_a_case", _scored, ("down", "B")),
    ShownScreen("conversations", on("travel_desk/travel_desk.evalset.json"), ("plus", "down", "down", "down")),
    ShownScreen("conversation_ticked", on("travel_desk/travel_desk.evalset.json"), ("plus", "space", "down", "l")),
    ShownScreen("review", _review),
    ShownScreen("review_long", _review, ("J", "J")),
    ShownScreen("review_conversation", _review, ("c",)),
    ShownScreen("review_explained", _review, ("full_stop",)),
    ShownScreen("review_json", _review, ("v",)),
    ShownScreen("review_trial", _review, ("m", "i")),
    ShownScreen("review_note", _review, ("n",)),
    ShownScreen("review_summary", _review, ("a", *("r",) * 4, *("J",) * 4)),
    ShownScreen("convert_to", _unscored, ("E",)),
    ShownScreen("losses", _unscored, ("E", "enter")),
    ShownScreen("losses_dataset", _unscored, ("E", "down", "down", "enter")),
    ShownScreen("reading", on("legacy.json")),
    ShownScreen("reading_losses", on("legacy.json"), ("5",)),
    ShownScreen("repair", on("not_json.evalset.json")),
    ShownScreen(
        "conflict",
        _unscored,
        (*_typed, _others_write, "M"),
    ),
    ShownScreen(
        "changed_on_disk",
        _unscored,
        (*_typed, _others_write),
    ),
    ShownScreen("recovery", on(_TRIPS, keeps=True), before=_killed),
    ShownScreen("quit", _scored, ("down", "c", "ctrl+q")),
    ShownScreen("unsaved", _scored, ("down", "c", "C")),
    ShownScreen("replace", _scored, ("ctrl+r", "=flight", "tab", "=train")),
    ShownScreen("help", _scored, ("f1",)),
    ShownScreen("palette", _scored, ("ctrl+p",)),
    ShownScreen("palette_typed", _scored, ("ctrl+p", "=rec")),
    ShownScreen("palette_none", _scored, ("ctrl+p", "=qqq")),
    ShownScreen("messages", _scored, ("down", "c", "u", "f2")),
    ShownScreen("theme", _scored, ("T",)),
    ShownScreen("choice", _scored, ("down", "enter", "A")),
    ShownScreen("copy", _scored, ("down", "Y")),
    ShownScreen("save_as", _scored, ("S",)),
    ShownScreen("go_to", _scored, ("ctrl+g",)),
    ShownScreen("reload", _scored, ("down", "c", "R")),
    ShownScreen("rule", _broken, ("f8", "full_stop")),
    ShownScreen("fix_all", _broken, ("F",)),
    ShownScreen("sets", _sets),
    ShownScreen("trust", on(f"agent/{_TRIPS}"), ("f6",)),
    ShownScreen("agent", on(f"agent/{_TRIPS}"), ("f6", "y", _agent_ended, "shift+f6")),
    ShownScreen("watch", WatchedTrips),
    ShownScreen("watch_changed", WatchedTrips, (watch_later, "home")),
    ShownScreen("empty_set", on("empty.evalset.json")),
    ShownScreen("empty_set_form", on("empty.evalset.json"), ("enter",)),
)


async def go(app: App[Any], pilot: Pilot[Any], steps: Sequence[str | Act], folder: Path) -> None:
    """Take the steps to a screen. Each step waits until the previous one is done."""
    await settle(app, pilot)
    for step in steps:
        if not isinstance(step, str):
            await step(app, folder)
        elif step.startswith("="):
            await pilot.press(*("space" if sign == " " else sign for sign in step[1:]))
        else:
            await pilot.press(step)
        await settle(app, pilot)


async def settle(app: App[Any], pilot: Pilot[Any]) -> None:
    """Wait until everything is done and drawn, including the work of threads, and what begins once it is drawn."""
    quiet = 0
    while quiet < 2:
        await pilot.pause()
        quiet = 0 if app.workers else quiet + 1
        await app.workers.wait_for_complete()
