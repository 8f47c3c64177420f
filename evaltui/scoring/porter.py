"""Porter's stemmer as `nltk.stem.porter.PorterStemmer` has it by default, which google-adk's ROUGE uses.

M. F. Porter, "An algorithm for suffix stripping", Program 14.3 (1980), pp. 130–137, with the deviations of NLTK
(mode NLTK_EXTENSIONS, nltk/stem/porter.py of NLTK 3.10, Apache-2.0): irregular forms, `-ies` and `-ied` of four
letters, `-y` behind a consonant only, `-bli`, `-alli` before the rest of step 2, `-fulli`, `-logi`, and short stems
like `us` that count as ending in consonant, vowel, consonant. No stemmer of Snowball has these.
"""

from __future__ import annotations

import re

_IRREGULAR = {
    **{"sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news", "howe": "howe"},
    **{"innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing"},
    **{"cannings": "canning", "canning": "canning"},
    **{"proceed": "proceed", "exceed": "exceed", "succeed": "succeed"},
}

_STEP_2 = (
    *(("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble")),
    *(("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate")),
    *(("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    *(("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful")),
)
_STEP_3 = (
    *(("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")),
)
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate"),
    *("iti", "ous", "ive", "ize"),
)
"""Suffixes in the order of the search. The first that fits decides, even if its condition is false."""

_VOWEL_THEN_CONSONANT = re.compile("vc")


def stem(word: str) -> str:
    """The stem of a word in lower case."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _without_plural(word)
    word = _without_past_or_gerund(word)
    if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c":
        word = f"{word[:-1]}i"
    word = _with_simpler_suffix(word)
    word = _replaced(word, _STEP_3)
    word = _without_suffix(word)
    return _tidied(word)


def _without_plural(word: str) -> str:
    """Step 1a."""
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past_or_gerund(word: str) -> str:
    """Step 1b."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        rest = word.removesuffix(suffix)
        if rest != word and "v" in _shape(rest):
            return _restored(rest)
    return word


def _restored(rest: str) -> str:
    """Step 1b of a word that lost its ending: conflat → conflate, hopp → hop, fil → file."""
    if rest.endswith(("at", "bl", "iz")):
        return f"{rest}e"
    shape = _shape(rest)
    if len(rest) >= 2 and rest[-1] == rest[-2] and shape[-1] == "c":
        return rest if rest[-1] in "lsz" else rest[:-1]
    return f"{rest}e" if _measure(rest) == 1 and _ends_cvc(rest) else rest


def _with_simpler_suffix(word: str) -> str:
    """Step 2."""
    while word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    if word.endswith("logi"):  # its l counts as part of the stem, so that geology loses its ending, too
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _STEP_2)


def _replaced(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    for suffix, replacement in rules:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return rest + replacement if _measure(rest) > 0 else word
    return word


def _without_suffix(word: str) -> str:
    """Step 4."""
    for suffix in _STEP_4:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            goes = _measure(rest) > 1 and (suffix != "ion" or rest[-1] in "st")
            return rest if goes else word
    return word


def _tidied(word: str) -> str:
    """Steps 5a and 5b."""
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _ends_cvc(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _shape(word: str) -> str:
    """c for each consonant and v for each vowel; y is a vowel behind a consonant."""
    shape = ""
    letters = []
    for letter in word:
        shape = "v" if letter in "aeiou" or (letter == "y" and shape == "c") else "c"
        letters.append(shape)
    return "".join(letters)


def _measure(word: str) -> int:
    """How often a vowel is followed by a consonant: Porter's m."""
    return len(_VOWEL_THEN_CONSONANT.findall(_shape(word)))


def _ends_cvc(word: str) -> bool:
    """Porter's *o: consonant, vowel, consonant other than w, x, y at the end; for NLTK also a word like `us`."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")
