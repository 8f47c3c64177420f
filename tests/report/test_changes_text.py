"""Changes, pass rates and ages as people read them."""

import pytest

from evaltui.report.scores_text import age_text, change_texts, difference_text, rate_bar, rate_text
from evaltui.scoring.score_change import RunChange


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (RunChange("improved", 0.43), "▲ +0.43 passes now"),
        (RunChange("regressed", -0.5, ("args changed",)), "▼ -0.50 fails now, args changed"),
        (RunChange("lower", -0.5, (), "tool_trajectory_avg_score"), "▼ -0.50 (tool_trajectory)"),
        (
            RunChange("regressed", -0.5, ("args changed",), "response_match_score"),
            "▼ -0.50 fails now, args changed (response_match)",
        ),
        (RunChange("regressed"), "▼ fails now"),
        (RunChange("lower", -0.004), "▼ -0.004"),
        (RunChange("higher", 0.1), "▲ +0.10"),
        (RunChange("new"), "new"),
        (RunChange("edited"), "edited"),
        (RunChange("not_evaluated"), "– not evaluated now"),
        (RunChange("same", None, ("text changed",)), "text changed"),
    ],
)
def test_a_change_is_a_sign_and_words(change: RunChange, text: str) -> None:
    assert change_texts(change)[0] == text


def test_words_without_room_are_marked() -> None:
    assert change_texts(RunChange("regressed", -0.5, ("tools changed", "text changed"), "safety_v1")) == [
        "▼ -0.50 fails now, tools changed, text changed (safety)",
        "▼ -0.50 fails now, tools changed, text changed",
        "▼ -0.50 fails now, tools changed …",
        "▼ -0.50 fails now …",
        "▼ -0.50",
    ]


def test_no_difference_is_told_as_none() -> None:
    for difference in (0.0049, -0.0049, 1e-9):
        assert float(difference_text(difference)) != 0


def test_only_all_are_a_hundred_percent() -> None:
    assert rate_text(9, 12) == "9 of 12 pass (75 %)"
    assert rate_text(9_999, 10_000) == "9,999 of 10,000 pass (99 %)"
    assert rate_text(3, 3) == "3 of 3 pass (100 %)"
    assert rate_text(0, 0) == "0 of 0 pass (0 %)"


def test_the_bar_is_a_shape_also_without_block_characters() -> None:
    assert rate_bar([0.0, 0.5, 0.99, 1.0]) == "▁▄▇█"
    plain = rate_bar([0.0, 0.5, 0.99, 1.0], is_plain=True)
    assert plain.isascii()
    assert len(set(plain)) == 4


def test_an_age_has_one_unit() -> None:
    day = 86_400
    ages = [None, -5, 0, 59, 60, 3_599, 3_600, day - 1, day, 364 * day, 800 * day]
    expected = ["–", "now", "now", "now", "1 min", "59 min", "1 h", "23 h", "1 d", "364 d", "2 y"]
    assert [age_text(age) for age in ages] == expected
