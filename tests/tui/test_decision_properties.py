"""Random decisions and edits in editor and reviews: document, sidecar, scores and screen agree after each key."""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import Any

import pytest

from evaltui.document.history import UndoStep
from evaltui.recordings.matching import Match
from evaltui.review.review_items import items_of_case
from evaltui.runs.set_reader import expected_case
from evaltui.scoring.case_scores import score_expected
from evaltui.scoring.results import CaseResult
from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.review.review_screen import ReviewScreen
from tests.sampling import sampled
from tests.tui.review.reviewed import head, review, standing
from tests.tui.scenario import WIDE, Scenario

CHAIN = "]]AU]EOKnSEOSsUSEOsrJsK]J"
"""Keys after which six decisions once stayed in the sidecar, though all was undone."""
IN_REVIEW = [
    *([key] for key in "AAaSSrrsuuUUJK]["),
    ["n", "m", "enter"],
    ["down", "e", "f7", "7", "ctrl+s"],
    ["E"],
    ["E"],
]
IN_EDITOR = [
    *([key] for key in "uuUU"),
    *(["1", "O"] for _ in range(3)),
    ["w", "A", "escape"],
    ["w", "down", "a", "escape"],
    ["w", "S", "escape"],
    ["1", "home", "down", "d"],
    ["1", "down", "c"],
    ["ctrl+s"],
]
Facts = tuple[Hashable, ...]


class Agreement:
    """Compares document, sidecar, scores and screen. Nothing here asks the history of decisions."""

    def __init__(self, s: Scenario) -> None:
        self._s = s
        self._acceptances: dict[UndoStep | None, list[Facts]] = {None: []}
        """The acceptances that stand in the sidecar at each step of the document."""

    async def expect(self) -> None:
        """Nothing contradicts anything else."""
        self._expect_acceptances_of_the_step()
        self._expect_scores_of_the_text()
        await self._expect_screen_drawn_anew()

    def _expect_acceptances_of_the_step(self) -> None:
        """At each step of the document stand the same acceptances as when the document was there before."""
        facts = [
            (line["eval_id"], line["turn"], line["seen"], line.get("became"), *line["changes"])
            for line in standing(self._s)
            if line.get("decision") == "accepted"
        ]
        point = self._s.document.history.point()
        assert sorted(self._acceptances.setdefault(point, facts), key=repr) == sorted(facts, key=repr)

    def _expect_scores_of_the_text(self) -> None:
        """A case that is not marked as outdated has the scores of its present text."""
        file = self._s.app.file
        scores = file.scores
        assert not scores.is_running
        assert scores.facts is not None
        assert scores.facts.criteria is not None
        for case in scores.cases:
            scored = scores.of(case)
            if scored is None or case in scores.stale or scored.run is None:
                continue
            assert scored.source == case.source()
            expected = expected_case(case.source(), case.index(), is_of_dataset=False)
            match = Match(scored.run.conversation, scored.run.matched_by)
            assert plain(score_expected(expected, [match], scores.facts.criteria, None)) == plain(scored)

    async def _expect_screen_drawn_anew(self) -> None:
        """The screen shows what it shows if everything is made and drawn again."""
        s, before = self._s, self._s.screen()
        screen = s.app.screen
        if isinstance(screen, ReviewScreen):
            left = [each for each in screen.queue.entries if each.decision in (None, "skipped") and not each.passes_now]
            assert sum(entry.unmatched is None for entry in left) == self._left()
            screen.entry_view.show_again()
        elif isinstance(screen, EditScreen) and screen.panes.form.edited is None:
            s.expect_rows_and_form_of_the_document()
            screen.panes.tree.refresh()
            screen.panes.run.refresh()
            screen.show_scores()
        await s.settle()
        assert s.screen() == before

    def _left(self) -> int:
        """The number of failing turns about which no *agent is wrong* in the sidecar still applies, or an acceptance.

        Turns of which a part was accepted are left, too.
        """
        file = self._s.app.file
        scores, wrong = file.scores, {}
        for line in standing(self._s):
            if line.get("decision"):
                wrong[line["eval_id"], line["turn"], line["seen"]] = line["decision"] == "agent is wrong"
        assert scores.facts is not None
        assert scores.facts.criteria is not None
        count = 0
        for case in scores.cases:
            scored = scores.of(case)
            if scored is None or scored.run is None or scored.status == "passed":
                continue
            expected = expected_case(scored.source, case.index(), is_of_dataset=False)
            items = items_of_case(expected, scored, scores.facts.criteria)
            count += sum(not wrong.get((item.eval_id, item.turn, item.seen)) for item in items)
        return count


def plain(result: CaseResult) -> Any:
    """The parts of a result that scoring computes."""
    run = result.run
    turns = [(turn.number, turn.metrics) for turn in run.turns] if run is not None else []
    return result.eval_id, result.status, result.metrics, result.reason, turns


def is_reviewing(s: Scenario) -> bool:
    return isinstance(s.app.screen, ReviewScreen)


async def undo_everything(s: Scenario, agreement: Agreement) -> None:
    """Undo in the review, and in the editor what the review says is to be undone there."""
    for _ in range(300):
        if not is_reviewing(s):
            await s.press("1", "O")
        assert is_reviewing(s), "\n".join(s.screen())
        await s.press("u")
        await agreement.expect()
        if "Press E to undo in the editor" in s.status:
            await s.press("E", "u")
            await agreement.expect()
        elif s.status.strip() == "Nothing to undo.":
            return
    raise AssertionError("there is always something to undo")


@pytest.mark.parametrize("seed", sampled(range(60), 3))
async def test_what_is_decided_edited_and_undone_agrees_and_leaves_nothing_once_it_is_undone(seed: int) -> None:
    choice = random.Random(seed)
    async with review(choice.choice([(80, 24), WIDE])) as s:
        agreement = Agreement(s)
        begun = head(s)
        for _ in range(30):
            await s.press(*choice.choice(IN_REVIEW if is_reviewing(s) else IN_EDITOR))
            if s.focused == "field":
                await s.press("escape")
            await agreement.expect()
        await undo_everything(s, agreement)
        assert s.bytes() == s.original
        assert standing(s) == []
        await s.press("f5", "E", "O")
        assert head(s)[head(s).index(" done") :] == begun[begun.index(" done") :]


async def test_every_key_of_a_chain_is_undone() -> None:
    async with review() as s:
        agreement = Agreement(s)
        for key in CHAIN:
            await s.press(*((key, "m", "enter") if key == "n" else (key,)))
            await agreement.expect()
        await undo_everything(s, agreement)
        assert s.bytes() == s.original
        assert standing(s) == []


async def test_a_decision_holds_again_once_an_acceptance_in_the_editor_is_undone() -> None:
    async with review() as s:
        await s.press("J", "r", "J", "E", "w", "S", "escape", "1", "O")
        assert "too_long" not in head(s)
        await s.press("u")
        assert [line["decision"] for line in standing(s)] == ["agent is wrong"]
        assert "1 done · 1 left" in head(s)


async def test_a_decision_is_undone_after_its_case_was_deleted_and_restored() -> None:
    async with review() as s:
        await s.press("r", "E", "1", "minus")
        await s.to("book_flight")
        await s.press("d")
        s.expect("deleted case book_flight")
        await s.press("O", "E", "1", "u", "O", "u")
        assert standing(s) == []
        assert "0 done · 2 left" in head(s)
