"""Several runs of one case."""

from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import StoredScore
from evaltui.scoring.case_scores import mean_of_runs, result_of_runs, score_case
from evaltui.scoring.results import CaseRun, MetricScore, TurnScores, exit_code, totals_of
from tests.scoring.helpers import call, conversation, criteria, scored, turn

ASKED = criteria({"response_match_score": 0.5, "safety_v1": 0.5})
GOOD, BAD = turn(response="a b"), turn(response="x y")


def test_means_are_over_all_turns_of_all_runs() -> None:
    runs = [scored([GOOD, GOOD], [GOOD, GOOD], ASKED), scored([GOOD], [BAD], ASKED)]
    result = result_of_runs("a", 3, runs, ASKED)
    response, safety = result.metrics[:2]
    assert (response.score, response.status) == (2 / 3, "passed")
    assert (safety.status, safety.reason) == ("not_evaluated", "it needs Vertex AI, which evaltui never calls")
    assert (result.status, result.passed_runs, result.run, result.number) == ("passed", 1, runs[1], 3)


def test_flaky_runs_that_fail_together_say_how_many_pass() -> None:
    runs = [scored(GOOD, each, ASKED) for each in (GOOD, BAD, BAD)]
    result = result_of_runs("a", 0, runs, ASKED)
    assert (result.status, result.passed_runs) == ("failed", 1)


def test_a_run_that_failed_without_scores_fails_the_case() -> None:
    failed = score_case([GOOD], conversation(failure="the agent failed"), "eval_id", ASKED)
    unequal = scored([GOOD], [GOOD, GOOD], ASKED)
    for odd, why in ((failed, "the agent failed"), (unequal, "2 turns recorded, 1 expected")):
        result = result_of_runs("a", 0, [odd, scored(GOOD, GOOD, ASKED)], ASKED)
        assert result.status == "failed"
        assert result.metrics[0].score == 1.0
        assert result.reason == f"1 of 2 runs failed and has no score: {why}"


def test_a_run_that_is_not_evaluated_does_not_hide_behind_one_that_is() -> None:
    partly = score_case([GOOD], conversation(GOOD, unread="turn 1: final_response is not an object"), "eval_id", ASKED)
    result = result_of_runs("a", 0, [partly, scored(GOOD, GOOD, ASKED)], ASKED)
    said = "1 of 2 runs is not evaluated: part of the recording cannot be read: turn 1: final_response is not an object"
    assert (result.status, result.passed_runs, result.reason) == ("passed", 1, said)
    assert (result.metrics[0].score, result.metrics[0].reason) == (1.0, said)
    assert exit_code(totals_of([result])) == 3
    assert exit_code(totals_of([result]), allow_not_evaluated=True) == 0


def test_runs_that_all_failed_have_no_scores() -> None:
    failed = score_case([GOOD], conversation(failure="the agent failed"), "eval_id", ASKED)
    result = result_of_runs("a", 0, [failed, failed], ASKED)
    assert (result.status, result.metrics) == ("failed", ())
    unequal = result_of_runs("a", 0, [scored([GOOD], [GOOD, GOOD], ASKED)], ASKED)
    assert [(metric.score, metric.status) for metric in unequal.metrics[:1]] == [(None, "failed")]


def test_a_metric_of_which_less_is_better_passes_below_its_threshold() -> None:
    def run(*scores: float) -> CaseRun:
        metrics = [MetricScore("cost", "passed" if score < 0.5 else "failed", score, 0.5) for score in scores]
        turns = tuple(TurnScores(1, Turn(""), Turn(""), (metric,)) for metric in metrics)
        return CaseRun(conversation(), "eval_id", metrics[0].status, (metrics[0],), turns)

    assert mean_of_runs([run(0.2), run(0.6)], ASKED)[0].status == "passed"
    assert mean_of_runs([run(0.2), run(1.6)], ASKED)[0].status == "failed"


def test_values_that_inform_have_means_over_what_was_counted() -> None:
    counted = turn(call("a"), call("b"))
    metrics = mean_of_runs([scored(counted, counted, ASKED), scored(GOOD, GOOD, ASKED)], ASKED)
    assert {metric.name: metric.score for metric in metrics if metric.status == "informational"} == {
        "tool_call_count_v1": 1.0,
        "inference_call_count_v1": None,
        "token_usage_v1": None,
        "invocation_duration_v1": None,
    }


def test_the_mean_is_not_rounded_on_the_way() -> None:
    tenth = MetricScore("response_match_score", "passed", 0.1, 0.1)
    turns = (TurnScores(1, Turn(""), Turn(""), (tenth,)),) * 10
    metrics = mean_of_runs([CaseRun(conversation(), "eval_id", "passed", (tenth,), turns)], ASKED)
    assert (metrics[0].score, metrics[0].status) == (0.1, "passed")


def test_one_run_is_its_own_result() -> None:
    run = scored(GOOD, BAD, ASKED)
    result = result_of_runs("a", 2, [run], ASKED, all_runs=False)
    assert (result.status, result.metrics, result.runs) == ("failed", run.metrics, None)


def test_scores_of_graders_have_means_over_the_runs_that_were_graded() -> None:
    low, high, odd = (StoredScore(*grade, 4) for grade in (("polite", 0.5), ("polite", 1.0), ("odd", None)))
    graded = [conversation(GOOD, grades=grades) for grades in ((low,), (), (high, odd))]
    runs = [score_case([GOOD], each, "eval_id", ASKED) for each in graded]
    *_, polite, without_score = mean_of_runs(runs, ASKED)
    assert (polite.name, polite.score, polite.status, polite.is_grade) == ("polite", 0.75, "informational", True)
    assert (without_score.name, without_score.reason) == ("odd", "the recording has no score")
    assert not any(metric.is_grade for metric in mean_of_runs([runs[1]], ASKED))
