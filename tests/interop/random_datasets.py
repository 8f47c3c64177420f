"""Random EvaluationDatasets that agentplatform or agents-cli read, in all forms that a conversation has there."""

from __future__ import annotations

import random
from typing import Any

from tests.interop.random_sets import SetMaker


class DatasetMaker(SetMaker):
    """Makes random parts of datasets."""

    def agent_event(self, *, is_in_turn: bool = True) -> dict[str, Any]:
        """A message of an agent, or a response of a tool."""
        event = self.event()
        event.pop("usage_metadata", None)
        event.pop("model_version", None)
        times = {"event_time": "2025-05-01T10:00:00Z"} if is_in_turn else {"creation_timestamp": "2025-05-01T10:00:00Z"}
        own = {"state_delta": self.object()} if is_in_turn else {"event_id": self.text("event")}
        return {**event, **(self.given(**times, **own) if self.some(0.3) else {})}

    def user_event(self) -> dict[str, Any]:
        more = self.given(event_time="2025-06-01T10:00:00+02:00", state_delta=self.object()) if self.some(0.2) else {}
        return {"author": "user", "content": self.content("user"), **more}

    def turns(self) -> list[dict[str, Any]]:
        """Turns of agent_data; some hold several messages of the user, as agents-cli's migration writes them."""
        found = []
        for number in range(self._dice.randrange(1, 4)):
            events = [self.user_event(), *(self.agent_event() for _ in range(self._dice.randrange(3)))]
            if self.some(0.2):
                events += [self.user_event(), self.agent_event()]
            found.append({"turn_index": number, **self.given(turn_id=self.text("turn")), "events": events})
        if self.some(0.3):
            found[0]["events"].insert(0, {"author": "user", "state_delta": self.object()})
        if self.some(0.7):
            found[-1]["events"].append(self.user_event())
        return found

    def history(self) -> list[dict[str, Any]]:
        """Messages before the prompt."""
        found: list[dict[str, Any]] = []
        for _ in range(self._dice.randrange(1, 3)):
            kind = self._dice.randrange(3)
            if kind == 0:
                turn = {"turn_id": self.text("turn")} if self.some(0.5) else {}
                found.append({"author": "user", "content": self.content("user"), **turn})
                found.append({"author": "agent", "content": self.content("model"), **turn})
            elif kind == 1:
                found.append({"role": "user", "content": self.text("said")})
                found.append({"role": "model", "content": self.text("answered")})
            else:
                found.append({"content": {"role": "user", "parts": [self.text_part()]}})
                found.append({"content": {"role": "model", "parts": [self.text_part()]}})
        return found

    def told(self) -> Any:
        return self.text("plain") if self.some(0.2) else self.content("model")

    def conversation(self) -> dict[str, Any]:
        """The members that hold the conversation."""
        kind = self._dice.random()
        expected = self.given(
            reference=self._dice.choice([{"response": self.told()}, self.text("reference")]),
            intermediate_events=[self.agent_event(is_in_turn=False) for _ in range(self._dice.randrange(3))],
        )
        if "intermediate_events" not in expected and self.some(0.3):
            expected["reference_trajectory"] = [
                {"tool_name": self.text("call"), "tool_input": self.object()} for _ in range(self._dice.randrange(3))
            ]
        if kind < 0.4:
            return {"agent_data": {"turns": self.turns(), **self.given(agents=self.agent_map())}, **expected}
        if kind < 0.6:
            return {"conversation_history": self.history(), "prompt": self.told(), **expected}
        if kind < 0.9:
            return {"prompt": self.told(), **expected, **self.given(agent_info={"agents": self.agent_map()})}
        return expected

    def agent_map(self) -> dict[str, Any]:
        names = ["root", self.text("agent_of")]
        return {
            name: {
                "agent_id": name,
                **self.given(
                    agent_type=self.text("type"),
                    description=self.text("description"),
                    instruction=self.text("instruction"),
                    tools=[{"function_declarations": [{"name": self.text("tool")}]}],
                    sub_agents=[self.text("sub")],
                ),
            }
            for name in names
        }

    def groups(self) -> dict[str, Any]:
        return {
            self.text("group"): {
                **self.given(group_id=self.text("group_id"), display_name=self.text("shown")),
                "rubrics": [
                    {
                        "rubric_id": self.text("rubric"),
                        "content": {"property": {"description": self.text("question")}},
                        **self.given(type=self.text("TYPE"), importance="HIGH"),
                    }
                    for _ in range(self._dice.randrange(3))
                ],
            }
        }

    def dataset_case(self) -> dict[str, Any]:
        scenario = {
            "starting_prompt": self.text("hello"),
            "conversation_plan": self.text("plan"),
            "test_case_title": self.text("title"),
        }
        return {
            **self.given(eval_case_id=self.text("case")),
            **self.conversation(),
            **self.given(
                responses=[{"response": self.told()} for _ in range(self._dice.randrange(3))],
                rubric_groups=self.groups(),
                rubrics=[self.text("rubric"), {"rubric_id": self.text("id"), "description": self.text("question")}],
                user_scenario=scenario,
                system_instruction=self.content("system"),
                session_input={"app_name": self.text("app"), "user_id": self.text("user")},
                my_note={"deep": self.value()},
            ),
        }

    def dataset(self) -> dict[str, Any]:
        cases = [self.dataset_case() for _ in range(self._dice.randrange(1, 4))]
        return {"eval_cases": cases, **self.given(candidate_name=self.text("candidate"))}


def random_dataset(seed: object) -> dict[str, Any]:
    """A dataset that agents-cli or agentplatform reads."""
    return DatasetMaker(random.Random(f"dataset {seed}")).dataset()
