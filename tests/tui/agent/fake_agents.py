"""Agents for tests: small scripts in the folder of the set, and waiting for what they do."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.scored_sets import EXPECTED, history
from tests.tui.scenario import Scenario

RESULT = next(iter(history(EXPECTED).values()))
"""A result of google-adk in which all cases pass."""
_POLL = 0.01

WRITES_RESULT = f"""
import os, pathlib, sys
print("arguments", *sys.argv[1:])
folder = pathlib.Path(sys.argv[1]).parent / ".adk" / "eval_history"
folder.mkdir(parents=True, exist_ok=True)
(folder / "app_trips_1760000001.5.evalset_result.json").write_text({RESULT!r})
print("all done")
"""
WRITES_OUTPUT = f"""
import os, pathlib
pathlib.Path(os.environ["EVALTUI_OUTPUT"], "result.json").write_text({RESULT!r})
"""
WAITS = """
import os, signal, sys
print("up", os.getpid())
open("go").read()
print("goes on")
"""
"""Waits until somebody writes into the named pipe `go`."""
DEAF = """
import os, signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", os.getpid())
subprocess.run(["sleep", "1000"])
"""


def settings(script: str = "agent.py", arguments: str = "{set}:{cases}", agent: str | None = None) -> str:
    """Settings of a project whose command runs a script."""
    named = f"agent = {json.dumps(agent)}\n" if agent is not None else ""
    return f"run = {json.dumps(f'{sys.executable} {script} {arguments}')}\n{named}"


def beside(script: str, arguments: str = "{set}:{cases}", more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Files beside a set: settings, and a script that is the agent."""
    return {"evaltui.toml": settings(arguments=arguments), "agent.py": script, **(more or {})}


async def run(s: Scenario) -> None:
    """Run the agent, trust its command, and wait for its end."""
    await begin(s)
    await until_ended(s)


async def begin(s: Scenario) -> None:
    """Run the agent, and trust its command."""
    await s.press("f6")
    assert s.focused == "trust question", "\n".join(s.screen())
    await s.press("y")


async def until_ended(s: Scenario) -> None:
    """Wait until the agent has ended and its recordings are scored."""
    running = s.app.file.agent.run
    assert running is not None, s.status
    assert await asyncio.to_thread(running.process.wait, 60), "the agent does not end"
    await until(s, lambda: not s.app.file.is_agent_running)
    await s.settle()


async def until(s: Scenario, holds: Callable[[], bool]) -> None:
    """Wait for a condition that another process brings about."""
    while not holds():  # a test that hangs is ended by its timeout
        await asyncio.to_thread(threading.Event().wait, _POLL)
        await s.settle()


async def until_shown(s: Scenario, text: str) -> None:
    """Wait for a text on screen."""
    await until(s, lambda: s.shows(text))


def make_gate(s: Scenario) -> Path:
    """Make the named pipe on which `WAITS` waits."""
    gate = s.path.parent / "go"
    os.mkfifo(gate)
    return gate


async def open_gate(gate: Path) -> None:
    """Let the agent go on."""
    await asyncio.to_thread(gate.write_text, "go")
