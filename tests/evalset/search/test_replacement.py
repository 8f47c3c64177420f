"""Find and replace as a revision."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from evaltui.document.errors import EditError
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.search import replacement
from evaltui.evalset.search.replaceable_values import KINDS, ReplaceableValue, values_in
from evaltui.evalset.search.replacement import RegexProcess, Replacement, hits_among, replacing
from tests.evalset.helpers import revised
from tests.evalset.sets import EVENTS, LISTED


def hits(eval_set: CaseFile, wanted: Replacement) -> list[ReplaceableValue]:
    held = wanted.may_be_in([case.source() for case in eval_set.cases])
    cases = [case for case, holds in zip(eval_set.cases, held, strict=True) if holds]
    places = values_in(eval_set, cases, wanted.kinds)
    return hits_among(places, wanted.matches([at.text for at in places], [at.is_word for at in places]))


def replaced(source: str, *asked: Any, **more: Any) -> str:
    wanted = Replacement(*asked, **more)
    return revised(source, lambda eval_set: replacing(eval_set, wanted, hits(eval_set, wanted))).text


def test_only_the_bytes_found_change() -> None:
    assert replaced(LISTED, "paris", "Rome") == LISTED.replace("paris", "Rome").replace("Paris", "Rome")
    assert replaced(LISTED, "Paris", "Rome", ignores_case=False) == LISTED.replace("Paris", "Rome")


@pytest.mark.parametrize(
    ("kind", "find", "before", "after"),
    [
        ("messages", "o", "To Paris", "T0 Paris"),
        ("responses", "o", "Booked.", "B00ked."),
        ("tool names", "o", '"book"', '"b00k"'),
        ("arguments", "CDG", '"CDG"', '"0"'),
        ("ids", "inv", '"inv-1"', '"0-1"'),
    ],
)
def test_only_the_chosen_kinds_change(kind: str, find: str, before: str, after: str) -> None:
    assert replaced(LISTED, find, "0", kinds=frozenset([kind])) == LISTED.replace(before, after)
    others = frozenset(KINDS) - {kind}
    assert before in replaced(LISTED, find if find == "o" else "p", "0", kinds=others)


def test_pairs_keep_in_step_as_one_hit() -> None:
    wanted = Replacement("c1", "call-9", kinds=frozenset(["ids"]))
    made = revised(LISTED, lambda eval_set: replacing(eval_set, wanted, hits(eval_set, wanted)))
    assert made.text == LISTED.replace('"c1"', '"call-9"')
    assert made.text.count("call-9") == 2
    assert made.revision.label == "replace c1 with call-9 in 1 place"
    assert replaced(EVENTS, "move", "shift") == EVENTS.replace('"move"', '"shift"')


def test_what_is_left_out_stays_and_is_counted() -> None:
    wanted = Replacement("search", "look")

    def make(eval_set: CaseFile) -> Any:
        return replacing(eval_set, wanted, hits(eval_set, wanted)[:1], 2)

    assert revised(LISTED, make).revision.remark == "2 left out"
    with pytest.raises(EditError, match="nothing to replace"):
        revised(LISTED, lambda eval_set: replacing(eval_set, wanted, []))


def test_an_id_that_comes_to_stand_twice_is_said() -> None:
    source = json.dumps({"eval_cases": [{"eval_id": name, "conversation": []} for name in ("a1", "a2", "b")]})
    wanted = Replacement("[12]", "", is_regex=True)
    made = revised(source, lambda eval_set: replacing(eval_set, wanted, hits(eval_set, wanted)))
    assert made.revision.remark == "duplicate id: 2 cases are now called a"
    assert made.revision.label == "replace [12] with nothing in 2 places"


def test_regular_expressions_refer_to_their_groups() -> None:
    assert replaced(LISTED, r"To (\w+)", r"\1, please", is_regex=True) == LISTED.replace("To Paris", "Paris, please")
    assert replaced(LISTED, r"\d", r"\g<0>\g<0>", is_regex=True, kinds=frozenset(["tool names", "ids"])).count("11") > 2


def test_plain_text_is_not_an_expression() -> None:
    assert replaced(LISTED, "Booked.", r"\1$", kinds=frozenset(["responses"])) == LISTED.replace("Booked.", r"\\1$")
    source = json.dumps({"eval_cases": [{"eval_id": 'a/b"c\\d\u00e9', "conversation": []}]})
    for find in ("/", '"', "\\", "é", "É"):
        assert json.loads(replaced(source, find, "-"))["eval_cases"][0]["eval_id"].count("-") == 1


@pytest.mark.parametrize(
    ("find", "replace", "said"),
    [
        ("(", "", "invalid regular expression: missing ), unterminated subpattern at character 1"),
        ("(?:(?:(?:x?){999}){999}){99}", r"\1", "invalid replacement: invalid group reference 1"),
        ("a", r"\1", "invalid replacement: invalid group reference 1 at character 2"),
        ("a", r"\g<x>", "invalid replacement: unknown group name 'x'"),
        ("[", "", "invalid regular expression: unterminated character set at character 1"),
        ("a{99999999999999999999}", "", "invalid regular expression: "),
    ],
)
def test_what_is_no_expression_is_said(find: str, replace: str, said: str) -> None:
    with pytest.raises(EditError) as raised:
        Replacement(find, replace, is_regex=True).may_be_in([])
    assert str(raised.value).startswith(said)


def test_an_expression_that_is_slow_to_compile_is_given_up_in_the_other_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replacement, "SECONDS", 0.3)
    wanted, really_compile = Replacement("(?i:" + "[a-\U0010ffff]" * 1900 + ")", is_regex=True), re.compile

    def compile_others(pattern: str, flags: int = 0) -> re.Pattern[str]:
        assert pattern != wanted.find, "it is compiled here"
        return really_compile(pattern, flags)

    monkeypatch.setattr(re, "compile", compile_others)
    with pytest.raises(EditError, match="takes longer than"):
        wanted.may_be_in([])
    with pytest.raises(EditError, match="takes longer than"):
        wanted.matches(["a"], [False])


def test_a_deeply_nested_expression_is_refused() -> None:
    with pytest.raises(EditError, match="invalid regular expression: maximum recursion depth"):
        Replacement("(" * 4000 + ")" * 4000, is_regex=True).may_be_in([])


def test_a_process_that_was_ended_answers_no_more() -> None:
    process = RegexProcess()
    process.end()
    with pytest.raises(EditError, match="was cancelled"):
        Replacement("a", is_regex=True).may_be_in([], process)


def test_a_catastrophic_expression_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replacement, "SECONDS", 0.3)
    source = json.dumps({"eval_cases": [{"eval_id": "a" * 60 + "b", "conversation": []}]})
    with pytest.raises(EditError, match="takes longer than"):
        replaced(source, "(a+)+$", "", is_regex=True)
