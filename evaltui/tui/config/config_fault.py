"""The lines that replace the form if the config is broken."""

from __future__ import annotations

from textual.widgets import Static

from evaltui.printable import printable
from evaltui.runs.tried_config import TriedConfig
from evaltui.tui.commands import bindings, key_of


class ConfigFault(Static, can_focus=True):
    """Shows where a config is broken. It takes the focus, so that keys act as in a pane."""

    PLACE = "criteria"
    BINDINGS = bindings("list")

    def __init__(self, config: TriedConfig) -> None:
        super().__init__("\n".join(map(printable, _lines(config))), id="config-fault", markup=False)


def _lines(config: TriedConfig) -> list[str]:
    """The place of the fault, the line of the file, and the key that opens the file."""
    document = config.document
    name = document.path.name if document.path is not None else "the config"
    key = key_of("list.edit_outside")
    if document.fault is None:
        return [f"{name} is not a config. A config is a JSON object with criteria. Press {key} to edit it in $EDITOR."]
    line, column = document.line_and_column(document.fault.offset)
    text = document.body().split(b"\n")[line - 1].decode("utf-8", "replace")
    where = f"{name}:{line}:{column}: invalid JSON: {document.fault.message}."
    return [where, "", f"{line:>5}  {text.rstrip()}", "", f"Press {key} to edit the config in $EDITOR."]
