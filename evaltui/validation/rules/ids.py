"""Rules of ids and names."""

from __future__ import annotations

from evaltui.validation.rule import Rule, a_case, a_set, a_turn

_TALK = (
    '"conversation": [{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}]'
)
_SAID = '"user_content": {"parts": [{"text": "Hi"}]}'
_GOOD = a_case(f'{{"eval_id": "greeting", {_TALK}}}')

DUPLICATE_EVAL_ID = Rule(
    "duplicate-eval-id",
    "meaning",
    "warning",
    "Two cases of a set have the same eval_id.",
    "`adk eval` copies the cases into a set in memory and aborts the whole run: "
    "`InMemoryEvalSetsManager.add_eval_case` raises `ValueError: EvalCase … already exists in EvalSet …`. Elsewhere "
    "only the first of the two can be reached (`get_eval_case_from_eval_set`).",
    a_set(
        '{"eval_set_id": "desk", "eval_cases": [\n'
        f'  {{"eval_id": "greeting", {_TALK}}},\n  {{"eval_id": "greeting", {_TALK}}}]}}'
    ),
    a_set(
        '{"eval_set_id": "desk", "eval_cases": [\n'
        f'  {{"eval_id": "greeting", {_TALK}}},\n  {{"eval_id": "greeting_2", {_TALK}}}]}}'
    ),
    "Gives the later one the next free number behind its id.",
)
EMPTY_EVAL_ID = Rule(
    "empty-eval-id",
    "meaning",
    "warning",
    "A case has an empty eval_id.",
    "The model takes it, but nothing can name the case: neither `adk eval set.json:ID` nor its line in a result.",
    a_case(f'{{"eval_id": "", {_TALK}}}'),
    _GOOD,
    "Gives it a fresh id.",
)
UNSELECTABLE_EVAL_ID = Rule(
    "unselectable-eval-id",
    "meaning",
    "warning",
    "An eval_id has a comma or a colon in it.",
    "`adk eval set.json:ID,ID` splits at them (`parse_and_get_evals_to_run` in google.adk.cli.cli_eval), so this case "
    "cannot be chosen.",
    a_case(f'{{"eval_id": "greeting: first", {_TALK}}}'),
    _GOOD,
    "Writes `_` in their place (not safe: others may name the case).",
)
ODD_EVAL_SET_ID = Rule(
    "odd-eval-set-id",
    "meaning",
    "info",
    "The eval_set_id is one that google-adk would not create.",
    "`LocalEvalSetsManager.create_eval_set` takes letters, digits and `_` only (`^[a-zA-Z0-9_]+$`), and "
    "`adk web` finds a set by `<eval_set_id>.evalset.json`. Reading such a set works.",
    a_set(f'{{"eval_set_id": "desk/2026", "eval_cases": [{{"eval_id": "greeting", {_TALK}}}]}}'),
    a_set(f'{{"eval_set_id": "desk_2026", "eval_cases": [{{"eval_id": "greeting", {_TALK}}}]}}'),
)
NAME_NOT_COMPOSED = Rule(
    "name-not-composed",
    "meaning",
    "warning",
    "The name of a tool has accents that are characters of their own (it is not in Unicode's form NFC).",
    "`TrajectoryEvaluator` compares names by their code points, so `café` written with a combining accent is another "
    "tool than `café` with one character, though both look the same. Names of Python functions are always composed "
    "(the parser normalises identifiers to NFKC), so this one matches none.",
    a_turn(
        f'{{{_SAID},\n "intermediate_data": {{"tool_uses": [{{"name": "find_cafe\\u0301", "args": {{}}}}]}}}}',
    ),
    a_turn(
        f'{{{_SAID},\n "intermediate_data": {{"tool_uses": [{{"name": "find_caf\\u00e9", "args": {{}}}}]}}}}',
    ),
    "Composes the name (not safe: a tool that is no Python function may be called so).",
)
BLANKS_AROUND = Rule(
    "blanks-around",
    "meaning",
    "warning",
    "An id or a name begins or ends with blanks.",
    "google-adk compares ids and names of tools as they are, so `get_fines ` is another tool than `get_fines`, and one "
    "does not see it.",
    a_case(f'{{"eval_id": "greeting ", {_TALK}}}'),
    _GOOD,
    "Takes the blanks away, where no other has that id.",
)
