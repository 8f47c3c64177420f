"""Forms of datasets: what they show, and what each of their fields writes."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import DATASET
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Link, Offer, Stop
from evaltui.tui.outlines.case_outline import CaseOutline
from evaltui.tui.outlines.json_outline import JsonOutline
from evaltui.tui.panes.form_layout import ValueLines
from tests.evalset.travel import CAMEL_TRAVEL, LUNCH, REFUND, TRAVEL, dataset_of, in_camel_case
from tests.sampling import sampled
from tests.tui.datasets.test_odd_datasets import broken_datasets
from tests.tui.scenario import WIDE, scenario

BROKEN = sampled(broken_datasets(3), 1)
FILES = {"snake": TRAVEL, "camel": CAMEL_TRAVEL, **{f"broken {n}": text for n, text in enumerate(BROKEN)}}


def forms_of(document: Document) -> Iterator[tuple[Node, Form]]:
    """The form of each row, and of each value that has none."""
    assert document.root is not None
    dataset = CaseFile(document.root, DATASET)
    outline = CaseOutline(dataset)
    pending = [document.root]
    while pending:
        node = pending.pop()
        pending += node.items
        if dataset.kind(node) != "value":
            yield node, outline.form(node)
        elif node.is_container:
            inner = JsonOutline(node, "value", dataset)
            yield node, inner.form(node)
            inner.addition(node, True)


def acts_of(item: Stop) -> list[Callable[[], Revision]]:
    """What a line of a form can do: another text, deletion, moves, and all that is offered."""
    acts = [item.delete, item.delete_response]
    if item.move is not None:
        acts += [partial(item.move, -1), partial(item.move, 1)]
    if item.retype is not None:
        acts += [partial(item.retype, kind, item.node) for kind in item.types]
    if isinstance(item, Field):
        acts.append(partial(item.write, "Zebra"))
    if isinstance(item, Field | Offer):
        acts += [choice.revise for choice in item.choices]
        acts += [partial(choice.write, "zebra") for choice in item.choices if choice.write is not None]
    return [act for act in acts if act is not None]


@pytest.mark.parametrize("name", sampled(FILES, 1))
def test_each_line_of_each_form_does_what_undo_takes_back(name: str) -> None:
    source = FILES[name].encode()
    document = Document(source)
    count = 0
    for node, form in list(forms_of(document)):
        stops = [item for item in form.items if isinstance(item, Stop)]
        assert len({item.key for item in stops}) == len(stops), (
            f"two lines of {form.title} have one key: {node.pointer()}"
        )
        for act in [act for stop in stops for act in acts_of(stop)]:
            try:
                revision = act()
            except DocumentError as error:
                assert str(error)
                continue
            document.apply(revision.edits, revision.label)
            json.loads(document.to_bytes())
            if revision.edits:
                document.undo()
            assert document.to_bytes() == source, revision.label
            count += 1
    assert count > 50


def texts_of(form: Form) -> list[str]:
    """The lines of a form without their looks."""
    found = []
    for item in form.items:
        if isinstance(item, Field):
            found.append(f"{item.label} {item.text}".strip())
        elif isinstance(item, Link | Offer):
            found.append("".join(text for text, _ in item.line))
        elif not isinstance(item, Stop):
            found.append(item[0] if isinstance(item[0], str) else "".join(text for text, _ in item[0]))
    return found


@pytest.mark.parametrize("source", [TRAVEL, CAMEL_TRAVEL], ids=["snake", "camel"])
def test_the_form_of_a_case_shows_all_that_it_has(source: str) -> None:
    document = Document(source.encode())
    assert document.root is not None
    outline = CaseOutline(CaseFile(document.root, DATASET))
    booking, museums, refund, lunch = (texts_of(outline.form(case)) for case in outline.children(outline.root))
    assert [line for line in booking if line in ("Turns", "Reference", "Rubrics of tone", "Agents", "More")] == [
        *("Turns", "Reference", "Rubrics of tone", "Agents", "More")
    ]
    assert "1 A flight to Oslo  4 events" in booking
    assert "polite  It is polite." in booking
    assert "planner  LlmAgent  Plan trips." in booking
    assert "budget 400" in booking
    assert museums[1:3] == ["User scenario", "starting_prompt What can we see?"]
    assert "I want my money back" in refund
    assert refund[-6:-3] == ["Recorded responses", "1 I refund it.", "2 No. · image/png 6 B"]
    assert "desk  find_order  id=7" in refund
    assert "Be kind." in refund
    assert lunch[:5] == ["eval_case_id lunch_1", "Prompt", "Where is lunch?", "Reference", "In the hall."]


TEXT = {"text": "In the hall."}
FILE = {"file_data": {"file_uri": "gs://a/b.png"}}


@pytest.mark.parametrize(
    ("reference", "left"),
    [
        (None, None),
        ({}, None),
        ({"response": None}, None),
        ({"response": "In the hall."}, None),
        ({"response": {"role": "model", "parts": []}}, None),
        ({"response": {"role": "model", "parts": [TEXT]}}, None),
        ({"response": {"role": "model", "parts": [FILE]}}, None),
        ({"response": {"parts": [TEXT, TEXT]}}, {"response": {"parts": [TEXT]}}),
        ({"response": {"parts": [TEXT]}, "note": "own"}, {"note": "own"}),
    ],
)
def test_deleting_the_reference_deletes_its_key(reference: Any, left: Any) -> None:
    document = Document(dataset_of(LUNCH | {"reference": reference}).encode())
    assert document.root is not None
    outline = CaseOutline(CaseFile(document.root, DATASET))
    (case,) = outline.children(outline.root)
    items = outline.form(case).items
    wanted = items.index(Heading("Reference", "2 parts" if left == {"response": {"parts": [TEXT]}} else "")) + 1
    there = case.member("reference")
    assert there is not None
    assert ValueLines(items, case).line_of(there, "") == (wanted, True)
    first = items[wanted]
    assert isinstance(first, Stop)
    assert first.delete is not None
    document.apply(first.delete().edits, "delete")
    assert json.loads(document.to_bytes())["eval_cases"][0].get("reference") == left


@pytest.mark.thorough
async def test_texts_of_a_case_are_edited_and_nothing_else_changes() -> None:
    async with scenario(TRAVEL) as s:
        await s.enter("lunch_1")
        await s.edit("Where is lunch?", "Where is tea?")
        await s.edit("In the hall.", "Outside.")
        assert await s.saved() == s.original.replace(b"Where is lunch?", b"Where is tea?").replace(
            b"In the hall.", b"Outside."
        )


@pytest.mark.thorough
async def test_a_bare_prompt_stays_a_bare_text() -> None:
    async with scenario(TRAVEL) as s:
        await s.enter("refund")
        await s.edit("I want my money back", "Money, please")
        assert await s.saved() == s.original.replace(b"I want my money back", b"Money, please")


@pytest.mark.thorough
async def test_a_part_added_to_a_bare_prompt_keeps_its_words() -> None:
    async with scenario(TRAVEL) as s:
        await s.enter("refund", "enter: add")
        await s.type("text to the prompt")
        await s.press("enter", "escape")
        prompt = json.loads(s.bytes())["eval_cases"][2]["prompt"]
        assert [part["text"] for part in prompt["parts"]] == ["I want my money back", ""]


@pytest.mark.thorough
async def test_a_recorded_answer_becomes_the_reference() -> None:
    async with scenario(TRAVEL, WIDE) as s:
        await s.enter("refund", "enter: add")
        await s.type("reference from response 2")
        await s.press("enter")
        case = json.loads(s.bytes())["eval_cases"][2]
        assert case["reference"] == case["responses"][1]
        assert "response 2" in s.status


@pytest.mark.thorough
async def test_the_arguments_of_a_call_are_edited_in_the_form_of_its_event() -> None:
    async with scenario(TRAVEL, WIDE) as s:
        await s.to("A flight to Oslo")
        await s.press("right")
        await s.enter('planner  search_flights  to="OSL"')
        s.expect("Function call")
        await s.edit("to  ", "BGO")
        assert await s.saved() == s.original.replace(b'"to": "OSL"', b'"to": "BGO"')


@pytest.mark.thorough
async def test_a_call_and_its_response_name_each_other() -> None:
    call, response = "planner  search_flights  to=", "← search_flights"
    for text, headings in (
        (TRAVEL, {call: "Function call ⇄ tool response", response: "Function response ⇄ tool call"}),
        (TRAVEL.replace('"function_response"', '"other"'), {call: "Function call no tool response"}),
        (TRAVEL.replace('"function_call"', '"other"'), {response: "Function response no tool call"}),
    ):
        async with scenario(text, WIDE) as s:
            await s.to("A flight to Oslo")
            await s.press("right")
            for line, heading in headings.items():
                await s.press("1")
                await s.enter(line)
                assert any(heading in " ".join(row.split()) for row in s.screen()), heading


@pytest.mark.thorough
async def test_another_id_of_a_call_is_that_of_its_response_too() -> None:
    async with scenario(TRAVEL, WIDE) as s:
        await s.to("A flight to Oslo")
        await s.press("right")
        await s.enter("planner  search_flights")
        await s.edit("id  ", "c9")
        assert await s.saved() == s.original.replace(b'"id": "c1"', b'"id": "c9"')
        await s.edit("name  ", "find_flights")
        assert await s.saved() == s.original.replace(b'"id": "c1"', b'"id": "c9"').replace(
            b'"search_flights"', b'"find_flights"'
        )


@pytest.mark.thorough
async def test_a_rubric_and_an_agent_are_edited_in_views_of_their_own() -> None:
    async with scenario(TRAVEL, WIDE) as s:
        await s.enter("book_flight", "polite")
        await s.edit("It is polite.", "It is kind.")
        await s.press("escape", "escape", "escape")
        await s.enter("book_flight", "planner  LlmAgent")
        await s.edit("Plan trips.", "Plan days.")
        assert await s.saved() == s.original.replace(b"It is polite.", b"It is kind.").replace(
            b"Plan trips.", b"Plan days."
        )


STATE_FIRST = {
    "eval_case_id": "follow_up",
    "agent_data": {
        "turns": [
            {
                "turn_index": 0,
                "events": [
                    {"author": "user", "state_delta": {"seat": "aisle"}},
                    {"author": "user", "content": {"role": "user", "parts": [{"text": "To Oslo"}]}},
                ],
            }
        ]
    },
}


@pytest.mark.thorough
async def test_a_turn_that_begins_with_its_state_shows_and_edits_the_message() -> None:
    async with scenario(dataset_of(STATE_FIRST), WIDE) as s:
        await s.enter("follow_up", "To Oslo")
        assert not s.shows("no text")
        await s.edit("To Oslo", "To Bergen")
        assert await s.saved() == s.original.replace(b"To Oslo", b"To Bergen")


async def test_a_turn_behind_one_that_begins_with_its_state_is_typed_as_a_message() -> None:
    async with scenario(dataset_of(STATE_FIRST)) as s:
        await s.to("To Oslo")
        await s.press("a")
        await s.type("And back")
        await s.press("escape")
        event = json.loads(s.bytes())["eval_cases"][0]["agent_data"]["turns"][1]["events"][0]
        assert event == {"author": "user", "content": {"role": "user", "parts": [{"text": "And back"}]}}
        assert [*event["content"]] == ["role", "parts"]


async def test_authors_stand_in_one_column() -> None:
    events = [
        {"author": author, "content": {"parts": [{"text": "Hello"}]}} for author in ("user", "user", "seat_agent")
    ]
    case = {"eval_case_id": "a", "agent_data": {"turns": [{"events": events}]}}
    async with scenario(dataset_of(case), WIDE) as s:
        await s.press("home", "down", "right", "right", "enter")
        shown = [line.partition("│")[2] for line in s.screen()]
        columns = [line.index("Hello") for line in shown if line.strip().startswith(("user ", "seat_agent "))]
        assert len(columns) == 3
        assert len({*columns}) == 1


@pytest.mark.parametrize(("events", "is_offered"), [(None, True), ([], False), ("absent", True)])
def test_a_case_that_states_no_calls_can_state_that_none_is_made(events: object, is_offered: bool) -> None:
    case = {"evalCaseId": "a", "prompt": "Hi", **({} if events == "absent" else {"intermediateEvents": events})}
    document = Document(json.dumps({"evalCases": [case]}).encode())
    ((_, form),) = [found for found in forms_of(document) if found[0].parent and found[0].parent.name == "evalCases"]
    offered = [choice for item in form.items if isinstance(item, Offer) for choice in item.choices]
    found = [choice for choice in offered if choice.label == "no tool calls"]
    assert [choice.label for choice in offered[:2]].count("no tool calls") == len(found) == is_offered
    for choice in found:
        assert choice.revise is not None
        document.apply(choice.revise().edits, "add")
        assert json.loads(document.to_bytes())["evalCases"][0]["intermediateEvents"] == []


def form_and_choices(case: Any) -> tuple[list[str], dict[str, Choice], Document]:
    """The headings of the form of a case, what its last line offers, and its document."""
    document = Document(dataset_of(case).encode())
    assert document.root is not None
    outline = CaseOutline(CaseFile(document.root, DATASET))
    items = outline.form(outline.children(outline.root)[0]).items
    offered = {choice.label: choice for item in items if isinstance(item, Offer) for choice in item.choices}
    return [item.text for item in items if isinstance(item, Heading)], offered, document


@pytest.mark.parametrize(
    ("members", "heading"),
    [
        ({}, "Expected tool calls"),
        ({"intermediate_events": []}, "Expected tool calls"),
        ({"responses": REFUND["responses"]}, "Expected tool calls, also recorded"),
        ({"user_scenario": {"starting_prompt": "Hi"}}, "Expected tool calls"),
        ({"user_scenario": {"starting_prompt": "Hi"}, "reference": None}, "Events before the response"),
    ],
)
def test_events_that_are_expected_are_named_so(members: Any, heading: str) -> None:
    headings, offered, _ = form_and_choices(LUNCH | {"intermediate_events": REFUND["intermediate_events"]} | members)
    assert heading in headings
    assert ("expected tool call" in offered) is (heading != "Events before the response")


def test_an_expected_tool_call_is_added_as_a_call() -> None:
    for case, key in ((LUNCH, "function_call"), (in_camel_case(LUNCH), "functionCall")):
        _, offered, document = form_and_choices(case)
        choice = offered["expected tool call"]
        assert choice.revise is not None
        document.apply(choice.revise().edits, "add")
        (written,) = json.loads(document.to_bytes())["eval_cases"]
        (event,) = written.get("intermediate_events") or written["intermediateEvents"]
        assert event == {"author": "agent", "content": {"role": "model", "parts": [{key: {"name": "", "args": {}}}]}}


def test_the_help_of_a_call_in_a_dataset_is_about_the_dataset() -> None:
    items = [item for _, form in forms_of(Document(TRAVEL.encode())) for item in form.items]
    names = [item for item in items if isinstance(item, Field) and item.key == ("function_call", "name")]
    assert {item.help for item in names} == {"Tool call. Calls in intermediate_events are the expected ones."}


async def test_why_of_a_case_that_states_nothing_says_what_to_write() -> None:
    prompt = {"prompt": {"role": "user", "parts": [{"text": "Hi"}]}}
    answered = {"eval_case_id": "bye", **prompt, "responses": [{"response": {"parts": [{"text": "Hello"}]}}]}
    source = json.dumps({"eval_cases": [{"eval_case_id": "hi", **prompt}, answered]})
    async with scenario(source, WIDE, name="desk.json") as s:
        await s.press("w")
        s.expect("Write the expected tool calls or a reference, or accept what is recorded.")
