"""The Python code of docs/python.md runs as written, in a copy of the samples, and prints what the page shows."""

import contextlib
import io
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import evaltui.api

PROJECT = Path(__file__).resolve().parents[1]
PAGE = (PROJECT / "docs" / "python.md").read_text("utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```python\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", PAGE, re.DOTALL | re.M)
WITH_PANDAS = [block for block in BLOCKS if "pandas" in block[0]]


@pytest.fixture(autouse=True)
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the samples, in the current folder."""
    shutil.copytree(PROJECT / "sample_sets", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def check(blocks: list[tuple[str, str]]) -> None:
    """Run the blocks one after the other, as in a notebook."""
    names: dict[str, Any] = {}
    for code, shown in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        assert lines(printed.getvalue()) == lines(shown), code


def test_each_block_prints_what_the_page_shows() -> None:
    assert len(BLOCKS) > len(WITH_PANDAS) > 0
    check([block for block in BLOCKS if block not in WITH_PANDAS])


def test_the_table_of_pandas_is_that_of_the_page() -> None:
    pytest.importorskip("pandas")
    check(BLOCKS)


def test_the_page_names_every_function_option_and_setting() -> None:
    functions = [name for name in evaltui.api.__all__ if name[0].islower()]
    options = (PROJECT / "evaltui" / "pytest" / "options.py").read_text("utf-8")
    named = re.findall(r'"(--evaltui-[a-z-]+)"', options)
    settings = [f"evaltui_{name}" for name in re.findall(r'^    \("(\w+)", ', options, re.MULTILINE)]
    assert (len(named), len(settings)) == (9, 9)
    assert [name for name in (*functions, *named, *settings) if name not in PAGE] == []


def test_the_table_of_functions_names_every_field() -> None:
    rows = re.findall(r"^\| `\w+\(.*?\)` \| .*?`(\w+)`: (.*) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 7
    for name, fields in rows:
        class_ = getattr(evaltui.api, name)
        properties = {key for key, value in vars(class_).items() if isinstance(value, property)}
        public = {key for key in class_.__dataclass_fields__ if not key.startswith("_")} | properties
        assert set(re.findall(r"`(\w+)`", fields.split(". The")[0])) == public, name
