"""The difference of two texts by word."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.review.text_difference import folded, split_words, text_difference
from evaltui.scoring.words import TextRun

texts = st.text(st.sampled_from("ab cé, \n-日ยิ\u0301👍🏽\u200d🇩🇪"), max_size=40) | st.text(max_size=12)


def marked(runs: tuple[TextRun, ...]) -> str:
    """A side with brackets around what differs."""
    return "".join(text if is_shared else f"[{text}]" for text, is_shared in runs)


def sides(expected: str, actual: str) -> tuple[str, str]:
    found = text_difference(expected, actual)
    return marked(found[0]), marked(found[1])


@given(texts)
def test_words_and_separators_are_the_text(text: str) -> None:
    parts = split_words(text)
    assert "".join(parts) == text
    assert len(parts) % 2 == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't pay 1,000!", ["Don", "t", "pay", "1", "000"]),
        ("flight_id=née", ["flight_id", "née"]),
        ("cafe\u0301 au lait", ["cafe\u0301", "au", "lait"]),
        ("予約ok", ["予", "約", "ok"]),
        ("한국", ["한", "국"]),
        ("ยินดี", ["ยิ", "น", "ดี"]),
        ("សួ", ["សួ"]),
        ("👩\u200d👧👍🏽🇩🇪🇫🇷", ["👩\u200d👧", "👍🏽", "🇩🇪", "🇫🇷"]),
        ("│ a │", ["a"]),
    ],
)
def test_words_of_many_scripts(text: str, words: list[str]) -> None:
    assert split_words(text)[1::2] == words


@pytest.mark.parametrize(
    ("expected", "actual", "ours", "theirs"),
    [
        ("", "x", "[]", "[x]"),
        ("It is booked.", "It was booked!", "It [is] booked[.]", "It [was] booked[!]"),
        ("code ABC-123 is", "code ABD-124 is", "code [ABC-123] is", "code [ABD-124] is"),
        ("a big, red bus", "a red bus", "a [big, ]red bus", "a []red bus"),
        ("a  b", "a b", "a [ ]b", "a []b"),
        ("one two three", "one three four", "one [two ]three[]", "one []three[ four]"),
        ("...", "!..", "[.]..", "[!].."),
        ("東京までの飛行機", "大阪までの新幹線", "[東京]までの[飛行機]", "[大阪]までの[新幹線]"),
        ("สวัสดีครับ", "สวัสดีค่ะ", "สวัสดี[ครับ]", "สวัสดี[ค่ะ]"),
    ],
)
def test_words_that_differ_are_marked_on_both_sides(expected: str, actual: str, ours: str, theirs: str) -> None:
    assert sides(expected, actual) == (ours, theirs)


def test_a_short_word_between_long_differences_is_shared_by_chance() -> None:
    assert sides("Unfortunately it disappeared", "Nevertheless it reappeared") == (
        "[Unfortunately it disappeared]",
        "[Nevertheless it reappeared]",
    )


def test_composed_and_decomposed_letters_differ() -> None:
    assert sides("the café", "the cafe\u0301") == ("the [café]", "the [cafe\u0301]")


@given(texts, texts)
def test_runs_are_the_texts_and_alternate(expected: str, actual: str) -> None:
    found = text_difference(expected, actual)
    for side, text in zip(found, (expected, actual), strict=True):
        assert "".join(part for part, _ in side) == text
        assert all(one[1] != other[1] for one, other in pairwise(side))


@given(texts, texts)
def test_what_is_shared_is_the_same_on_both_sides_and_what_differs_is_not(expected: str, actual: str) -> None:
    found = text_difference(expected, actual)
    for one, other in zip(found[0], found[1], strict=True):
        assert one[1] == other[1] == (one[0] == other[0])


@given(texts, texts)
def test_a_shared_run_between_two_differences_holds_a_word(expected: str, actual: str) -> None:
    runs = text_difference(expected, actual)[0]
    assert all(split_words(text)[1::2] for text, is_shared in runs[1:-1] if is_shared)


@given(texts)
def test_nothing_differs_in_equal_texts(text: str) -> None:
    whole = ((text, True),) if text else ()
    assert text_difference(text, text) == (whole, whole)


@given(st.lists(st.sampled_from("01"), max_size=1500), st.lists(st.sampled_from("01"), max_size=1500))
def test_long_texts_of_few_words_are_aligned_in_windows(ours: list[str], theirs: list[str]) -> None:
    expected, actual = " ".join(ours), " ".join(theirs)
    found = text_difference(expected, actual)
    for side, text in zip(found, (expected, actual), strict=True):
        assert "".join(part for part, _ in side) == text


def test_a_shift_by_one_word_is_found_in_long_repetitive_texts() -> None:
    found = text_difference("a b " * 5000, "b a " * 5000)
    assert sum(len(text) for text, is_shared in found[0] if not is_shared) <= 4
    assert max(len(text) for text, _ in found[0]) > 19_000


def test_a_difference_behind_many_repetitions_is_found() -> None:
    found = text_difference("no " * 9000 + "yes " + "no " * 300, "no " * 9000 + "or " + "no " * 300)
    assert [text for text, is_shared in found[0] if not is_shared] == ["yes"]


# --- folds -----------------------------------------------------------------------------------------------------------


def unfolded(shown: list[tuple[TextRun, int]]) -> str:
    return "".join(text for (text, _), _ in shown)


@given(texts, texts, st.integers(1, 3))
def test_folds_hide_nothing_for_good_and_are_the_same_on_both_sides(expected: str, actual: str, around: int) -> None:
    found = text_difference(expected, actual)
    ours, theirs = folded(found[0], around), folded(found[1], around)
    assert (unfolded(ours), unfolded(theirs)) == (expected, actual)
    folds = [[(run, hidden) for run, hidden in side if hidden] for side in (ours, theirs)]
    assert folds[0] == folds[1]
    assert all(hidden == len(split_words(text)[1::2]) > around for (text, _), hidden in folds[0])


def test_words_next_to_a_difference_are_shown() -> None:
    words = " ".join(f"w{number}" for number in range(20))
    found = text_difference(f"{words} old {words}", f"{words} new {words}")
    before, after = " ".join(f"w{n}" for n in range(18)), " ".join(f"w{n}" for n in range(2, 20))
    assert folded(found[0], 2) == [
        ((f"{before} ", True), 18),
        (("w18 w19 ", True), 0),
        (("old", False), 0),
        ((" w0 w1 ", True), 0),
        ((after, True), 18),
    ]


def test_both_ends_of_a_run_between_differences_are_shown() -> None:
    middle = " ".join(f"w{number}" for number in range(8))
    found = text_difference(f"old {middle} old", f"new {middle} new")
    assert [text for (text, _), hidden in folded(found[1], 2) if hidden] == ["w2 w3 w4 w5 "]


def test_the_beginning_is_shown_where_nothing_differs() -> None:
    found = text_difference("a b c d e", "a b c d e")
    assert folded(found[0], 1) == [(("a ", True), 0), (("b c d e", True), 4)]
