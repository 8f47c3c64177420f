"""Rules of rubrics."""

from __future__ import annotations

from evaltui.validation.rule import Example, Rule, a_case

_TURN = '{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}'
_TYPED = (
    '{"rubric_id": "polite", "type": "FINAL_RESPONSE_QUALITY",\n'
    '   "rubric_content": {"text_property": "It is polite."}}'
)


def _rubrics(rubrics: str) -> Example:
    return a_case(f'{{"eval_id": "greeting", "conversation": [{_TURN}],\n "rubrics": [\n  {rubrics}]}}')


_GOOD = _rubrics(_TYPED)
_FILTER = (
    "`RubricBasedEvaluator` (google.adk.evaluation.rubric_based_evaluator) takes of the rubrics of cases and turns "
    "only those whose `type` is its own, in capitals: FINAL_RESPONSE_QUALITY, TOOL_USE_QUALITY or TRAJECTORY_QUALITY."
)

DUPLICATE_RUBRIC_ID = Rule(
    "duplicate-rubric-id",
    "meaning",
    "warning",
    "Two rubrics of a case, or of a case and one of its turns, have the same rubric_id.",
    "`LocalEvalService` puts the rubrics of a case and of each of its turns together and aborts the whole run with "
    "`ValueError: Rubric with rubric_id … already exists`, even if no metric reads rubrics.",
    _rubrics(f"{_TYPED},\n  {_TYPED}"),
    _GOOD,
    "Gives the later one the next free number behind its id.",
)
RUBRIC_WITHOUT_TYPE = Rule(
    "rubric-without-type",
    "meaning",
    "warning",
    "A rubric of a case or turn has no type, so no metric reads it.",
    _FILTER + " One without a type is left out without a word; where none is left, the metric is not evaluated.",
    _rubrics('{"rubric_id": "polite", "rubric_content": {"text_property": "It is polite."}}'),
    _GOOD,
    "Adds the type of the one rubric metric that the loaded config has; without that, "
    "FINAL_RESPONSE_QUALITY (not safe).",
)
EMPTY_RUBRIC = Rule(
    "empty-rubric",
    "meaning",
    "warning",
    "A rubric does not say what is to be judged.",
    "The judge is asked `* [id: polite] None`, or nothing behind the id (`format_auto_rater_prompt` of the rubric "
    "metrics in google.adk.evaluation), and its verdict is scored like any other.",
    _rubrics(_TYPED.replace("It is polite.", "")),
    _GOOD,
)
UNKNOWN_RUBRIC_TYPE = Rule(
    "unknown-rubric-type",
    "meaning",
    "warning",
    "A rubric of a case or turn has a type that no metric of google-adk reads.",
    _FILTER + " One of another type is left out without a word.",
    _rubrics(_TYPED.replace("FINAL_RESPONSE_QUALITY", "final_response_quality")),
    _GOOD,
    "Writes it in capitals where that makes it one of the three.",
)
