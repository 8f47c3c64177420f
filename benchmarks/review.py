"""The review without its screens: two texts compared by word, and results under tried criteria."""

from collections.abc import Iterator
from random import Random
from time import perf_counter

from benchmarks.figures import Figure
from benchmarks.large_set import large_set
from evaltui.document.node import root_of_file
from evaltui.garbage_collection import without_collecting
from evaltui.recordings.recording_file import open_recording
from evaltui.review.text_difference import text_difference
from evaltui.runs.set_reader import set_of
from evaltui.scoring.criteria import criteria_of
from evaltui.scoring.trial_scores import criteria_on_trial, score_on_trial
from tests.read_sets import score_set

ROUNDS = 7
_SIZE = 100_000
_TARGET = 200.0
_TARGET_OF_CRITERIA = 300.0


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    yield from _of_texts()
    yield from _of_criteria()


def _of_texts() -> Iterator[Figure]:
    """Similar texts, and texts that are made to be slow to compare."""
    for name, (expected, actual) in _pairs().items():
        samples = []
        for _ in range(ROUNDS):
            start = perf_counter()
            text_difference(expected, actual)
            samples.append(1000 * (perf_counter() - start))
        yield Figure(f"two texts of 100 KB by word: {name}", samples, target=_TARGET)


def _of_criteria() -> Iterator[Figure]:
    """10,000 cases of two turns, compared with another set with some other arguments and responses."""
    path = large_set()
    data = path.read_bytes()
    with without_collecting():
        other = data.replace(b'"to": "O', b'"to": "X').replace(b"Book it?", b"Shall I go and book it?")
        recording = open_recording(path, multi_turn=True, data=other)
        criteria = criteria_of(None)
        run = score_set(set_of(root_of_file(data), data, path, path.name), criteria, [recording])
    tried = {
        "another match type": {"match_type": "ANY_ORDER"},
        "arguments ignored": {"ignore_args": True},
        "another threshold": {"thresholds": {"response_match_score": 0.5}},
    }
    for name, options in tried.items():
        samples = []
        for _ in range(ROUNDS):
            start = perf_counter()
            with without_collecting():  # as in the app between keys
                after = criteria_on_trial(criteria, **options)
                # No case is parsed again for these options.
                results = [score_on_trial(case, criteria, after) for case in run.cases]
            assert len(results) == len(run.cases)
            samples.append(1000 * (perf_counter() - start))
        yield Figure(f"what if, 10,000 cases × 2 turns: {name}", samples, target=_TARGET_OF_CRITERIA)


def _pairs() -> dict[str, tuple[str, str]]:
    random = Random(1)
    words = ["".join(random.choices("abcdefghijkl", k=random.randint(2, 9))) for _ in range(3000)]
    prose = " ".join(words[min(int(random.paretovariate(0.7)), 3000) - 1] for _ in range(_SIZE // 6))[:_SIZE]
    edited = " ".join(word if random.random() > 0.1 else random.choice(words) for word in prose.split(" "))
    return {"a tenth differs": (prose, edited), "a b a b, b a b a": ("a b " * (_SIZE // 4), "b a " * (_SIZE // 4))}
