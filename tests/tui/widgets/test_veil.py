import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.printable import is_unsafe
from evaltui.tui.widgets.text_field import Veil

HOSTILE = "a\x1b[31m\x00\x7f\x85\u2028\u202e\ufeff\ud800\udcff\U000e0041 b"
ANY_TEXT = st.text(st.characters(exclude_categories=()) | st.sampled_from("\x1b\x85\U0010fffd\U0010fffc\U000ffffd"))


@pytest.mark.thorough
@given(st.lists(ANY_TEXT))
def test_what_a_veil_covers_comes_back_unchanged_whatever_else_came_before(texts: list[str]) -> None:
    veil = Veil()
    covered = [veil.over(text) for text in texts]
    assert [veil.off(each) for each in covered] == texts
    assert list(map(len, covered)) == list(map(len, texts))


def test_nothing_unsafe_shows_through() -> None:
    veil = Veil()
    assert not is_unsafe(veil.over(HOSTILE))
    assert not is_unsafe(veil.shown(veil.over(HOSTILE)))
    assert len(veil.shown(veil.over(HOSTILE))) == len(HOSTILE)


@pytest.mark.parametrize("own", ["\U00100041\U0010001b", "\U000f001b", "\U0010fffd\U000ffffd"])
def test_private_characters_of_the_text_itself_are_left_alone(own: str) -> None:
    veil = Veil()
    assert veil.off(veil.over(own + "\x1b")) == own + "\x1b"


def test_private_characters_that_come_later_are_not_taken_for_what_is_covered() -> None:
    veil = Veil()
    stands_for_escape = veil.over("\x1b")
    assert veil.off(stands_for_escape + veil.over(stands_for_escape)) == "\x1b" + stands_for_escape


def test_newlines_and_tabs_stay() -> None:
    covered = Veil().over("a\n\tb\x1b")
    assert covered[:-1] == "a\n\tb"
    assert not is_unsafe(covered[-1])
