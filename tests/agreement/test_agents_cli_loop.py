"""The loop of agents-cli without a cloud: create, f6 with `eval run`, accept, a changed agent, `eval run`, compare.

The agent of the project has a model with fixed answers, and the metric is local code. A stand-in of uv runs the adk
beside EVALTUI_ADK_PYTHON. The credentials are a file without a secret: agents-cli looks for some before it grades, and
sends them nowhere. Not tried are the parts that need the cloud: metrics of the evaluation service and of judge models,
`eval analyze`, `eval optimize`, `eval submit` and `eval dataset synthesize`.
"""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.cli import main
from tests.tui.agent.fake_agents import begin, until
from tests.tui.scenario import NORMAL, Scenario, scenario

DATASET = "tests/eval/datasets/basic-dataset.json"
SETTINGS = 'run = "agents-cli eval run --dataset {set}"\n'
OLD, NEW = "I know the weather.", "I cannot help you."
AGENT = f"""\
from google.adk.agents import Agent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmResponse
from google.genai import types


def get_weather(query: str) -> str:
    "The weather of a city."
    return "It is foggy."


class FixedAnswers(BaseLlm):
    async def generate_content_async(self, llm_request, stream=False):
        yield LlmResponse(content=types.Content(role="model", parts=[self.answer(llm_request.contents[-1].parts[-1])]))

    def answer(self, last):
        if last.function_response is not None:
            return types.Part(text="It is foggy in San Francisco.")
        if "weather" in last.text:
            return types.Part(function_call=types.FunctionCall(name="get_weather", args={{"query": "San Francisco"}}))
        return types.Part(text="The capital of France is Paris." if "France" in last.text else {OLD!r})


root_agent = Agent(name="desk", model=FixedAnswers(model="fixed"), instruction="Help.", tools=[get_weather])
app = App(root_agent=root_agent, name="app")
"""
METRIC = """\
metrics_to_run: [knows]
custom_metrics:
  - name: knows
    custom_function: |
      def evaluate(instance):
          return {"score": 1.0 if "know" in str(instance.get("response")) else 0.0}
"""


@pytest.fixture
def project(
    agents_cli_python: str, adk_python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, str | Path]]:
    """The files of a project that `agents-cli create` made, relative to its dataset. Its programs are on the PATH."""
    program, adk = Path(agents_cli_python).with_name("agents-cli"), Path(adk_python).with_name("adk")
    if not (program.exists() and adk.exists()):
        pytest.skip("agents-cli or adk is not beside its Python")
    programs, credentials = tmp_path / "bin", tmp_path / "credentials.json"
    programs.mkdir()
    for name, text in {
        "uv": f'#!/bin/sh\nshift\nprogram=$1\nshift\nexec "{adk.parent}/$program" "$@"\n',
        "agents-cli": f'#!/bin/sh\nexec "{program}" "$@"\n',
    }.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    words = ("client_id", "client_secret", "refresh_token")
    credentials.write_text(json.dumps({"type": "authorized_user", **dict.fromkeys(words, "none")}))
    for name, value in {
        "PATH": f"{programs}:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "DO_NOT_TRACK": "1",
        "NO_GCE_CHECK": "true",
        "GOOGLE_APPLICATION_CREDENTIALS": str(credentials),
    }.items():
        monkeypatch.setenv(name, value)
    create = ["agents-cli", "create", "desk", "-a", "adk", "-y", "-s", "-p", "-d", "none"]
    made = subprocess.run(create, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    root = tmp_path / "desk"
    (root / "app" / "fast_api_app.py").unlink()  # it needs the cloud; agents-cli then starts `adk api_server`
    (root / "app" / "agent.py").write_text(AGENT)
    (root / "tests" / "eval" / "eval_config.yaml").write_text(METRIC)
    (root / "evaltui.toml").write_text(SETTINGS)
    yield {f"../../../{path.relative_to(root)}": path for path in root.rglob("*") if path.is_file()}


async def until_ended(s: Scenario) -> str:
    """Wait until the agent has ended and its recordings are scored. Returns the end of its output."""
    run = s.app.file.agent.run
    assert run is not None, s.status
    assert await asyncio.to_thread(run.process.wait, 240), "the agent does not end"
    await until(s, lambda: not s.app.file.is_agent_running)
    await s.settle()
    assert run.process.code == 0, "\n".join(s.screen())
    return "\n".join(s.screen())


@pytest.mark.timeout(900)
async def test_the_loop_of_agents_cli(
    project: dict[str, str | Path], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    scaffolded = project[f"../../../{DATASET}"]
    assert isinstance(scaffolded, Path)
    assert main(["validate", str(scaffolded), "--strict"]) == 0
    async with scenario(scaffolded.read_bytes(), NORMAL, name=DATASET, beside=project) as s:
        root = s.path.parents[3]
        await begin(s)
        shown = await until_ended(s)
        assert "1 new recording." in shown
        await s.press("escape")
        assert "1 ✓ 2 –" in s.title, "\n".join(s.screen())  # of the scaffolded cases, one states its response

        await s.press("o", "F", "F")
        await s.press("escape")
        assert "3 ✓" in s.title, "\n".join(s.screen())
        saved = json.loads(await s.saved())["eval_cases"]
        assert [case["intermediate_events"] for case in saved][::2] == [[], []]
        assert {event["author"] for event in saved[1]["intermediate_events"]} == {"desk"}

        (root / "app" / "agent.py").write_text(AGENT.replace(OLD, NEW))
        await s.press("f6")
        await until_ended(s)
        await s.press("escape")
        assert "2 ✓ 1 ✗" in s.title, "\n".join(s.screen())
        after = tmp_path / "after"
        await asyncio.to_thread(shutil.copytree, root, after)
    assert main(["run", str(after / DATASET), "-r", str(after / "artifacts" / "traces")]) == 1
    capfdbinary.readouterr()
    results = sorted(str(path) for path in (after / "artifacts" / "grade_results").glob("results_*.json"))
    code = main(["compare", *results, "--format", "json"])
    document = json.loads(capfdbinary.readouterr().out)
    changes = {case["eval_id"]: case["change"] for case in document["cases"]}
    assert (code, changes) == (0, {"greeting": "lower", "weather_query": "same", "capital_lookup": "same"})
    compared = await asyncio.to_thread(
        subprocess.run, ["agents-cli", "eval", "compare", *results], capture_output=True, check=True
    )
    assert b"delta" in compared.stdout
