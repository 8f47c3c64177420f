import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from docs.generate import documents
from docs.text_pictures import PICTURED
from evaltui.commands.parser import ProgramParser
from tests.warm.commands import warm_evaltui

PROJECT = Path(__file__).resolve().parents[1]


@pytest.mark.timeout(60)  # every picture, on a busy machine
async def test_the_documents_are_what_the_app_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    run = lambda words, **how: subprocess.run([*warm_evaltui(), *words[3:]], **how)  # noqa: E731, PLW1510
    warm = SimpleNamespace(run=run)
    monkeypatch.setattr("docs.generate.subprocess", warm)
    for name, text in (await documents()).items():
        assert (PROJECT / name).read_text("utf-8") == text, f"{name}: run `make docs`"


def test_the_workflow_in_the_documents_works(tmp_path: Path) -> None:
    steps = re.search(
        r"```yaml\n(- run: pip install evaltui\n.*?)```", (PROJECT / "docs/cli.md").read_text(), re.DOTALL
    )
    assert steps is not None
    scoring, summary = re.findall(r"run: ((?:evaltui|cat) .*)", steps[1])
    shutil.copytree(PROJECT / "sample_sets" / "recordings", tmp_path / "recordings")
    (tmp_path / "evals").mkdir()
    shutil.copy(PICTURED, tmp_path / "evals")
    environment = os.environ | {"GITHUB_STEP_SUMMARY": "summary.md"}

    def step(command: str) -> int:
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment, check=False, capture_output=True)
        return done.returncode

    command = scoring.replace("evaltui", shlex.join(warm_evaltui()), 1)
    assert (step(command), step(summary)) == (1, 0)
    assert "book_flight_lisbon_montreal" in (tmp_path / "summary.md").read_text("utf-8")
    assert ElementTree.parse(tmp_path / "scores.xml").findall("testsuite/testcase/failure")


def test_the_workflow_of_a_review_in_the_documents_works(tmp_path: Path) -> None:
    steps = re.search(r"```yaml\n(.*?)```", (PROJECT / "docs/reviewing.md").read_text("utf-8"), re.DOTALL)
    assert steps is not None
    _, reviewing, summary = re.findall(r"run: (.*)", steps[1])
    shutil.copytree(PROJECT / "sample_sets" / "recordings", tmp_path / "recordings")
    (tmp_path / "evals").mkdir()
    shutil.copy(PICTURED, tmp_path / "evals")
    environment = os.environ | {"GITHUB_STEP_SUMMARY": "summary.md"}
    command = reviewing.replace("evaltui", shlex.join(warm_evaltui()), 1)
    codes = [
        subprocess.run(step, shell=True, cwd=tmp_path, env=environment, check=False, capture_output=True).returncode
        for step in (command, summary)
    ]
    assert codes == [1, 0]
    assert "```diff" in (tmp_path / "summary.md").read_text("utf-8")


def test_every_command_and_option_is_documented_in_the_order_of_the_help() -> None:
    document = (PROJECT / "docs" / "cli.md").read_text("utf-8")
    commands = ProgramParser().commands
    assert re.findall(r"^## `evaltui (\w+)`$", document, re.MULTILINE) == list(commands)
    for command in commands.values():
        options = [action.option_strings[0] for action in command._actions if action.option_strings]
        assert [option for option in options if option != "-h" and option not in document] == []


def test_man_shows_the_manual_page_without_a_warning() -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    page = PROJECT / "docs" / "man" / "evaltui.1"
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "SET[:ID,ID…]" in done.stdout.decode()


def test_every_make_target_that_the_documents_name_exists() -> None:
    targets = set(re.findall(r"^(\w+):", (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md", "docs/architecture.md"):
        named = set(re.findall(r"\bmake (\w+)", (PROJECT / name).read_text("utf-8")))
        assert named - targets - {"it"} == set(), name


def test_links_between_documents_lead_somewhere() -> None:
    for document in (PROJECT / "README.md", *(PROJECT / "docs").glob("*.md"), PROJECT / "CONTRIBUTING.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", document.read_text("utf-8")):
            assert (document.parent / link).exists(), f"{document.name}: {link}"


def test_the_files_that_documents_send_one_to_exist() -> None:
    for name in ("CONTRIBUTING.md", "docs/architecture.md"):
        paths = re.findall(r"`((?:[\w.]+/)+[\w.]*)`", (PROJECT / name).read_text("utf-8"))
        missing = [path for path in paths if not any((root / path).exists() for root in (PROJECT, PROJECT / "evaltui"))]
        assert missing == [], name
    section = (PROJECT / "docs/architecture.md").read_text("utf-8").split("## Where do I change")[1].split("\n## ")[0]
    rows = re.findall(r"^\| [^|]+ \|", section, re.M)
    assert 25 <= len(rows) <= 41, "a table that nobody reads to its end sends nobody anywhere"  # with its head


def test_the_picture_of_the_rooms_shows_all_of_them() -> None:
    picture = (PROJECT / "docs/architecture.md").read_text("utf-8").split("```")[1]
    package = PROJECT / "evaltui"
    rooms = [path.name for path in package.iterdir() if (path / "__init__.py").exists()]
    modules = [path.stem for path in package.glob("[!_]*.py")]
    assert [room for room in rooms if f"{room}/" not in picture] == []
    assert [module for module in modules if not re.search(rf"\b{module}\b", picture)] == []
    assert len(modules) <= 8
