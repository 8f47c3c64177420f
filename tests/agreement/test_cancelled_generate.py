"""`agents-cli eval generate` is cancelled, the agent changes, and the next run answers with the new code. No cloud.

agents-cli starts its server with `uv run uvicorn`, in a session of its own, and uses a server that is there already,
with the code as it was. A stand-in of uv runs the uvicorn beside EVALTUI_ADK_PYTHON.
"""

import json
from pathlib import Path

import pytest

from evaltui.runs.command_process import CommandProcess, end_all_commands
from tests.runs.test_command_process import is_there

AGENT = (Path(__file__).parents[1] / "data" / "trip_agent" / "agent.py").read_text()
ANSWER, NEW = "Hello, where do you want to go?", "New words"
ASKED = """\
        import asyncio, os
        if not os.path.exists("asked"):
            open("asked", "w").close()
            await asyncio.Event().wait()
"""
"""The first answer never comes. Another run of the same server would answer."""
SERVER = """\
from google.adk.cli.fast_api import get_fast_api_app
app = get_fast_api_app(agents_dir=".", web=False)
"""
"""The application of a project that `agents-cli create` made, without its cloud services."""
DATASET = {"eval_cases": [{"eval_case_id": "greeting", "prompt": {"role": "user", "parts": [{"text": "Hi"}]}}]}


def project_in(folder: Path, uvicorn: Path) -> dict[str, str]:
    """Write a project of agents-cli. Returns the environment of its commands."""
    uv = folder / "bin" / "uv"
    for path, text in {
        uv: f'#!/bin/sh\nshift\nprogram=$1\nshift\n"{uvicorn.parent}/$program" "$@"\n',
        folder / "agents-cli-manifest.yaml": "project_name: desk\nagent_directory: app\nlanguage: python\n",
        folder / "pyproject.toml": '[project]\nname = "desk"\nversion = "0"\n',
        folder / "dataset.json": json.dumps(DATASET),
        folder / "app" / "__init__.py": "from . import agent\n",
        folder / "app" / "fast_api_app.py": SERVER,
        folder / "app" / "agent.py": AGENT.replace("        yield ", f"{ASKED}        yield "),
    }.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    uv.chmod(0o755)
    return {"PATH": f"{uv.parent}:/usr/bin:/bin", "DO_NOT_TRACK": "1", "NO_GCE_CHECK": "true"}


@pytest.mark.usefixtures("agents_cli_port")
def test_a_cancelled_run_leaves_no_server_and_the_next_run_answers_with_new_code(
    agents_cli_python: str, adk_python: str, tmp_path: Path
) -> None:
    program, uvicorn = (
        Path(python).with_name(name) for python, name in ((agents_cli_python, "agents-cli"), (adk_python, "uvicorn"))
    )
    if not (program.exists() and uvicorn.exists()):
        pytest.skip("agents-cli or uvicorn is not beside its Python")
    environment = project_in(tmp_path, uvicorn)
    output = tmp_path / "traces.json"
    words = [str(program), "eval", "generate", "--dataset", "dataset.json", "--output", str(output)]
    cancelled = CommandProcess(words, tmp_path, environment)
    cancelled.start()
    while not (tmp_path / "asked").exists():
        assert not cancelled.wait(0.1), cancelled.output.tail()
    server = json.loads((tmp_path / ".google-agents-cli" / "run_server.json").read_text())["pid"]
    assert is_there(server)
    cancelled.cancel()
    assert cancelled.wait()
    assert cancelled.alive == []
    assert [name for name in cancelled.ended if "uvicorn" in name]
    assert not is_there(server)

    (tmp_path / "app" / "agent.py").write_text(AGENT.replace(ANSWER, NEW))
    again = CommandProcess(words, tmp_path, environment)
    again.start()
    try:
        assert again.wait()
    finally:
        end_all_commands(0)
    assert (again.code, again.others) == (0, []), again.output.tail()
    (case,) = json.loads(output.read_text())["eval_cases"]
    assert case["responses"][0]["response"]["parts"] == [{"text": NEW}]
