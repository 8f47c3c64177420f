"""Writer of CX Agent Studio evaluations in the form of the REST API: one for each case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evaltui.document.node import Node
from evaltui.interop.ces.golden_writer import GoldenWriter
from evaltui.interop.ces.scenario_writer import scenario_tree
from evaltui.interop.format_type import OutputDocument, WriteOptions
from evaltui.interop.output_tree import Tree, only_text
from evaltui.interop.portable_set import PortableCase, PortableSet
from evaltui.interop.set_tags import note_lost_set_id, tags_of
from evaltui.interop.unique_names import UniqueNames

_UNIQUE = "display names of evaluations must be unique in an app, so evaltui adds a number"
_NOT_BOTH = "an evaluation in CX Agent Studio is a golden conversation or a scenario, not both"
_APART = "Move the scenario to a separate case."
_evaluation_name: Final = re.compile(r"projects/[^/]+/locations/[^/]+/apps/[^/]+/evaluations/[^/]+")


def write_evaluations(portable: PortableSet, options: WriteOptions) -> Sequence[OutputDocument]:
    """The cases as evaluations."""
    note_lost_set_id(portable)
    writer = _EvaluationWriter(portable, options)
    return [writer.evaluation(case, number) for number, case in enumerate(portable.cases, 1)]


class _EvaluationWriter:
    """Writes the cases of one set."""

    def __init__(self, portable: PortableSet, options: WriteOptions) -> None:
        self._set = portable
        self._resources = options.mapping
        self._goldens = GoldenWriter(options.mapping, portable.fields)
        self._names = UniqueNames("CX Agent Studio", _UNIQUE)

    def evaluation(self, case: PortableCase, number: int) -> OutputDocument:
        """The evaluation of a case; `number` counts from 1."""
        display_name, name = self._names.name(case, number)
        tree: dict[str, Tree] = {
            "name": self._resource_name(case),
            "displayName": display_name,
            "description": self._description(case),
            "tags": self._tags(case) or None,
        }
        if case.scenario is not None and case.turns is None:
            tree["scenario"] = scenario_tree(case, case.scenario, self._resources)
        else:
            if case.scenario is not None:
                self._set.fields.remark(case.scenario.node, "no_place", _NOT_BOTH, _APART)
            tree["golden"] = self._goldens.golden(case)
        tree["etag"] = _own_text(case, "etag")
        return OutputDocument({key: each for key, each in tree.items() if each is not None}, name)

    def _resource_name(self, case: PortableCase) -> Tree:
        found = _own_text(case, "name")
        return found if found is not None and _evaluation_name.fullmatch(found.text()) else None

    def _description(self, case: PortableCase) -> Tree:
        """The description of the case, as a field of any format, or else the description of the set."""
        found = only_text(case.description) or _own_text(case, "description")
        return found if found is not None else only_text(self._set.description)

    def _tags(self, case: PortableCase) -> list[Tree]:
        """The eval set id, so that its evaluations can be found again, and the tags of the case."""
        return list(tags_of(self._set, case))


def _own_text(case: PortableCase, name: str) -> Node | None:
    """A text among the unknown fields of a case."""
    found = case.others.get(name)
    return found if found is not None and found.kind == "string" and found.text() else None
