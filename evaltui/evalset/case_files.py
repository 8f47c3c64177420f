"""Files of cases in either format: an eval set of google-adk, or an EvaluationDataset."""

from __future__ import annotations

from typing import Protocol

from evaltui.document.node import Node
from evaltui.evalset.datasets.dataset_views import EvaluationDatasetView
from evaltui.evalset.formats import is_dataset, is_eval_set
from evaltui.evalset.set_views import EvalSetView


class CaseFile(Protocol):
    """A file of cases, as titles, forms and searches need it."""

    root: Node

    @property
    def noun(self) -> str:
        """A word for the file in sentences: eval set or dataset."""
        ...

    @property
    def cases(self) -> list[Node]:
        """The cases, in order; objects, unless the file is broken."""
        ...

    def case_id(self, case: Node) -> str:
        """The id of a case; "" without one."""
        ...

    def kind(self, node: Node) -> str:
        """The kind of a node by its place: set, case, turn, call, event, or value for anything else."""
        ...

    def enclosing(self, node: Node, kind: str) -> Node | None:
        """The nearest node of a `kind` around `node`; may be `node` itself."""
        ...

    def place(self, node: Node) -> str:
        """The kind of a value inside a case by its place; "" for free JSON and outside of cases."""
        ...


def case_file_of(root: Node | None) -> CaseFile | None:
    """The view of a document that has cases; None for any other JSON."""
    if root is None:
        return None
    if is_eval_set(root):
        return EvalSetView(root)
    return EvaluationDatasetView(root) if is_dataset(root) else None
