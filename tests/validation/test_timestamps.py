"""Times of creation in another unit than seconds."""

import pytest

from evaltui.document.document import Document
from tests.validation.findings import case, found_in, said_of, set_of, turn

AT = "/eval_cases/0/creation_timestamp"


def written(number: str) -> str:
    """What the fix writes for a time."""
    data = b'{"eval_set_id": "s", "eval_cases": [], "creation_timestamp": %s}' % number.encode()
    (found,) = found_in(data, "timestamp-unit")
    assert found.fix is not None
    assert found.fix.safe
    document = Document(data)
    document.apply(found.fix.edits, "fix")
    before, _, after = data.partition(number.encode())
    text = document.to_bytes()
    assert not found_in(text, "timestamp-unit")
    assert text.startswith(before)
    return text.removeprefix(before).removesuffix(after).decode()


@pytest.mark.parametrize(
    ("number", "seconds"),
    [
        ("1763869009012", "1763869009.012"),
        ("1763869009000", "1763869009"),
        ("1763869009000.0", "1763869009.0"),
        ("1763869009012.5", "1763869009.0125"),
        ("1763869009012345", "1763869009.012345"),
        ("1763869009012345678", "1763869009.012345678"),
        ("1763869000000000000", "1763869000"),
        ("1.763869009012e12", "1763869009.012"),
    ],
)
def test_a_time_becomes_seconds_with_all_its_digits_and_stays_what_it_was(number: str, seconds: str) -> None:
    assert written(number) == seconds


def test_each_time_is_said_where_it_stands() -> None:
    data = set_of(
        case(turn(creationTimestamp=1763869009012), creation_timestamp=1763869009012345),
        creation_timestamp=1763869009012,
    )
    assert [(each.pointer, each.message) for each in found_in(data)] == [
        (AT, "creation_timestamp is in microseconds, but google-adk expects seconds"),
        (
            "/eval_cases/0/conversation/0/creationTimestamp",
            "creation_timestamp is in milliseconds, but google-adk expects seconds",
        ),
        ("/creation_timestamp", "creation_timestamp is in milliseconds, but google-adk expects seconds"),
    ]


@pytest.mark.parametrize("number", [0, -1.5, 1763869009, 1763869009.5, 4102444800, 10**30, True, "1763869009012"])
def test_other_times_are_let_pass(number: object) -> None:
    assert said_of(set_of(case(creation_timestamp=number))) == []
