"""No line that evaltui prints is a command to a CI runner."""

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaltui.printable import json_escaped
from evaltui.workflow_commands import commanding, guard_streams, spaced, unguarded, without_runner_words

OBEYED = re.compile(r"(?:\A|(?<=[\r\n]))(?:[^\S\r\n]|\x1b\[[0-?]*m)*::|##(?:vso|teamcity)?\[|section_(?:start|end):")
"""The words of all runners: an own description, to compare with."""
WORDS = (
    "::error::x",
    "\t \u00a0::stop-commands::x",
    "\u3000\u2003::add-mask::y",
    "\x1b[1;31m::group::z",
    "text ##[add-matcher]x",
    "##[group]",
    "##vso[task.setvariable variable=PATH]x",
    "##teamcity[buildStatus text='x']",
    "\x1b[0Ksection_start:1:a",
    "section_end:1:a",
)
SCRAPS = st.lists(st.sampled_from([*":#[] \t\n\r.x\u00a0", "::", "##", "vso", "teamcity", "section_", "start", "end"]))


@contextmanager
def log(newline: str | None = None) -> Iterator[Callable[[], str]]:
    """What reaches the log of a runner from stdout, which is guarded within the context."""
    below = io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:  # pytest changes the streams between a fixture and its test
        patch.setenv("GITHUB_ACTIONS", "true")
        patch.setattr(sys, "stdout", io.TextIOWrapper(below, encoding="utf-8", newline=newline))
        patch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO()))
        guard_streams()

        def printed() -> str:
            sys.stdout.flush()
            return below.getvalue().decode("utf-8", "surrogateescape")

        yield printed


@pytest.mark.parametrize("word", WORDS)
def test_each_word_is_known_and_stays_readable(word: str) -> None:
    assert OBEYED.search(word)
    for text in (word, f"a\n{word}", f"a\r{word}"):
        shown = without_runner_words(text, spaced)
        assert not OBEYED.search(shown)
        assert shown.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("text", ["a ::b", "a.json::book", "std::vector", "# [x]", "section_start", "a: :b", ""])
def test_other_text_stays(text: str) -> None:
    assert without_runner_words(text, spaced) == text


@pytest.mark.parametrize("word", WORDS)
def test_streams_guard_texts_and_bytes_however_they_are_cut(word: str) -> None:
    with log() as printed:
        for at in range(len(word) + 1):
            sys.stdout.write(f"\n{word[:at]}")
            sys.stdout.flush()
            sys.stdout.write(f"{word[at:]}\n")
        sys.stdout.flush()
        for byte in word.encode():
            sys.stdout.buffer.write(bytes([byte]))
        shown = printed()
    assert not OBEYED.search(shown)
    assert shown.replace(" ", "").count(word.replace(" ", "")) == len(word) + 2


@pytest.mark.parametrize("blanks", [10, 79, 80, 81, 5_000])
def test_no_number_of_blanks_hides_a_word(blanks: int) -> None:
    with log() as printed:
        for piece in (" " * blanks, ":", ":error::x"):
            sys.stdout.write(piece)
            sys.stdout.flush()
        assert not OBEYED.search(printed())


@given(SCRAPS, SCRAPS, SCRAPS)
@example(["section_", "start"], [":"], [])
def test_no_pieces_make_a_word(one: list[str], two: list[str], three: list[str]) -> None:
    with log(newline="") as printed:
        for pieces in (one, two, three):
            sys.stdout.buffer.write("".join(pieces).encode())
        shown = printed()
    assert not OBEYED.search(shown)
    assert shown.replace(" ", "") == "".join(one + two + three).replace(" ", "")


def test_bytes_that_are_no_text_pass_as_they_are() -> None:
    data = bytes(range(256)) * 3
    with log() as printed:
        assert sys.stdout.buffer.write(data) == len(data)
        assert printed().encode("utf-8", "surrogateescape") == data


def test_only_commands_of_evaltui_begin_a_line_and_they_hold_no_other_word() -> None:
    with log() as printed:
        print("::error::not ours")
        with commanding(sys.stdout):
            print("::error file=a::ours ##[group]")
        print("::error::not ours")
        assert printed() == ": :error::not ours\n::error file=a::ours ## [group]\n: :error::not ours\n"


def test_exact_documents_pass_below_the_guard() -> None:
    with log() as printed:
        print("before")
        unguarded(sys.stdout).write(b"::x\n")
        assert printed() == "before\n::x\n"


def test_without_a_runner_no_stream_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION"):
        monkeypatch.delenv(name, raising=False)
    before = sys.stdout
    guard_streams()
    assert sys.stdout is before
    with commanding(sys.stdout):
        assert sys.stdout is before


@pytest.mark.parametrize("word", [*WORDS, "\x7f\x9b31m\u202e\u2028\ufeff\ud800\U000e0041"])
def test_json_has_neither_words_nor_controls_and_the_same_value(word: str) -> None:
    escaped = json_escaped(json.dumps({word: [word]}, ensure_ascii=False, indent=2))
    assert json.loads(escaped) == {word: [word]}
    assert not OBEYED.search(escaped)
    assert escaped.replace("\n", "").isprintable() or "\u00a0" in word or "\u3000" in word
