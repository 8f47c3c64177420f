"""Slips of the kind that people make in JSON, each undone exactly by the safe fixes."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator

Slip = tuple[int, int, str]
"""What of a text is replaced (from, to), and by what."""

_token = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_name = re.compile(r'"[A-Za-z_][A-Za-z_0-9]*"')
_straight = re.compile(r'"[^"\\“”‘’]*"')
_without_apostrophe = re.compile(r"\"[^\"\\'‘’`´]*\"")


def broken(text: str, chance: random.Random, count: int) -> str:
    """A JSON text with up to `count` slips in different places."""
    slips = list(_slips(text, chance))
    chance.shuffle(slips)
    taken: list[Slip] = []
    for slip in slips:
        if len(taken) < count and all(slip[1] + 1 < other[0] or other[1] + 1 < slip[0] for other in taken):
            taken.append(slip)
    for start, end, written in sorted(taken, reverse=True):
        text = text[:start] + written + text[end:]
    return text


def _slips(text: str, chance: random.Random) -> Iterator[Slip]:
    tokens = list(_token.finditer(text))
    for number, token in enumerate(tokens):
        before = tokens[number - 1] if number else None
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        for slip in (_comma, _comment, _quotes, _key, _literal, _missing_comma, _colon, _blank, _number, _tab):
            found = slip(text, before, token, after, chance)
            if found is not None:
                yield found


Token = re.Match[str]
_Slip = Callable[[str, Token | None, Token, Token | None, random.Random], Slip | None]


def _comma(text: str, before: Token | None, token: Token, after: Token | None, chance: random.Random) -> Slip | None:
    is_last = before is not None and token[0] in "]}" and before[0] not in "[{"
    if is_last and before is not None:
        return before.end(), before.end(), ","
    if token[0] == "," and after is not None and after[0][0] == '"' and _is_key(text, after):
        return token.end(), token.end(), ","
    return None


def _comment(text: str, before: Token | None, token: Token, after: Token | None, chance: random.Random) -> Slip | None:
    if text[token.end() : token.end() + 1] == "\n":
        return token.end(), token.end(), chance.choice([' // a, "b": {', " # it's", "\t/* x] */", " //"])
    if token.start() and text[token.start() - 1] == "\n":
        return token.start(), token.start(), chance.choice(["  // whole line\n", "# '\n", "/* two\n lines */\n"])
    if token[0] in "[{,:":
        return token.end(), token.end(), chance.choice(["/* here */", "/**/"])
    return None


def _quotes(text: str, before: Token | None, token: Token, after: Token | None, chance: random.Random) -> Slip | None:
    opening, closing = chance.choice(["''", "“”", "„“", "«»", "``"])
    fits = _without_apostrophe if opening in "'`" else _straight
    if token[0][0] != '"' or not fits.fullmatch(token[0]):
        return None
    return token.start(), token.end(), opening + token[0][1:-1] + closing


def _key(text: str, before: Token | None, token: Token, after: Token | None, chance: random.Random) -> Slip | None:
    is_key = _is_key(text, token) and _name.fullmatch(token[0])
    return (token.start(), token.end(), token[0][1:-1]) if is_key else None


def _is_key(text: str, token: Token) -> bool:
    return token[0][0] == '"' and text[token.end() :].lstrip()[:1] == ":"


def _literal(text: str, before: Token | None, token: Token, after: Token | None, chance: random.Random) -> Slip | None:
    other = {"true": "True", "false": "FALSE", "null": "None"}.get(token[0])
    return (token.start(), token.end(), other) if other else None


def _missing_comma(
    text: str, before: Token | None, token: Token, after: Token | None, chance: random.Random
) -> Slip | None:
    if token[0] != "," or before is None or after is None:
        return None
    if _is_key(text, after) and (before[0] in "]}" or text[token.end()].isspace()):
        return token.start(), token.end(), ""
    return (token.start(), token.end(), "") if before[0] in "]}" and after[0] in "[{" else None


def _colon(text: str, before: Token | None, token: Token, after: Token | None, chance: random.Random) -> Slip | None:
    return (token.start(), token.end(), chance.choice(["=", "=>"])) if token[0] == ":" else None


def _blank(text: str, before: Token | None, token: Token, after: Token | None, chance: random.Random) -> Slip | None:
    if token[0] in ",:{[]}" and text[token.end() : token.end() + 1] == " ":
        return token.end(), token.end() + 1, chance.choice(["\u00a0", "\u3000", "\u2003"])
    return (token.end(), token.end(), "\u200b") if token[0] in "{[" else None


def _number(text: str, before: Token | None, token: Token, after: Token | None, chance: random.Random) -> Slip | None:
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", token[0]):
        return None
    if token[0].startswith("0.") and token[0] != "0.0":
        return token.start(), token.start() + 1, ""
    return token.start(), token.start(), "+"


def _tab(text: str, before: Token | None, token: Token, after: Token | None, chance: random.Random) -> Slip | None:
    at = token[0].find("\\t")
    is_escape = at >= 0 and token[0][at - 1] != "\\"
    return (token.start() + at, token.start() + at + 2, "\t") if is_escape else None


def same_values(one: bytes, other: bytes) -> bool:
    """Whether two texts are equal as JSON values."""
    return bool(json.loads(one) == json.loads(other))
