"""`evaltui watch --exec` with the real `adk eval`: it tells cases that fail from an agent that does not start."""

from pathlib import Path

from tests.commands.runs import case, eval_set, turn, write
from tests.commands.watched import WatchProcess, replace
from tests.tui.agent.test_adk_eval import AGENT, adk

__all__ = ["adk"]

CASES = [
    case("greeting", turn("Hi", "Hello, where do you want to go?")),
    case("elsewhere", turn("Bye", "See you soon.")),
]
CONFIG = {"criteria": {"response_match_score": 0.8}}


def test_failed_cases_are_told_from_a_failed_command(adk: str, tmp_path: Path) -> None:
    for path in AGENT.glob("*.py"):
        (tmp_path / "trip").mkdir(exist_ok=True)
        (tmp_path / "trip" / path.name).write_text(path.read_text())
    (tmp_path / "trip/.adk/eval_history").mkdir(parents=True)
    (tmp_path / "evals").mkdir()
    write(tmp_path / "evals/desk.evalset.json", eval_set(*CASES))
    write(tmp_path / "evals/test_config.json", CONFIG)
    command = f"{adk} eval trip evals/desk.evalset.json --config_file_path evals/test_config.json"
    options = ["-r", "trip/.adk/eval_history", "--exec", command, "--on", "trip/*.py"]
    with WatchProcess(tmp_path, "evals/desk.evalset.json", *options) as watch:
        assert watch.document()["trigger"] == []
        code = (tmp_path / "trip/agent.py").read_text()
        replace(tmp_path / "trip/agent.py", f"{code}\n")
        statuses = {result["eval_id"]: result["status"] for result in watch.document()["cases"]}
        assert statuses == {"greeting": "passed", "elsewhere": "failed"}
        watch.sentence("1 case failed; the command ended with exit code 1")
        replace(tmp_path / "trip/agent.py", "raise RuntimeError('no model')\n")
        watch.sentence("the command failed, so the last scores are of earlier code")
        watch.sentence("the command failed (exit code 1); its last lines:")
        assert watch.documents_so_far() == []
