"""A folder with a Python file named like each module that evaltui or its child processes could import."""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions
from pathlib import Path


def shadow_modules(folder: Path, mark: Path) -> None:
    """Write the files. Each appends its name to the file `mark` if it runs."""
    installed = {name for name in packages_distributions() if name.isidentifier()}
    for name in (sys.stdlib_module_names | installed) - set(sys.builtin_module_names) - {"evaltui", "tests"}:
        (folder / f"{name}.py").write_text(
            f"with open({str(mark)!r}, 'a') as mark:\n    mark.write({name!r} + '\\n')\n"
        )
