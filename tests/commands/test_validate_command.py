"""`evaltui validate` as docs/cli.md has it."""

import json
import os
from pathlib import Path

import pytest

from evaltui.cli import main
from tests.commands.conftest import Evaltui, Process

GOOD = (
    b'{"eval_set_id": "desk", "eval_cases": [\n  {"eval_id": "a", "conversation": [\n'
    b'    {"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}]}]}\n'
)
BAD = GOOD.replace(b'"user_content"', b'"user_contents"')
WARNED = GOOD.replace(b'"eval_id": "a"', b'"eval_id": "a:b"')
FIXED_LINE = "-    " + BAD.decode().splitlines()[2].strip()


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.evalset.json"
    path.write_bytes(BAD)
    return path


def report(out: bytes) -> dict[str, object]:
    (file,) = json.loads(out)["files"]
    return dict(file)


def test_a_diagnostic_is_a_line_with_its_place_and_case(evaltui: Evaltui, bad: Path) -> None:
    done = evaltui("validate", bad.name)
    line = "bad.evalset.json:3:6: error[misspelt-key] a › turn 1: user_contents should be user_content\n"
    assert (done.code, done.out.decode()) == (1, line)
    assert done.err == "1 error in 1 file · --fix fixes 1\n"


def test_nothing_wrong_is_exit_0(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "good.json").write_bytes(GOOD)
    done = evaltui("validate", "good.json")
    assert (done.code, done.out, done.err) == (0, b"", "no problems in 1 file\n")


def test_json_is_one_document_with_places_and_a_patch_that_patch_takes(
    evaltui: Evaltui, bad: Path, tmp_path: Path
) -> None:
    done = evaltui("validate", bad.name, "--format", "json")
    document = json.loads(done.out)
    assert (done.code, done.err, document["version"]) == (1, "", 1)
    assert document["summary"] == {"files": 1, "errors": 1, "warnings": 0, "infos": 0}
    file = report(done.out)
    (found,) = file.pop("diagnostics")  # type: ignore[call-overload]
    assert file == {"path": bad.name, "format": "eval_set", "accepted_by_adk": False, "cases": 1}
    fix = found.pop("fix")
    assert found == {
        "code": "misspelt-key",
        "group": "schema",
        "severity": "error",
        "message": "user_contents should be user_content",
        "pointer": "/eval_cases/0/conversation/0/user_contents",
        "line": 3,
        "column": 6,
        "end_line": 3,
        "end_column": 21,
        "eval_id": "a",
        "turn": 1,
    }
    (tmp_path / "fix.json").write_text(json.dumps(fix["patch"]))
    assert evaltui("patch", bad, "fix.json").code == 0
    assert bad.read_bytes() == GOOD


DATASET = (
    b'{"eval_cases": [\n  {"eval_case_id": "refund", "agent_data": {"turns": [\n'
    b'    {"turn_index": 0, "events": [{"author": "user"}]}]}},\n'
    b'  {"eval_case_id": "a", "prompt": {"role": "human", "parts": [{"text": "Hi"}]}}]}\n'
)
RIGHT_DATASET = b'{"eval_cases": [{"eval_case_id": "a", "prompt": {"role": "user", "parts": [{"text": "Hi"}]}}]}'


def test_a_dataset_is_checked_for_its_own_reader(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "data.json").write_bytes(DATASET)
    done = evaltui("validate", "data.json")
    assert done.code == 0
    assert done.out.decode().splitlines() == [
        "data.json:3:34: warning[no-user-message-last] refund › turn 1: the last event has no content, "
        "so there is no message to send",
        'data.json:4:44: warning[unknown-role] a: the role "human" must be user or model',
    ]
    file = report(evaltui("validate", "data.json", "--format", "json").out)
    del file["diagnostics"]
    assert file == {"path": "data.json", "format": "evaluation_dataset", "accepted_by_adk": False, "cases": 2}


def test_a_dataset_that_is_right_has_no_problem(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "data.json").write_bytes(RIGHT_DATASET)
    for name in ("data.json", "-"):
        done = evaltui("validate", name, "--strict", stdin=RIGHT_DATASET)
        assert (done.code, done.out) == (0, b"")


def test_a_dataset_with_the_name_of_an_eval_set_is_a_warning(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "data.evalset.json").write_bytes(RIGHT_DATASET)
    done = evaltui("validate", ".")
    assert done.code == 0
    assert done.out.decode().splitlines() == [
        "data.evalset.json:1:1: warning[evaluation-dataset]: google-adk rejects this: the file is an "
        "EvaluationDataset, not an eval set; agents-cli reads it"
    ]
    assert evaltui("validate", ".", "--strict").code == 1


def test_the_fixes_of_a_dataset_are_saved_and_no_other_byte_changes(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "data.json").write_bytes(DATASET)
    done = evaltui("validate", "--fix", "data.json")
    assert (done.code, done.err) == (0, "fixed 1 problem · now: 1 warning in 1 file\n")
    assert (tmp_path / "data.json").read_bytes() == DATASET.replace(b"human", b"user")


def test_a_folder_takes_datasets_without_the_recordings_of_agents_cli(evaltui: Evaltui, tmp_path: Path) -> None:
    names = (
        "tests/eval/datasets/basic.json",
        "artifacts/traces/traces_1.json",
        "artifacts/grade_results/results_1.json",
    )
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(DATASET)

    def checked(folder: str) -> list[str]:
        files = json.loads(evaltui("validate", folder, "--format", "json").out)["files"]
        return [file["path"] for file in files]

    assert checked(".") == ["tests/eval/datasets/basic.json"]
    assert checked("artifacts") == []
    assert checked("artifacts/traces") == ["artifacts/traces/traces_1.json"]
    evaltui("validate", "--fix", ".")
    assert [(tmp_path / name).read_bytes() == DATASET for name in names] == [False, True, True]


def test_fixes_are_saved_and_no_other_byte_changes(evaltui: Evaltui, bad: Path) -> None:
    assert evaltui("validate", bad.name, "--diff").err == "would fix 1 problem · after that: no problems in 1 file\n"
    done = evaltui("validate", bad.name, "--fix", "--format", "json")
    assert (done.code, report(done.out)["fixed"]) == (0, ["misspelt-key"])
    assert bad.read_bytes() == GOOD
    again = evaltui("validate", bad.name, "--fix", "--format", "json")
    assert (again.code, report(again.out)["fixed"]) == (0, [])


def test_a_diff_shows_what_fixing_would_do_and_writes_nothing(evaltui: Evaltui, bad: Path) -> None:
    done = evaltui("validate", bad.name, "--diff")
    assert done.code == 0
    assert FIXED_LINE in done.out.decode().splitlines()
    assert bad.read_bytes() == BAD


def test_rules_are_selected_and_ignored_by_code_and_group(evaltui: Evaltui, bad: Path) -> None:
    assert evaltui("validate", bad.name, "--ignore", "misspelt-key").code == 0
    assert evaltui("validate", bad.name, "--ignore", "meaning,schema").code == 0
    assert evaltui("validate", bad.name, "--select", "meaning").code == 0
    assert evaltui("validate", bad.name, "--select", "meaning", "--select", "misspelt-key").code == 1
    done = evaltui("validate", bad.name, "--ignore", "mispelt-key")
    assert (done.code, done.out) == (2, b"")
    assert "did you mean misspelt-key?" in done.err
    none = evaltui("validate", bad.name, "--select", "zzz")
    groups = "syntax, schema, meaning, config, format"
    assert f'no rule or group "zzz"; `evaltui rule` lists the rules; groups are {groups}' in none.err
    assert evaltui("validate", bad.name, "--fix", "--ignore", "misspelt-key").code == 0
    assert bad.read_bytes() == BAD


def test_strict_makes_warnings_fail(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "warned.json").write_bytes(WARNED)
    assert evaltui("validate", "warned.json").code == 0
    done = evaltui("validate", "warned.json", "--strict")
    assert done.code == 1
    assert b"warning[unselectable-eval-id] a:b:" in done.out


def test_annotations_for_github_escape_what_ends_them(evaltui: Evaltui, tmp_path: Path) -> None:
    path = tmp_path / "50%,a:b.json"
    path.write_bytes(BAD)
    (line,) = evaltui("validate", path.name, "--format", "github").out.decode().splitlines()
    assert line == (
        "::error file=50%25%2Ca%3Ab.json,line=3,endLine=3,col=6,endColumn=21,title=misspelt-key"
        "::a › turn 1: user_contents should be user_content"
    )


def test_a_folder_is_searched_and_what_git_ignores_left_out(evaltui: Evaltui, bad: Path, tmp_path: Path) -> None:
    for name, content in {
        ".gitignore": b"generated/\n*.tmp.json\n!kept.tmp.json\n",
        "generated/x.evalset.json": BAD,
        "old.tmp.json": BAD,
        "kept.tmp.json": GOOD,
        ".hidden/y.evalset.json": BAD,
        "deep/er/z.json": GOOD,
        "deep/package.json": b'{"name": "x"}',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / ".git").mkdir()
    done = evaltui("validate", ".", "--format", "json")
    assert [file["path"] for file in json.loads(done.out)["files"]] == [bad.name, "deep/er/z.json", "kept.tmp.json"]


def test_a_folder_without_eval_sets_is_no_failure(evaltui: Evaltui, tmp_path: Path) -> None:
    done = evaltui("validate", tmp_path)
    assert (done.code, done.out) == (0, b"")
    assert "no eval sets or datasets in" in done.err


def test_standard_input_is_checked_and_not_fixed(evaltui: Evaltui) -> None:
    assert evaltui("validate", "-", stdin=GOOD).code == 0
    assert evaltui("validate", "-", stdin=BAD).out.startswith(b"-:3:6: error[misspelt-key]")
    done = evaltui("validate", "-", "--fix", stdin=BAD)
    assert (done.code, done.out) == (2, b"")
    assert "cannot be fixed in place" in done.err
    assert evaltui("validate", "-", "--diff", stdin=BAD).code == 0


def test_a_file_that_is_missing_fails_the_whole_command_and_nothing_is_fixed(evaltui: Evaltui, bad: Path) -> None:
    done = evaltui("validate", bad.name, "missing.json", "--fix")
    assert (done.code, done.out) == (2, b"")
    assert "missing.json" in done.err
    assert bad.read_bytes() == BAD


def test_the_settings_of_the_project_hold_and_the_command_line_adds(
    evaltui: Evaltui, bad: Path, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.evaltui]\nignore = ["misspelt-key"]\n')
    assert evaltui("validate", bad).code == 0
    (tmp_path / "below").mkdir()
    other = tmp_path / "below" / "set.json"
    other.write_bytes(WARNED)
    (tmp_path / "below" / "evaltui.toml").write_text("strict = true\n")
    assert evaltui("validate", other).code == 1
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "evaltui.toml").write_text("strikt = true\n")
    (tmp_path / "wrong" / "set.json").write_bytes(GOOD)
    done = evaltui("validate", tmp_path / "wrong" / "set.json")
    assert (done.code, done.out) == (2, b"")
    assert 'there is no setting "strikt"' in done.err


def test_what_a_file_holds_does_not_reach_the_terminal(evaltui: Evaltui, tmp_path: Path) -> None:
    attack = "\\u001b]0;owned\\u0007\\u202e"
    (tmp_path / "x.json").write_text(
        GOOD.decode().replace('"eval_id": "a"', f'"eval_id": "{attack}:", "session_input": {{"{attack}": 1}}')
    )
    for form in ("text", "github"):
        done = evaltui("validate", "x.json", "--format", form)
        assert done.code == 1
        assert not set(done.out.decode() + done.err) & set("\x1b\x07\u202e")


def test_colour_only_where_it_is_wanted(evaltui: Evaltui, bad: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert b"\x1b[" not in evaltui("validate", bad.name).out
    assert b"\x1b[1;31merror[misspelt-key]\x1b[0m" in evaltui("validate", bad.name, "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert b"\x1b[" in evaltui("validate", bad.name).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert b"\x1b[" not in evaltui("validate", bad.name).out


def test_a_rule_is_explained_and_a_mistyped_one_named(evaltui: Evaltui) -> None:
    done = evaltui("rule", "args-absent")
    assert done.code == 0
    assert "never matches" in done.out.decode()
    assert b"args-absent" in evaltui("rule").out
    unknown = evaltui("rule", "arg-absent")
    assert (unknown.code, unknown.out) == (2, b"")
    assert "did you mean args-absent?" in unknown.err


def test_no_command_is_misused_without_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate"]) == 2
    assert "PATH" in capsys.readouterr().err


CONFIG = b'{"criteria": {"response_match_score": 0.8}}'
NO_TEXT = GOOD.replace(b'"final_response": {"parts": [{"text": "Hello"}]}', b'"final_response": null')


def test_the_config_beside_a_set_counts_and_another_one_that_is_given(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "set.json").write_bytes(NO_TEXT)
    assert b"metric-without-expectations" not in evaltui("validate", "set.json").out
    (tmp_path / "test_config.json").write_bytes(CONFIG)
    assert b"warning[metric-without-expectations]" in evaltui("validate", "set.json").out
    (tmp_path / "other.json").write_bytes(b'{"criteria": {"safety_v1": 0.8}}')
    assert b"metric-without-expectations" not in evaltui("validate", "set.json", "--config", "other.json").out


def test_a_config_that_cannot_be_used_is_said(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "set.json").write_bytes(GOOD)
    (tmp_path / "test_config.json").write_bytes(b"{")
    done = evaltui("validate", "set.json")
    assert (done.code, "the config is not used" in done.err) == (0, True)
    for content, said in ((b"{", "invalid JSON"), (b'{"criteria": []}', "rejects this config"), (None, "wrong.json")):
        if content is None:
            (tmp_path / "wrong.json").unlink()
        else:
            (tmp_path / "wrong.json").write_bytes(content)
        done = evaltui("validate", "set.json", "--config", "wrong.json")
        assert (done.code, done.out) == (2, b"")
        assert said in done.err


def test_other_formats_are_named_and_configs_checked(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "old.test.json").write_bytes(b'[{"query": "a", "expected_tool_use": [], "reference": "r"}]')
    done = evaltui("validate", "old.test.json", "--format", "json")
    file = report(done.out)
    assert (done.code, file["format"], file["accepted_by_adk"], file["cases"]) == (1, "legacy_turns", False, None)
    folder = evaltui("validate", ".")
    assert (folder.code, "1 file skipped" in folder.err) == (0, True)
    (tmp_path / "test_config.json").write_bytes(CONFIG)
    file = report(evaltui("validate", "test_config.json", "--format", "json").out)
    assert (file["format"], file["accepted_by_adk"], file["diagnostics"]) == ("eval_config", True, [])


def test_schemas_are_printed(evaltui: Evaltui) -> None:
    assert "userContent" in json.loads(evaltui("schema").out)["$defs"]["Invocation"]["properties"]
    assert "criteria" in json.loads(evaltui("schema", "config").out)["$defs"]["EvalConfig"]["properties"]


def test_text_that_is_no_json_is_said_with_all_its_places_and_repaired(evaltui: Evaltui, tmp_path: Path) -> None:
    broken = b"\xef\xbb\xbf" + GOOD.replace(b'"desk", ', b'"desk", // the desk\n ').replace(b"]}]}\n", b"],}]}\n")
    (tmp_path / "x.json").write_bytes(broken)
    done = evaltui("validate", "x.json", "--format", "json")
    file = report(done.out)
    assert (done.code, file["format"], file["accepted_by_adk"], file["cases"]) == (1, "not_json", False, None)
    found = [(each["code"], each["line"], each["column"]) for each in file["diagnostics"]]  # type: ignore[attr-defined]
    column = broken.decode().splitlines()[3].index(",}") + 2
    assert found == [("byte-order-mark", 1, 1), ("comment", 1, 25), ("trailing-comma", 4, column)]
    assert evaltui("validate", "x.json", "--fix", "--ignore", "comment").code == 0
    assert b"//" in (tmp_path / "x.json").read_bytes()
    assert evaltui("validate", "x.json", "--fix").code == 0
    assert json.loads((tmp_path / "x.json").read_bytes()) == json.loads(GOOD)


def test_a_byte_order_mark_is_the_only_thing_that_goes(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"\xef\xbb\xbf" + GOOD)
    assert evaltui("validate", "x.json").code == 1
    assert evaltui("validate", "x.json", "--fix").code == 0
    assert (tmp_path / "x.json").read_bytes() == GOOD


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes what is read-only")
def test_a_fix_that_cannot_be_written_prints_nothing(evaltui: Evaltui, bad: Path) -> None:
    bad.chmod(0o444)
    done = evaltui("validate", bad.name, "--fix")
    assert (done.code, done.out) == (2, b"")
    assert "read-only" in done.err


def test_several_large_files_are_checked_by_processes_with_the_same_result(
    evaltui: Evaltui, bad: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "warned.json").write_bytes(WARNED)
    (tmp_path / "config.json").write_bytes(CONFIG)
    arguments = ("validate", bad, "warned.json", "--config", "config.json", "--format", "json", "--diff")
    alone = evaltui(*arguments)
    monkeypatch.setattr("evaltui.commands.checked_files.WORTH_PROCESSES", 0)
    assert evaltui(*arguments) == alone
    assert evaltui("validate", "warned.json", "missing.json").code == 2


def test_settings_that_do_not_hold_fail_the_command_in_a_folder_too(
    evaltui: Evaltui, bad: Path, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.evaltui]\nignore = ["call-without-anser"]\n')
    done = evaltui("validate", ".")
    assert (done.code, done.out) == (2, b"")
    assert "call-without-anser" in done.err
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "pyproject.toml").write_text("tool = 3\n[unclosed")
    (tmp_path / "other" / "evaltui.toml").write_text("strict = true")
    (tmp_path / "other" / "set.json").write_bytes(WARNED)
    assert evaltui("validate", "other/set.json").code == 1


def test_what_a_folder_holds_that_cannot_be_searched_is_left_out(evaltui: Evaltui, bad: Path, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "loop.evalset.json").symlink_to("loop.evalset.json")
    (tmp_path / ".gitignore").write_text("\ufeff!\nbuild\\\nkept*\n", "utf-8")
    (tmp_path / "kept.evalset.json").write_bytes(GOOD)
    os.mkfifo(tmp_path / "evaltui.toml")
    done = evaltui("validate", ".", "--format", "json")
    assert [file["path"] for file in json.loads(done.out)["files"]] == [bad.name]
    assert "loop.evalset.json: cannot be read" in done.err


def test_standard_input_is_read_here_and_once(
    evaltui: Evaltui, bad: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaltui.commands.checked_files.WORTH_PROCESSES", 0)
    done = evaltui("validate", "-", bad.name, "-", "--format", "json", stdin=GOOD)
    assert [(file["path"], len(file["diagnostics"])) for file in json.loads(done.out)["files"]] == [
        ("-", 0),
        (bad.name, 1),
    ]


def test_a_file_named_twice_is_fixed_once(evaltui: Evaltui, bad: Path, tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(bad.name)
    done = evaltui("validate", bad.name, "./bad.evalset.json", "link.json", "--fix", "--format", "json")
    assert (done.code, len(json.loads(done.out)["files"])) == (0, 1)
    assert bad.read_bytes() == GOOD


def test_an_empty_path_is_no_folder(evaltui: Evaltui, bad: Path) -> None:
    done = evaltui("validate", "", "--fix")
    assert (done.code, done.out) == (2, b"")
    assert bad.read_bytes() == BAD


def test_json_is_utf_8_whatever_the_terminal_takes(fresh_process: Process, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(BAD.decode().replace('"eval_id": "a"', '"eval_id": "café 日"'), "utf-8")
    done = fresh_process("validate", "x.json", "--format", "json", env={"PYTHONIOENCODING": "cp1252"})
    assert json.loads(done.stdout.decode("utf-8"))["files"][0]["diagnostics"][0]["eval_id"] == "café 日"


def test_an_eval_set_is_one_behind_any_number_of_other_keys(evaltui: Evaltui, tmp_path: Path) -> None:
    many = {f"key_{number}": 1 for number in range(30)}
    (tmp_path / "x.json").write_text(json.dumps({**many, **json.loads(GOOD), "eval_set_result_id": "r"}))
    file = report(evaltui("validate", "x.json", "--format", "json").out)
    assert (file["format"], file["accepted_by_adk"]) == ("eval_set", True)


def test_a_key_that_stands_twice_near_a_fix_is_no_obstacle(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(BAD.replace(b'"eval_id": "a"', b'"eval_id": "a:b", "conversation": [], "x": 1'))
    (tmp_path / "test_config.json").write_bytes(b'{"criteria": {"response_match_scor": 1, "response_match_scor": 2}}')
    for name in ("x.json", "test_config.json"):
        assert evaltui("validate", name, "--diff").code in (0, 1)


def test_where_the_command_fails_nothing_else_is_said(evaltui: Evaltui, bad: Path, tmp_path: Path) -> None:
    (tmp_path / "loop.evalset.json").symlink_to("loop.evalset.json")
    (tmp_path / "test_config.json").write_text("{")
    assert evaltui("validate", ".").err.count("\n") == 3
    done = evaltui("validate", ".", "missing.json")
    assert (done.code, done.out, done.err) == (2, b"", "evaltui: missing.json: there is no such file\n")


@pytest.mark.parametrize(("cases", "count"), [("[]", 0), ("{}", None), ("null", None)])
def test_cases_are_counted_where_there_is_a_list_of_them(evaltui: Evaltui, cases: str, count: int | None) -> None:
    source = f'{{"eval_set_id": "s", "eval_cases": {cases}}}'.encode()
    assert report(evaltui("validate", "-", "--format", "json", stdin=source).out)["cases"] == count


def test_a_working_folder_that_is_gone_has_no_settings(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert evaltui("validate", "-", stdin=GOOD).code == 0
    (tmp_path / "good.json").write_bytes(GOOD)
    assert evaltui("validate", tmp_path / "good.json").code == 0


TRPC = (
    b'{"evalSetId": "sums", "evalCases": [{"evalId": "add", "conversation": [\n'
    b'  {"userContent": {"role": "user", "content": "add 2 and 3"}}]}]}\n'
)


def test_a_set_of_trpc_agent_go_is_named_with_its_conversion_and_never_fixed(evaltui: Evaltui, tmp_path: Path) -> None:
    path = tmp_path / "sums.evalset.json"
    path.write_bytes(TRPC)
    done = evaltui("validate", path.name, "--format", "json", "--fix")
    file = report(done.out)
    (found,) = file["diagnostics"]  # type: ignore[misc]
    assert (done.code, file["format"], file["accepted_by_adk"]) == (1, "trpc_eval_set", False)
    assert (found["code"], found["fix"], file["fixed"]) == ("trpc-eval-set", None, [])
    assert "an eval set of trpc-agent-go; `evaltui convert sums.evalset.json --to evalset`" in found["message"]
    assert path.read_bytes() == TRPC


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"evalSetId": "s", "evalCases": [{"evalId": "a", "evalMode": "trace", "conversation": []}]}),
        '[{"name": "a", "data": []}]',
        '[{"query": "Hi"}]',
        '{"eval_set_result_id": "r", "eval_case_results": []}',
        '{"a": 1}',
    ],
)
def test_a_file_of_another_format_keeps_the_byte_order_mark_that_no_report_lists(
    evaltui: Evaltui, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    before = evaltui("validate", path.name).out
    fixed = evaltui("validate", "--fix", path.name)
    assert fixed.out == before
    assert "fixed" not in fixed.err
    assert path.read_bytes() == b"\xef\xbb\xbf" + text.encode()


def test_a_search_leaves_out_a_set_of_trpc_agent_go(evaltui: Evaltui, tmp_path: Path) -> None:
    path = tmp_path / "sums.evalset.json"
    path.write_bytes(TRPC)
    (tmp_path / "good.evalset.json").write_bytes(GOOD)
    done = evaltui("validate", ".", "--fix")
    assert (done.code, done.out) == (0, b"")
    assert "1 file skipped: not in the current eval set format of google-adk" in done.err
    assert path.read_bytes() == TRPC
    done = evaltui("run", ".", "-r", "good.evalset.json", "--format", "json")
    assert json.loads(done.out)["set"]["path"] == "good.evalset.json"


def test_the_config_beside_a_list_of_turns_tells_whether_agent_evaluator_reads_it(
    evaltui: Evaltui, tmp_path: Path
) -> None:
    (tmp_path / "old.test.json").write_bytes(b'[{"query": "Hi"}]')
    assert b"AgentEvaluator refuses it, too: the first turn has no" in evaltui("validate", "old.test.json").out
    (tmp_path / "test_config.json").write_bytes(b'{"criteria": {"safety_v1": 0.8}}')
    assert b"only AgentEvaluator reads it" in evaltui("validate", "old.test.json").out
