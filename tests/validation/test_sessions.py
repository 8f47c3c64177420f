"""The sessions of a set's cases against each other, and against the folder of the file."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.validation.rules.rule_registry import RULES
from tests.validation.findings import case, file_of, fixed, found_in, said_of, set_of, with_session


def states(*values: Any) -> bytes:
    return set_of(*(with_session(number, state={"history": value}) for number, value in enumerate(values)))


def at(number: int) -> str:
    return f"/eval_cases/{number}/session_input/state/history"


def test_a_text_where_other_cases_have_a_list_is_said_at_the_text() -> None:
    (found,) = found_in(states([], "", ["a"]))
    assert (found.code, found.pointer) == ("state-type-differs", at(1))
    assert found.message == '"history" is a string here, but a list in case 1'
    assert fixed(states([], "", ["a"]), "state-type-differs")["eval_cases"][1]["session_input"]["state"] == {
        "history": []
    }


@pytest.mark.parametrize(
    ("values", "odd"),
    [
        (("", []), [0]),  # nobody means a text where another case has a list
        (("1", "2", 3), [2]),
        ((1, 2, "3", "4", 5), [2, 3]),
        (({}, [], {}), [1]),
        ((1, 2.5, 3), []),
        ((None, [], None), []),
        ((True, 0, False), []),
        (("a", "b"), []),
        (("",), []),
    ],
)
def test_the_rarer_type_is_the_odd_one(values: tuple[Any, ...], odd: list[int]) -> None:
    assert said_of(states(*values)) == [("state-type-differs", at(number)) for number in odd]


def test_only_an_empty_text_has_a_fix_and_not_a_safe_one() -> None:
    (found,) = found_in(states([], [], "late"))
    assert found.fix is None
    (found,) = found_in(states({}, {}, ""))
    assert found.fix is not None
    assert (found.fix.title, found.fix.safe) == ("Write {}", False)


def apps(*names: str) -> bytes:
    return set_of(*(with_session(number, app_name=name) for number, name in enumerate(names)))


@pytest.mark.parametrize(
    ("names", "odd"),
    [
        (("desk", "desk", "dest"), [2]),
        (("dest", "desk", "desk"), [0]),
        (("desk", "dest"), [1]),
        (("desk", "desk"), []),
        (("a", "b", "c", "d"), []),  # no app is that of most cases
        (("", "desk"), []),
    ],
)
def test_an_app_name_unlike_most_is_said_at_that_case(names: tuple[str, ...], odd: list[int]) -> None:
    assert said_of(apps(*names)) == [
        ("app-name-differs", f"/eval_cases/{number}/session_input/app_name") for number in odd
    ]


def test_the_fix_writes_the_usual_app_name_and_is_not_safe() -> None:
    data = apps("desk", "desk", "dest")
    (found,) = found_in(data)
    assert found.fix is not None
    assert not found.fix.safe
    assert fixed(data, "app-name-differs")["eval_cases"][2]["session_input"]["app_name"] == "desk"


@pytest.mark.parametrize("agent", ["agent.py", "root_agent.yaml", "__init__.py"])
def test_an_app_name_unlike_the_folder_of_an_agent_is_said_once(tmp_path: Path, agent: str) -> None:
    folder = tmp_path / "desk"
    folder.mkdir()
    path, rule = folder / "fines.evalset.json", RULES["app-name-unlike-folder"]
    bad, good = file_of(rule.bad), file_of(rule.good)
    assert found_in(bad, path=path) == []
    (folder / agent).write_text("from . import agent\n")
    (found,) = found_in(bad, path=path)
    assert (found.code, found.severity) == (rule.code, "info")
    assert found.pointer == "/eval_cases/0/session_input/app_name"
    assert found_in(good, path=path) == []
    assert found_in(set_of(case()), path=path) == []


def test_a_package_without_an_agent_is_no_agents_folder(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("")
    assert found_in(apps("desk"), path=tmp_path / "fines.evalset.json") == []
