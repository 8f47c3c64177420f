"""Rooms depend one way. These tests check the loaded modules; pyproject.toml has contracts about imports."""

import subprocess
import sys

import pytest

TYPED = "evaltui.files.typed_paths"
BASE = {
    "evaltui.printable",
    "evaltui.garbage_collection",
    "evaltui.interrupt",
    "evaltui.file_access",
    "evaltui.processes",
    "evaltui.workflow_commands",
}
BELOW = {"evaltui.files", TYPED, "evaltui.document", "evaltui.json_repair", *BASE}
ALLOWED = {
    "evaltui.printable": {"evaltui.workflow_commands"},
    "evaltui.document": BASE,
    "evaltui.json_repair": {"evaltui.document", *BASE},
    "evaltui.files": {"evaltui.document", *BASE},
    "evaltui.evalset": BELOW,
    "evaltui.recordings": {"evaltui.settings", "evaltui.evalset", *BELOW},
    "evaltui.scoring": {"evaltui.recordings", "evaltui.evalset", *BELOW},
    "evaltui.validation": {"evaltui.interop", "evaltui.scoring", "evaltui.evalset", *BELOW},
    "evaltui.result_files": {"evaltui.scoring", "evaltui.recordings", "evaltui.settings", "evaltui.evalset", *BELOW},
    "evaltui.review": {"evaltui.scoring", "evaltui.recordings", "evaltui.settings", "evaltui.evalset", *BELOW},
}

TERMINAL = {"textual", "rich"}
LEFT_OUT = {
    "evaltui.document": {"pydantic", "platformdirs", "pyperclip", "watchfiles"},
    "evaltui.scoring": {"pydantic", "yaml", "statistics", "nltk", "rouge_score", "google", "jinja2"},
}
"""Libraries that a room must not load: they are not there, or take a while."""


def loaded_with(package: str) -> set[str]:
    """The modules that are loaded after importing everything in `package`, in a separate process."""
    script = (
        "import importlib, pkgutil, sys; name = sys.argv[1]; package = importlib.import_module(name)\n"
        "for found in pkgutil.walk_packages(getattr(package, '__path__', []), name + '.'):\n"
        "    importlib.import_module(found.name)\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, package], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("package", ALLOWED)
def test_a_room_loads_only_what_is_below_it_and_no_slow_library(package: str) -> None:
    loaded = loaded_with(package)
    own = {package, *ALLOWED[package]}
    rooms = {name for name in loaded if name.startswith("evaltui.")}
    assert package in rooms
    assert {name for name in rooms if ".".join(name.split(".")[:2]) not in own} == set()
    assert not {name.partition(".")[0] for name in loaded} & {*TERMINAL, *LEFT_OUT.get(package, ())}


def test_the_app_loads_without_the_code_of_most_keys() -> None:
    """The first frame waits for each module: what a key needs is loaded by the key."""
    tui = {name.removeprefix("evaltui.tui.") for name in loaded_with("evaltui.tui.app") if "evaltui.tui." in name}
    of_keys = {
        *("dialog_commands", "review_commands", "key_remaps", "agent.agent_runner", "review.decision_history"),
        *("editor.reviser", "editor.row_commands", "editor.tree_filter", "editor.score_steps", "editor.clipboard"),
        *("open_file.saver", "open_file.leaving", "open_file.criteria_trial", "forms.turn_places", "panes.row_drag"),
        *("panes.line_commands", "panes.recorded_pane", "widgets.text_field"),
    }
    assert not tui & of_keys
