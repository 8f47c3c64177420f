"""Outlines: a document as a tree of rows, each with a label and a form."""

from evaltui.tui.outlines.eval_outline import EvalOutline
from evaltui.tui.outlines.inner_outline import InnerOutline
from evaltui.tui.outlines.json_outline import JsonOutline
from evaltui.tui.outlines.outline import Outline

__all__ = ["EvalOutline", "InnerOutline", "JsonOutline", "Outline"]
