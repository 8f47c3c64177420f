"""Rules of text that is no JSON, or JSON that google-adk's parser does not read or reads otherwise."""

from __future__ import annotations

from evaltui.validation.rule import Example, Rule

_PARSER = "google-adk reads a file with `EvalSet.model_validate_json`, whose parser "
_GOOD = Example("text", '{"eval_set_id": "trips", "eval_cases": []}')


def _syntax(code: str, summary: str, why: str, bad: str, good: Example = _GOOD, fix: str = "") -> Rule:
    return Rule(code, "syntax", "error", summary, _PARSER + why, Example("text", bad), good, fix)


NOT_JSON = _syntax(
    "not-json",
    "The text breaks off or goes on in a way that JSON does not allow.",
    "stops at the first error; nothing of the file is read.",
    '{"eval_set_id": "trips", "eval_cases": [] something}',
)
TOO_DEEP = _syntax(
    "too-deep",
    "Values nest deeper than google-adk reads.",
    "gives up at about 200 levels with *recursion limit exceeded*.",
    "",
)
BAD_CHARACTER = _syntax(
    "bad-character",
    "A text holds half a surrogate pair.",
    "takes UTF-8 only, in which half a pair cannot be written; Python's `json` lets it pass.",
    '{"eval_set_id": "\\ud800", "eval_cases": []}',
)
WRONG_ENCODING = _syntax(
    "wrong-encoding",
    "The file is not UTF-8.",
    "takes UTF-8 only.",
    "",
)
BYTE_ORDER_MARK = _syntax(
    "byte-order-mark",
    "The file begins with a byte order mark.",
    "takes it for a character before the first value.",
    '\ufeff{"eval_set_id": "trips", "eval_cases": []}',
    fix="Takes the mark out.",
)
