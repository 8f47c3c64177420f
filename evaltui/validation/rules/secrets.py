"""The rule about strings that look like a key or a token.

Each expression begins with a fixed text, which is found at memory speed. The rest is one kind of character with a
possessive quantifier, which never backtracks. So the time is linear for any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaltui.validation.pointed_values import PointedValue
from evaltui.validation.rule import Diagnostic, Rule, a_turn

_KINDS = (
    ("AIza", r"AIza(?<![\w-]AIza)[\w-]{35}+(?![\w-])", "a Google API key"),
    ("sk-", r"sk-(?<![\w-]sk-)(?=[\w-]{0,80}[0-9])(?=[\w-]{0,80}[A-Z])[\w-]{32,200}+", "an OpenAI or Anthropic key"),
    ("ghp_", r"ghp_(?<!\wghp_)[A-Za-z0-9]{36}+", "a GitHub token"),
    ("github_pat_", r"github_pat_(?<!\wgithub_pat_)\w{60,90}+", "a GitHub token"),
    ("AKIA", r"AKIA(?<!\wAKIA)[A-Z0-9]{16}+(?<!EXAMPLE)(?!\w)", "an AWS access key"),
    ("xox", r"xox(?<![\w-]xox)[abeprs]-(?=[\w-]{0,80}[0-9])[\w-]{20,200}+", "a Slack token"),
    ("eyJ", r"eyJ(?<![\w-]eyJ)[\w-]{10,}+\.eyJ[\w-]{10,}+\.[\w-]{10}", "a JSON web token"),
    ("PRIVATE KEY-----", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----", "a private key"),
)
"""For each kind of secret: a text that it always contains, its form, and its name.

The lookbehinds come after the fixed text, so that the search itself begins with that text.
"""

SECRET = Rule(
    "secret",
    "A string looks like a key or a token.",
    "Eval sets are usually committed to git, and recorded eval sets contain everything that the tools returned. "
    "google-adk sends the texts of a case to the agent's model and to judges, and stores them in "
    "`.adk/eval_history`. evaltui recognizes secrets by their form. It knows private keys, JSON web tokens, and keys "
    "of Google, OpenAI, Anthropic, GitHub, AWS and Slack.",
    a_turn(
        '{"user_content": {"parts": [{"text": "Why is this refused? -----BEGIN PRIVATE KEY-----"}]},\n'
        ' "final_response": {"parts": [{"text": "It has expired."}]}}'
    ),
    a_turn(
        '{"user_content": {"parts": [{"text": "Why is my private key refused?"}]},\n'
        ' "final_response": {"parts": [{"text": "It has expired."}]}}'
    ),
    severity="info",
)


def check_texts(root: PointedValue, source: bytes) -> Iterator[Diagnostic]:
    """Strings in `root` that look like secrets; `source` is its JSON text."""
    forms = [(sign, re.compile(form, re.ASCII), name) for sign, form, name in _KINDS if sign.encode() in source]
    if not forms:
        return
    for text in _texts(root):
        found = next((name for sign, form, name in forms if sign in text.data and form.search(text.data)), None)
        if found is not None:
            yield SECRET.at(text, f"looks like {found}")


def _texts(root: PointedValue) -> Iterator[PointedValue]:
    """All strings below a value, in order, at any depth."""
    waiting = [root]
    while waiting:
        at = waiting.pop()
        if isinstance(at.data, str):
            yield at
        else:
            waiting += reversed([*at.members(), *at.all_items()])
