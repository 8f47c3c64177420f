"""Keys that give a case every field google-adk has, and the values that the file then holds."""

from pathlib import Path
from typing import Any

from tests.tui.scenario import Scenario

START = """{
  "eval_set_id": "desk",
  "eval_cases": [
    {
      "eval_id": "case_1",
      "conversation": [
        {
          "invocation_id": "inv-1",
          "user_content": {
            "parts": [
              {
                "text": ""
              }
            ],
            "role": "user"
          }
        }
      ]
    }
  ]
}
"""


async def choose(s: Scenario, label: str, answer: str = "") -> None:
    """Choose among what the form has not got, and answer the question where one follows."""
    await s.press("A")
    assert s.focused == "ChoiceDialog", s.screen()
    await s.paste(label)
    await s.press("enter")
    if answer:
        assert s.focused == "NameDialog", s.screen()
        await s.press("f7")
        await s.paste(answer)
        await s.press("enter")


async def fill(s: Scenario, text: str) -> None:
    """Type into the field that was opened, and leave it."""
    assert s.focused == "field", "\n".join(s.screen())
    await s.press("f7")
    await s.type(text)
    await s.press("escape")


async def set_fields(s: Scenario) -> None:
    """The members of the set itself."""
    await s.press("home", "enter")
    await s.edit("name ", "Desk")
    await s.edit("description", "All there is")
    await choose(s, "creation time")
    await fill(s, "1790000000.5")
    await s.press("escape")


async def session_fields(s: Scenario) -> None:
    """Session input with its state, in the form of the first case."""
    await choose(s, "session input")
    await fill(s, "desk_app")
    await s.edit("user_id", "ann")
    await choose(s, "session id")
    await fill(s, "s-1")
    await choose(s, "session state")
    assert s.focused == "NameDialog", s.screen()
    await s.type("days\r")
    await s.press("escape", "t")
    await s.edit("days", "3")
    await s.press("escape")


async def case_fields(s: Scenario) -> None:
    """What else a case has."""
    await s.edit("eval_id", "refund")
    await session_fields(s)
    await choose(s, "rubric")
    await fill(s, "Says when the money comes")
    await s.edit("description", "for people")
    await s.to("type ")
    await s.press("enter")
    await s.type("TOOL_USE")
    await s.press("enter", "escape")
    await choose(s, "final session state")
    await s.type("done\r")
    await fill(s, "yes")
    await s.press("escape")
    await choose(s, "creation time")
    await fill(s, "2026-03-12 10:25")
    await choose(s, "another key", "priority")
    await fill(s, "high")


async def turn_fields(s: Scenario, picture: Path) -> None:
    """Contents with all parts, and what else a turn has."""
    await s.edit("empty", "Where is my money?")
    await choose(s, "file from disk to the user", str(picture))
    await choose(s, "file by URI to the user")
    await fill(s, "gs://bucket/bill.pdf")
    await s.edit("mime_type", "application/pdf")
    await s.press("escape")
    await s.edit("no expected response", "On Monday.")
    await choose(s, "code to the response")
    await s.edit("code", "print(1)")
    await s.press("escape")
    await s.to("invocation_id")
    await s.press("f")
    await choose(s, "rubric")
    await fill(s, "Names a day")
    await s.press("escape")
    await choose(s, "intermediate response")
    await fill(s, "Let me look.")
    await s.press("escape")
    for name, text in (("duration", "1.5"), ("model duration", "1.0"), ("tool duration", "0.5")):
        await choose(s, name)
        await fill(s, text)
    await choose(s, "app details")
    await s.press("escape")


async def scenario_case(s: Scenario) -> None:
    """A second case, played from a scenario by a persona of its own."""
    await s.to("refund")
    await s.press("a")
    await fill(s, "simulated")
    await choose(s, "scenario instead")
    assert "undo" in s.status
    await s.press("escape") if s.focused == "field" else None
    await s.edit("starting_prompt", "Hi")
    await s.edit("conversation_plan", "Ask for the money.")
    await choose(s, "custom persona")
    await fill(s, "impatient")
    await s.edit("description", "Wants it now")
    await s.press("a")
    await fill(s, "insists")
    await s.edit("description", "Asks twice")
    await choose(s, "instruction")
    await fill(s, "Ask again.")
    await choose(s, "violation")
    await fill(s, "Asks once only.")


def expected(data: str) -> dict[str, Any]:
    """The set as `set_fields`, `case_fields` and `turn_fields` make it; `data` is the picture in base64."""
    parts = [
        {"text": "Where is my money?"},
        {"inline_data": {"mime_type": "image/png", "data": data}},
        {"file_data": {"file_uri": "gs://bucket/bill.pdf", "mime_type": "application/pdf"}},
    ]
    code = {"executable_code": {"language": "PYTHON", "code": "print(1)"}}
    rubric = {
        "rubric_id": "rubric_1",
        "rubric_content": {"text_property": "Says when the money comes"},
        "type": "TOOL_USE_QUALITY",
        "description": "for people",
    }
    turn = {
        "invocation_id": "inv-2",
        "user_content": {"parts": parts, "role": "user"},
        "final_response": {"parts": [{"text": "On Monday."}, code], "role": "model"},
        "rubrics": [
            {
                "rubric_id": "rubric_2",
                "rubric_content": {"text_property": "Names a day"},
                "type": "TOOL_USE_QUALITY",
            }
        ],
        "intermediate_data": {"intermediate_responses": [["agent", [{"text": "Let me look."}]]]},
        "duration": 1.5,
        "model_duration": 1.0,
        "tool_duration": 0.5,
        "app_details": {"agent_details": {}},
    }
    case = {
        "eval_id": "refund",
        "conversation": [turn],
        "session_input": {"app_name": "desk_app", "user_id": "ann", "session_id": "s-1", "state": {"days": 3}},
        "rubrics": [rubric],
        "final_session_state": {"done": "yes"},
        "creation_timestamp": 1773311100.0,
        "priority": "high",
    }
    return {
        "eval_set_id": "desk",
        "eval_cases": [case, _simulated()],
        "name": "Desk",
        "description": "All there is",
        "creation_timestamp": 1790000000.5,
    }


def _simulated() -> dict[str, Any]:
    behavior = {
        "name": "insists",
        "description": "Asks twice",
        "behavior_instructions": ["Ask again."],
        "violation_rubrics": ["Asks once only."],
    }
    persona = {"id": "impatient", "description": "Wants it now", "behaviors": [behavior]}
    plan = {"starting_prompt": "Hi", "conversation_plan": "Ask for the money.", "user_persona": persona}
    session = {"app_name": "desk_app", "user_id": "ann", "state": {}}
    return {"eval_id": "simulated", "conversation_scenario": plan, "session_input": session}
