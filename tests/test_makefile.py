"""What `make` says to a person who waits."""

import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_the_first_make_demo_says_what_takes_its_time_before_it_begins(tmp_path: Path) -> None:
    asked = ["make", "--dry-run", "demo", f"VENV={tmp_path}/venv"]
    steps = subprocess.run(asked, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    said = f'echo "Setting up {tmp_path}/venv (about a minute, once) …"'
    assert said in steps
    assert steps.index(said) < steps.index("-m venv") < steps.index("pip install")
