"""The real `adk eval` from the editor, with an agent whose model and judge give fixed answers.

EVALTUI_ADK_PYTHON names a Python with `google-adk[eval]`.
"""

import asyncio
import json
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.commands.watched import WatchProcess
from tests.sampling import sampled
from tests.scored_sets import a_set, turn
from tests.tui.agent.fake_agents import run, until_ended
from tests.tui.scenario import NORMAL, Scenario, scenario

AGENT = Path(__file__).parents[2] / "data" / "trip_agent"
_NEEDS = "import google.adk.cli, google.adk.evaluation.evaluation_generator, rouge_score, pandas, tabulate"
_BOOK = turn(1, "Book flight 7", "Your flight is booked.", ("book_flight", {"flight_id": "7"}))
CASES = {
    "greeting": [turn(1, "Hi", "Hello, where do you want to go?")],
    "booking": [_BOOK],
    "elsewhere": [turn(1, "Bye", "See you soon.")],
}
JUDGED = "final_response_match_v2"
CONFIG = json.dumps(
    {
        "criteria": {
            "tool_trajectory_avg_score": 1.0,
            "response_match_score": 0.8,
            JUDGED: {
                "threshold": 0.5,
                "judge_model_options": {"judge_model": "fixed-judge", "num_samples": 1},
            },
        }
    }
)


@pytest.fixture(scope="module")
def adk(adk_python: str) -> str:
    """The `adk` of that Python."""
    if subprocess.run([adk_python, "-c", _NEEDS], capture_output=True, check=False).returncode:
        pytest.skip("the Python of EVALTUI_ADK_PYTHON lacks google-adk[eval], so `adk eval` cannot run")
    program = Path(adk_python).with_name("adk")
    if not program.exists():
        pytest.skip("there is no adk beside the Python of EVALTUI_ADK_PYTHON")
    return shlex.quote(str(program))


def beside(adk: str, folder: str) -> dict[str, str]:
    """Settings, config and the agent in a folder beside the set, or in that of the set."""
    named = 'agent = "trip"\n' if folder else ""
    run_line = f"run = {json.dumps(f'{adk} eval {{agent}} {{set}}:{{cases}}')}\n"
    agent = {f"{folder}{path.name}": path.read_text() for path in AGENT.glob("*.py")}
    return {"evaltui.toml": run_line + named, "test_config.json": CONFIG, **agent}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("folder", sampled(["", "trip/"], 1))
async def test_adk_eval_runs_and_its_results_and_its_judge_are_shown(adk: str, folder: str) -> None:
    async with scenario(a_set(CASES), NORMAL, beside=beside(adk, folder)) as s:
        await s.press("down", "m")
        await run(s)
        s.expect("greeting", "✓ exit code 0", "Eval Run Summary", "Tests passed: 1", "1 new recording.")
        await s.press("escape", "escape")
        assert "1 ✓ 2 –" in s.title
        await s.press("f6")
        await until_ended(s)
        s.expect("all cases", "✗ exit code 1", "Tests passed: 2", "Tests failed: 1", "1 new recording.")
        await s.press("escape")
        assert "2 ✓ 1 ✗" in s.title
        judged = judged_here(s)
        assert judged == dict.fromkeys(CASES, 1.0)
        assert judged == judged_by_adk(s.path.parent / folder)


def project(adk: str, agent: str = "{agent}") -> dict[str, str]:
    """The files of a repository beside a set in `evals`: an agent that only the `app_name` of the set names."""
    settings = f"run = {json.dumps(f'{adk} eval {agent} {{set}}:{{cases}}')}\n"
    code = {f"../rail_desk/{path.name}": path.read_text() for path in AGENT.glob("*.py")}
    return {"../.git/HEAD": "", "../evaltui.toml": settings, "test_config.json": CONFIG, **code}


def of_app() -> str:
    """The set, whose cases name their app. The case `booking` expects a flight that the agent does not book."""
    eval_set = json.loads(a_set(CASES).replace('"flight_id": "7"', '"flight_id": "8"'))
    for case in eval_set["eval_cases"]:
        case["session_input"] = {"app_name": "rail_desk", "user_id": "user", "state": {}}
    return json.dumps(eval_set, indent=2)


@pytest.mark.thorough
@pytest.mark.timeout(300)
async def test_a_set_without_app_name_gets_the_results_of_the_agent_that_the_command_names(adk: str) -> None:
    files = project(adk, "rail_desk")
    async with scenario(a_set(CASES), NORMAL, name="evals/rail.evalset.json", beside=files) as s:
        await run(s)
        s.expect("✗ exit code 1", "Tests failed: 1", "1 new recording.")
        await s.press("escape")
        assert "2 ✓ 1 ✗" in s.title


@pytest.mark.thorough
@pytest.mark.timeout(300)
async def test_without_a_setting_or_an_app_name_results_of_adk_eval_are_found(adk: str) -> None:
    files = {name: text for name, text in project(adk).items() if not name.endswith("evaltui.toml")}
    async with scenario(a_set(CASES), NORMAL, name="evals/rail.evalset.json", beside=files) as s:
        root = s.path.parents[1]
        await s.press("H")
        s.expect(f"Searched: {root}/rail_desk/.adk/eval_history", "The agent is unknown: app_name in a case, or agent")
        await s.press("escape")
        command = [*shlex.split(adk), "eval", "rail_desk", "evals/rail.evalset.json"]
        await asyncio.to_thread(subprocess.run, command, cwd=root, capture_output=True, check=False)
        (result,) = (root / "rail_desk" / ".adk" / "eval_history").iterdir()
        s.app.call_later(s.app.file.sources.touched, frozenset({result}))
        await s.settle()
        s.expect(f"{result.name} is used now · 2 of 3 cases pass")
        copy = root / "bus" / ".adk" / "eval_history" / result.name
        copy.parent.mkdir(parents=True)
        (root / "bus" / "agent.py").touch()
        copy.write_bytes(result.read_bytes())
        s.app.call_later(s.app.file.sources.touched, frozenset({copy}))
        await s.settle()
        s.expect("No recordings.")
        for key, lines in (("H", (f"{copy.parent} and", "Write agent =")), ("4", ('eval set "trips" are in', "bus"))):
            await s.press(key)
            s.expect(*lines)
            await s.press("escape")


@pytest.mark.thorough
@pytest.mark.timeout(300)
async def test_results_of_an_agent_outside_of_the_folder_of_the_set_are_there_in_the_next_session(adk: str) -> None:
    name, files = "evals/rail.evalset.json", project(adk)
    async with scenario(of_app(), NORMAL, name=name, beside=files) as s:
        await run(s)
        s.expect("✗ exit code 1", "Tests failed: 2", "1 new recording.")
        await s.press("escape")
        assert "1 ✓ 2 ✗" in s.title
        (result,) = (s.path.parents[1] / "rail_desk" / ".adk" / "eval_history").iterdir()
        kept = {f"../rail_desk/.adk/eval_history/{result.name}": result.read_text()}
    async with scenario(of_app(), NORMAL, name=name, beside=files | kept) as s:
        assert "1 ✓ 2 ✗" in s.title
        await s.press("H")
        s.expect("3 of 3 matched", "history")


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_a_watch_runs_adk_eval_and_follows_the_folder_of_the_agent(adk: str, tmp_path: Path) -> None:
    for name, text in {**project(adk), "rail.evalset.json": of_app()}.items():
        path = tmp_path / "evals" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    command = f"{adk} eval rail_desk evals/rail.evalset.json"
    arguments = ("evals/rail.evalset.json", "--exec", command, "--on", "rail_desk/**/*.py")
    with WatchProcess(tmp_path, *arguments) as watch:
        assert {case["status"] for case in watch.document()["cases"]} == {"not_evaluated"}
        agent = tmp_path / "rail_desk" / "agent.py"
        agent.write_text(agent.read_text().replace('"flight_id": "7"', '"flight_id": "8"'))
        document = watch.document()
    assert [(case["eval_id"], case["status"]) for case in document["cases"]] == [
        ("greeting", "passed"),
        ("booking", "passed"),
        ("elsewhere", "failed"),
    ]
    (result,) = (tmp_path / "rail_desk" / ".adk" / "eval_history").iterdir()
    assert document["trigger"] == [str(result.relative_to(tmp_path))]


def judged_here(s: Scenario) -> dict[str, float | None]:
    """The scores of the judge that evaltui shows, by case."""
    scores = s.app.file.scores
    results = [scored for case in scores.cases if (scored := scores.of(case)) is not None]
    return {result.eval_id: metric.score for result in results for metric in result.metrics if metric.name == JUDGED}


def judged_by_adk(agent: Path) -> dict[str, float]:
    """The scores of the judge in the newest result of google-adk, by case."""
    newest = max((agent / ".adk" / "eval_history").iterdir(), key=lambda path: path.stat().st_mtime)
    return {
        case["eval_id"]: metric["score"]
        for case in json.loads(newest.read_text())["eval_case_results"]
        for metric in case["overall_eval_metric_results"]
        if metric["metric_name"] == JUDGED
    }
