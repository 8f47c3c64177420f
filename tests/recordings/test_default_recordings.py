"""Recordings of a set that nobody named: google-adk's results, files of agents-cli, and the globs in settings."""

import json
import os
from pathlib import Path

import pytest

from evaltui.files.folder_search import Bounds, SearchLimitError
from evaltui.recordings.agent_folders import agent_folders
from evaltui.recordings.default_recordings import found_recordings, rivals_text, where_searched
from evaltui.recordings.recording_search import FoundRecordings
from evaltui.settings.project_settings import SettingsError, project_settings, read_settings_again
from tests.recordings.files import content, dataset, eval_set, invocation, otlp, result, span, write
from tests.recordings.test_recording_search import history, names
from tests.strangers import Strangers


class TestBesideTheSet:
    def test_results_of_this_set_come_newest_first(self, tmp_path: Path) -> None:
        history(tmp_path, "app_desk_900.5", result())
        history(tmp_path, "app_desk_1000.25", result())
        history(tmp_path, "app_other_2000.0", result() | {"eval_set_id": "other"})
        history(tmp_path, "app_desk_950.0", json.dumps(result()))
        history(tmp_path, "app_other_950.0", json.dumps(result() | {"eval_set_id": "öther"}))
        write(tmp_path / ".adk" / "eval_history" / "notes.json", result())
        found = found_recordings(tmp_path / "desk.evalset.json", "desk")
        times = [path.name.removesuffix(".evalset_result.json").split("_")[-1] for path in found.paths]
        assert times == ["1000.25", "950.0", "900.5"]
        other = found_recordings(tmp_path / "desk.evalset.json", "öther")
        assert [path.name for path in other.paths] == ["app_other_950.0.evalset_result.json"]

    def test_without_a_time_in_its_name_the_file_tells(self, tmp_path: Path) -> None:
        for name, time in (("old", 1000), ("new", 2000)):
            os.utime(history(tmp_path, name, result()), (time, time))
        found = found_recordings(tmp_path / "desk.evalset.json", "desk").paths
        assert [path.name.split(".")[0] for path in found] == ["new", "old"]

    def test_a_set_without_history_has_none(self, tmp_path: Path) -> None:
        assert found_recordings(tmp_path / "desk.evalset.json", "desk") == FoundRecordings([])


def agent(folder: Path) -> Path:
    """An agent with a result of the set `desk`, and one of another set."""
    write(folder / "agent.py", b"")
    history(folder, f"{folder.name}_desk_1000.5", result())
    history(folder, f"{folder.name}_other_2000.5", result() | {"eval_set_id": "other"})
    return folder


def of_app(path: Path, app: object = "rail", key: str = "app_name") -> Path:
    """The set `desk`, whose case names its app."""
    return write(path, eval_set() | {"eval_cases": [{"eval_id": "greeting", "session_input": {key: app}}]})


def agents_of(eval_set: Path, root: Path, set_id: str | None = "desk") -> list[str]:
    """The folders whose results are found."""
    paths = found_recordings(eval_set, set_id).paths
    assert all("_desk_" in path.name for path in paths)
    return [path.relative_to(root).parent.parent.parent.as_posix() for path in paths]


class TestOfAnAgentThatNothingNames:
    @pytest.fixture
    def repo(self, tmp_path: Path) -> Path:
        (tmp_path / "repo" / ".git").mkdir(parents=True)
        return tmp_path / "repo"

    @pytest.fixture
    def path(self, repo: Path) -> Path:
        """A set that names no app."""
        return write(repo / "evals" / "more" / "desk.evalset.json", eval_set())

    @pytest.mark.parametrize("where", ["evals/more/rail", "evals/rail", "rail"])
    def test_results_of_the_set_show_it_in_or_beside_the_folders_up_to_the_repository(
        self, repo: Path, path: Path, where: str
    ) -> None:
        agent(repo / where)
        agent(repo.parent / "outside")
        agent(repo / "deep" / "rail")
        agent(repo / ".hidden")
        assert agents_of(path, repo) == [where]
        assert agents_of(path, repo, None) == []
        assert found_recordings(path, "others").paths == []

    def test_results_that_name_no_set_do_not_count(self, repo: Path, path: Path) -> None:
        write(repo / "rail" / "agent.py", b"")
        history(repo / "rail", "rail_desk_1", {"eval_set_result_id": "1", "eval_case_results": []})
        assert found_recordings(path, "desk").paths == []

    def test_a_named_agent_goes_before_it(self, repo: Path, path: Path) -> None:
        agent(repo / "rail")
        write(repo / "mine" / "agent.py", b"")
        assert agents_of(of_app(path, "mine"), repo) == []
        assert agents_of(of_app(path, "gone"), repo) == ["rail"]

    @pytest.mark.parametrize("has_settings", [False, True])
    def test_of_several_with_results_none_counts_and_the_sentence_names_them(
        self, repo: Path, path: Path, has_settings: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        agent(repo / "rail")
        agent(repo / "evals" / 'b"us')
        history(repo / "evals" / "more", "own_desk_1", result())
        if has_settings:
            write(repo / "evals" / "evaltui.toml", b"strict = true")
        found = found_recordings(path, "desk")
        assert [file.name for file in found.paths] == ["own_desk_1.evalset_result.json"]
        assert {file.parent for file in found.unused} == {*found.rivals}
        monkeypatch.chdir(repo)
        text = rivals_text(path.relative_to(repo), "desk", [file.relative_to(repo) for file in found.rivals])
        assert text == (
            'Results of eval set "desk" are in evals/b"us/.adk/eval_history and rail/.adk/eval_history.',
            'Write agent = "b\\"us" into evals/evaltui.toml to choose.'
            if has_settings
            else 'Write agent = "evals/b\\"us" into evaltui.toml to choose.',
        )
        write(repo / "evals" / "evaltui.toml", text[1].removeprefix("Write ").split(" into")[0].encode())
        if has_settings:
            read_settings_again()
            assert found_recordings(path, "desk").rivals == ()
            assert len(found_recordings(path, "desk").paths) == 2

    def test_without_a_repository_only_the_folder_of_the_set_and_its_parent_are_searched(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a" / "b" / "evals" / "desk.evalset.json", eval_set())
        agent(tmp_path / "a" / "rail")
        assert agents_of(path, tmp_path) == []
        agent(tmp_path / "a" / "b" / "rail")
        assert agents_of(path, tmp_path) == ["a/b/rail"]
        (tmp_path / "a" / "b").chmod(0o1777)  # as /tmp
        assert agents_of(path, tmp_path) == []
        assert agents_of(write(tmp_path / "a" / "b" / "desk.evalset.json", eval_set()), tmp_path) == []

    @pytest.mark.parametrize("kind", ["agent", "history", "result"])
    def test_a_link_is_not_followed(self, repo: Path, path: Path, kind: str) -> None:
        away = agent(repo.parent / "away")
        inner = {"agent": "", "history": ".adk", "result": ".adk/eval_history/away_desk_1000.5.evalset_result.json"}
        link = repo / "rail" / inner[kind]
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(away / inner[kind])
        if kind != "agent":
            write(repo / "rail" / "agent.py", b"")
        found = found_recordings(path, "desk")
        assert (found.paths, found.outside) == ([], ())

    def test_the_agent_of_a_stranger_does_not_count(
        self, repo: Path, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Strangers(monkeypatch).own(agent(repo / "rail"))
        assert agents_of(path, repo) == []

    def test_the_search_has_its_limit(self, repo: Path, path: Path) -> None:
        agent(repo / "rail")
        with pytest.raises(SearchLimitError):
            found_recordings(path, "desk", Bounds(entries=2))

    def test_where_nothing_is_found_the_clause_names_the_folders_and_the_way_to_name_the_agent(
        self, repo: Path, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(repo / "rail" / "agent.py", b"")
        monkeypatch.chdir(repo)
        path = path.relative_to(repo)
        own, unknown = "evals/more/.adk/eval_history", "the agent is unknown: app_name in a case, or agent in evaltui"
        said = f" of this set in {own} or rail/.adk/eval_history; {unknown}.toml, names it"
        assert where_searched(path, "desk", is_dataset=False) == said
        assert where_searched(path, None, is_dataset=False) == f" of this set in {own}"
        agent(repo / "rail")
        agent(repo / "bus")
        write(repo / "tram" / "agent.py", b"")
        assert where_searched(path, "desk", is_dataset=False) == f" of this set in {own} or tram/.adk/eval_history"


class TestInTheFolderOfTheAgent:
    @pytest.fixture(autouse=True)
    def _in_a_repository(self, tmp_path: Path) -> None:
        (tmp_path / "repo" / ".git").mkdir(parents=True)

    @pytest.mark.parametrize("where", ["evals/rail", "rail", "evals/more/rail"])
    @pytest.mark.parametrize("key", ["app_name", "appName"])
    def test_the_app_of_a_case_names_it_beside_the_set_or_a_folder_above(
        self, tmp_path: Path, where: str, key: str
    ) -> None:
        repo = tmp_path / "repo"
        agent(repo / where)
        agent(repo / "other")
        agent(tmp_path / "rail")  # outside of the repository
        assert agents_of(of_app(repo / "evals/more/desk.evalset.json", key=key), repo) == [where]

    def test_the_nearest_agent_above_the_set_counts_as_for_f6(self, tmp_path: Path) -> None:
        repo = tmp_path / "repo"
        agent(repo / "rail")
        assert agents_of(write(repo / "rail/evals/desk.evalset.json", eval_set()), repo) == ["rail"]

    def test_the_setting_agent_goes_before_all_that_would_be_found(self, tmp_path: Path) -> None:
        repo = tmp_path / "repo"
        agent(repo / "rail")
        agent(repo / "agents" / "mine")
        write(repo / "evaltui.toml", b'agent = "agents/mine"')
        assert agents_of(of_app(repo / "evals/desk.evalset.json"), repo) == ["agents/mine"]

    @pytest.mark.parametrize("word", ["agents/mine", "./agents/mine/", "evals/../agents/mine"])
    def test_the_command_of_the_agent_names_it(self, tmp_path: Path, word: str) -> None:
        repo = tmp_path / "repo"
        agent(repo / "agents" / "mine")
        write(repo / "evaltui.toml", f'run = "uv run adk eval {word} {{set}}:{{cases}} --agent={word}"'.encode())
        assert agents_of(of_app(repo / "evals/desk.evalset.json"), repo) == ["agents/mine"]

    def test_quotes_without_their_end_in_the_command_find_nothing(self, tmp_path: Path) -> None:
        write(tmp_path / "repo" / "evaltui.toml", b"""run = "adk eval 'rail" """)
        assert agents_of(of_app(tmp_path / "repo/evals/desk.evalset.json"), tmp_path) == []

    def test_each_folder_counts_once_and_results_beside_the_set_count_too(self, tmp_path: Path) -> None:
        repo = agent(tmp_path / "repo")
        assert agents_of(of_app(repo / "desk.evalset.json", "repo"), tmp_path) == ["repo"]
        history(repo / "evals", "rail_desk_3000", result())
        assert agents_of(of_app(repo / "evals/desk.evalset.json"), tmp_path) == ["repo/evals", "repo"]

    @pytest.mark.parametrize(
        ("where", "others", "agents"),
        [
            ("team/evals", ["team/rail", "rail"], ["team/rail"]),
            ("rail", ["rail", "rail/rail"], ["rail"]),
            ("evals", ["rail", "bus"], ["rail"]),
            ("evals", ["bus"], ["bus"]),
        ],
        ids=["nearest namesake", "its own folder", "app before run", "run if the app has no results"],
    )
    def test_results_of_one_agent_count(self, tmp_path: Path, where: str, others: list[str], agents: list[str]) -> None:
        repo = tmp_path / "repo"
        write(repo / "evaltui.toml", b'run = "adk eval bus {set}"')
        write(repo / "rail" / "agent.py", b"")
        for other in others:
            agent(repo / other)
        assert agents_of(of_app(repo / where / "desk.evalset.json"), repo) == agents

    def test_a_set_without_id_takes_no_results_from_the_folder_of_an_agent(self, tmp_path: Path) -> None:
        repo = agent(tmp_path / "repo")
        assert agents_of(of_app(repo / "evals/desk.evalset.json"), tmp_path, None) == []

    @pytest.mark.parametrize("app", ["", ".", "..", "../rail", "a/rail", "/rail", "ra\0il", "r" * 300, 7, ["rail"]])
    def test_a_name_that_is_no_folder_leads_nowhere(self, tmp_path: Path, app: object) -> None:
        repo = tmp_path / "repo"
        agent(repo / "rail")
        agent(tmp_path / "rail")
        assert agent_folders(of_app(repo / "evals/desk.evalset.json", app)) == []

    def test_of_many_apps_only_the_first_are_searched(self, tmp_path: Path) -> None:
        repo = tmp_path / "repo"
        agent(repo / "app5")
        agent(repo / "app50")
        cases = [{"eval_id": str(number), "session_input": {"app_name": f"app{number}"}} for number in range(60)]
        path = write(repo / "evals/desk.evalset.json", eval_set() | {"eval_cases": cases})
        assert agents_of(path, repo) == ["app5"]

    @pytest.mark.parametrize("kind", ["agent", "history", "result"])
    def test_a_link_out_of_the_repository_is_not_followed(self, tmp_path: Path, kind: str) -> None:
        repo, away = tmp_path / "repo", agent(tmp_path / "away")
        inner = {"agent": "", "history": ".adk/eval_history", "result": ".adk/eval_history/away_desk_1000.5.x"}[kind]
        inner = inner.replace(".x", ".evalset_result.json")
        link = repo / "rail" / inner if inner else repo / "rail"
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(away / inner)
        if inner:
            write(repo / "rail" / "agent.py", b"")
        found = found_recordings(of_app(repo / "evals/desk.evalset.json"), "desk")
        assert found.paths == []
        name = "away_desk_1000.5.evalset_result.json"
        assert repo / "rail/.adk/eval_history" / name in found.outside

    def test_a_link_to_the_folder_of_the_set_is_the_persons_own(self, tmp_path: Path) -> None:
        history(tmp_path / "evals", "rail_desk_1", result())
        (tmp_path / "repo" / "evals").symlink_to(tmp_path / "evals")
        assert len(found_recordings(of_app(tmp_path / "repo/evals/desk.evalset.json"), "desk").paths) == 1

    def test_the_agent_of_a_stranger_does_not_count(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = agent(tmp_path / "rail")
        path = of_app(tmp_path / "evals/desk.evalset.json")
        assert agents_of(path, tmp_path) == ["rail"]
        Strangers(monkeypatch).own(folder)
        assert agents_of(path, tmp_path) == []

    def test_the_search_has_its_limit(self, tmp_path: Path) -> None:
        repo = agent(tmp_path / "repo")
        with pytest.raises(SearchLimitError):
            found_recordings(of_app(repo / "evals/desk.evalset.json"), "desk", Bounds(entries=1))

    def test_the_places_are_named_if_there_is_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tmp_path / "repo" / "rail" / "agent.py", b"")
        path = of_app(tmp_path / "repo" / "evals" / "desk.evalset.json")
        monkeypatch.chdir(tmp_path / "repo")
        said = " of this set in evals/.adk/eval_history or rail/.adk/eval_history"
        assert where_searched(path.relative_to(Path.cwd()), "desk", is_dataset=False) == said
        write(tmp_path / "repo" / "evaltui.toml", b'recordings = ["*.json"]')
        read_settings_again()
        said = f" of this set in the setting recordings of {tmp_path}/repo/evaltui.toml"
        assert where_searched(path, "desk", is_dataset=False) == said
        write(tmp_path / "repo" / "evals" / "evaltui.toml", b"recordings = 7")
        read_settings_again()
        assert where_searched(path, "desk", is_dataset=False) == where_searched(None, None, is_dataset=True) == ""


class TestOfADataset:
    """Files of agents-cli in its project."""

    ANSWERED = dataset(prompt=content("Hi"), responses=[{"response": content("Hello")}])

    @pytest.fixture
    def project(self, tmp_path: Path) -> Path:
        (tmp_path / "repo" / ".git").mkdir(parents=True)
        project = tmp_path / "repo" / "shop"
        write(project / "artifacts/traces/traces_2.json", self.ANSWERED)
        write(project / "artifacts/traces/traces_10.json", self.ANSWERED)
        write(project / "artifacts/grade_results/results_1.json", {"eval_case_results": [], "summary_metrics": []})
        write(project / "artifacts/grade_results/other_1.json", self.ANSWERED)
        write(project / "artifacts/grade_results/results_1.html", b"<p>")
        write(project / "artifacts/traces/deep/traces_3.json", self.ANSWERED)
        write(project / "tests/eval/datasets/basic.json", dataset(prompt=content("Hi")))
        return project

    def found(self, project: Path, path: str = "tests/eval/datasets/basic.json") -> list[str]:
        return [found.name for found in found_recordings(project / path, None, is_dataset=True).paths]

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("shop/agents-cli-manifest.yaml", ""),
            ("shop/pyproject.toml", '[project]\nname = "shop"\n[tool.agents-cli]\n'),
            ("shop/pyproject.toml", '[ tool."agents-cli".create_params ]\n'),
        ],
    )
    def test_its_traces_and_then_its_results_are_found(self, project: Path, name: str, text: str) -> None:
        assert self.found(project) == []
        write(project.parent / name, text.encode())
        assert self.found(project) == ["traces_10.json", "traces_2.json", "results_1.json"]

    @pytest.mark.parametrize("name", ["../agents-cli-manifest.yaml", "pyproject.toml", "shop/tests/manifest.yaml"])
    def test_without_a_project_around_it_nothing_is_found(self, project: Path, name: str) -> None:
        write(project.parent / name, b"[tool.other]\n")
        assert self.found(project) == []

    def test_a_trace_that_is_opened_itself_has_no_other_recordings(self, project: Path) -> None:
        write(project / "agents-cli-manifest.yaml", b"")
        assert self.found(project, "artifacts/traces/traces_2.json") == []

    def test_other_files_and_links_out_of_the_repository_are_left_out(self, project: Path) -> None:
        write(project / "agents-cli-manifest.yaml", b"")
        write(project / "artifacts/traces/notes.json", {"note": 1})
        write(project.parent.parent / "away.json", self.ANSWERED)
        (project / "artifacts/traces/link.json").symlink_to(project.parent.parent / "away.json")
        found = found_recordings(project / "tests/eval/datasets/basic.json", None, is_dataset=True)
        assert [path.name for path in found.paths] == ["traces_10.json", "traces_2.json", "results_1.json"]
        assert [path.name for path in (*found.other_files, *found.outside)] == ["notes.json", "link.json"]

    @pytest.mark.parametrize(
        ("of_trace", "of_result", "is_repeated"),
        [
            (["05:00:00.1", "05:00:00.2"], ["05:00:00.2", "05:00:00.1", "06:00:00"], True),
            (["05:00:00.1", "05:00:00.2"], ["05:00:00.1"], False),  # the last event is another one
            ([], ["05:00:00.1"], False),
            (["05:00:00.1"], [], False),
        ],
    )
    def test_a_trace_that_a_result_repeats_is_no_second_run(
        self, project: Path, of_trace: list[str], of_result: list[str], is_repeated: bool
    ) -> None:
        write(project / "agents-cli-manifest.yaml", b"")
        trace, result = ([{"event_time": f"2026-11-27T{time}Z"} for time in times] for times in (of_trace, of_result))
        write(project / "artifacts/traces/traces_2.json", self.ANSWERED | {"events": trace})
        graded = write(project / "artifacts/grade_results/results_1.json", {"events": result, "eval_case_results": []})
        assert self.found(project) == ["traces_10.json", *["traces_2.json"] * (not is_repeated), "results_1.json"]
        graded.write_bytes(graded.read_bytes()[:-1])  # cut off: it stands for nothing
        assert self.found(project) == ["traces_10.json", "traces_2.json", "results_1.json"]

    def test_globs_in_the_settings_replace_them(self, project: Path) -> None:
        write(project / "agents-cli-manifest.yaml", b"")
        write(project / "evaltui.toml", b'recordings = ["artifacts/traces/traces_2.json"]')
        assert self.found(project) == ["traces_2.json"]


class TestBySettings:
    def test_globs_are_relative_to_the_settings(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text(
            '[tool.evaltui]\nrecordings = ["runs/**/*.json*", "more", ".hid/*"]\n', "utf-8"
        )
        for name in ("runs/b.json", "runs/x/a.jsonl", "more/deep/c.json", ".hid/d.json", "runs/.e.json", "no.json"):
            write(tmp_path / name, otlp(span()))
        write(tmp_path / "runs" / "set.evalset.json", eval_set(invocation()))
        history(tmp_path / "sets", "app_desk_1", result())
        found = found_recordings(tmp_path / "sets" / "desk.evalset.json", "desk")
        assert names(found.paths, tmp_path) == ["runs/b.json", "runs/x/a.jsonl", "more/deep/c.json", ".hid/d.json"]
        assert len(found.other_files) == 1

    def test_paths_are_relative_where_the_set_is(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "evaltui.toml").write_text('recordings = ["sets/*.json"]\n', "utf-8")
        write(tmp_path / "sets" / "r.json", result())
        monkeypatch.chdir(tmp_path)
        assert found_recordings(Path("sets/s.json"), None).paths == [Path("sets/r.json")]
        monkeypatch.chdir(tmp_path / "sets")
        assert found_recordings(Path("s.json"), None).paths == [Path("r.json")]

    def test_a_folder_with_odd_signs_is_no_pattern(self, tmp_path: Path) -> None:
        folder = tmp_path / "[a]*"
        write(folder / "r.json", result())
        (folder / "evaltui.toml").write_text('recordings = ["*.json", "r.json"]\n', "utf-8")
        assert found_recordings(folder / "s.json", None).paths == [folder / "r.json"]

    @pytest.mark.parametrize("value", ['"*.json"', "[1]", '[""]'])
    def test_what_is_no_list_of_globs_is_refused(self, tmp_path: Path, value: str) -> None:
        (tmp_path / "evaltui.toml").write_text(f"recordings = {value}\n", "utf-8")
        with pytest.raises(SettingsError, match="recordings must be a list of globs"):
            project_settings(tmp_path)


@pytest.mark.parametrize("glob", ["../outside/*.json", "/**/*.json", "linked/*", "linked", "runs", "r*"])
def test_settings_of_a_repository_name_no_recording_outside(tmp_path: Path, glob: str) -> None:
    clone = tmp_path / "clone"
    (clone / ".git").mkdir(parents=True)
    write(tmp_path / "outside" / "a.json", otlp(span()))
    (clone / "linked").symlink_to(tmp_path / "outside")
    (clone / "runs").mkdir()
    (clone / "runs" / "a.json").symlink_to(tmp_path / "outside" / "a.json")
    write(clone / "b.evalset.json", eval_set())
    write(clone / "evaltui.toml", f'recordings = ["{glob.replace("/**", f"{tmp_path}/**")}"]'.encode())
    with pytest.raises(
        SettingsError, match=r"evaltui.toml: recordings has .*, outside the repository; name it with -r"
    ):
        found_recordings(clone / "b.evalset.json", None)
