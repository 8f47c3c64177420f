"""What the help lists under *Everywhere* works on every screen and in every dialog, also in those to come."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.content import Content
from textual.screen import Screen

import evaltui.tui
from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.merge.three_way import Conflict
from evaltui.interop.losses import Loss
from evaltui.runs.agent_run import AgentRun
from evaltui.settings.run_command import RunCommand
from evaltui.tui.agent.agent_screen import AgentScreen
from evaltui.tui.agent.trust_dialog import TrustDialog
from evaltui.tui.command import PLACES
from evaltui.tui.commands import commands_at
from evaltui.tui.conversion.losses_screen import LossesScreen
from evaltui.tui.criteria.criteria_screen import CriteriaScreen
from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.editor.navigator import StartsAt
from evaltui.tui.forms.form import Choice
from evaltui.tui.open_file.drafts import FieldDraft
from evaltui.tui.open_file.problem_list import Problem
from evaltui.tui.outlines.json_outline import JsonOutline
from evaltui.tui.recordings.add_screen import AddScreen
from evaltui.tui.recordings.conversations_to_add import AddTarget
from evaltui.tui.recordings.recordings_screen import RecordingsScreen
from evaltui.tui.review.review_screen import ReviewScreen
from evaltui.tui.screens import questions
from evaltui.tui.screens.choice_dialog import ChoiceDialog, ThemeDialog
from evaltui.tui.screens.command_palette import CommandPalette
from evaltui.tui.screens.conflict_screen import ConflictScreen
from evaltui.tui.screens.diff_screens import FixesPreview, UnsavedScreen
from evaltui.tui.screens.jump_dialog import JumpDialog
from evaltui.tui.screens.questions import QuestionDialog
from evaltui.tui.screens.replace_screen import ReplaceScreen
from evaltui.tui.screens.text_dialogs import NameDialog, ValueDialog
from evaltui.tui.screens.text_pages import HelpScreen, MessagesScreen, RuleScreen, TextScreen
from tests.sampling import sampled
from tests.tui.editor.test_quitting import changed
from tests.tui.scenario import SAMPLES, Scenario, scenario
from tests.tui.screens.test_recovery import killed_while_editing, opened
from tests.tui.screens.test_sets_list import listed
from tests.tui.sets import SNAKE

Make = Callable[[Scenario], Screen[Any]]

_LOSS = Loss("/eval_cases/0/conversation/0/rubrics", "no_place", ["x"], "there is no place for it", "Keep it.")
_CONFLICT = Conflict("/name", "name", "both sides", b'"a"', b'"b"', b'"c"')


def edit_screen(s: Scenario) -> EditScreen:
    screen = s.app.screen
    assert isinstance(screen, EditScreen)
    return screen


def root_of(s: Scenario) -> Node:
    root = s.document.root
    assert root is not None
    return root


def view(s: Scenario) -> EditScreen:
    turn, case_file = root_of(s).at("/eval_cases/0/conversation/0"), s.app.file.case_file
    assert case_file is not None
    return EditScreen(s.app.file, JsonOutline(turn, "turn 1", case_file), StartsAt())


def ended_run(s: Scenario) -> AgentRun:
    path = s.path.absolute()
    command = RunCommand("true", path, path.parent)
    run = AgentRun(command, ["true"], path, (), None)
    run.start(lambda _: None)
    run.process.wait()
    return run


def criteria(s: Scenario) -> CriteriaScreen:
    s.app.file.trial.config()
    return CriteriaScreen(s.app.file)


IN_FRONT: dict[str, Make] = {
    "AgentScreen": lambda s: AgentScreen(s.app.file, ended_run(s)),
    "trust question": lambda s: TrustDialog(ended_run(s)),
    "unsaved_run question": lambda _: questions.QuestionDialog("unsaved_run", "set.json has unsaved changes."),
    "ChoiceDialog": lambda _: ChoiceDialog("Which?", (Choice("one"), Choice("two"))),
    "ThemeDialog": lambda _: ThemeDialog("Which?", (Choice("textual-dark"), Choice("nord"))),
    "CriteriaScreen": criteria,
    "AddScreen": lambda s: AddScreen(s.app.file, AddTarget(), bool),
    "ConflictScreen": lambda _: ConflictScreen("set.json", [_CONFLICT]),
    "copy question": lambda _: questions.copy_question(("JSON", "text")),
    "EditScreen": view,
    "fixes question": lambda _: questions.fixes_question({"no-such-rule": 2}),
    "FixesPreview": lambda _: FixesPreview("set.json", {"no-such-rule": 2}, 0, ["-a", "+b"]),
    "HelpScreen": lambda _: HelpScreen("tree"),
    "JumpDialog": lambda s: JumpDialog(root_of(s), None, s.app.file.words),
    "NameDialog": lambda _: NameDialog("Name", "half a na", lambda _: None),
    "outside question": lambda _: questions.QuestionDialog("outside", "args: line 1: invalid JSON."),
    "outdated question": lambda _: questions.QuestionDialog("outdated", "The value has changed: args."),
    "overwrite question": lambda _: questions.overwrite_question("set.json"),
    "CommandPalette": lambda _: CommandPalette([]),
    "reload question": lambda _: questions.QuestionDialog("reload", "set.json has unsaved changes."),
    "RecordingsScreen": lambda s: RecordingsScreen(s.app.file),
    "ReplaceScreen": lambda s: ReplaceScreen(CaseFile(root_of(s), EVAL_SET), {"all cases": ()}),
    "ReviewScreen": lambda s: ReviewScreen(s.app.file),
    "RuleScreen": lambda _: RuleScreen(Problem("error", "wrong")),
    "MessagesScreen": lambda _: MessagesScreen(["Press ^q to quit."]),
    "TextScreen": lambda _: TextScreen("title", "text"),
    "UnsavedScreen": lambda _: UnsavedScreen("set.json", b"1", b"2", [FieldDraft("x", "no number", "days")]),
    "LossesScreen": lambda s: LossesScreen("a → b", "1 lost", root_of(s), [_LOSS]),
    "replacement question": lambda _: questions.QuestionDialog("replacement", "set.json already exists. Replace it?"),
    "converted question": lambda _: questions.QuestionDialog("converted", "Wrote set.json. Open it?"),
    "pasted question": lambda _: questions.pasted_question(300_000),
    "ValueDialog": lambda _: ValueDialog("where", b'"half a value"'),
}
"""How to bring each screen that can be in front of another in front."""

HELPED_AS: dict[str, str] = {
    "AgentScreen": "agent",
    "trust question": "trust",
    "unsaved_run question": "unsaved_run",
    "ChoiceDialog": "choice",
    "ThemeDialog": "choice",
    "CriteriaScreen": "criteria",
    "AddScreen": "chats",
    "ConflictScreen": "conflicts",
    "copy question": "copy",
    "EditScreen": "tree",
    "fixes question": "fixes",
    "FixesPreview": "repairs",
    "JumpDialog": "jump",
    "NameDialog": "name",
    "outside question": "outside",
    "outdated question": "outdated",
    "overwrite question": "overwrite",
    "CommandPalette": "palette",
    "LossesScreen": "losses",
    "replacement question": "replacement",
    "converted question": "converted",
    "pasted question": "pasted",
    "reload question": "reload",
    "RecordingsScreen": "recordings",
    "ReplaceScreen": "replace",
    "MessagesScreen": "tree",
    "ReviewScreen": "review",
    "RuleScreen": "dialog",
    "TextScreen": "dialog",
    "UnsavedScreen": "unsaved",
    "ValueDialog": "value",
}
"""The place whose keys the help shows first in front of a screen."""

FIRST = {
    *("EditScreen", "RepairScreen", "RecoveryScreen", "ReadingScreen", "SetsScreen", "WatchScreen", "WhyPage"),
    "quit question",
}
"""What has a test of its own below; the table of a watch has it in tests/tui/watch, a file that is
converted in tests/tui/conversion."""


def name_of(screen: Screen[Any]) -> str:
    """What a screen is called in the tables above."""
    return f"{screen.PLACE} question" if isinstance(screen, QuestionDialog) else type(screen).__name__


def all_screens() -> set[str]:
    """All screens in the product that are shown, and are not only a part of another one, with each question."""
    for module in pkgutil.walk_packages(evaltui.tui.__path__, "evaltui.tui."):
        importlib.import_module(module.name)
    found = {f"{name.removesuffix('_question')} question" for name in vars(questions) if name.endswith("_question")}
    pending: list[type[Screen[Any]]] = list(Screen.__subclasses__())
    while pending:
        screen = pending.pop()
        pending += screen.__subclasses__()
        if screen.__module__.startswith("evaltui.") and not screen.__subclasses__():
            found.add(screen.__name__)
    return {"trust question" if name == "TrustDialog" else name for name in found} - {"QuestionDialog"}


def test_every_screen_is_tried() -> None:
    assert all_screens() <= set(IN_FRONT) | FIRST


PAGES = ("HelpScreen", "MessagesScreen")
"""Pages that take each other's place."""


def test_what_is_listed_is_tried() -> None:
    assert [command.keys for command in commands_at("anywhere")] == ["ctrl+q", "f1", "f2,alt+m"]


@asynccontextmanager
async def in_front(s: Scenario, kind: str) -> AsyncIterator[None]:
    """Brings a screen in front, and in the end the editor again."""
    s.app.push_screen(IN_FRONT[kind](s))
    await s.settle()
    assert name_of(s.app.screen) == kind
    yield
    while len(s.app.screen_stack) > 1:
        s.app.pop_screen()
    await s.settle()


IN_TURN = pytest.mark.parametrize(
    "kinds",
    [
        pytest.param(list(IN_FRONT)[::2], id="1/2"),
        pytest.param(list(IN_FRONT)[1::2], id="2/2", marks=pytest.mark.thorough),
    ],
)
"""All screens, one after another in an app; every other one in the default run."""


@pytest.fixture
def short_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """The help has only the heading of the place, because all its lines take long to lay out."""
    monkeypatch.setattr(HelpScreen, "content", lambda self, _: Content(PLACES[self._place]))


@IN_TURN
@pytest.mark.usefixtures("short_help")
async def test_help_and_messages_are_shown_in_front_of_everything(kinds: list[str]) -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+c")
        for kind in kinds:
            left = "EditScreen" if kind in PAGES else kind
            async with in_front(s, kind):
                if kind != "HelpScreen":
                    await s.press("f1")
                    assert isinstance(s.app.screen, HelpScreen)
                    s.expect(PLACES[HELPED_AS[kind]])
                await s.press("f1")
                assert name_of(s.app.screen) == left
            async with in_front(s, kind):
                if kind != "MessagesScreen":
                    await s.press("f2")
                assert isinstance(s.app.screen, MessagesScreen)
                s.expect("Press ^q to quit.")
                await s.press("f2")
                assert name_of(s.app.screen) == left


async def test_the_text_may_change_only_behind_screens_that_hold_no_place_of_it() -> None:
    free = set()
    async with scenario(SNAKE) as s:
        for kind in IN_FRONT:
            async with in_front(s, kind):
                free |= {kind} if s.app.file.may_move else set()
    screens = {"AddScreen", "AgentScreen", "CriteriaScreen", "EditScreen", "RecordingsScreen", "ReviewScreen"}
    assert free == screens


@pytest.mark.thorough
async def test_help_in_the_boxes_and_the_list_of_find_and_replace() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+r", "f1")
        assert PLACES["replace"] in s.screen()[2]
        await s.press("escape", "tab", "tab", "f1")
        assert PLACES["hits"] in s.screen()[2]
        await s.press("escape", "escape")


async def test_help_before_quitting_and_in_the_list_of_sets(tmp_path: Path) -> None:
    async with scenario(SNAKE) as s:
        await changed(s)
        await s.press("ctrl+q", "f1")
        assert PLACES["quit"] in s.screen()[2]
        await s.press("f1")
        assert s.focused == "quit question"
        await s.press("escape")
    async with listed(SAMPLES) as s:
        await s.press("f1")
        assert PLACES["sets"] in s.screen()[2]
        await s.press("ctrl+q")
    async with scenario('{"a": 1,}') as s:
        await s.press("f1")
        assert PLACES["repair"] in s.screen()[2]
        await s.press("f1")


@pytest.mark.thorough
async def test_help_where_an_earlier_session_left_something(tmp_path: Path) -> None:
    path = tmp_path / "trips.evalset.json"
    path.write_bytes((SAMPLES / "trip_planner.evalset.json").read_bytes())
    killed_while_editing(path)
    async with opened(path) as s:
        assert "f1 help" in s.keys
        await s.press("f1")
        assert PLACES["recovery"] in s.screen()[2]
        await s.press("f1", "ctrl+q")
        assert s.ended


@IN_TURN
async def test_quitting_closes_what_is_in_front_and_asks_once(kinds: list[str]) -> None:
    async with scenario(SNAKE) as s:
        await changed(s)
        for kind in kinds:
            async with in_front(s, kind):
                await s.press("ctrl+q")
                assert s.focused == "quit question", kind
                await s.press("ctrl+q", "ctrl+q")
                assert not s.ended
                await s.press("escape")
                assert name_of(s.app.screen) == (kind if kind in ("ReviewScreen", "AgentScreen") else "EditScreen")
                assert s.bytes() == s.original.replace(b"Thanks", b"Thanks!")


SOME_OF_EACH = sampled(IN_FRONT, 3, kind=lambda kind: re.findall("Screen|Dialog|question|$", kind)[0])


@pytest.mark.thorough
@pytest.mark.parametrize("kind", SOME_OF_EACH)
async def test_with_nothing_unsaved_it_quits_at_once(kind: str) -> None:
    async with scenario(SNAKE) as s:
        s.app.push_screen(IN_FRONT[kind](s))
        await s.settle()
        await s.press("ctrl+q")
        assert s.ended
        assert s.app.return_code == 0
        assert s.file_bytes() == s.original


async def test_several_dialogs_close_one_after_the_other() -> None:
    async with scenario(SNAKE) as s:
        await changed(s)
        await s.press("ctrl+q", "v", "ctrl+q")
        assert s.focused == "quit question"
        assert len(s.app.screen_stack) == 2
        await s.press("escape")
        s.app.push_screen(ConflictScreen("set.json", [_CONFLICT]))
        await s.settle()
        await s.press("e", "ctrl+q")
        assert [name_of(screen) for screen in s.app.screen_stack] == ["EditScreen", "quit question"]


@pytest.mark.thorough
@pytest.mark.parametrize("keys", [(), ("enter", "enter"), ("slash", "a"), ("3",), ("m",)])
async def test_in_panes_fields_and_the_filter(keys: tuple[str, ...]) -> None:
    async with scenario(SNAKE) as s:
        await s.press(*keys, "ctrl+q")
        assert s.ended


async def test_in_a_file_that_is_no_json_fixes_are_asked_about() -> None:
    async with scenario('{"a": 1,}') as s:
        await s.press("f", "question_mark", "ctrl+q", "ctrl+q")
        assert s.focused == "quit question"
        await s.press("v")
        s.expect('-{"a": 1,}', '+{"a": 1}')
        await s.press("escape", "d")
        assert s.ended
        assert s.file_bytes() == s.original


@pytest.mark.thorough
async def test_in_the_list_of_sets() -> None:
    async with listed(SAMPLES) as s:
        await s.press("question_mark", "ctrl+q")
        assert s.ended


@pytest.mark.thorough
async def test_where_an_earlier_session_left_something_all_stays(tmp_path: Path) -> None:
    path = tmp_path / "trips.evalset.json"
    path.write_bytes((SAMPLES / "trip_planner.evalset.json").read_bytes())
    wanted = killed_while_editing(path)
    async with opened(path) as s:
        assert s.offers
        await s.press("ctrl+q")
        assert s.ended
    async with opened(path) as s:
        await s.press("r")
        assert s.now == wanted != Document.open(path).to_bytes()


@pytest.mark.thorough
async def test_another_key_for_quitting_works_everywhere_as_well() -> None:
    async with scenario(SNAKE) as s:
        s.app.set_keymap({"quit": "f12"})
        s.app.push_screen(HelpScreen("tree"))
        await s.settle()
        await s.press("ctrl+q")
        assert not s.ended
        await s.press("f12")
        assert s.ended
