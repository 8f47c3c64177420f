"""Legacy lists as eval sets: equal to google-adk's own conversion. What we write in its formats, it accepts."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.interop.adk_rs_set import ADK_RS
from evaltui.interop.conversion import convert, text_of
from evaltui.interop.conversion_formats import format_of_source
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.legacy_lists import LEGACY_CASES
from evaltui.interop.portable_set import FormatType
from tests.agreement.oracle import objections
from tests.agreement.score_oracle import answers
from tests.agreement.test_session_turns import COUNT, SEED

_READ = """
import json, sys, warnings, logging
warnings.simplefilter("ignore"); logging.disable(logging.CRITICAL)
from google.adk.evaluation.eval_set import EvalSet
from google.adk.evaluation.local_eval_sets_manager import convert_eval_set_to_pydantic_schema
def told(read):
    dumped = read.model_dump(mode="json")
    dumped.pop("creation_timestamp")
    for case in dumped["eval_cases"]:
        case.pop("creation_timestamp")
        for turn in case["conversation"]:
            turn.pop("creation_timestamp"), turn.pop("invocation_id")
    return dumped
for line in sys.stdin:
    kind, value = json.loads(line)
    try:
        if kind == "set":
            read = EvalSet.model_validate_json(value)
        else:
            value = json.loads(value)
            if kind == "turns":  # as AgentEvaluator._get_eval_set_from_old_format wraps them
                value = [{"name": "the_list", "data": value, "initial_session": {}}]
            read = convert_eval_set_to_pydantic_schema("the_list", value)
        said = json.dumps(told(read))
    except Exception as error:
        said = json.dumps({"error": f"{type(error).__name__}: {error}"[:500]})
    print(said, flush=True)
"""


def _written(body: bytes, target: FormatType, *, is_camel: bool = False) -> bytes:
    root = Document(body).root
    assert root is not None
    source = format_of_source(root)
    assert source is not None
    return text_of(convert(root, source, target, "the_list", is_camel=is_camel))


def _agree(adk_python: str, kind: str, lists: list[bytes], refused: int = 0) -> None:
    """`refused`: so many lists google-adk itself cannot convert; what we make of these it accepts."""
    theirs = answers(adk_python, _READ, [[kind, body.decode()] for body in lists])
    ours = answers(adk_python, _READ, [["set", _written(body, EVAL_SET).decode()] for body in lists])
    for body, one, other in zip(lists, ours, theirs, strict=True):
        assert "error" not in one, body
        assert one == other or "error" in other, body
    assert sum("error" in other for other in theirs) <= refused


def test_legacy_lists_of_the_corpus_are_converted_as_google_adk_does(adk_python: str, shared_folder: Path) -> None:
    for kind, pattern in (("cases", "*legacy_v1*.json"), ("turns", "*legacy_v0*.json")):
        lists = [path.read_bytes() for path in sorted((shared_folder / "corpus").glob(pattern))]
        assert lists
        _agree(adk_python, kind, lists, refused=3)  # their intermediate responses are plain texts


@pytest.mark.parametrize("kind", ["cases", "turns"])
def test_generated_lists_are_converted_as_google_adk_does(adk_python: str, kind: str) -> None:
    chance = random.Random(kind + SEED)
    make = _cases if kind == "cases" else _turns
    _agree(adk_python, kind, [json.dumps(make(chance)).encode() for _ in range(COUNT)])


def test_lists_that_we_write_are_what_google_adk_makes_of_them(adk_python: str) -> None:
    chance = random.Random("rewritten" + SEED)
    lists = [json.dumps(_cases(chance)).encode() for _ in range(COUNT)]
    before = answers(adk_python, _READ, [["cases", body.decode()] for body in lists])
    after = answers(adk_python, _READ, [["cases", _written(body, LEGACY_CASES).decode()] for body in lists])
    again = [_written(_written(body, EVAL_SET), LEGACY_CASES) for body in lists]
    assert after == before
    assert answers(adk_python, _READ, [["cases", body.decode()] for body in again]) == before


@pytest.mark.parametrize("target", [EVAL_SET, ADK_RS], ids=lambda each: str(each.option))
def test_sets_made_of_all_files_of_the_corpus_are_accepted(
    adk_python: str, shared_folder: Path, target: FormatType
) -> None:
    written = {}
    for path in sorted((shared_folder / "corpus").glob("*.json")):
        root = Document(path.read_bytes()).root
        source = format_of_source(root, path.name) if root is not None else None
        if source is not None and source is not EVAL_SET:
            written[path.name] = _written(path.read_bytes(), target)
    found = dict(zip(written, objections(adk_python, "set", list(written.values())), strict=True))
    assert len(found) >= 46
    assert {name: said for name, said in found.items() if said} == {}


@pytest.mark.parametrize(("target", "is_camel"), [(EVAL_SET, False), (EVAL_SET, True), (ADK_RS, False)])
def test_sets_that_google_adk_accepts_are_accepted_when_they_are_written_again(
    adk_python: str, shared_folder: Path, target: FormatType, is_camel: bool
) -> None:
    bodies = [path.read_bytes() for path in sorted((shared_folder / "corpus").glob("*adk_evalset*.json"))]
    accepted = [body for body, said in zip(bodies, objections(adk_python, "set", bodies), strict=True) if not said]
    assert len(accepted) > 50
    written = [_written(body, target, is_camel=is_camel) for body in accepted]
    assert set(objections(adk_python, "set", written)) == {""}


# --- lists at random -----------------------------------------------------------------------------------------------


def _cases(chance: random.Random) -> list[dict[str, Any]]:
    return [_case(chance, number) for number in range(chance.randrange(1, 4))]


def _case(chance: random.Random, number: int) -> dict[str, Any]:
    made: dict[str, Any] = {"name": f"case_{number}{_text(chance)}", "data": _turns(chance)}
    if chance.random() < 0.7:
        session = {"app_name": "trip", "user_id": _text(chance), "state": _object(chance), "session_id": "s"}
        made["initial_session"] = {name: each for name, each in session.items() if chance.random() < 0.7}
    if chance.random() < 0.2:
        made["initial_state"] = _object(chance)
    return made


def _turns(chance: random.Random) -> list[dict[str, Any]]:
    return [_turn(chance) for _ in range(chance.randrange(1, 4))]


def _turn(chance: random.Random) -> dict[str, Any]:
    made: dict[str, Any] = {"query": _text(chance)}
    if chance.random() < 0.8:
        made["reference"] = _text(chance)
    if chance.random() < 0.8:
        made["expected_tool_use"] = [
            {"tool_name": _text(chance), "tool_input": _object(chance), "mock_tool_output": _text(chance)}
            for _ in range(chance.randrange(3))
        ]
    if chance.random() < 0.5:
        made["expected_intermediate_agent_responses"] = [
            {"author": _text(chance), "text": _text(chance)} for _ in range(chance.randrange(3))
        ]
    return made


def _object(chance: random.Random) -> dict[str, Any]:
    values: list[Any] = [1, 2.5, None, True, "x", [1, {"a": []}], {"b": {"c": "d"}}, {}]
    return {_text(chance): chance.choice(values) for _ in range(chance.randrange(4))}


def _text(chance: random.Random) -> str:
    return "".join(chance.choice('ab é\n"{}_/~東\t') for _ in range(chance.randrange(6)))
