import subprocess
import sys

import evaltui


def test_the_module_prints_its_version() -> None:
    done = subprocess.run([sys.executable, "-m", "evaltui", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, f"evaltui {evaltui.__version__}")
