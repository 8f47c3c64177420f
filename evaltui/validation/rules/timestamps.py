"""Rules of times."""

from __future__ import annotations

from evaltui.validation.rule import Rule, a_case

_TALK = (
    '"conversation": [{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}]'
)

TIMESTAMP_UNIT = Rule(
    "timestamp-unit",
    "meaning",
    "warning",
    "A creation_timestamp counts milliseconds, microseconds or nanoseconds, and not seconds.",
    "google-adk writes `time.time()` there (`LocalEvalSetsManager` and `adk web`): seconds since 1970, as a float. Who "
    "takes this one for seconds is some ten thousands of years off, and Python's `datetime.fromtimestamp` raises "
    "*ValueError: year is out of range*.",
    a_case(f'{{"eval_id": "greeting", "creation_timestamp": 1763869009012, {_TALK}}}'),
    a_case(f'{{"eval_id": "greeting", "creation_timestamp": 1763869009.012, {_TALK}}}'),
    "Writes it in seconds, with all its digits.",
)
