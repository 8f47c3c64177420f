"""Files of any kind: told apart, unpacked, refused with a sentence."""

import gzip
import io
import json
import os
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from evaltui.document import json_stream
from evaltui.document.disk import file_content
from evaltui.files.spool import loaded
from evaltui.recordings import large_recording, recording_bytes, recording_file
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.json_documents import JsonDocuments
from evaltui.recordings.large_recording import LargeRecording, UnusualShapeError
from evaltui.recordings.recording_bytes import unpacked_pieces
from evaltui.recordings.recording_file import open_recording
from tests.recordings.files import case_result, dataset, invocation, lines, otlp, result, span, write
from tests.recordings.spans import printed


def refused(path: Path) -> str:
    with pytest.raises(RecordingError) as caught:
        open_recording(path)
    said = str(caught.value)
    assert said.startswith(str(path))
    return said.removeprefix(str(path))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_any_packing_and_encoding_is_read(tmp_path: Path, encoding: str, packed: bool) -> None:
    data = json.dumps(result(case_result("a", invocation("Grüß 😀"))), ensure_ascii=False).encode(encoding)
    (found,) = open_recording(write(tmp_path / "x.json", data, packed=packed)).conversations
    assert found.turns[0].user_text == "Grüß 😀"


def test_bytes_stand_for_a_file(tmp_path: Path) -> None:
    assert open_recording(Path("-"), data=json.dumps(result()).encode()).format == "adk_result"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (otlp(span()), "otlp"),
        ([span()], "otlp"),
        (span(), "otlp"),
        ({"batches": otlp(span())["resourceSpans"]}, "tempo"),
        ({"trace": otlp(span())}, "tempo"),
    ],
)
def test_traces_are_told_apart(tmp_path: Path, value: object, expected: str) -> None:
    recording = open_recording(write(tmp_path / "x.json", value))
    assert (recording.format, [each.turns[0].response for each in recording.conversations]) == (expected, ["Hello"])


SPANS = [printed(span(number, trace=number, text=f"Hi {number}")) for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("texts", "skipped"),
    [
        (["{}", "{}", "{}"], []),
        (["{}", "Tool was called", "{}", "{'a': 1}", "[1]", "{}", "Done."], ["4 lines between"]),
        (["INFO: started", "{}", "{}", "{}"], ["1 line between"]),
        (['{"level": "info"', "{}", "", "{}", "{}"], ["1 line between"]),
    ],
)
@pytest.mark.parametrize("indent", [4, None])
def test_spans_on_a_console_are_read_among_other_lines(
    tmp_path: Path, texts: list[str], skipped: list[str], indent: int | None
) -> None:
    spans = iter(json.dumps(each, indent=indent) for each in SPANS)
    text = "\n".join(next(spans) if each == "{}" else each for each in texts)
    recording = open_recording(write(tmp_path / "console.txt", text.encode()))
    assert recording.format == "otlp"
    assert [each.turns[0].user_text for each in recording.conversations] == ["Hi 1", "Hi 2", "Hi 3"]
    said = [each for each in recording.warnings if "between" in each]
    assert [each[: len("4 lines between")].strip() for each in said] == skipped


def test_a_console_that_ends_in_the_middle_of_a_span_keeps_the_spans_before(tmp_path: Path) -> None:
    text = "\n".join(json.dumps(each, indent=4) for each in SPANS)[:-100]
    recording = open_recording(write(tmp_path / "console.txt", text.encode()))
    assert [each.turns[0].user_text for each in recording.conversations] == ["Hi 1", "Hi 2"]
    assert "lines between the spans skipped: not JSON" in recording.warnings[0]


def test_a_console_of_broken_values_is_read_only_a_few_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    value = json_stream.JsonStream.value
    monkeypatch.setattr(json_stream.JsonStream, "value", lambda stream: (read.append(stream), value(stream))[1])
    ends = '\n{"a": [1,' * 300
    text = json.dumps(SPANS[0]) + "\n{'a': 1}" * 100 + "\n" + json.dumps(SPANS[1]) + ends
    assert len(open_recording(write(tmp_path / "console.txt", text.encode())).conversations) == 2
    assert len(read) < 150


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", ": the file is empty; record the file again"),
        (b" \n", ": the file is empty; record the file again"),
        (b'{"a": 1,\n "b": }', ":2:7: invalid JSON: a value is expected here; record the file again or leave it out"),
        (
            b'{"a": 1} {"b": 2}',
            ":1:10: invalid JSON: unexpected text after the end of the JSON; record the file again or leave it out",
        ),
        (json.dumps(result()).encode()[:-20], "invalid JSON: the JSON text ends too early"),
        (
            b'{"a":\n "\xc3\xa9\xff"}',
            ":2:4: invalid JSON: byte 0xFF is not UTF-8; record the file again or leave it out",
        ),
        (b"\x89PNG\r\n", ": this is a PNG image, not a recording. Recordings are result files"),
        (b"\xff\xfe{\x00\x01", "byte 0x01 is not UTF-16"),
        (b"[" * 100_000, ": values are nested too deeply; leave the file out"),
        # google-adk up to 1.21 wrote a text with the JSON in it.
        (json.dumps('{"a": ' + "[" * 5000).encode(), ": values are nested too deeply; leave the file out"),
        (
            b'{"a": ' + b"9" * 5000 + b"}",
            ":1:7: this number has more than 4,300 digits; record the file again or leave it out",
        ),
        (b'{"criteria": {}}', ": this is an eval config. Recordings are result files and sessions of google-adk"),
        (b'[{"query": "a", "reference": "b"}]', "a legacy list of turns"),
        (b'"text"', ": this is another kind of JSON file"),
        (b'"{}"', ": this is another kind of JSON file"),
        (b"NaN", ": this is another kind of JSON file"),
        *(
            (json.dumps(other).encode(), ": this is a trace in a form that evaltui does not read. Export it as OTLP")
            for other in (
                {"result": {"resourceSpans": []}},
                [{"traceID": "1", "spanID": "2", "operationName": "x"}],
                {"spans": [{"trace_id": "1", "span_id": "2"}]},
            )
        ),
        (b"\x1f\x8b\x08", ": the gzip data is incomplete; copy the file again"),
        (b"\x1f\x8b" + b"x" * 30, ": the gzip data is damaged; copy the file again"),
        (gzip.compress(b'{"a": 1}' * 99, mtime=0)[:-9], ": the gzip data is incomplete; copy the file again"),
    ],
)
def test_what_is_no_recording_is_refused(tmp_path: Path, data: bytes, sentence: str) -> None:
    assert sentence in refused(write(tmp_path / "x.json", data))


@pytest.mark.parametrize("text", [b"cases:\n- id: a\n", b"- id: a\n", b"a: {b: 1}\n"])
def test_yaml_is_no_bad_json(tmp_path: Path, text: bytes) -> None:
    said = ": this is YAML, not a recording. Recordings are result files"
    for name in ("x.yaml", "x", "x.json"):
        assert refused(write(tmp_path / name, text)).startswith(said)
    with pytest.raises(RecordingError, match=r"^-: this is YAML"):
        open_recording(Path("-"), data=text)


def test_lines_of_a_log_are_no_yaml(tmp_path: Path) -> None:
    assert ":1:1: invalid JSON: a value is expected here" in refused(write(tmp_path / "x", b"ERROR: no agent\nAt: 4\n"))


@pytest.mark.parametrize(
    "text",
    [
        b'data: {"id": "1"}\n\ndata: {"id": "2"}\n',
        b': ping\nid: 7\nevent: message\ndata:{"id": "1"}\n\n',
        b'Here is the JSON:\n{"a": [1]}\n',
    ],
)
def test_json_below_other_text_is_no_yaml(tmp_path: Path, text: bytes) -> None:
    for name in ("x", "x.txt", "x.json"):
        assert ": invalid JSON: " in refused(write(tmp_path / name, text))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "x.json") == ": there is no such file"
    assert refused(tmp_path).startswith(": this is a folder")
    assert "device or pipe" in refused(Path("/dev/null"))
    assert "not a valid file name" in refused(tmp_path / "a\0b")


def test_odd_values_pass(tmp_path: Path) -> None:
    odd = result(case_result("a", invocation("\ud800", "x"))) | {"eval_set_id": "twice"}
    text = json.dumps(odd)[:-1] + ', "eval_set_id": "last", "creation_timestamp": ' + "9" * 400 + "}"
    (found,) = open_recording(write(tmp_path / "x.json", text.encode())).conversations
    assert found.turns[0].user_text == "\ud800"
    assert found.recorded_at == 1791797400.5


def test_broken_lines_are_counted_and_the_others_read(tmp_path: Path) -> None:
    data = lines(otlp(span(1, 1))) + b'{"resourceSpans": [\n\n' + lines(otlp(span(2, 2)))
    recording = open_recording(write(tmp_path / "x.json", data))
    assert (recording.format, len(recording.conversations)) == ("otlp", 2)
    assert recording.warnings[0] == "line 2, column 20: invalid JSON; the line is skipped"


@pytest.mark.parametrize(
    ("value", "reason"),
    [("9" * 5000, "this number has more than 4,300 digits"), ("[" * 5000 + "]" * 5000, "values are nested too deeply")],
)
def test_a_line_over_a_limit_is_not_called_invalid(tmp_path: Path, value: str, reason: str) -> None:
    recording = open_recording(write(tmp_path / "x.jsonl", lines(otlp(span())) + b'{"x": %b}\n' % value.encode()))
    assert (len(recording.conversations), recording.warnings[0]) == (1, f"line 2: {reason}; the line is skipped")


@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_a_broken_first_line_does_not_hide_the_others(tmp_path: Path, name: str) -> None:
    data = b'{"resourceSpans": [{"\n' + lines(*(otlp(span(n, n)) for n in range(1, 40)))
    recording = open_recording(write(tmp_path / name, data, packed=True))
    assert len(recording.conversations) == 39
    assert recording.warnings[0] == "line 1, column 21: invalid JSON; the line is skipped"


def test_many_broken_lines_are_summed_up(tmp_path: Path) -> None:
    recording = open_recording(write(tmp_path / "x.jsonl", lines(otlp(span())) + b"x\n" * 50))
    assert recording.warnings[20] == "30 more lines skipped: invalid JSON"


def test_a_file_with_nothing_but_broken_lines_is_refused(tmp_path: Path) -> None:
    assert "line 1, column 1: invalid JSON" in refused(write(tmp_path / "x.jsonl", b"x\ny\n"))


def test_a_truncated_document_is_not_taken_for_lines(tmp_path: Path) -> None:
    data = json.dumps(otlp(*(span(n, n) for n in range(1, 9))), indent=1).encode()
    assert "the JSON text ends too early" in refused(write(tmp_path / "x.json", data[:-30]))


def test_progress_is_told_in_bytes_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", result(), packed=True)
    told: list[int] = []
    open_recording(path, progress=told.append)
    assert sum(told) == path.stat().st_size


class TestWithSmallWindows:
    """The same files, too large for a window of the stream."""

    @pytest.fixture(autouse=True)
    def small(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(json_stream, "WINDOW", 40)
        monkeypatch.setattr(recording_bytes, "_PIECE", 7)

    @pytest.mark.parametrize(
        "value",
        [
            otlp(*(span(n, n) for n in range(1, 20))),
            [span(n, n) for n in range(1, 20)],
            {"batches": otlp(*(span(n, n) for n in range(1, 20)))["resourceSpans"], "x": 1},
            {"trace": otlp(*(span(n, n) for n in range(1, 20)))},
            {"data": [{"traceID": str(n), "spans": []} for n in range(9)]},
        ],
    )
    def test_traces_are_read_in_parts(self, tmp_path: Path, value: object, monkeypatch: pytest.MonkeyPatch) -> None:
        path = write(tmp_path / "x.json", value)
        in_parts = open_recording(path)
        monkeypatch.undo()
        assert in_parts == open_recording(path)
        assert len(in_parts.conversations) in (0, 19)

    def test_a_part_is_not_much_longer_than_a_window(self, tmp_path: Path) -> None:
        path = write(tmp_path / "x.json", {"data": [{"traceID": "1", "spans": []}] * 9})
        assert len([*JsonDocuments(path)]) == 5

    @pytest.mark.parametrize("value", [result(), json.dumps(result()), dataset(responses=[{"response": "Yes"}])])
    def test_other_recordings_are_read_whole(
        self, tmp_path: Path, value: object, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = write(tmp_path / "x.json", value)
        in_parts = open_recording(path)
        monkeypatch.undo()
        assert in_parts == open_recording(path)

    def test_a_fault_has_its_place(self, tmp_path: Path) -> None:
        text = json.dumps(otlp(*(span(n, n) for n in range(1, 20))), indent=1)
        at = text.index('"spanId": "000000000000000a"') - 1
        before = text[:at]
        place = f":{before.count(chr(10)) + 1}:{at - before.rfind(chr(10))}"
        said = f"{place}: invalid JSON: a key in double quotes is expected"
        assert said in refused(write(tmp_path / "x.json", (before + "!" + text[at + 1 :]).encode()))

    def test_a_resource_that_follows_its_spans_is_not_lost(self, tmp_path: Path) -> None:
        (resource,) = otlp(*(span(n, n) for n in range(1, 5)))["resourceSpans"]
        name = [{"key": "agentevals.session_name", "value": {"stringValue": "one"}}]
        swapped = {"scopeSpans": resource["scopeSpans"], "resource": {"attributes": name}}
        path = write(tmp_path / "x.json", {"resourceSpans": [swapped]})
        assert [each.id for each in open_recording(path, multi_turn=True).conversations] == ["one"]


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_bytes, "LARGEST", 3_000_000)
    assert "more than 2 GB of uncompressed data" in refused(write(tmp_path / "x.json", b" " * 4_000_000, packed=True))


def test_what_is_packed_too_tightly_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_bytes, "TIGHT", 3_000_000)
    data = lines(otlp(span())) + (b'{"x": "' + b"a" * 990 + b'"}\n') * 9_000
    assert "compressed too much" in refused(write(tmp_path / "x.jsonl", data, packed=True))


def test_what_stays_strange_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_file, "_MOST_STRANGE", 10)
    path = write(tmp_path / "x.jsonl", b"{}\n" * 11 + json.dumps({"resourceSpans": []}).encode())
    assert "another kind of JSON file" in refused(path)


def test_a_text_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "LONGEST", 500_000)
    assert "longer than evaltui reads" in refused(write(tmp_path / "x.json", b'["' + b"a" * 8_000_000, packed=True))


def test_too_many_values_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MOST_VALUES", 100_000)
    assert "so many values at a time" in refused(write(tmp_path / "x.json", b"[" + b"{}," * 1_000_000))


@pytest.mark.parametrize(
    "text",
    ['{"eval_cases":[{"eval_id":"a"},', '{"eval_cases":[{"eval_id":"a"}', '{"eval_set_id":"a",', '{"eval_set_id"'],
)
def test_a_file_that_is_cut_off_says_that_it_ends_too_early(text: str) -> None:
    with pytest.raises(RecordingError, match="the JSON text ends too early"):
        open_recording(Path("r.json"), data=text.encode())


def test_a_dataset_without_cases_is_no_recording() -> None:
    with pytest.raises(RecordingError, match="no recorded conversation in this file; the file has no cases"):
        open_recording(Path("r.json"), data=b'{"candidate_name": "x", "eval_cases": []}')


def test_a_set_without_cases_beside_one_with_cases_is_reported() -> None:
    turn = '{"user_content": {"parts": [{"text": "Hi"}]}}'
    full = f'{{"eval_set_id": "s", "eval_cases": [{{"eval_id": "a", "conversation": [{turn}]}}]}}'
    recording = open_recording(Path("r.jsonl"), data=f'{full}\n{{"eval_set_id": "t", "eval_cases": []}}\n'.encode())
    assert recording.warnings.count("the file has no cases") == 1


class Overwriting:
    """Writes over a recording in place, with the same length, while it is read."""

    def __init__(self, path: Path, times: int) -> None:
        self.path, self.times, self.number = path, times, 0
        self.texts = [json.dumps(result(case_result("a", invocation("Hi", word)))) for word in ("Old", "New")]
        self.write()

    def write(self) -> None:
        """Write the other text, with a time that differs and is long ago."""
        with self.path.open("r+b" if self.path.exists() else "wb") as file:
            file.write(self.texts[self.number % 2].encode())
        self.number += 1
        os.utime(self.path, ns=(0, self.number * 1_000_000_000))

    def __call__(self, size: int) -> None:
        """A piece was read."""
        if size and self.number <= self.times:
            self.write()


@pytest.mark.parametrize(("times", "word"), [(0, "Old"), (1, "New"), (2, "Old")])
def test_a_recording_that_is_written_over_meanwhile_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, word: str
) -> None:
    monkeypatch.setattr(file_content, "_PAUSE", 0)
    path = tmp_path / "run.json"
    (found,) = open_recording(path, progress=Overwriting(path, times)).conversations
    assert found.turns[0].response == word


def test_a_recording_that_keeps_being_written_over_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_content, "_PAUSE", 0)
    path = tmp_path / "run.json"
    with pytest.raises(RecordingError, match=r"run\.json: the file changed while it was read; try again"):
        open_recording(path, progress=Overwriting(path, 99))


def test_a_large_recording_that_is_written_over_meanwhile_is_read_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.json"

    def read(times: int) -> int:
        overwriting = partial(unpacked_pieces, progress=Overwriting(path, times))
        monkeypatch.setattr(large_recording, "unpacked_pieces", overwriting)
        return len([*LargeRecording(path)])

    assert read(0) == 1
    with pytest.raises(UnusualShapeError):
        read(1)


_NAMES = ("a", "b", "a#2", "b#2", "long", "empty")


def test_several_processes_read_a_large_recording_as_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_recording, "_TOGETHER", 2)
    monkeypatch.setattr(json_stream, "WINDOW", 2000)  # the long case is split
    cases = [case_result(name, invocation(f"Hi {name}", word)) for name, word in zip("abab", "wxyz", strict=True)]
    long = case_result("long", invocation("Hi", "word " * 1000))
    path = write(tmp_path / "run.json", result(*cases, "a text", long, None, case_result("empty")))
    read = {}
    for jobs in (1, 2):
        recording = LargeRecording(path, jobs=jobs)
        items = [(conversation, facts) for conversation, facts, _ in recording]
        are_pickles = [isinstance(conversation, bytes) for conversation, _ in items]
        # Those with the id of an earlier one are named here.
        assert are_pickles == [name not in ("a#2", "b#2") and jobs > 1 for name in _NAMES]
        read[jobs] = [*map(_loaded, items)], recording.warnings, recording.eval_set_id
    assert read[1] == read[2]
    assert [conversation.id for conversation, _ in read[1][0]] == [f"session of {name}" for name in _NAMES]
    assert read[1][1][-1] == "2 of 8 case results skipped: not an object"


def _loaded(item: tuple[Any, Any]) -> list[Any]:
    return [loaded(part) if isinstance(part, bytes) else part for part in item]


@pytest.mark.parametrize(
    "text", ['{"eval_case_results": [{"a": 1}], "x": [}', '{"eval_case_results": [{"a": 1}, 2, 3}']
)
def test_several_processes_leave_what_is_no_json_to_a_reader_of_the_whole(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnusualShapeError):
        list(LargeRecording(write(tmp_path / "run.json", text.encode()), jobs=2))


def test_a_recording_whose_time_hides_a_write_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_content, "_PAUSE", 0)
    monkeypatch.setattr(recording_bytes, "is_fresh", lambda _: True)
    path = tmp_path / "run.json"
    opened, overwriting = recording_bytes.open_regular, Overwriting(path, 1)

    class ChangedFile(io.FileIO):
        def seek(self, *place: int) -> int:
            overwriting(1)
            os.utime(path, ns=(0, 1_000_000_000))
            return super().seek(*place)

    def open_regular(path: Path) -> io.RawIOBase | BinaryIO:
        return opened(path) if overwriting.number > 1 else ChangedFile(path, "rb")

    monkeypatch.setattr(recording_bytes, "open_regular", open_regular)
    (found,) = open_recording(path).conversations
    assert found.turns[0].response == "New"
