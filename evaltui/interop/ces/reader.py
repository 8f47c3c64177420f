"""Reader of CX Agent Studio evaluations: one, a list, or a page of `evaluations.list`, in either key case."""

from __future__ import annotations

from datetime import UTC, datetime

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, member, snake
from evaltui.interop.ces.golden_reader import GoldenReader, take_state
from evaltui.interop.fields import SetField
from evaltui.interop.format_type import ConversionError
from evaltui.interop.output_tree import Made, Value
from evaltui.interop.portable_set import PortableCase, PortableRubric, PortableScenario, PortableSet
from evaltui.interop.resource_names import ResourceNames, last_segment
from evaltui.interop.source_fields import SourceFields

_RESULTS = ("aggregated_metrics", "last_completed_result", "last_ten_results")
_OPTIONS = ("evaluation_metrics_threshold_override", "evaluation_metrics_config_override")
_KNOWN = ("display_name", "description", "tags", "create_time", "golden", "scenario", *_RESULTS, *_OPTIONS)
_SCENARIO = ("task", "rubrics", "variable_overrides", "evaluation_expectations")
_TIME = "the time becomes seconds since 1970"


def read_evaluations(root: Node, name: str, names: ResourceNames | None = None) -> PortableSet:
    """Read evaluations as the cases of one set; `names` has short names for their tools and agents.

    Raises `ConversionError` if there are none.
    """
    found = PortableSet(root, SourceFields(), id=name)
    reader = _EvaluationReader(found, names if names is not None else ResourceNames())
    found.cases = [reader.case(each) for each in _evaluations(root)]
    return found


def _evaluations(root: Node) -> list[Node]:
    listed = items_of(root, "evaluations")
    nodes = root.items if root.kind == "array" else listed if member(root, "golden") is None else []
    found = [each for each in nodes or [root] if each.kind == "object"]
    if not any(member(each, name) is not None for each in found for name in ("golden", "scenario")):
        raise ConversionError("not an evaluation of CX Agent Studio: it has no golden and no scenario")
    return found


class _EvaluationReader:
    """Reads evaluations and notes the fields of their values."""

    def __init__(self, portable: PortableSet, names: ResourceNames) -> None:
        self._portable, self._names, self.fields = portable, names, portable.fields

    def case(self, node: Node) -> PortableCase:
        """One evaluation."""
        found = PortableCase(node, id=self._id(node))
        found.description = self._noted(node, "description", SetField.CASE_DESCRIPTION)
        found.tags = [self.fields.note(each, SetField.CASE_TAGS) for each in items_of(node, "tags")]
        for names, field in ((_RESULTS, SetField.RECORDED), (_OPTIONS, SetField.EXPECTATION_OPTIONS)):
            for name in names:
                self._noted(node, name, field)
        found.others = {
            item.name: self.fields.note(item, SetField.CASE_OTHER)
            for item in node.items
            if snake(item.name) not in _KNOWN and item.kind != "null" and node.member(item.name) is item
        }
        found.time = self._time(node)
        if (golden := filled(node, "golden")) is not None:
            GoldenReader(self._portable, found, self._names).golden(golden)
            self._criteria(golden, found)
        if (scenario := filled(node, "scenario")) is not None:
            self._scenario(scenario, found)
        return found

    def _id(self, node: Node) -> Value | None:
        shown = self._noted(node, "display_name", SetField.CASE_ID)
        if shown is not None and shown.text():
            return shown
        resource = filled(node, "name")
        return Made(last_segment(resource.text()), ()) if resource is not None and resource.text() else None

    def _time(self, node: Node) -> Value | None:
        created = self._noted(node, "create_time", SetField.CASE_TIME)
        if created is None:
            return None
        try:
            moment = datetime.fromisoformat(created.text())
        except ValueError:
            return None
        seconds = (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
        return Made(seconds, (created,), None, _TIME)

    def _scenario(self, node: Node, case: PortableCase) -> None:
        case.scenario = PortableScenario(node, plan=self._noted(node, "task", SetField.SCENARIO_PLAN))
        for item in node.items:
            if snake(item.name) not in _SCENARIO and item.kind != "null":
                case.scenario.others[item.name] = self.fields.note(item, SetField.SCENARIO_OTHER)
        for text in items_of(node, "rubrics"):
            self.fields.note(text, SetField.CASE_RUBRICS)
            case.rubrics.append(PortableRubric(text, text=text))
        variables = filled(node, "variable_overrides")
        if variables is not None and variables.kind == "object":
            take_state(case, variables, self.fields)
        self._criteria(node, case)

    def _criteria(self, node: Node, case: PortableCase) -> None:
        """Criteria of a judge: resource names, or whole expectations as exports of cxas have them."""
        for each in items_of(node, "evaluation_expectations"):
            text = filled(filled(each, "llm_criteria"), "prompt")
            if text is None:
                case.criteria.append(self.fields.note(each, SetField.CRITERIA))
                continue
            self.fields.note(each, SetField.CASE_RUBRICS)
            case.rubrics.append(PortableRubric(each, id=filled(each, "display_name"), text=text))

    def _noted(self, owner: Node, name: str, field: SetField) -> Node | None:
        found = filled(owner, name)
        return self.fields.note(found, field) if found is not None else None
