"""Random eval sets that google-adk accepts, with every member that it has; no text occurs twice in one."""

from __future__ import annotations

import random
from typing import Any

from evaltui.evalset.keys import camel

_ENDS = ("", "", " é", " 東京", " <b>", " \u200b")
_FREE = ("args", "response", "state", "final_session_state", "agent_details")


class SetMaker:
    """Makes random parts of eval sets."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._number = 0

    def text(self, word: str) -> str:
        """A text that occurs nowhere else; some have characters of other scripts."""
        self._number += 1
        return f"{word} {self._number}{self._dice.choice(_ENDS)}"

    def some(self, chance: float = 0.5) -> bool:
        return self._dice.random() < chance

    def given(self, **members: Any) -> dict[str, Any]:
        """A random choice of the members."""
        return {name: value for name, value in members.items() if self.some()}

    def value(self, depth: int = 0) -> Any:
        """Any value of JSON."""
        kind = self._dice.random()
        if depth < 2 and kind < 0.2:
            return {self.text("key"): self.value(depth + 1) for _ in range(self._dice.randrange(3))}
        if depth < 2 and kind < 0.3:
            return [self.value(depth + 1) for _ in range(self._dice.randrange(3))]
        self._number += 1
        return self._dice.choice([self.text("value"), self._number + 1000, self._number + 0.5, True, False, None])

    def object(self) -> dict[str, Any]:
        return {self.text("key_of"): self.value() for _ in range(self._dice.randrange(3))}

    # --- messages ------------------------------------------------------------------------------------------

    def text_part(self) -> dict[str, Any]:
        signature = {"thought_signature": "c2lnbmF0dXJl"} if self.some(0.1) else {}
        thought = {"thought": True} if self.some(0.1) else {}
        return {"text": self.text("text"), **thought, **signature}

    def part(self) -> dict[str, Any]:
        """A text, seldom a file or another part."""
        kind = self._dice.random()
        if kind < 0.1:
            return {"inline_data": {"mime_type": self.text("image/png"), "data": "aGVsbG8="}}
        if kind < 0.15:
            return {"file_data": {"file_uri": self.text("gs://bucket/file"), "mime_type": self.text("text/plain")}}
        if kind < 0.2:
            return {"executable_code": {"code": self.text("code"), "language": "PYTHON"}}
        return self.text_part()

    def content(self, role: str) -> dict[str, Any]:
        roles = {"role": role} if self.some(0.7) else {}
        return {**roles, "parts": [self.part() for _ in range(self._dice.choice([0, 1, 1, 1, 2]))]}

    def call(self) -> dict[str, Any]:
        return {"name": self.text("call"), **self.given(args=self.object(), id=self.text("adk-id"))}

    def response(self, call: dict[str, Any]) -> dict[str, Any]:
        same = {"id": call["id"]} if "id" in call and self.some(0.8) else {}
        return {"name": call["name"], "response": {"result": self.value()}, **same}

    # --- turns ---------------------------------------------------------------------------------------------

    def lists(self) -> dict[str, Any]:
        """Calls and responses as two lists."""
        calls = [self.call() for _ in range(self._dice.randrange(3))]
        responses = [self.response(call) for call in calls if self.some(0.7)]
        self._dice.shuffle(responses)
        texts = [
            [self._dice.choice(["agent", self.text("author")]), [self.text_part()]]
            for _ in range(self._dice.choice([0, 0, 1, 2]))
        ]
        return self.given(tool_uses=calls, tool_responses=responses, intermediate_responses=texts)

    def event(self) -> dict[str, Any]:
        author = self._dice.choice(["agent", "root", "helper", "model", self.text("author")])
        kind = self._dice.random()
        if kind < 0.1:
            return {"author": author}
        if kind < 0.4:
            parts = [{"function_call": self.call(), **self.given(thought_signature="c2ln")}]
            parts += [{"function_call": self.call()}] if self.some(0.2) else []
            return {"author": author, "content": {"role": "model", "parts": parts}, **self.event_details()}
        if kind < 0.7:
            parts = [{"function_response": self.response(self.call())}]
            return {"author": author, "content": {"role": "user", "parts": parts}, **self.event_details()}
        return {"author": author, "content": self.content("model"), **self.event_details()}

    def event_details(self) -> dict[str, Any]:
        if self.some(0.8):
            return {}
        self._number += 1
        return self.given(usage_metadata={"prompt_token_count": self._number + 5000}, model_version=self.text("gemini"))

    def events(self) -> dict[str, Any]:
        found = [self.event() for _ in range(self._dice.randrange(4))]
        if self.some(0.3):
            found.append({"author": self.text("final_author")})
        return {"invocation_events": found}

    def rubrics(self) -> list[dict[str, Any]]:
        kinds = [None, None, self.text("TYPE")]
        found = []
        for _ in range(self._dice.choice([0, 1, 2, 4])):
            rubric: dict[str, Any] = {"rubric_id": self.text("rubric"), "rubric_content": {}}
            rubric["rubric_content"] = {"text_property": self.text("question")} if self.some(0.9) else {}
            kind = self._dice.choice(kinds)
            found.append(
                {**rubric, **self.given(description=self.text("description")), **({"type": kind} if kind else {})}
            )
        return found

    def turn(self, agents: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        data = self._dice.choice([self.lists, self.events, dict])()
        return {
            "user_content": self.content("user"),
            **self.given(
                invocation_id=self.text("invocation"),
                final_response=self.content("model"),
                creation_timestamp=1_700_000_000 + self._number + 0.123456789,
                duration=self._number + 0.25,
                tool_duration=self._number + 0.125,
                rubrics=self.rubrics(),
            ),
            **({"intermediate_data": data} if data else {}),
            **({"app_details": {"agent_details": agents}} if agents else {}),
        }

    def agents(self) -> dict[str, Any]:
        if self.some(0.8):
            return {}
        names = [self.text("agent_of")]
        return {
            name: {
                "name": name,
                "instructions": self.text("instruction"),
                "tool_declarations": [{"function_declarations": [{"name": "tool", "description": self.text("tool")}]}],
            }
            for name in names
        }

    # --- cases ---------------------------------------------------------------------------------------------

    def scenario(self) -> dict[str, Any]:
        behavior = {
            "name": self.text("behavior"),
            "description": self.text("d"),
            "behavior_instructions": [self.text("i")],
            "violation_rubrics": [self.text("v")],
        }
        persona = {"id": self.text("persona"), "description": self.text("who"), "behaviors": [behavior]}
        plan = {"starting_prompt": self.text("hello"), "conversation_plan": self.text("plan")}
        return {**plan, **self.given(user_persona=persona)}

    def case(self) -> dict[str, Any]:
        agents = self.agents()
        session = {"app_name": self.text("app"), "user_id": self.text("user"), **self.given(state=self.object())}
        self._number += 1
        turns = [self.turn(agents) for _ in range(self._dice.choice([0, 1, 1, 2, 3]))]
        of_two = {"conversation": turns} if self.some(0.85) else {"conversation_scenario": self.scenario()}
        return {
            "eval_id": self.text("case"),
            **of_two,
            **self.given(
                session_input=session,
                creation_timestamp=1_600_000_000 + self._number + 0.5,
                rubrics=self.rubrics(),
                final_session_state=self.object(),
                tags=[self.text("tag")],
                my_note={"deep": self.value()},
            ),
        }

    def eval_set(self) -> dict[str, Any]:
        cases = [self.case() for _ in range(self._dice.randrange(1, 4))]
        own = self.given(name=self.text("name"), description=self.text("about"), creation_timestamp=1_500_000_000.5)
        return {"eval_set_id": self.text("set"), **own, "eval_cases": cases}


def random_set(seed: object) -> dict[str, Any]:
    """An eval set that google-adk accepts, half of them with camelCase keys below the set."""
    dice = random.Random(str(seed))
    found = SetMaker(dice).eval_set()
    return {**found, "eval_cases": in_camel_case(found["eval_cases"])} if dice.random() < 0.5 else found


def in_camel_case(value: Any) -> Any:
    """A value with google-adk's keys in camelCase; keys of free values, of personas and of extras stay."""
    if isinstance(value, dict):
        return {
            (name if name in ("my_note", "tags") else camel(name)): (
                each if name in (*_FREE, "my_note", "user_persona") else in_camel_case(each)
            )
            for name, each in value.items()
        }
    return [in_camel_case(each) for each in value] if isinstance(value, list) else value
