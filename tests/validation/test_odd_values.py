"""Texts that look like secrets, put together here so that nobody takes them for real; times in another unit."""

from typing import Any

import pytest

from evaltui.document.document import Document
from tests.validation.findings import case, found_in, said_of, set_of, turn

BODY = "Ab3dEf6hIj9lMn2pQr5tUv8xYz1BcD4fGh7jKl0mNo3q"
KEYS = [
    ("AIza" + BODY[:35], "a Google API key"),
    ("sk-" + BODY, "an OpenAI or Anthropic key"),
    ("sk-proj-" + BODY, "an OpenAI or Anthropic key"),
    ("sk-ant-api03-" + BODY, "an OpenAI or Anthropic key"),
    ("ghp_" + BODY[:36], "a GitHub token"),
    ("github_pat_" + BODY + BODY[:30], "a GitHub token"),
    ("AKIA" + "B2C4D6F8H1J3L5N7", "an AWS access key"),
    ("xoxb-" + "1234567890-" + BODY, "a Slack token"),
    ("eyJ" + BODY + ".eyJ" + BODY + "." + BODY, "a JSON web token"),
    ("-----BEGIN RSA PRIVATE" + " KEY-----", "a private key"),
]


def in_text(text: str) -> bytes:
    return set_of(case(turn(user_content={"parts": [{"text": text}]})))


@pytest.mark.parametrize(("key", "name"), KEYS, ids=[key[:8] for key, _ in KEYS])
def test_a_key_is_named_at_its_text_and_not_shown(key: str, name: str) -> None:
    (found,) = found_in(in_text(f"My key is {key}, is it not?"))
    assert (found.code, found.severity) == ("secret", "info")
    assert found.pointer == "/eval_cases/0/conversation/0/user_content/parts/0/text"
    assert found.message == f"looks like {name}"


@pytest.mark.parametrize(
    "members",
    [
        {"session_input": {"app_name": "a", "user_id": "u", "state": {"keys": [[KEYS[0][0]]]}}},
        {"metadata": {"key": KEYS[0][0]}},
    ],
)
def test_keys_are_found_wherever_they_stand(members: dict[str, Any]) -> None:
    assert [each.code for each in found_in(set_of(case(**members)))] == ["secret"]
    assert [each.code for each in found_in(set_of(case(), description=KEYS[0][0]))] == ["secret"]


@pytest.mark.parametrize(
    "text",
    [
        "a risk-assessment-of-long-hyphenated-names-2026-with-Capitals",
        "sk-learn-pipelines-are-described-in-chapter-2-of-the-book",
        "AKIA" + "IOSFODNN7EXAMPLE",
        "AIza" + BODY[:20],
        "ghp_short",
        "xoxo-" + "love and kisses to all of you, 2026",
        "eyJ" + BODY,
        "-----BEGIN PUBLIC" + " KEY-----",
        "MAKIA" + "B2C4D6F8H1J3L5N7",
    ],
)
def test_what_only_begins_like_a_key_is_let_pass(text: str) -> None:
    assert said_of(in_text(text)) == []


@pytest.mark.parametrize(
    "sign", ["AIza", "sk-", " sk-a", "ghp_", "AKIA", "xoxb-", "eyJ", " eyJaaaaaaaaaa.", "-----BEGIN "]
)
def test_megabytes_of_beginnings_are_read_once(sign: str) -> None:
    assert said_of(in_text(sign * (2_000_000 // len(sign)))) == []  # anything but linear time hits the time limit


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
