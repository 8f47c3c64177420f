"""Files of a folder that cannot be read, or only in part, beside traces: their calls may be in them."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.evalset.expected_set import ExpectedSet
from evaltui.runs.editor_scores import EditorRun
from evaltui.runs.run_options import RunOptions
from tests.commands.conftest import Evaltui
from tests.commands.runs import case, eval_set, result, turn, write
from tests.read_sets import read_set
from tests.recordings.spans import Json, agent, assistant, export, tool, user

SET, FOLDER = "shop.evalset.json", "recs"
SENTENCE = "its unread spans may belong to traces of other files, whose tool calls count as not recorded"
NO_CALLS = "tool_trajectory_avg_score is not evaluated for price: the tool calls are not recorded"


def said_by(question: str, answer: str) -> Json:
    messages = {"gen_ai.input.messages": [user(question)], "gen_ai.output.messages": [assistant(answer)]}
    return agent({key: json.dumps(each) for key, each in messages.items()})


OUTER = said_by("Price?", "It costs 500.")
PRICE, STOCK = tool("get_price", {"item": "phone"}, within=OUTER), tool("get_stock", {"shop": "north"}, within=OUTER)
OTHER = said_by("And the red one?", "600.") | {"traceId": f"{7:032x}"}
REST = json.dumps(export([STOCK])).encode()
WITHOUT_TRACE = {key: each for key, each in STOCK.items() if key != "traceId"}
WITHIN = {name: OUTER[name] for name in ("startTimeUnixNano", "endTimeUnixNano")}
STRAY = {key: each for key, each in STOCK.items() if key != "parentSpanId"} | {"traceId": f"{9:032x}", **WITHIN}
LOST: dict[str, tuple[str, bytes]] = {
    "a file that is cut off": ("u.json", REST[:-9]),
    "a file that is cut off at its begin": ("u.jsonl", REST[:40]),
    "a line that is cut off": ("u.jsonl", json.dumps(export([OTHER])).encode() + b"\n" + REST[:-9]),
    "a packed file that is cut off": ("u.json.gz", gzip.compress(REST)[:-20]),
    "a form of packing that is not read": ("u.json.zst", b"\x28\xb5\x2f\xfd\x04\x00xxxx"),
    "another one": ("deep/u.jsonl.bz2", b"BZh91AY&SYxxxx"),
    "a span without a trace": ("u.json", json.dumps(export([WITHOUT_TRACE, OTHER])).encode()),
    "only a span without a trace": ("u.json", json.dumps(export([WITHOUT_TRACE])).encode()),
    "a foreign form of a trace": ("u.json", json.dumps([{"trace_id": "1", "calls": ["get_stock"]}]).encode()),
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    calls = [("get_price", {"item": "phone"}), ("get_stock", {"shop": "north"})]
    write(tmp_path / SET, eval_set(case("price", turn("Price?", "It costs 500.", calls)), name="shop"))
    write(tmp_path / FOLDER / "t.json", export([OUTER, PRICE]))


def put(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / FOLDER / name).parent.mkdir(exist_ok=True)
    (tmp_path / FOLDER / name).write_bytes(data)


@pytest.mark.parametrize("kind", LOST)
def test_calls_beside_lost_spans_are_not_recorded(kind: str, evaltui: Evaltui, tmp_path: Path) -> None:
    name, data = LOST[kind]
    put(tmp_path, name, data)
    before = (tmp_path / SET).read_bytes()
    for command in (("run", SET), ("review", SET, "--format", "text"), ("accept", SET, "--case", "price")):
        done = evaltui(*command, "-r", FOLDER)
        assert f"{FOLDER}/{name}: {SENTENCE}" in done.err, command
        assert "get_stock" not in done.out.decode(), command
    assert NO_CALLS in evaltui("run", SET, "-r", FOLDER, "--runs", "all").err
    assert (tmp_path / SET).read_bytes() == before


@pytest.mark.parametrize("kind", [*LOST, "a file with the rest of the trace"])
def test_record_leaves_out_calls_beside_lost_spans(kind: str, evaltui: Evaltui, tmp_path: Path) -> None:
    name, data = LOST.get(kind, ("u.json", REST))
    put(tmp_path, name, data)
    done = evaltui("record", FOLDER, "-o", "new.json")
    assert done.code == 0
    assert (f"{FOLDER}/{name}: {SENTENCE}" in done.err) == (kind in LOST)
    made = json.loads((tmp_path / "new.json").read_bytes())["eval_cases"]
    (price,) = [each for each in made if "Price" in json.dumps(each)]
    assert "intermediate_data" not in price["conversation"][0]
    assert price["conversation"][0]["final_response"]["parts"] == [{"text": "It costs 500."}]


def test_a_tool_span_that_lost_its_turn_may_belong_to_a_turn_of_its_time(evaltui: Evaltui, tmp_path: Path) -> None:
    put(tmp_path, "u.json", json.dumps(export([STRAY])).encode())
    assert NO_CALLS in evaltui("run", SET, "-r", FOLDER).err
    later = str(10**18)
    put(
        tmp_path,
        "u.json",
        json.dumps(export([STRAY | {"startTimeUnixNano": later, "endTimeUnixNano": later}])).encode(),
    )
    assert b"get_stock is expected but not called" in evaltui("run", SET, "-r", FOLDER).out


HARMLESS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "another trace": ("u.json", lambda: json.dumps(export([OTHER])).encode()),
    "a result that is cut off": ("u.evalset_result.json", lambda: json.dumps(result(name="shop")).encode()[:-5]),
    "a packed result": ("u.evalset_result.json.zst", lambda: b"\x28\xb5\x2f\xfd\x04\x00xxxx"),
    "a dataset that is cut off": ("u.json", lambda: b'{"eval_cases": [{"responses": [1,'),
    "another kind of JSON": ("u.json", lambda: b'{"responses": {"200": "OK"}}'),
    "a picture": ("u.png", lambda: b"\x89PNG\r\n\x1a\n"),
    "an archive": ("u.zip", lambda: b"PK\x03\x04"),
    "an empty file": ("u.jsonl", lambda: b""),
}


@pytest.mark.parametrize("kind", HARMLESS)
def test_files_without_spans_change_nothing(kind: str, evaltui: Evaltui, tmp_path: Path) -> None:
    name, data = HARMLESS[kind]
    put(tmp_path, name, data())
    done = evaltui("run", SET, "-r", FOLDER)
    assert b"get_stock is expected but not called" in done.out
    assert SENTENCE not in done.err


def test_lost_spans_alone_are_said_once(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / FOLDER / "t.json").unlink()
    put(tmp_path, "u.json", REST[:-9])
    done = evaltui("run", SET, "-r", FOLDER)
    assert "u.json:1" in done.err
    assert SENTENCE not in done.err


@pytest.mark.parametrize(("name", "code"), [("t.json.zst", 3), ("a.evalset_result.json.zst", 3)])
def test_a_folder_of_packed_recordings_names_them(name: str, code: int, evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / FOLDER / "t.json").unlink()
    put(tmp_path, name, b"\x28\xb5\x2f\xfd\x04\x00xxxx")
    done = evaltui("run", SET, "-r", FOLDER)
    assert f"evaltui: {FOLDER}/{name}: this is a compressed file, not a recording." in done.err
    assert done.code == code


@pytest.mark.parametrize("name", ["t.zst", "t.parquet", "t.yaml"])
def test_a_folder_without_recordings_counts_its_files(name: str, evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / FOLDER / "t.json").unlink()
    put(tmp_path, name, b"\x28\xb5\x2f\xfd\x04\x00xxxx")
    done = evaltui("run", SET, "-r", FOLDER)
    ending = Path(name).suffix
    said = f"in this folder; 1 file in it ({ending}) is not a recording"
    assert f"evaltui: {FOLDER}: there is no recording {said}" in done.err
    assert f"evaltui: {FOLDER}: there is no recording and no session {said}" in evaltui("record", FOLDER, "--list").err


def test_the_editor_scores_as_run_does(tmp_path: Path) -> None:
    put(tmp_path, "u.json", REST[:-9])
    editor_run = EditorRun(RunOptions([str(tmp_path / FOLDER)]))
    sources = [each.source for each in read_set(str(tmp_path / SET)).cases]
    subject, rest = ExpectedSet(SET, tmp_path / SET, "shop", ()), b'{"eval_set_id": "shop", "eval_cases": []}'
    results = [each for each in editor_run.steps(subject, sources, rest, anew=True) if each is not None]
    assert "the tool calls are not recorded" in str(results)
    assert [each.path.name for each in editor_run.recordings] == ["t.json"]
