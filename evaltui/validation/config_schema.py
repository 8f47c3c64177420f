"""What google-adk's model has against a config (`EvalConfig.model_validate_json`)."""

from __future__ import annotations

from evaltui.document import Node
from evaltui.evalset.schema.eval_config import EvalConfig
from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.schema import by_model


def of_config(source: bytes) -> list[Diagnostic]:
    """What is wrong with a config whose text is JSON; nothing if and only if google-adk accepts it."""
    return by_model(source, Node(source), EvalConfig, ())
