"""Rules of JSON that parsers read, each in its own way."""

from __future__ import annotations

from evaltui.validation.rule import Rule, a_case, a_set

_SESSION = '"session_input": {"app_name": "desk", "user_id": "u",\n   "state": {"fee": %s}}'
_TALK = (
    '"conversation": [{"user_content": {"parts": [{"text": "Hi"}]},\n'
    '   "final_response": {"parts": [{"text": "Hello"}]}}]'
)

DUPLICATE_KEY = Rule(
    "duplicate-key",
    "syntax",
    "warning",
    "A key stands twice in one object.",
    "google-adk reads the last one and says nothing; the others are lost when it writes the file. RFC 8259 leaves open "
    "what a parser does with them.",
    a_set(
        f'{{"eval_set_id": "desk", "name": "Desk", "name": "Front desk",\n "eval_cases": [{{"eval_id": '
        f'"a", {_TALK}}}]}}'
    ),
    a_set(f'{{"eval_set_id": "desk", "name": "Front desk",\n "eval_cases": [{{"eval_id": "a", {_TALK}}}]}}'),
    "Takes out those that are not read (not safe: one of them may be the one that was meant).",
)
NOT_A_NUMBER = Rule(
    "not-a-number",
    "syntax",
    "warning",
    "NaN or Infinity stands where JSON wants a number.",
    "google-adk's parser takes it, but `LocalEvalSetsManager` writes null in its place: an argument "
    "changes in silence, "
    "and a timestamp makes the whole file unreadable. Other programs refuse the file.",
    a_case(
        f'{{"eval_id": "a", "session_input": {{"app_name": "desk", "user_id": "u", "state": {{"fee": '
        f"NaN}}}},\n {_TALK}}}"
    ),
    a_case(
        f'{{"eval_id": "a", "session_input": {{"app_name": "desk", "user_id": "u", "state": {{"fee": 0}}}},\n {_TALK}}}'
    ),
)
