"""Where a person wants to go."""

import pytest

from evaltui.document.errors import PointerError
from evaltui.evalset.search import case_filter
from evaltui.evalset.search.case_filter import best_matches, node_at
from evaltui.evalset.search.case_text import CaseTexts
from tests.evalset.helpers import set_of

IDS = ["refund", "book_flight_oslo", "flight", "7", "flight_2", "Rebook", "x:y"]
SET = set_of(*({"eval_id": eval_id, "conversation": []} for eval_id in IDS))


def best(text: str, count: int = 3) -> list[str]:
    matches = best_matches(text, SET.cases, CaseTexts(), range(len(IDS)), count)
    return [IDS[number] for _, number in matches]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("flight", ["flight", "flight_2", "book_flight_oslo"]),
        ("trips.evalset.json:flight", ["flight", "flight_2", "book_flight_oslo"]),
        ("bfo", ["book_flight_oslo"]),
        ("2", ["book_flight_oslo", "flight_2"]),
        ("#3", ["flight"]),
        ("7", ["7", "x:y"]),  # the id itself goes before the number
        ("REBOOK", ["Rebook"]),
        ("x:y", ["x:y"]),
        ("99", []),
        ("0", []),
        ("-1", []),
        ("zzz", []),
    ],
)
def test_the_best_matches(text: str, first: list[str]) -> None:
    assert best(text) == first


def test_a_pointer_leads_to_its_value() -> None:
    assert node_at(SET.root, "/eval_cases/2") is SET.cases[2]
    assert node_at(SET.root, " #/eval_cases/2/eval_id ") is SET.cases[2].member("eval_id")
    assert node_at(SET.root, "/eval_cases/2/") is SET.cases[2]
    assert node_at(SET.root, "eval_cases/2") is None
    for wrong in ("/eval_cases/9", "/nothing", "/eval_cases/-1", "/eval_cases/2/eval_id/0"):
        with pytest.raises(PointerError):
            node_at(SET.root, wrong)


def test_no_pattern_is_made_of_a_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_filter.re, "compile", lambda *_: pytest.fail("compiled"))
    assert best("refund" * 2000) == []
