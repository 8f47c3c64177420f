"""New text takes after its neighbours; what goes leaves no trace; what moves keeps its spelling."""

import json

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Insert, Remove, Set
from tests.document.helpers import edited

CASE = b'{"id":"new","tags":["t"]}'

SPREAD = b"""{
  "cases": [
    {
      "id": "one",
      "tags": [
        "t"
      ]
    }%s
  ]
}
"""
MIXED = b"""{"cases": [{
    "id": "one",
    "tags": ["t"]
}%s]}"""
INLINE_ITEMS = b"""{
\t"cases": [
\t\t{ "id": "one", "tags": [ "t" ] }%s
\t]
}"""
CRLF = SPREAD.replace(b"\n", b"\r\n")
CRLF_MIXED = MIXED.replace(b"\n", b"\r\n").replace(b"    ", b"\t")
TIGHT = b'{"cases":[{"id":"one","tags":["t"]}%s]}'
PYTHON = b'{"cases": [{"id": "one", "tags": ["t"]}%s]}'
COMMA_FIRST = b"""{ "cases":
  [ { "id": "one", "tags": ["t"] }
  , { "id": "two", "tags": ["t"] }%s
  ]
}"""
UNEVEN = b"""{
  "cases": [
    {
        "id": "one",
        "tags": ["t"]}%s
  ]
}"""

NEW_CASE = [
    pytest.param(SPREAD, b""",
    {
      "id": "new",
      "tags": [
        "t"
      ]
    }""", id="spread"),
    pytest.param(MIXED, b""", {
    "id": "new",
    "tags": ["t"]
}""", id="mixed"),
    pytest.param(INLINE_ITEMS, b',\n\t\t{ "id": "new", "tags": [ "t" ] }', id="inline items, tabs"),
    pytest.param(CRLF, b""",
    {
      "id": "new",
      "tags": [
        "t"
      ]
    }""".replace(b"\n", b"\r\n"), id="crlf"),
    pytest.param(CRLF_MIXED, b', {\r\n\t"id": "new",\r\n\t"tags": ["t"]\r\n}', id="crlf mixed"),
    pytest.param(TIGHT, b',{"id":"new","tags":["t"]}', id="tight"),
    pytest.param(PYTHON, b', {"id": "new", "tags": ["t"]}', id="one line"),
    pytest.param(COMMA_FIRST, b'\n  , { "id": "new", "tags": ["t"] }', id="comma first"),
    pytest.param(UNEVEN, b""",
    {
        "id": "new",
        "tags": ["t"]}""", id="uneven indentation"),
]  # fmt: skip


@pytest.mark.parametrize(("layout", "added"), NEW_CASE)
def test_a_new_case_looks_like_the_one_before_it(layout: bytes, added: bytes) -> None:
    assert edited(layout % b"", Insert("/cases/-", CASE)) == layout % added


@pytest.mark.parametrize("layout", [param.values[0] for param in NEW_CASE])
@pytest.mark.parametrize("index", [0, 1])
def test_a_case_that_comes_and_goes_leaves_no_trace(layout: bytes, index: int) -> None:
    source = layout % b""
    document = Document(source)
    document.apply([Insert(f"/cases/{index}", CASE)], "add")
    assert json.loads(document.to_bytes())["cases"][index] == json.loads(CASE)
    document.apply([Remove(f"/cases/{index}")], "delete")
    assert document.to_bytes() == source


def test_what_the_last_case_lacks_looks_as_it_does_in_a_case_before() -> None:
    before = b"""{
  "cases": [
    {
      "id": "one",
      "calls": [
        { "name": "a", "args": { "x": 1 } }
      ]
    },
    {
      "id": "two"
    }"""
    added = b""",
    {
      "id": "new",
      "calls": [
        { "name": "b", "args": { "y": [2] } },
        { "name": "c", "args": {} }
      ]
    }"""
    case = b'{"id":"new","calls":[{"name":"b","args":{"y":[2]}},{"name":"c","args":{}}]}'
    end = b"\n  ]\n}\n"
    assert edited(before + end, Insert("/cases/-", case)) == before + added + end


LARGE = b"""{
  "answers": [
    {
      "id": 1,
      "value": {
        "trains": [%s]
      }
    }
  ]
}
"""
NEW_ANSWER = b'{"id":2,"value":{"status":"ok","who":{"tags":["a","b"]}}}'


@pytest.mark.parametrize(
    ("small", "value"),
    [
        (b'{"id": 7}, {"id": 8}', b'{"status": "ok", "who": {"tags": ["a", "b"]}}'),
        (b'{ "id": 7 }, { "id": 8 }', b'{ "status": "ok", "who": { "tags": ["a", "b"] } }'),
        (
            b'\n          {\n            "id": 7\n          }\n        ',
            b"""{
        "status": "ok",
        "who": {
          "tags": [
            "a",
            "b"
          ]
        }
      }""",
        ),
    ],
    ids=["one line", "padded", "several lines"],
)
def test_a_small_value_beside_a_large_one_looks_like_small_values_nearby(small: bytes, value: bytes) -> None:
    before = LARGE % small
    end = b"\n  ]\n}\n"
    added = before.removesuffix(end) + b',\n    {\n      "id": 2,\n      "value": %s\n    }' % value + end
    assert edited(before, Insert("/answers/-", NEW_ANSWER)) == added
    wide = b'{"id":2,"value":{"a":"%s","b":[1]}}' % (b"x" * 100)
    assert b'"value": {\n        "a": "xxx' in edited(before, Insert("/answers/-", wide))
    assert edited(added, Set("/answers/1/value", b"{}"), Set("/answers/1/value", value)) == added
