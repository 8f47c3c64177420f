"""Asks `agents-cli eval generate`, in a Python of its own, whether it runs all cases of datasets. No agent is run."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Sequence

_PROGRAM = """
import base64, json, logging, sys, tempfile, warnings
from pathlib import Path
from types import SimpleNamespace
from unittest import mock
from click.testing import CliRunner
from google.agents.cli.eval import cmd_generate as command
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
folder = Path(tempfile.mkdtemp())
answer = {"author": "root", "content": {"role": "model", "parts": [{"text": "ok"}]}}
stand_ins = {
    "find_project_root": lambda: folder,
    "read_project_config": lambda root: SimpleNamespace(agent_directory="app", language="python"),
    "require_agent_directory": lambda config: None,
    "build_remote_headers": lambda *given: {},
    "fetch_app_info": lambda **given: ("root", {}),
    "create_session": lambda *given, **named: "session",
    "run_sse": lambda *given, **named: iter([answer]),
}
with mock.patch.multiple(command, **stand_ins):
    for line in sys.stdin:
        (folder / "dataset.json").write_bytes(base64.b64decode(line))
        given = ["--dataset", str(folder / "dataset.json"), "--url", "http://127.0.0.1:9", "--output", "out.json"]
        run = CliRunner().invoke(command.cmd_generate, given)
        said = run.output if run.exit_code or "FAILED" in run.output else ""
        print(json.dumps(said[-1500:] or (repr(run.exception) if run.exit_code else "")), flush=True)
"""


def refusals(python: str, files: Sequence[bytes]) -> list[str]:
    """What `eval generate` says of each file of which it does not run all cases, "" where it runs them."""
    asked = "".join(base64.b64encode(data).decode() + "\n" for data in files)
    run = subprocess.run([python, "-c", _PROGRAM], input=asked, capture_output=True, text=True, check=True)
    sys.stderr.write(run.stderr[-2000:])
    return [json.loads(line) for line in run.stdout.splitlines()]
