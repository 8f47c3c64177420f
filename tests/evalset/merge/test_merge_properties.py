"""Whatever both sides did to a set: nothing of either is lost without a conflict that shows it."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.edits import Set, json_text
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.keys import member
from evaltui.evalset.merge.three_way import reread
from tests.evalset.merge.merged import Merge, merge
from tests.sampling import examples, sampled

Json = Any
_token = re.compile(rb"token-[mt]-[0-9]+").findall


class Side:
    """Makes random changes, each of which writes a word found nowhere else."""

    def __init__(self, name: str, chance: random.Random, with_ids: bool = True) -> None:
        self._name, self._chance, self._with_ids = name, chance, with_ids
        self._count = 0

    def word(self) -> str:
        self._count += 1
        return f"token-{self._name}-{self._count}"

    def change(self, root: Json) -> None:
        cases = root["eval_cases"]
        act = self._chance.choice(
            [self._edit, self._edit, self._edit, self._add, self._delete, self._move, self._rename]
        )
        act(cases)

    def turn(self) -> Json:
        found = {"user_content": {"parts": [{"text": self.word()}]}}
        return {"invocation_id": self.word(), **found} if self._with_ids else found

    def _edit(self, cases: list[Json]) -> None:
        if not cases:
            return
        case = self._chance.choice(cases)
        turns = case["conversation"]
        kind = self._chance.randrange(6)
        if kind == 0:
            case["note"] = self.word()
        elif kind == 1:
            turns.insert(self._chance.randint(0, len(turns)), self.turn())
        elif turns:
            turn = self._chance.choice(turns)
            if kind == 2:
                turns.remove(turn)
            elif kind == 3:
                turn["final_response"] = {"parts": [{"text": self.word()}]}
            else:
                turn["user_content"]["parts"][0]["text"] = self.word()

    def _add(self, cases: list[Json]) -> None:
        case = {"conversation": [self.turn()]}
        cases.insert(self._chance.randint(0, len(cases)), {"eval_id": self.word(), **case} if self._with_ids else case)

    def _delete(self, cases: list[Json]) -> None:
        if cases:
            cases.pop(self._chance.randrange(len(cases)))

    def _move(self, cases: list[Json]) -> None:
        if cases:
            cases.insert(self._chance.randint(0, len(cases) - 1), cases.pop(self._chance.randrange(len(cases))))

    def _rename(self, cases: list[Json]) -> None:
        if cases and self._with_ids:
            self._chance.choice(cases)["eval_id"] = self.word()


def start(count: int, ids: Callable[[int], str | None]) -> Json:
    def named(key: str, number: int) -> Json:
        return {key: name} if (name := ids(number)) is not None else {}

    def turns(number: int) -> list[Json]:
        texts = [f"words {number} {n}" for n in range(2)]
        return [{**named("invocation_id", n), "user_content": {"parts": [{"text": t}]}} for n, t in enumerate(texts)]

    cases = [{**named("eval_id", n), "conversation": turns(n)} for n in range(count)]
    return {"eval_set_id": "set", "eval_cases": cases}


def tokens(data: bytes) -> set[bytes]:
    return set(_token(data))


def merged(base: bytes, mine: bytes, theirs: bytes, choice: str | None = None) -> tuple[Merge, set[bytes]]:
    result = merge(base, mine, theirs)
    if choice is not None:
        result = merge(base, mine, theirs, {conflict.place: choice for conflict in result.conflicts})  # type: ignore[misc]
        assert not result.conflicts
    return result, tokens(result.document().to_bytes())


def seen_in_conflicts(result: Merge) -> set[bytes]:
    return {
        token
        for conflict in result.conflicts
        for version in (conflict.mine, conflict.theirs)
        for token in tokens(version or b"")
    }


UNIQUE, ABSENT, REPEATED = (lambda n: f"id{n}"), (lambda n: None), (lambda n: f"id{n // 2}")


@examples(300)
@given(st.randoms(use_true_random=False), st.integers(0, 5), st.sampled_from([UNIQUE, ABSENT, REPEATED]), st.data())
def test_what_is_lost_was_shown(chance: random.Random, count: int, ids: Any, data: st.DataObject) -> None:
    root = start(count, ids)
    base = json.dumps(root, indent=2).encode()
    sides = []
    for name in "mt":
        side, changed = Side(name, chance, ids is UNIQUE), json.loads(base)
        for _ in range(data.draw(st.integers(0, 4))):
            side.change(changed)
        sides.append(json.dumps(changed, indent=data.draw(st.sampled_from([2, 4]))).encode())
    mine, theirs = sides
    open_result, found = merged(base, mine, theirs)
    shown = seen_in_conflicts(open_result)
    assert tokens(theirs) <= found, "an undecided conflict leaves theirs"
    assert tokens(mine) <= found | shown
    _, found = merged(base, mine, theirs, "mine")
    assert tokens(mine) <= found
    assert tokens(theirs) <= found | shown
    _, found = merged(base, mine, theirs, "theirs")
    assert tokens(theirs) <= found
    if mine == base:
        assert open_result.document().to_bytes() == theirs
    if json.loads(theirs) == root:
        assert json.loads(open_result.document().to_bytes()) == json.loads(mine)


class Rearranging:
    """Renames, deletes, moves and adds to cases and turns; each of the start says a mark that is left alone."""

    def __init__(self, name: str, chance: random.Random) -> None:
        self._name, self._chance, self._count = name, chance, 0
        self.deleted: set[str] = set()

    def change(self, root: Json) -> None:
        cases = root["eval_cases"]
        if not cases:
            return
        case = self._chance.choice(cases)
        items, key = (cases, "eval_id") if self._chance.random() < 0.4 else (case["conversation"], "invocation_id")
        if items:
            act = self._chance.choice([self._rename, self._rename, self._move, self._move, self._delete, self._edit])
            act(cases, items, self._chance.randrange(len(items)), key)

    def _word(self) -> str:
        self._count += 1
        return f"{self._name}{self._count}"

    def _rename(self, cases: list[Json], items: list[Json], at: int, key: str) -> None:
        if key == "eval_id" or self._chance.random() < 0.7:
            items[at][key] = self._word()
        else:
            items[at].pop(key, None)

    def _move(self, cases: list[Json], items: list[Json], at: int, key: str) -> None:
        item = items.pop(at)
        goal = items if items is cases else self._chance.choice(cases)["conversation"]
        goal.insert(self._chance.randint(0, len(goal)), item)

    def _delete(self, cases: list[Json], items: list[Json], at: int, key: str) -> None:
        self.deleted |= set(marks(items.pop(at)))

    def _edit(self, cases: list[Json], items: list[Json], at: int, key: str) -> None:
        items[at]["note"] = self._word()


def marked(count: int) -> Json:
    """A set with unique ids where every case and every turn says a mark of its own."""

    def turn(number: int) -> Json:
        return {"invocation_id": f"i{number}", "user_content": {"parts": [{"text": f"mark-of-turn-{number}."}]}}

    cases = [
        {"eval_id": f"c{n}", "about": f"mark-of-case-{n}.", "conversation": [turn(2 * n), turn(2 * n + 1)]}
        for n in range(count)
    ]
    return {"eval_set_id": "set", "eval_cases": cases}


def marks(value: Json) -> Counter[str]:
    text = value.decode() if isinstance(value, bytes) else json.dumps(value)
    return Counter(re.findall("mark-of-[a-z]+-[0-9]+", text))


@examples(500)
@given(st.randoms(use_true_random=False), st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
def test_no_item_stands_twice_and_none_is_lost_unless_asked(
    chance: random.Random, count: int, here: int, there: int
) -> None:
    base = json.dumps(marked(count), indent=2).encode()
    sides, deleted = [], set[str]()
    for name, times in (("m", here), ("t", there)):
        side, changed = Rearranging(name, chance), json.loads(base)
        for _ in range(times):
            side.change(changed)
        deleted |= side.deleted
        sides.append(json.dumps(changed, indent=2).encode())
    result = merge(base, *sides)
    shown = set().union(*(marks(v) for c in result.conflicts for v in (c.base, c.mine, c.theirs) if v is not None))
    found = marks(result.document().to_bytes())
    for mark in set(marks(base)) - shown:
        assert found[mark] == (mark not in deleted), mark


@examples(200)
@given(st.data(), st.sampled_from([None, 2, "\t"]))
def test_disjoint_edits_of_sets_with_unique_ids_always_merge(data: st.DataObject, indent: Any) -> None:
    count = data.draw(st.integers(1, 6))
    base = start(count, UNIQUE)
    mine, theirs, wanted = (json.loads(json.dumps(base)) for _ in range(3))
    for number in range(count):
        for n in range(2):
            owner = data.draw(st.sampled_from("mt-"))
            for root in {"m": [mine, wanted], "t": [theirs, wanted], "-": []}[owner]:
                root["eval_cases"][number]["conversation"][n]["user_content"]["parts"][0]["text"] = (
                    f"{owner} {number} {n}"
                )
        owner = data.draw(st.sampled_from("mt-"))
        for root in {"m": [mine, wanted], "t": [theirs, wanted], "-": []}[owner]:
            root["eval_cases"][number]["note"] = {"by": owner}
    gone = data.draw(st.sampled_from("mt"))
    if theirs["eval_cases"][0] == mine["eval_cases"][0] == base["eval_cases"][0]:
        for root in ({"m": mine, "t": theirs}[gone], wanted):
            del root["eval_cases"][0]
    own, other = {"eval_id": "mine", "conversation": []}, {"eval_id": "theirs", "conversation": []}
    mine["eval_cases"].append(own)
    theirs["eval_cases"].append(other)
    wanted["eval_cases"] += [own, other]
    written = [json.dumps(base).encode(), json.dumps(mine).encode(), json.dumps(theirs, indent=indent).encode()]
    result = merge(*written)
    assert not result.conflicts
    assert json.loads(result.document().to_bytes()) == wanted


@pytest.mark.parametrize("seed", sampled(range(5), 1))
def test_a_hundred_changes_from_outside_while_editing_lose_nothing(seed: int, tmp_path: Any) -> None:
    chance = random.Random(seed)
    path = tmp_path / "set.json"
    original = json.dumps(start(8, UNIQUE), indent=2).encode()
    path.write_bytes(original)
    document = Document.open(path)
    side = Side("t", chance)
    mine = 0
    for _ in range(100):
        mine += _edit_here(document, chance, mine)
        disk = json.loads(path.read_bytes())
        side.change(disk)
        data = json.dumps(disk, indent=2, ensure_ascii=False).encode()
        path.write_bytes(data)
        known = tokens(document.base or b"")
        new = (tokens(document.to_bytes()) | tokens(data)) - known
        result = reread(document.base, document.to_bytes(), data, merging=document.is_dirty)
        shown = set[str]()
        if isinstance(result, list):
            shown = {t for c in result for v in (c.mine, c.theirs) for t in tokens(v or b"")}
            choices = {conflict.place: chance.choice(["mine", "theirs"]) for conflict in result}
            result = reread(document.base, document.to_bytes(), data, choices, merging=True)  # type: ignore[arg-type]
        assert isinstance(result, tuple)
        target, _, pair = result
        wanted = target.to_bytes()
        document.become(target, pair, "merge", data)
        assert document.to_bytes() == wanted
        assert new <= tokens(wanted) | shown
        if chance.random() < 0.1:
            document.save()
    while document.undo():
        pass
    assert document.to_bytes() == original
    while document.redo():
        pass
    assert document.to_bytes() == wanted or not document.is_dirty


@pytest.mark.parametrize("seed", sampled(range(30), 10))
def test_a_reload_with_the_cases_at_hand_says_what_one_says_that_reads_them(seed: int) -> None:
    chance = random.Random(seed)
    value = start(chance.randrange(6), UNIQUE)
    document, side = Document(json.dumps(value).encode()), Side("t", chance)
    for _ in range(chance.randrange(1, 4)):
        side.change(value)
    base, data = document.to_bytes(), json.dumps(value, indent=chance.choice([None, 1])).encode()
    held = member(document.root, "eval_cases")
    assert held is not None
    whole = reread(base, base, data, merging=False)
    quick = reread(base, base, data, merging=False, cases=[case.source() for case in held.items])
    assert _summary_and_pairs(quick, held) == _summary_and_pairs(whole, held)


def _summary_and_pairs(result: Any, held: Node) -> tuple[str, list[int | None]]:
    target, summary, pair = result
    return summary, pair(held, member(target.root, "eval_cases"))


def _edit_here(document: Document, chance: random.Random, number: int) -> int:
    assert document.root is not None
    places = [
        turn.at("/user_content/parts/0/text").pointer()
        for node in CaseFile(document.root, EVAL_SET).cases
        for turn in turns_of(node)
    ]
    if not places:
        return 0
    document.apply([Set(chance.choice(places), json_text(f"token-m-{number}"))], "edit")
    return 1
