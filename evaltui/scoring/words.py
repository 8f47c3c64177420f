"""The words of a text as `response_match_score` compares them, their stems, and the comparison of two texts.

The rules are those of `_UnicodeAwareTokenizer` in google.adk.evaluation.final_response_match_v1 (google-adk 2.6 and
later) and of rouge_score's tokenizer, which it calls for words in ASCII.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from evaltui.scoring.results import plain

_ALONE = ((0x4E00, 0x9FFF), (0x3040, 0x309F), (0x30A0, 0x30FF), (0xAC00, 0xD7AF))
"""Han, Hiragana, Katakana and Hangul: each character is a word."""
_CLUSTERED = ((0x0E00, 0x0E7F), (0x0E80, 0x0EFF), (0x1780, 0x17FF), (0x1000, 0x109F))
"""Thai, Lao, Khmer and Burmese, which are written without spaces: each letter with its marks is a word."""

_ASCII_WORDS = re.compile("[a-z0-9]+")


def words_of(text: str) -> list[str]:
    """The words of a text in order, in lower case and not yet stemmed."""
    if text.isascii():
        return _ASCII_WORDS.findall(text.lower())
    # A translation table, because `re` has no class for marks. It is as fast as a regular expression.
    return unicodedata.normalize("NFKC", text).lower().translate(_SPACES).split()


def unspaced_word(char: str) -> Literal["", "alone", "clustered"]:
    """How a character of a script without spaces is a word: `alone`, or with its marks; "" in other scripts."""
    if any(first <= ord(char) <= last for first, last in _ALONE):
        return "alone"
    return "clustered" if any(first <= ord(char) <= last for first, last in _CLUSTERED) else ""


class _SpaceTable(dict[int, str]):
    """Translation table: a character becomes itself, itself between spaces, or a space. Filled on first use."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        is_mark = unicodedata.category(char).startswith("M")
        if kind := unspaced_word(char):
            spaced = f" {char} " if kind == "alone" else char if is_mark else f" {char}"
        else:
            spaced = char if is_mark or char.isalnum() else " "
        self[code] = spaced
        return spaced


_SPACES = _SpaceTable()


# --- stems -----------------------------------------------------------------------------------------------------------

# These are the stems of `nltk.stem.porter.PorterStemmer` by default, which google-adk's ROUGE uses: M. F. Porter, "An
# algorithm for suffix stripping", Program 14.3 (1980), pp. 130–137, with the deviations of NLTK (mode NLTK_EXTENSIONS,
# nltk/stem/porter.py of NLTK 3.10, Apache-2.0): irregular forms, `-ies` and `-ied` of four letters, `-y` behind a
# consonant only, `-bli`, `-alli` before the rest of step 2, `-fulli`, `-logi`, and short stems like `us` that count as
# ending in consonant, vowel, consonant. No stemmer of Snowball has these, and importing NLTK takes over a second.

_IRREGULAR = {
    **{"sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news", "howe": "howe"},
    **{"innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing"},
    **{"cannings": "canning", "canning": "canning"},
    **{"proceed": "proceed", "exceed": "exceed", "succeed": "succeed"},
}
_STEP_2 = {
    **{"ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al"},
    **{"entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al"},
    **{"iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble"},
    **{"fulli": "ful", "logi": "log"},
}
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = dict.fromkeys(
    (
        *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate"),
        *("iti", "ous", "ive", "ize"),
    ),
    "",
)
_SUFFIX_STEPS = ((tuple(_STEP_2), _STEP_2, 1), (tuple(_STEP_3), _STEP_3, 1), (tuple(_STEP_4), _STEP_4, 2))
"""Suffixes, their replacements, and the least measure of the rest. The first suffix that fits decides."""
_VOWEL_THEN_CONSONANT = re.compile("vc")


@lru_cache(maxsize=1 << 16)
def stem_word(word: str) -> str:
    """The part of a word that is compared: its stem if it is in ASCII and longer than three letters, else all of it."""
    # Cached, because a set repeats its words: a stem takes 6 µs, and comparing two short responses 10 µs without it.
    return porter_stem(word) if len(word) > 3 and word.isascii() else word


def porter_stem(word: str) -> str:
    """The stem of a word in lower case."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    if word.endswith("ies"):  # step 1a: plurals
        word = word[:-1] if len(word) == 4 else word[:-2]
    elif word.endswith("sses"):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    word = _strip_past_or_gerund(word)
    if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c":  # step 1c
        word = f"{word[:-1]}i"
    while word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    for suffixes, replacements, least in _SUFFIX_STEPS:
        if not word.endswith(suffixes):
            continue
        suffix = next(filter(word.endswith, suffixes))
        rest = word.removesuffix(suffix)
        # The l of -logi counts as part of the rest, so that geology loses its ending, too.
        has_measure = _measure(word[:-3] if suffix == "logi" else rest) >= least
        if has_measure and (suffix != "ion" or rest[-1] in "st"):
            word = rest + replacements[suffix]
    if word.endswith("e"):  # step 5a
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_cvc(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word  # step 5b


def _strip_past_or_gerund(word: str) -> str:
    """Step 1b. Some words get an ending back: conflat → conflate, hopp → hop, fil → file."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    rest = word.removesuffix("ed" if word.endswith("ed") else "ing")
    shape = _shape(rest)
    if rest == word or "v" not in shape:
        return word
    if rest.endswith(("at", "bl", "iz")):
        return f"{rest}e"
    if len(rest) >= 2 and rest[-1] == rest[-2] and shape[-1] == "c":
        return rest if rest[-1] in "lsz" else rest[:-1]
    return f"{rest}e" if _measure(rest) == 1 and _ends_cvc(rest) else rest


def _shape(word: str) -> str:
    """c for each consonant and v for each vowel; y is a vowel behind a consonant."""
    kind, kinds = "", []
    for letter in word:
        kind = "v" if letter in "aeiou" or (letter == "y" and kind == "c") else "c"
        kinds.append(kind)
    return "".join(kinds)


def _measure(word: str) -> int:
    """How often a vowel is followed by a consonant: Porter's m."""
    return len(_VOWEL_THEN_CONSONANT.findall(_shape(word)))


def _ends_cvc(word: str) -> bool:
    """Porter's *o: consonant, vowel, consonant other than w, x, y at the end; for NLTK also a word like `us`."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")


# --- two texts -------------------------------------------------------------------------------------------------------


TextRun = tuple[str, bool]
"""A part of one text: a word in lower case before stemming, or a run of several words as they are written.

The second value is whether the other text has the same.
"""


class WordsCompared(NamedTuple):
    """The words of the expected and the actual response, each in the order of its text, and what is wrong with them."""

    expected: tuple[TextRun, ...]
    actual: tuple[TextRun, ...]
    score: float
    precision: float
    recall: float
    note: str | None = None
    """A sentence without its full stop, if the difference of the texts is hard to see."""
    distance: float = 0.0
    """The score minus the threshold: negative if the turn fails."""
    sentences: tuple[str, ...] = ()
    """The faults, each without a capital and full stop; empty if there are none."""

    @property
    def shared(self) -> list[str]:
        """The words that both texts have, as often as both have them."""
        return [word for word, is_shared in self.expected if is_shared]

    @property
    def missing(self) -> list[str]:
        """The words that the expected text has and the actual text lacks, as often as it lacks them."""
        return [word for word, is_shared in self.expected if not is_shared]

    @property
    def added(self) -> list[str]:
        """The words that the actual text has beyond the expected text, as often as it has them more."""
        return [word for word, is_shared in self.actual if not is_shared]

    def to_json(self) -> dict[str, Any]:
        """The comparison for JSON reports."""
        numbers = {"precision": self.precision, "recall": self.recall}
        words = {"shared": self.shared, "missing": self.missing, "added": self.added}
        note = {"note": self.note} if self.note else {}
        return {**numbers, **words, **note, "distance": plain(self.distance), "sentences": list(self.sentences)}


def compare_words(expected: str, actual: str) -> WordsCompared:
    """The words of two texts as `response_match_score` compares them."""
    ours, theirs = words_of(expected), words_of(actual)
    stems, other_stems = [*map(stem_word, ours)], [*map(stem_word, theirs)]
    marked = _mark_shared(ours, stems, Counter(other_stems))
    other_marked = _mark_shared(theirs, other_stems, Counter(stems))
    count = sum(is_shared for _, is_shared in marked)
    precision, recall, score = overlap(count, len(ours), len(theirs))
    compared, note = WordsCompared(marked, other_marked, score, precision, recall), None
    if expected == actual or not (ours and theirs):
        return compared
    missing, added = compared.missing, compared.added
    if missing or added:
        note = next((note for note, normalize in _SAME_BUT_FOR.items() if normalize(missing) == normalize(added)), None)
    elif marked == other_marked:
        note = "the texts differ only in case, punctuation or spaces, which the metric ignores"
    elif sorted(marked) == sorted(other_marked):
        note = "the texts have the same words in another order; the metric ignores the order"
    else:
        note = "the texts differ only in word endings, which the metric ignores"
    return compared._replace(note=note)


def overlap(shared: int, expected: int, actual: int) -> tuple[float, float, float]:
    """The precision, recall and F-measure of two texts, given the numbers of their words and of shared words.

    Precision is the share of the actual words that are expected, recall the share of the expected words that the actual
    text has, and the F-measure their harmonic mean. All are 0.0 if a text has no words.
    """
    precision, recall = shared / max(actual, 1), shared / max(expected, 1)
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total > 0 else 0.0


def _mark_shared(words: Sequence[str], stems: Sequence[str], other_counts: Counter[str]) -> tuple[TextRun, ...]:
    """Mark each word as shared or not. If the other text has it fewer times, the first occurrences are shared."""
    marked = []
    for word, stem in zip(words, stems, strict=True):
        is_shared = other_counts[stem] > 0
        other_counts[stem] -= is_shared
        marked.append((word, is_shared))
    return tuple(marked)


_NAMES_TO_19 = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_NAMES_OF_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {
    **{name: number for number, name in enumerate(_NAMES_TO_19)},
    **{name: 10 * number for number, name in enumerate(_NAMES_OF_TENS, 2)},
}


def numbers_in_digits(words: list[str]) -> list[str]:
    """The words with numbers from zero to ninety-nine in digits (twenty one → 21) and groups of digits joined."""
    written: list[list[str]] = []
    """Each word as a list of its groups of digits."""
    for index, word in enumerate(words):
        previous = words[index - 1] if index else ""
        if previous in _NAMES_OF_TENS and 0 < _NUMBERS.get(word, 0) < 10:
            written[-1] = [str(_NUMBERS[previous] + _NUMBERS[word])]
        elif len(word) == 3 and word.isdigit() and previous.isdigit() and len(previous) <= 3:
            written[-1].append(word)
        else:
            written.append([str(_NUMBERS.get(word, word))])
    return ["".join(groups) for groups in written]


_SAME_BUT_FOR: dict[str, Callable[[list[str]], object]] = {
    "the texts differ only in how numbers are written": numbers_in_digits,
    "the texts differ only in punctuation or spaces inside words; the metric treats these as different words": (
        lambda words: [char for word in words for char in word if char.isalnum()]
    ),
    "the texts differ only in accents; the metric treats these as different words": (
        lambda words: [
            char
            for char in unicodedata.normalize("NFD", " ".join(words))
            if not unicodedata.category(char).startswith("M")
        ]
    ),
    "the texts differ only in numbers": lambda words: [word for word in words if not word.isdigit()],
}
"""Notes, each with a function that makes missing and added words equal if the note is true."""
