"""Trial criteria are unsaved work: in the title, before quitting, after a save and in the journal."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from evaltui.document.journals.recovery import Unsaved
from evaltui.tui.criteria.criteria_form import criteria_line
from evaltui.tui.open_file.score_sentences import first_progress
from evaltui.tui.screens.recovery_screen import RecoveryScreen
from tests.scored_sets import RECORDING, SET
from tests.tui.criteria.test_criteria_screen import JUDGED, PLAIN, go, put
from tests.tui.editor.test_editing_outside import Editor
from tests.tui.scenario import WIDE, Scenario, scenario
from tests.tui.screens.test_recovery import journals, opened, path

__all__ = ["path"]
BESIDE = {"actual.json": RECORDING, "test_config.json": PLAIN}


async def try_threshold(s: Scenario, text: str = "0.25") -> None:
    """Try another threshold, then go back."""
    await s.press("alt+c")
    await put(s, "0.80", text)
    await s.press("escape")


@pytest.mark.thorough
async def test_a_trial_is_in_the_title_and_quitting_asks() -> None:
    async with scenario(SET, WIDE, beside=BESIDE, recordings=["actual.json"]) as s:
        assert "trial criteria" not in s.title
        await try_threshold(s)
        assert "✎" in s.title
        assert "trial criteria" in s.title
        await s.press("C")
        s.expect(
            "✎ trial criteria not in test_config.json: response_match ≥ 0.25", "The text is the same as in the file."
        )
        await s.press("escape", "ctrl+q")
        s.expect(
            "set.evalset.json: trial criteria not in test_config.json:", "response_match ≥ 0.25. Press esc, then alt+c"
        )
        s.expect("quit without saving (trial criteria lost)")
        await s.press("escape", "alt+c", "x", "escape")
        assert "trial" not in s.title
        await try_threshold(s)
        await s.press("alt+c", "w", "w", "escape")
        assert "trial" not in s.title
        await s.press("ctrl+q")
        assert s.ended


async def test_a_save_says_that_trial_criteria_are_not_in_it() -> None:
    async with scenario(SET, WIDE, beside=BESIDE, recordings=["actual.json"]) as s:
        await try_threshold(s)
        await s.press("ctrl+s")
        assert "Nothing to save: trial criteria not in test_config.json" in s.status
        await s.press("c", "ctrl+s")
        s.expect("Saved set.evalset.json. Trial criteria not in test_config.json.")
        await s.press("c", "ctrl+q")
        s.expect(
            "set.evalset.json has unsaved changes. Trial criteria not in", "test_config.json: response_match ≥ 0.25."
        )
        s.expect("save and quit (trial criteria lost: no journal)", "quit without saving (trial criteria lost, too)")
        await s.press("escape", "u")


async def test_a_draft_in_the_criteria_is_unsaved_as_well() -> None:
    async with scenario(SET, WIDE, beside=BESIDE, recordings=["actual.json"]) as s:
        await try_threshold(s, "0.8x")
        assert "trial criteria" in s.title
        await s.press("ctrl+q")
        assert not s.ended
        await s.press("d")
        assert s.ended


@pytest.mark.thorough
async def test_a_trial_stays_when_the_set_is_saved_under_another_name() -> None:
    async with scenario(SET, WIDE, beside=BESIDE, recordings=["actual.json"]) as s:
        await try_threshold(s)
        await s.press("S", "f7")
        await s.paste(str(s.path.with_name("other.evalset.json")))
        await s.press("enter")
        s.expect("other.evalset.json. Trial criteria not in test_config.json")
        assert "trial criteria" in s.title


async def left_with_a_trial(path: Path) -> None:
    async with opened(path, WIDE, killed=True) as s:
        await try_threshold(s)
        s.keep()


async def test_a_trial_survives_a_kill(path: Path) -> None:
    path.with_name("test_config.json").write_text(PLAIN)
    await left_with_a_trial(path)
    async with opened(path, WIDE) as s:
        assert s.offers
        s.expect("Trial criteria not in test_config.json: ", "A restore does not change the text of the file.")
        await s.press("r")
        s.expect("restored trial criteria")
        assert "trial criteria" in s.title
        assert s.now == s.file_bytes()
        await s.press("alt+c")
        await go(s, "0.25")
        s.expect("trial, not written")
        await s.press("w", "w")
        s.keep()
    assert path.with_name("test_config.json").read_text() == PLAIN.replace("0.80", "0.25")
    assert journals() == []


async def test_a_trial_of_a_config_that_does_not_exist_yet_survives_and_is_kept_by_the_answer_s(path: Path) -> None:
    async with opened(path, WIDE, killed=True) as s:
        await s.press("alt+c")
        await put(s, "0.8", "0.25")
        await s.press("ctrl+q")
        s.expect("save and quit (trial criteria kept for next time)")
        await s.press("s")
        assert s.ended
        s.app.ended(0)
    async with opened(path, WIDE) as s:
        assert s.offers
        await s.press("r")
        assert "trial criteria" in s.title


async def test_a_trial_of_a_config_that_changed_is_not_restored_and_not_lost(path: Path) -> None:
    path.with_name("test_config.json").write_text(PLAIN)
    await left_with_a_trial(path)
    path.with_name("test_config.json").write_text(PLAIN.replace("1.0", "0.9"))
    async with opened(path, WIDE) as s:
        await s.press("r")
        s.expect("The trial criteria cannot be restored: test_config.json has changed since then.")
        assert s.offers
        await s.press("k")
    async with opened(path, WIDE) as s:
        assert s.offers


# --- keys that are blocked, and where undo leads ----------------------------------------------------------------------


async def test_a_draft_that_blocks_writing_is_named_and_f8_goes_to_it() -> None:
    async with scenario(SET, WIDE, beside=BESIDE, recordings=["actual.json"]) as s:
        await s.press("alt+c", "f8")
        assert "No problems in the criteria." in s.status
        await put(s, "0.80", "0.8x")
        await s.press("home", "w")
        refused = "a field has a draft. Press f8 to go to it, then X to drop it."
        assert f"Not written: {refused}" in s.status
        await s.press("x")
        assert "Only a draft to drop. Press f8 to go to it, then X to drop it." in s.status
        await s.press("ctrl+s")
        assert "^s does nothing here. A field has a draft. Press f8 to go to it, then X to" in s.status
        await put(s, "1.0", "0.5")
        await s.press("w")
        assert f"Not written: {refused}" in s.status
        await s.press("f8")
        assert "0.8x" in s.cursor()
        assert "1 of 1: ✎ Criteria › threshold  0.8x: a threshold is a number" in s.status
        await s.press("x", "escape")


async def test_keys_of_the_editor_say_that_they_do_nothing_in_the_criteria() -> None:
    async with scenario(SET, beside=BESIDE, recordings=["actual.json"]) as s:
        await s.press("alt+c")
        for key in ("ctrl+r", "f6", "ctrl+f", "ctrl+g", "ctrl+down", "ctrl+o", *"SWCVRME12345][FOLHB+z", "tab"):
            s.app.opener_guard.forget()
            await s.press(key)
            assert "works in the editor, not in the criteria. Press esc to go back." in s.status, key
        for key in "SWHOB+":
            await s.press("down")
            await s.burst(key, "d")
            assert f"d ignored until a pause. {key} works in the editor, not in the criteria" in s.status
        s.expect("tool_trajectory_avg_score", "response_match_score")
        await s.press("escape", "escape")


async def test_undo_goes_to_a_deleted_rubric() -> None:
    async with scenario(SET, WIDE, beside={**BESIDE, "test_config.json": JUDGED}, recordings=["actual.json"]) as s:
        await s.press("alt+c")
        await go(s, "asks")
        await s.press("d", "home", "u")
        assert "asks" in s.cursor()
        await s.press("escape")


async def test_the_restore_page_spells_options_as_the_config_does() -> None:
    async with scenario(SET) as s:
        page = RecoveryScreen(s.app.file, lambda _: None)
        trial = {"said": "trial criteria not in test_config.json: tool_trajectory ≥ 1 IN_ORDER"}
        facts = page._facts(Unsaved(s.original, False, s.original, [], 0, 0.0, trial=trial))
        assert facts[0] == "Trial criteria not in test_config.json: tool_trajectory ≥ 1 IN_ORDER."


@pytest.mark.thorough
async def test_a_trial_goes_along_to_another_folder() -> None:
    other = '{"criteria": {"tool_trajectory_avg_score": 0.5, "response_match_score": 0.80}}'
    async with scenario(SET, WIDE, beside=BESIDE | {"other/test_config.json": other}, recordings=["actual.json"]) as s:
        await try_threshold(s)
        await s.press("S", "ctrl+u")
        await s.type(str(s.path.with_name("other") / "set.evalset.json"))
        await s.press("enter")
        s.expect("The set is in another folder now. Your trial stays: response_match ≥ 0.25.")
        assert "trial criteria" in s.title
        await s.press("alt+c", "w", "w", "escape")
        assert s.path.with_name("test_config.json").read_text() == PLAIN
        written = (s.path.parent / "other" / "test_config.json").read_text()
        assert written == other.replace("0.80", "0.25")


async def test_drafts_are_counted_and_a_key_drops_the_one_at_the_cursor() -> None:
    async with scenario(SET, WIDE, beside=BESIDE, recordings=["actual.json"]) as s:
        await s.press("alt+c", "X")
        assert "No draft here." in s.status
        await put(s, "0.80", "7")
        assert "X drop draft" in s.keys
        await s.press("escape", "C")
        s.expect("✎ trial criteria not in test_config.json: 1 draft")
        await s.press("escape", "alt+c")
        await go(s, "7")
        await s.press("X")
        assert "dropped draft of Criteria › threshold" in s.status
        s.expect("0.80")
        await s.press("u")
        s.expect("draft, not in the file yet")
        await s.press("X", "escape")
        assert "trial" not in s.title


@pytest.mark.thorough
async def test_of_a_config_that_cannot_be_written_no_key_to_write_is_named() -> None:
    yaml = "evaluators:\n  - {name: tool_trajectory_avg_score, type: builtin, threshold: 0.80}\n"
    beside = {"actual.json": RECORDING, "cfg.yaml": yaml}
    async with scenario(SET, WIDE, beside=beside, recordings=["actual.json"], config="cfg.yaml") as s:
        await s.press("alt+c")
        await put(s, "0.8", "0.25")
        await s.press("escape")
        s.expect("These are trial scores. Press alt+c, then x to drop the trial.")
        await s.press("ctrl+q")
        s.expect("trial criteria not in cfg.yaml:", "tool_trajectory ≥ 0.25. ")
        assert not s.shows("to write the criteria")
        await s.press("escape")


async def test_the_key_that_the_question_names_opens_the_criteria_in_the_review_too() -> None:
    async with scenario(SET, WIDE, beside=BESIDE, recordings=["actual.json"]) as s:
        await s.press("O", "i", "alt+c")
        s.expect("Criteria · test_config.json")
        await s.press("x", "escape", "escape")


def test_while_recordings_are_read_nothing_says_that_there_are_none() -> None:
    reads = SimpleNamespace(facts=None, is_running=True, progress="reading recordings, 8 MB")
    trial, scores = SimpleNamespace(opened=None, trouble=""), SimpleNamespace(**vars(reads), trial=None)
    assert first_progress(reads) == reads.progress  # the recordings screen shows it in empty lists
    assert criteria_line(trial, scores, 1, 80)[0][0].strip() == reads.progress


async def test_quitting_asks_in_a_read_only_set_too() -> None:
    async with scenario(SET, WIDE, beside=BESIDE, recordings=["actual.json"]) as s:
        s.app.file.readonly = True
        await try_threshold(s)
        s.expect("These are trial scores. Press alt+c, then x to drop the trial.")
        await s.press("ctrl+q")
        s.expect("quit without saving (trial criteria lost)")
        assert not s.shows("save and quit")
        await s.press("escape", "alt+c", "x", "escape")
        s.app.file.readonly = False


async def test_an_external_editor_leaves_drafts_of_the_criteria(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scenario(SET, WIDE, beside=BESIDE, recordings=["actual.json"]) as s:
        await s.press("alt+c")
        await put(s, "0.80", "0.8x")
        Editor(tmp_path, monkeypatch).replaces("1.0", "0.9")
        await s.press("home", "e")
        s.expect("0.9 ", "0.8x")
        await s.press("f8", "X", "escape")
