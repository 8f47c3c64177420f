"""The runs in which two sequences differ."""

from collections.abc import Hashable, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.sequence_diff import DifferingRun, differing_runs

ITEMS = st.text(alphabet="abcdefgh", max_size=30)


def rebuilt(old: str, new: str, runs: list[DifferingRun]) -> str:
    """`new`, made of `old` and the runs; what lies between these must be the same in both."""
    parts = []
    at = new_at = 0
    for old_place, new_place in [*runs, (slice(len(old), len(old)), slice(len(new), len(new)))]:
        assert old[at : old_place.start] == new[new_at : new_place.start]
        parts += [old[at : old_place.start], new[new_place]]
        at, new_at = old_place.stop, new_place.stop
    return "".join(parts)


@pytest.mark.parametrize(
    ("old", "new", "runs"),
    [
        ("", "", []),
        ("abc", "abc", []),
        ("", "ab", [(0, 0, 0, 2)]),
        ("ab", "", [(0, 2, 0, 0)]),
        ("abc", "axc", [(1, 2, 1, 2)]),
        ("aaaa", "aaa", [(3, 4, 3, 3)]),
        ("xay", "bac", [(0, 1, 0, 1), (2, 3, 2, 3)]),
        ("abcd", "bcda", [(0, 1, 0, 0), (4, 4, 3, 4)]),
        ("-a--b-", "+a--b+", [(0, 1, 0, 1), (5, 6, 5, 6)]),
        ("12a21", "3a3", [(0, 2, 0, 1), (3, 5, 2, 3)]),
    ],
)
def test_only_what_differs_is_found(old: str, new: str, runs: list[tuple[int, int, int, int]]) -> None:
    assert differing_runs(old, new) == [(slice(*run[:2]), slice(*run[2:])) for run in runs]


@given(ITEMS, ITEMS)
def test_the_runs_lead_from_the_old_to_the_new(old: str, new: str) -> None:
    assert rebuilt(old, new, differing_runs(old, new)) == new


@given(ITEMS, ITEMS)
def test_no_run_is_empty_and_none_touches_the_next(old: str, new: str) -> None:
    runs = differing_runs(old, new)
    assert all(old[place] or new[new_place] for place, new_place in runs)
    assert all(place.stop < following.start for (place, _), (following, _) in pairwise(runs))


def test_scattered_changes_among_many_items_are_found_one_by_one() -> None:
    old = [f"item {n}" if n % 5 == 0 else "{" for n in range(50_000)]
    new = ["changed" if n % 100 == 17 else item for n, item in enumerate(old)]
    assert differing_runs(old, new) == [(slice(n, n + 1), slice(n, n + 1)) for n in range(17, 50_000, 100)]


def test_where_no_item_stands_alone_a_phrase_is_a_landmark() -> None:
    old = "".join(Random(1).choices("0123456789", k=20_000))
    new = f"{old[:5000]}x{old[5000:15_000]}{old[15_010:]}"
    first, second = differing_runs(old, new)
    assert rebuilt(old, new, [first, second]) == new
    assert (first, second[0].stop - second[0].start) == ((slice(5000, 5000), slice(5000, 5001)), 10)


def test_a_long_stretch_without_landmarks_is_compared_by_position() -> None:
    old = ["0"] * 10_000
    new = ["1" if n % 1000 in (500, 501) else "0" for n in range(10_000)]
    assert differing_runs(old, new) == [(slice(n, n + 2), slice(n, n + 2)) for n in range(500, 10_000, 1000)]


def test_a_long_stretch_without_landmarks_that_has_got_longer_is_one_run() -> None:
    assert differing_runs("a" + "01" * 500 + "b", "a" + "10" * 501 + "b") == [(slice(1, 1001), slice(1, 1003))]


def test_landmarks_that_appear_one_by_one_are_not_sought_for_ever() -> None:
    old = "".join(chr(n + 1) + "x" + chr(n) for n in range(1000, 4000))
    new = "".join(chr(n + 1) + "y" + chr(n) for n in range(1000, 4000))
    assert rebuilt(old, new, differing_runs(old, new)) == new


def test_stretches_without_landmarks_are_matched_as_the_caller_wants() -> None:
    asked = []

    def whole(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[DifferingRun]:
        asked.append((old, new))
        return [(slice(0, len(old)), slice(0, len(new)))]

    assert differing_runs("xabba-cc", "xbaab-cd", whole) == [(slice(1, 5), slice(1, 5)), (slice(7, 8), slice(7, 8))]
    assert asked == [("abba", "baab"), ("c", "d")]
