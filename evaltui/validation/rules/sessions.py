"""Rules of the sessions that cases begin with."""

from __future__ import annotations

from evaltui.validation.rule import Example, Rule, a_set

_TALK = (
    '"conversation": [{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}]'
)


def _sessions(*sessions: str) -> Example:
    cases = ",\n  ".join(
        f'{{"eval_id": "case_{number}", {_TALK},\n   "session_input": {{{session}}}}}'
        for number, session in enumerate(sessions, 1)
    )
    return a_set(f'{{"eval_set_id": "desk", "eval_cases": [\n  {cases}]}}')


_WHO = '"app_name": "desk", "user_id": "user"'
_LIST = f'{_WHO}, "state": {{"history": []}}'
_GOOD = _sessions(_WHO, _WHO)

STATE_TYPE_DIFFERS = Rule(
    "state-type-differs",
    "meaning",
    "warning",
    "A value of the session state has another type than in the other cases of the set.",
    "`session_input.state` is given to the session as it is (`_get_or_create_eval_session` in "
    "google.adk.evaluation.evaluation_generator) and overrides what the agent sets up itself, so a text where a tool "
    'expects a list breaks the tool: *initializes feedback_history as a string, breaks .append()* (the "type '
    'mismatch danger" of the ADK evaluation guide).',
    _sessions(_LIST, f'{_WHO}, "state": {{"history": ""}}'),
    _sessions(_LIST, _LIST),
    "Writes an empty list or object for an empty text (not safe: the agent may really want a text).",
)
APP_NAME_DIFFERS = Rule(
    "app-name-differs",
    "meaning",
    "warning",
    "A case has another app_name than most cases of its set.",
    "`adk eval` runs every case of the set with the one agent that it is given, in a session under the app_name of the "
    "case (`_get_or_create_eval_session`), and looks the session up under the folder's name afterwards "
    "(`LocalEvalService`), so `session_details` is null in the result, and state and artifacts that are kept by app "
    "are not found.",
    _sessions(_WHO, _WHO, _WHO.replace("desk", "dest")),
    _GOOD,
    "Writes that of the other cases (not safe: the set may be meant for several agents).",
)
APP_NAME_UNLIKE_FOLDER = Rule(
    "app-name-unlike-folder",
    "meaning",
    "info",
    "The app_name of the cases is not the name of the agent's folder that the file is in.",
    "`adk eval` and `adk web` call an app as its folder is called, and look sessions up by that name after a run; "
    "those of the cases are kept under their own app_name. Checked where the folder of the file has an `agent.py`, a "
    "`root_agent.yaml` or an `__init__.py` that imports the agent; the example is a file in such a folder `desk`.",
    _sessions(_WHO.replace("desk", "service_desk")),
    _sessions(_WHO),
)
