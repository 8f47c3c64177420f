"""The metadata of the package: what PyPI shows of the README."""

import re
from pathlib import Path

from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from hatch_build import readme_for_pypi

PROJECT = Path(__file__).resolve().parents[1]
README = (PROJECT / "README.md").read_text("utf-8")
ADDRESSES = re.compile(r'\b(?:src|srcset)="([^"]*)"|\]\(([^)]*)\)')
SOURCE = "https://example.org/team/evaltui"


def addresses(text: str) -> list[str]:
    return [picture or link for picture, link in ADDRESSES.findall(text)]


def test_pictures_and_links_on_pypi_are_those_of_the_repository() -> None:
    shown = addresses(readme_for_pypi(README, SOURCE))
    assert all(each.startswith("https://") for each in shown)
    paths = [each.removeprefix(f"{SOURCE}/") for each in shown if each.startswith(SOURCE)]
    assert {path.partition("/")[0] for path in paths if path.endswith(".svg")} == {"raw"}
    assert {path.partition("/")[0] for path in paths if not path.endswith(".svg")} == {"blob"}
    files = [path.split("/", 2)[2].partition("#")[0] for path in paths]
    assert [file for file in files if not (PROJECT / file).exists()] == []
    assert len(files) == len([each for each in addresses(README) if not each.startswith("https:")]) > 20


def test_without_an_address_nothing_on_pypi_is_broken() -> None:
    text = readme_for_pypi(README, None)
    assert all(each.startswith("https://") for each in addresses(text))
    assert "<picture>" not in text
    assert "add a case from a conversation with your agent" in text


def test_the_package_has_this_readme() -> None:
    core = ProjectMetadata(str(PROJECT), PluginManager()).core
    assert core.readme == readme_for_pypi(README, core.urls.get("Source"))
    assert core.readme_content_type == "text/markdown"
