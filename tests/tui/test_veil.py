import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.printable import is_unsafe
from evaltui.tui.widgets.veil import Veil

HOSTILE = "a\x1b[31m\x00\x7f\x85\u2028\u202e\ufeff\ud800\udcff b"


@given(st.text(st.characters(exclude_categories=())))
def test_what_a_veil_covers_comes_back_unchanged(text: str) -> None:
    veil = Veil.for_text(text)
    assert veil.off(veil.over(text)) == text


def test_nothing_unsafe_shows_through() -> None:
    veil = Veil.for_text(HOSTILE)
    assert not is_unsafe(veil.over(HOSTILE))
    assert not is_unsafe(veil.shown(veil.over(HOSTILE)))
    assert len(veil.shown(veil.over(HOSTILE))) == len(HOSTILE)


@pytest.mark.parametrize("own", ["\U00100041\U0010001b", "\U000f001b"])
def test_private_characters_of_the_text_itself_are_left_alone(own: str) -> None:
    veil = Veil.for_text(own + "\x1b")
    assert veil.off(veil.over(own + "\x1b")) == own + "\x1b"


def test_newlines_and_tabs_stay() -> None:
    assert Veil().over("a\n\tb\x1b") == f"a\n\tb{chr(0x10001B)}"
