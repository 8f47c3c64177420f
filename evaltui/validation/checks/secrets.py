"""Checks of texts for what has the form of a key or a token.

Each expression begins with a fixed text, which is searched for at the speed of memory; what comes after it is of one
kind of character and never tried twice (possessive), so that the time stays linear whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.place import Place
from evaltui.validation.rules.secrets import SECRET

_KINDS = (
    ("AIza", r"AIza(?<![\w-]AIza)[\w-]{35}+(?![\w-])", "a Google API key"),
    ("sk-", r"sk-(?<![\w-]sk-)(?=[\w-]{0,80}[0-9])(?=[\w-]{0,80}[A-Z])[\w-]{32,200}+", "a key of OpenAI or Anthropic"),
    ("ghp_", r"ghp_(?<!\wghp_)[A-Za-z0-9]{36}+", "a GitHub token"),
    ("github_pat_", r"github_pat_(?<!\wgithub_pat_)\w{60,90}+", "a GitHub token"),
    ("AKIA", r"AKIA(?<!\wAKIA)[A-Z0-9]{16}+(?<!EXAMPLE)(?!\w)", "an AWS access key"),
    ("xox", r"xox(?<![\w-]xox)[abeprs]-(?=[\w-]{0,80}[0-9])[\w-]{20,200}+", "a Slack token"),
    ("eyJ", r"eyJ(?<![\w-]eyJ)[\w-]{10,}+\.eyJ[\w-]{10,}+\.[\w-]{10}", "a JSON web token"),
    ("PRIVATE KEY-----", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----", "a private key"),
)
"""What stands in the file if there is one, its form, and what it is called."""
_FORMS = [(sign, sign.encode(), re.compile(form, re.ASCII), name) for sign, form, name in _KINDS]


def check(place: Place, source: bytes) -> Iterator[Diagnostic]:
    """Texts below `place` that look like secrets; `source` is its JSON text."""
    forms = [(sign, form, name) for sign, encoded, form, name in _FORMS if encoded in source]
    if not forms:
        return
    for text in _texts(place):
        found = next((name for sign, form, name in forms if sign in text.data and form.search(text.data)), None)
        if found is not None:
            yield SECRET.at(text, f"looks like it holds {found}")


def _texts(place: Place) -> Iterator[Place]:
    """All texts below a place, in order, however deep they lie."""
    waiting = [place]
    while waiting:
        at = waiting.pop()
        if isinstance(at.data, str):
            yield at
        else:
            waiting += reversed([*at.members(), *at.all_items()])
