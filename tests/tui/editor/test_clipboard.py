"""What reaches a clipboard may be pasted into a shell: it has no control characters, and a selector is one word."""

import base64
import json
import shlex
from typing import Any

import pytest

from evaltui.printable import as_argument, is_unsafe, without_controls
from evaltui.tui.terminal import system_clipboard
from tests.commands.runs import case, eval_set, turn
from tests.tui.scenario import Scenario, scenario

CONTROLS = "\x1b[31m\x07\r\x00\x9b\u202e\x7f"


def a_set(eval_id: str = "a", response: str = "yes") -> str:
    return json.dumps(eval_set(case(eval_id, turn("Hello", response))), ensure_ascii=False)


def copied() -> str:
    text = system_clipboard.paste_from_file()
    assert text is not None
    return text


@pytest.mark.parametrize(
    ("text", "kept", "left_out"),
    [
        ("a\tb\nc", "a\tb\nc", ""),
        ("a\r\nb\rc", "a\nb\nc", ""),
        ("\x1b[31mred\x1b[0m", "[31mred[0m", "2 control characters"),
        ("\x07", "", "1 control character"),
        ("\x9b31m\x85x\u202ey\u2066\x7f\x00", "31mxy", "6 control characters"),
        ("👩\u200d💻 é", "👩\u200d💻 é", ""),
        ("\ud800x", "x", "1 control character"),
    ],
)
def test_only_tabs_and_line_breaks_of_the_controls_are_kept(text: str, kept: str, left_out: str) -> None:
    assert without_controls(text) == (kept, left_out)


@pytest.mark.parametrize("text", ["set.json:a", "a b", "$(touch x)", "a;b", "`x`", "-o", "--force=x", "~/x", "a'b\"c"])
def test_an_argument_is_one_word_of_a_shell_and_no_option(text: str) -> None:
    (word,) = shlex.split(as_argument(text))
    assert word.removeprefix("./") == text
    assert not word.startswith("-")


async def test_a_text_is_copied_without_control_characters_and_the_status_says_so() -> None:
    async with scenario(a_set(response=f"yes{CONTROLS}\n\tno")) as s:
        await s.to("a")
        await s.press("Y", "t")
        assert copied() == "Hello\n\nyes[31m\n\n\tno"
        assert "copied the text, without 6 control characters · " in s.status


async def test_json_keeps_them_as_escapes() -> None:
    text = a_set(response="yes \u202e\x9b\u2028")
    async with scenario(text) as s:
        await s.to("a")
        for keys in (("y",), ("Y", "j")):
            await s.press(*keys)
            assert json.loads(copied()) == json.loads(text)["eval_cases"][0]
            assert not is_unsafe(copied().replace("\n", ""))
            assert "control character" not in s.status


async def test_copied_rows_are_pasted_as_they_were() -> None:
    text = a_set(response="yes \u202e")
    async with scenario(text) as s:
        await s.to("a")
        await s.press("y", "p")
        assert s.bytes().count("yes \u202e".encode()) == 2


async def test_a_selector_is_one_word_of_a_shell_and_refused_with_control_characters() -> None:
    words = ("a b", "a;touch x", "$(touch x)", "a'b", "`x`")
    refused = ("a\nrm -rf x", "a\x1b[31m", "a\u202eb", "a\x85b")
    cases = [case(eval_id, turn(f"<{number}>")) for number, eval_id in enumerate([*words, *refused])]
    async with scenario(json.dumps(eval_set(*cases))) as s:
        for number, eval_id in enumerate(words):
            await s.to(f"<{number}>")
            await s.press("Y", "s")
            (word,) = shlex.split(copied())
            assert word.endswith(f"set.evalset.json:{eval_id}")
        for number, eval_id in enumerate(refused, len(words)):
            before = copied()
            await s.to(f"<{number}>")
            await s.press("Y", "s")
            assert "Not copied: the eval_id or the path has control characters." in s.status, repr(eval_id)
            assert copied() == before


async def test_what_is_copied_in_a_text_box_reaches_the_terminal_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(a_set()) as s:
        sent: list[str] = []
        driver = s.app._driver
        assert driver is not None
        monkeypatch.setattr(driver, "write", sent.append)
        s.app.copy_to_clipboard("a\x1b[31mb")
        monkeypatch.undo()
        await s.press("escape")
        assert sent == ["\x1b]52;c;YVszMW1i\x07"]  # a[31mb
        assert s.app.clipboard == "a\x1b[31mb"
        notes: Any = [note.message for note in s.app._notifications]
        assert notes == ["The clipboard has the text without 1 control character."]


def written_by(s: Scenario, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the app writes to the terminal from here on."""
    written: list[str] = []
    driver = s.app._driver
    assert driver is not None
    write = driver.write

    def note(data: str) -> None:
        written.append(data)
        write(data)

    monkeypatch.setattr(driver, "write", note)
    return written


async def test_what_is_copied_by_a_key_reaches_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(a_set()) as s:
        sent = written_by(s, monkeypatch)
        await s.to("a")
        await s.press("Y", "t")
        assert "the terminal, if it supports OSC 52" in s.status
        assert f"\x1b]52;c;{base64.b64encode(copied().encode()).decode()}\x07" in sent
        await s.press("y")
        assert f"\x1b]52;c;{base64.b64encode(copied().encode()).decode()}\x07" == sent[-1]
        assert s.app.clipboard == copied()


async def test_a_text_too_large_for_a_terminal_is_not_sent_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(a_set(response="x" * 70_000)) as s:
        sent = written_by(s, monkeypatch)
        await s.to("a")
        await s.press("y")
        assert "other evaltui windows only" in s.status
        assert not any(data.startswith("\x1b]52") for data in sent)


async def test_a_row_that_cannot_be_deleted_is_not_cut() -> None:
    async with scenario(a_set()) as s:
        await s.press("j", "y", "home", "x")
        assert "not possible for the eval set itself" in s.status
        assert not any(said.startswith("cut") for said in s.app.messages.newest_first())
        assert s.bytes() == s.original
        await s.press("j", "x")
        assert any(said.startswith("cut 1 case") for said in s.app.messages.newest_first())
        await s.press("p")
        assert '"eval_id": "a"' in s.bytes().decode()
