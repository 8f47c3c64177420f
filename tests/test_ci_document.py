"""The hooks for pre-commit, as docs/ci.md has them."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
import yaml

from tests.commands.conftest import Evaltui, evaltui  # noqa: F401 - a fixture

PROJECT = Path(__file__).resolve().parents[1]
PAGE = (PROJECT / "docs" / "ci.md").read_text("utf-8")
HOOKS = {each["id"]: each for each in yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
_, _, CLONE, PACKAGE = (yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))


def test_the_page_names_the_hooks_and_what_they_run() -> None:
    assert re.findall(r"^\| `(evaltui-[a-z]+)` \|", PAGE, re.MULTILINE) == list(HOOKS)
    (used,) = CLONE["repos"][0]["hooks"]
    (local,) = PACKAGE["repos"][0]["hooks"]
    hook = HOOKS[used["id"]]
    assert {name: local[name] for name in ("id", "name", "entry", "language", "files")} == {
        name: hook[name] for name in ("id", "name", "entry", "language", "files")
    }


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_stops_a_commit_with_errors(
    evaltui: Evaltui,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    hook: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    broken, sound = "broken.evalset.json", "support_desk.evalset.json"
    for name in (broken, sound):
        shutil.copy(PROJECT / "sample_sets" / name, tmp_path)
        assert re.search(HOOKS[hook]["files"], f"evals/{name}")
    program, *words = shlex.split(HOOKS[hook]["entry"])
    before = (tmp_path / broken).read_bytes()
    assert (program, evaltui(*words, broken, sound).code) == ("evaltui", 1)
    assert ((tmp_path / broken).read_bytes() != before) == (hook == "evaltui-fix")
    assert evaltui(*words, sound).code == 0
    assert evaltui(*words, *CLONE["repos"][0]["hooks"][0]["args"], sound).code == 0
