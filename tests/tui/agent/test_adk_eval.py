"""The real `adk eval` from the editor, with an agent whose model and judge give fixed answers.

EVALTUI_ADK_PYTHON names a Python with `google-adk[eval]`.
"""

import json
import shlex
import subprocess
from pathlib import Path

import pytest

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


def judged_here(s: Scenario) -> dict[str, float | None]:
    """The scores of the judge that evaltui shows, by case."""
    results = s.app.session.scores.results()
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
