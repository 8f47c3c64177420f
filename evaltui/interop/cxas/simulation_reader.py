"""Simulations of cxas, read (`cxas_scrapi.evals.simulation_evals.Step`)."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.interop.fields import SetField
from evaltui.interop.output_tree import Made, Value
from evaltui.interop.portable_set import PortableScenario
from evaltui.interop.source_fields import SourceFields

_STEPS = "the goals and response guides of all steps become one plan"
_OPTIONS = ("success_criteria", "max_turns", "completion", "priority", "expect_tools", "expect_criteria")


class SimulationReader:
    """Reads the plan of a simulated user, in steps or as one task."""

    known = ("steps", "task", "variables", *_OPTIONS)
    """The members of a simulation that this reads."""

    def __init__(self, fields: SourceFields) -> None:
        self._fields = fields

    def scenario(self, node: Node) -> PortableScenario:
        """The goals as a plan, and the exact first message if there is one."""
        found = PortableScenario(node)
        steps = _steps(node)
        texts = self._texts(node, ("task",))
        for number, step in enumerate(steps):
            words = step.member("static_utterance")
            if number == 0 and words is not None and words.text():
                found.prompt = self._fields.note(words, SetField.SCENARIO_PROMPT)
            texts += self._texts(step, ("goal", "response_guide", *(("static_utterance",) if number else ())))
        found.plan = _plan(texts)
        for owner in (node, *steps):
            for name in _OPTIONS:
                option = owner.member(name)
                if option is not None and option.kind != "null":
                    self._fields.note(option, SetField.SCENARIO_OTHER)
                    if owner is node or len(steps) == 1:
                        found.others[name] = option
        return found

    def variables(self, node: Node) -> list[Node]:
        """Variables in addition to the session parameters. They override those parameters."""
        first = _steps(node)[:1]
        found = [node.member("variables"), *(step.member("inject_variables") for step in first)]
        return [each for each in found if each is not None and each.kind == "object"]

    def _texts(self, owner: Node, names: tuple[str, ...]) -> list[Node]:
        found = [owner.member(name) for name in names]
        return [self._fields.note(each, SetField.SCENARIO_PLAN) for each in found if each is not None and each.text()]


def _steps(node: Node) -> list[Node]:
    steps = node.member("steps")
    return [each for each in steps.items if each.kind == "object"] if steps is not None else []


def _plan(texts: list[Node]) -> Value | None:
    if len(texts) < 2:
        return texts[0] if texts else None
    return Made("\n".join(each.text().strip() for each in texts), tuple(texts), "merged", _STEPS)
