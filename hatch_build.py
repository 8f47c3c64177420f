"""The README for PyPI. It does not know the repository: paths become addresses below `Source` of `[project.urls]`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_NO_ADDRESS = r"(?![a-z]+:|#)"


def readme_for_pypi(text: str, source: str | None) -> str:
    """The README with absolute addresses; without `source`, no pictures and no links to files: all would be broken."""
    if source is None:
        text = re.sub(r"<picture>.*?</picture>\n*", "", text, flags=re.DOTALL)
        return re.sub(rf"\[([^]]+)\]\({_NO_ADDRESS}[^)]*\)", r"\1", text)
    text = re.sub(rf'\b(src(?:set)?="){_NO_ADDRESS}', lambda found: f"{found[1]}{source}/raw/HEAD/", text)
    return re.sub(rf"\]\({_NO_ADDRESS}", lambda _: f"]({source}/blob/HEAD/", text)


class ReadmeHook(MetadataHookInterface):
    """Hatchling calls it for each wheel and sdist."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README to the metadata of the project."""
        text = Path(self.root, "README.md").read_text("utf-8")
        source = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme_for_pypi(text, source)}
