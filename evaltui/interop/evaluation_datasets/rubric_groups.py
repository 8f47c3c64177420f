"""Rubrics of EvaluationDatasets: groups by name, and the list that agents-cli takes beside them."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of
from evaltui.interop.eval_sets.reader import RUBRIC_KEYS, CaseReader, rubric_id, rubric_text
from evaltui.interop.evaluation_datasets.dataset_names import GROUP_OF_RUBRICS, RUBRIC_DESCRIPTIONS, RUBRIC_ORDER
from evaltui.interop.fields import SetField
from evaltui.interop.genai_contents import model_tree, read_members
from evaltui.interop.output_tree import Invented, LossKind, Made, OwnKey, Tree, remade, sources_of, text_in, value_of
from evaltui.interop.portable_set import PortableCase, PortableRubric, PortableTurn
from evaltui.interop.source_fields import SourceFields

_OF_A_GROUP = ("group_id", "display_name")
_NO_DESCRIPTION = "rubrics in a dataset have no description, so evaltui keeps it in rubric_descriptions of the case"
_SECOND_OF_AN_ID = "another rubric has the same rubric_id, and only one description is kept for an id"
_OF_THE_CASE = "a dataset has rubrics only for cases, so the rubrics of a turn become a group of the case"
_NO_RUBRICS = "the group has no rubrics, so evaltui leaves it out"
_SELECTED = "If a config selects rubrics by this name (rubric_group_key, rubric_group_name), change the config."
_NAME_THE_GROUP = 'To use the group of turn N, set rubric_group_name="turn_N" in a metric of agentplatform.'


class RubricGroupReader:
    """Reads the rubrics of a case."""

    def __init__(self, fields: SourceFields, cases: CaseReader) -> None:
        self._fields, self._cases = fields, cases

    def listed(self, case: Node) -> list[PortableRubric]:
        """The list `rubrics`, which agents-cli reads: texts, and objects with rubric_content or a description."""
        found = []
        for each in items_of(case, "rubrics"):
            if each.kind == "string":
                found.append(PortableRubric(each, text=self._fields.note(each, SetField.CASE_RUBRICS)))
        rubrics = self._cases.rubrics(case, SetField.CASE_RUBRICS)
        for rubric in rubrics:
            if rubric.text is None and isinstance(rubric.description, Node) and text_in(rubric.description):
                rubric.text, rubric.description = self._fields.note(rubric.description, SetField.CASE_RUBRICS), None
        return [*found, *rubrics]

    def groups(self, case: Node) -> Iterator[tuple[str, list[PortableRubric]]]:
        """The groups by name; members of a group itself come along with its first rubric."""
        groups = filled(case, "rubric_groups")
        descriptions = filled(case, RUBRIC_DESCRIPTIONS)
        for group in groups.items if groups is not None and groups.kind == "object" else ():
            kept = descriptions.member(group.name) if descriptions is not None else None
            rubrics = [self._rubric(each, group, kept) for each in items_of(group, "rubrics") if each.kind == "object"]
            own = read_members(group, ("rubrics",))
            for each in own.values():
                self._fields.note(each, SetField.RUBRIC_DETAILS, "" if rubrics else _NO_RUBRICS)
            if rubrics:
                rubrics[0].others |= {name: each for name, each in own.items() if name in _OF_A_GROUP}
            yield group.name, rubrics

    def note_name(self, rubrics: list[PortableRubric]) -> None:
        """Note the name of a group of the case as a value, unless rubrics without groups get the same name."""
        for rubric in rubrics:
            if text_in(rubric.group) != (text_in(rubric.type) or GROUP_OF_RUBRICS):
                for group in sources_of(rubric.group):
                    self._fields.note_key(group, SetField.RUBRIC_DETAILS, _SELECTED)

    def in_order(self, case: Node, groups: dict[str, list[PortableRubric]]) -> list[PortableRubric]:
        """The rubrics of all groups, in the order that the case keeps, if it keeps one."""
        left = {name: list(rubrics) for name, rubrics in groups.items()}
        found = []
        for each in items_of(case, RUBRIC_ORDER):
            if each.kind == "string" and left.get(each.text()):
                self._fields.pass_over(each)
                found.append(left[each.text()].pop(0))
        return [*found, *(rubric for rubrics in left.values() for rubric in rubrics)]

    def _rubric(self, node: Node, group: Node, descriptions: Node | None) -> PortableRubric:
        self._fields.note(node, SetField.CASE_RUBRICS)
        found = PortableRubric(node, rubric_id(node), type=filled(node, "type"))
        found.text = rubric_text(node)
        found.group = Made(group.name, (group,))
        kept = descriptions.member(text_in(found.id)) if descriptions is not None else None
        if kept is not None and not self._fields.is_noted(kept):
            found.description = self._fields.note(kept, SetField.RUBRIC_DESCRIPTION)
        elif (given := filled(node, "description")) is not None:
            found.description = self._fields.note(given, SetField.RUBRIC_DESCRIPTION)
        found.others = read_members(node, (*RUBRIC_KEYS, "type", "description"))
        for each in found.others.values():
            self._fields.note(each, SetField.RUBRIC_DETAILS)
        return found


class RubricGroups:
    """The rubric groups to write for one case."""

    def __init__(self, fields: SourceFields) -> None:
        self._fields = fields
        self._groups: dict[str, dict[str, Tree]] = {}
        self._rubrics: dict[str, list[Tree]] = {}
        self._descriptions: dict[str, dict[str, Tree]] = {}
        self._order: list[str] = []

    def members(self) -> dict[str, Tree]:
        """The members of the case."""
        groups: dict[str, Tree] = {}
        for name, own in self._groups.items():
            groups[OwnKey(name)] = {**own, "rubrics": self._rubrics[name]}
        kept: dict[str, Tree] = {}
        for name, by_id in self._descriptions.items():
            kept[OwnKey(name)] = {OwnKey(key): each for key, each in by_id.items()}
        order = self._order if self._order != sorted(self._order, key=[*self._groups].index) else None
        return {"rubric_groups": groups or None, RUBRIC_DESCRIPTIONS: kept or None, RUBRIC_ORDER: order}

    def add_case(self, case: PortableCase) -> None:
        """Add rubrics of a case to their group in the source, else to a group per type: google-adk selects by type."""
        for rubric in case.rubrics:
            name = text_in(rubric.group) or text_in(rubric.type) or GROUP_OF_RUBRICS
            self._order.append(name)
            rubric_id = self._id(rubric, name)
            self._add(name, rubric, {"rubric_id": rubric_id, **_text_tree(rubric.text), "type": rubric.type}, rubric_id)

    def add_turn(self, turn: PortableTurn, number: int) -> str:
        """Rubrics of a turn are a group of their own; its name, "" for no rubrics."""
        if not turn.rubrics:
            return ""
        name = f"turn_{number}"
        while name in self._groups:
            name += "_rubrics"
        for rubric in turn.rubrics:
            rubric_id = self._id(rubric, name)
            plain = _without_nones(
                {
                    "rubric_id": value_of(rubric_id) if not isinstance(rubric_id, Invented) else rubric_id.value,
                    "content": {"property": {"description": value_of(rubric.text)}} if rubric.text is not None else {},
                    "type": value_of(rubric.type),
                }
            )
            self._add(name, rubric, Made(plain, (rubric.node,), "changed", _OF_THE_CASE, _NAME_THE_GROUP), rubric_id)
        return name

    def _id(self, rubric: PortableRubric, group: str) -> Node | Made | Invented:
        if rubric.id is not None:
            return rubric.id
        number = len(self._rubrics.get(group, ())) + 1
        return Invented(f"rubric_{number}", rubric.node, "/rubric_id", "agentplatform requires an id for each rubric")

    def _add(self, name: str, rubric: PortableRubric, tree: Tree, rubric_id: Node | Made | Invented) -> None:
        own = self._groups.setdefault(name, {})
        listed = self._rubrics.setdefault(name, [])
        if isinstance(tree, dict):
            own.update({key: each for key, each in rubric.others.items() if key in _OF_A_GROUP})
            others = {key: model_tree(each) for key, each in rubric.others.items() if key == "importance"}
            tree = {key: each for key, each in {**tree, **others}.items() if each is not None}
        listed.append(tree)
        if rubric.description is None:
            return
        by_id = self._descriptions.setdefault(name, {})
        key = rubric_id.value if isinstance(rubric_id, Invented) else text_in(rubric_id)
        same = value_of(rubric.description) == value_of(rubric.text)
        kind: LossKind | None = None if same else "changed"
        made = remade(rubric.description, value_of(rubric.description), kind, _NO_DESCRIPTION)
        if key not in by_id:
            by_id[key] = made
        elif not same:
            for source in sources_of(rubric.description):
                self._fields.remark(source, "no_place", _SECOND_OF_AN_ID)


def _text_tree(text: Node | Made | None) -> dict[str, Tree]:
    return {"content": {"property": {"description": text}} if text is not None else {}}


def _without_nones(members: dict[str, object]) -> dict[str, object]:
    return {name: each for name, each in members.items() if each is not None}
