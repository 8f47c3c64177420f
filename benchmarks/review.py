"""The review below its screens: the difference by word of two texts of 100 KB, alike and made to be slow."""

from collections.abc import Iterator
from random import Random
from time import perf_counter

from benchmarks.figures import Figure
from evaltui.review.text_difference import text_difference

ROUNDS = 7
_SIZE = 100_000
_TARGET = 200.0


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    for name, (expected, actual) in _pairs().items():
        samples = []
        for _ in range(ROUNDS):
            start = perf_counter()
            text_difference(expected, actual)
            samples.append(1000 * (perf_counter() - start))
        yield Figure(f"two texts of 100 KB by word: {name}", samples, target=_TARGET)


def _pairs() -> dict[str, tuple[str, str]]:
    random = Random(1)
    words = ["".join(random.choices("abcdefghijkl", k=random.randint(2, 9))) for _ in range(3000)]
    prose = " ".join(words[min(int(random.paretovariate(0.7)), 3000) - 1] for _ in range(_SIZE // 6))[:_SIZE]
    edited = " ".join(word if random.random() > 0.1 else random.choice(words) for word in prose.split(" "))
    return {"a tenth differs": (prose, edited), "a b a b, b a b a": ("a b " * (_SIZE // 4), "b a " * (_SIZE // 4))}
