"""What is known of scores between two runs: which cases are stale, how many pass, which fails next."""

from pathlib import Path

from evaltui.document.document import Change, Document
from evaltui.document.edits import Insert, Remove, Set
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, Status, TurnScores
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.run_facts import RunFacts
from evaltui.tui.open_file.score_places import count_failing, next_failing
from evaltui.tui.open_file.score_sentences import none_failed
from tests.scored_sets import EXPECTED, SET

STATUSES: tuple[Status, ...] = ("passed", "failed", "not_evaluated", "failed")


def result(eval_id: str, number: int, status: Status, turns: int) -> CaseResult:
    metric = MetricScore("response_match_score", status, 0.5, 0.8)
    conversation = Conversation(Path("actual.json"), "c1", ())
    scores = tuple(TurnScores(n, Turn("", invocation_id=f"t{n}"), Turn(""), (metric,)) for n in range(1, turns + 1))
    return CaseResult(eval_id, number, status, (metric,), CaseRun(conversation, "eval_id", status, (metric,), scores))


class Scored:
    """A document whose cases were scored once."""

    def __init__(self) -> None:
        file = EditedDocument(Document(SET.encode()))
        self.document, self.scores = file.document, file.scores
        for number, (case, status) in enumerate(zip(self.cases, STATUSES, strict=True)):
            turns = len(list(EXPECTED.values())[number])
            self.scores.put(case, result("", number, status, turns)._replace(source=case.source()))
        self.scores.finish(RunFacts("test_config.json", 1))

    @property
    def cases(self) -> list[Node]:
        assert self.document.root is not None
        return CaseFile(self.document.root, EVAL_SET).cases

    def edit(self, pointer: str, text: str) -> None:
        self.note(self.document.apply([Set(pointer, text.encode())], "edit"))

    def note(self, change: Change | None) -> None:
        assert change is not None
        self.scores.changed(change)

    def at(self, pointer: str) -> Node:
        assert self.document.root is not None
        return self.document.root.at(pointer)


def test_cases_are_counted_and_the_failing_ones_come_first() -> None:
    s = Scored()
    assert s.scores.counted() == "1 ✓ 2 ✗ 1 –"
    assert [s.cases.index(case) for case in s.scores.rows] == [1, 3, 2, 0]


def test_an_edited_case_does_not_count_until_undo_makes_it_what_it_was() -> None:
    s = Scored()
    s.edit("/eval_cases/0/eval_id", '"other"')
    assert s.scores.counted() == "2 ✗ 1 – 1 outdated"
    s.edit("/eval_cases/0/eval_id", '"another"')
    assert s.scores.counted() == "2 ✗ 1 – 1 outdated"
    s.note(s.document.undo())
    s.note(s.document.undo())
    assert s.scores.counted() == "1 ✓ 2 ✗ 1 –"


def test_what_is_edited_outside_of_cases_makes_none_stale() -> None:
    s = Scored()
    s.edit("/eval_set_id", '"other"')
    assert not s.scores.stale


def test_a_case_that_is_deleted_and_comes_back_has_its_result() -> None:
    s = Scored()
    s.note(s.document.apply([Remove("/eval_cases/1")], "delete"))
    assert s.scores.counted() == "1 ✓ 1 ✗ 1 –"
    s.note(s.document.undo())
    assert s.scores.counted() == "1 ✓ 2 ✗ 1 –"


def test_a_result_for_a_text_that_was_edited_meanwhile_is_stale() -> None:
    s = Scored()
    case, before = s.cases[0], s.cases[0].source()
    s.edit("/eval_cases/0/eval_id", '"other"')
    s.scores.put(case, result("", 0, "passed", 1)._replace(source=before))
    s.scores.finish(RunFacts("", 1))
    assert s.scores.stale == {case}
    s.scores.put(case, result("", 0, "failed", 1)._replace(source=case.source()))
    s.scores.finish(RunFacts("", 1))
    assert not s.scores.stale


def test_turns_of_an_edited_case_are_found_by_their_ids_else_by_their_number() -> None:
    s = Scored()
    s.edit("/eval_cases/1/eval_id", '"other"')
    second = s.at("/eval_cases/1/conversation/1")
    assert (found := s.scores.turn(second)) is not None
    assert found.number == 2
    s.note(s.document.apply([Remove("/eval_cases/1/conversation/0")], "delete"))
    assert (found := s.scores.turn(second)) is not None
    assert found.number == 2
    s.edit("/eval_cases/1/conversation/0/invocation_id", '"unknown"')
    assert s.scores.turn(second) is None


def test_only_cases_and_turns_have_verdicts() -> None:
    s = Scored()
    assert s.scores.verdict(s.at("/eval_cases/1")) is not None
    assert s.scores.verdict(s.at("/eval_cases/1/conversation/0")) is not None
    for pointer in ("", "/eval_cases", "/eval_cases/1/conversation", "/eval_cases/1/conversation/0/user_content"):
        assert s.scores.verdict(s.at(pointer)) is None


def test_the_next_failing_turn_goes_round_from_anywhere() -> None:
    s = Scored()
    first, second, third, fourth = [
        f"/eval_cases/{case}/conversation/{turn}" for case, turn in ((1, 0), (1, 1), (3, 0), (3, 1))
    ]
    for here, following, previous in [
        ("", first, fourth),
        ("/eval_cases/0/conversation/0", first, fourth),
        ("/eval_cases/1", first, fourth),
        (first, second, fourth),
        (f"{first}/user_content", second, fourth),
        (second, third, first),
        ("/eval_cases/2", third, second),
        (fourth, first, third),
    ]:
        for step, wanted in ((1, following), (-1, previous)):
            found = next_failing(s.scores, s.at(here), step)
            assert found is not None
            case, place, _ = found
            assert (place.pointer(), case) == (wanted, s.at(wanted[: len("/eval_cases/0")])), here
    found = next_failing(s.scores, s.at(third), 1)
    assert found is not None
    assert found[2] == "Failing turn 2 of 2 in failing case 2 of 2"
    found = next_failing(s.scores, s.at(fourth), 1)
    assert found is not None
    assert found[2] == "No more failing turns. Back at the first"
    assert count_failing(s.scores) == (4, 0)


def test_a_stale_case_neither_fails_nor_passes() -> None:
    s = Scored()
    s.edit("/eval_cases/1/eval_id", '"other"')
    s.edit("/eval_cases/0/eval_id", '"another"')
    assert not s.scores.has(s.cases[1], "failed")
    assert not s.scores.has(s.cases[0], "passed")
    found = next_failing(s.scores, s.at(""), 1)
    words = "Failing turn 1 of 2 in failing case 1 of 1"
    assert found == (s.cases[3], s.at("/eval_cases/3/conversation/0"), words)


def test_what_is_said_where_no_case_failed_names_what_is_not_known() -> None:
    s = Scored()
    for number in (1, 3):
        s.edit(f"/eval_cases/{number}/eval_id", '"other"')
    assert next_failing(s.scores, s.at(""), 1) is None
    assert none_failed(s.scores) == "No case failed; 1 case is not evaluated, 2 cases are outdated."
    s.scores.finish(RunFacts(recordings=0))
    assert none_failed(s.scores) == "No recordings. Press H to add one, f6 to run the agent."


def test_a_run_without_recordings_leaves_no_results() -> None:
    s = Scored()
    s.scores.finish(RunFacts(recordings=0))
    assert not s.scores.has_any
    assert s.scores.counted() == ""
    assert next_failing(s.scores, s.at(""), 1) is None


def test_a_run_that_could_not_be_leaves_the_last_results_outdated() -> None:
    s = Scored()
    s.scores.finish(RunFacts(trouble="no config"))
    assert s.scores.has_any
    assert s.scores.counted() == "4 outdated"
    assert not any(s.scores.has(case, "failed") for case in s.cases)
    s.scores.finish(s.scores.facts._replace(outdated="", remarks=()))
    assert s.scores.counted() == "1 ✓ 2 ✗ 1 –"


def test_counts_after_one_case_was_scored_are_those_of_a_recount() -> None:
    s = Scored()
    s.edit("/eval_cases/1/eval_id", '"other"')
    s.scores.put_one(s.cases[1], result("", 1, "passed", 2)._replace(source=s.cases[1].source()))
    s.scores.put_one(s.cases[0], result("", 0, "failed", 1)._replace(source=s.cases[0].source()))
    s.edit("/eval_cases/0/eval_id", '"another"')
    counted = s.scores.counted(), +s.scores.counts, +s.scores.changed_counts
    assert counted[2] == {"improved": 1}
    s.scores.arrange()
    assert (s.scores.counted(), +s.scores.counts, +s.scores.changed_counts) == counted


def test_rows_stay_where_they_are_while_a_case_is_edited_and_the_next_run_sorts_them() -> None:
    s = Scored()
    rows = list(s.scores.rows)
    s.scores.put_one(s.cases[1], result("", 1, "passed", 2)._replace(source=s.cases[1].source()))
    assert s.scores.rows == rows
    s.scores.finish(RunFacts("test_config.json", 1))
    assert [s.cases.index(case) for case in s.scores.rows] == [3, 2, 0, 1]


def test_a_case_without_a_result_is_counted_as_unscored() -> None:
    s = Scored()
    copied = s.cases[0].source()
    s.note(s.document.apply([Insert("/eval_cases/0", copied)], "add"))
    assert s.scores.unscored == 1
    assert s.scores.counts.total() == 4
    assert s.scores.counted() == "1 ✓ 2 ✗ 1 – 1 not scored yet"
    s.scores.counts["failed"] = 0
    assert none_failed(s.scores) == "No case failed; 1 case is not evaluated, 1 case is not scored yet."
