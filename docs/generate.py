"""Generator of keys, rules, manual page, JSON Schemas, and marked parts of other documents.

`make docs` runs it. A test fails if a document in the repository differs from the result.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping

os.environ["TEXTUAL_ANIMATIONS"] = "none"

from docs import text_pictures
from docs.json_schemas import schema_texts
from docs.manual_page import manual_page
from docs.pictures import readme_pictures
from docs.text_pictures import PROJECT
from evaltui.commands.parser import COMMANDS
from evaltui.document.document import Document
from evaltui.interop.conversion import convert
from evaltui.interop.conversion_formats import FORMATS
from evaltui.interop.eval_sets.writer import EVAL_SET, SCENARIOS
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.fields import HELD, Holdings, Reason, SetField
from evaltui.interop.legacy_lists import LEGACY_TURNS
from evaltui.interop.portable_set import FormatType
from evaltui.report.conversion_reports import conversion_lines
from evaltui.tui.command import PLACES
from evaltui.tui.commands import commands_at, key_name
from evaltui.validation.rules.rule_registry import TOPICS

MIGRATED = PROJECT / "sample_sets" / "migration" / "flight_desk.evalset.json"


def keys_document() -> str:
    """docs/keys.md: all keys by place, from the registry of commands."""
    origin = "Made by `make docs` from the commands in `evaltui/tui/`."
    lines = ["# Keys", "", f"{origin} Letters act on panes, never while typing."]
    for place, heading in PLACES.items():
        lines += ["", f"## {heading}", "", "| keys | what they do | command |", "|---|---|---|"]
        for command in commands_at(place):
            keys = " ".join(f"`{key_name(key)}`" for key in command.keys.split(","))
            lines.append(f"| {keys} | {command.help} | `{command.id}` |")
    return "\n".join(lines) + "\n"


def rules_document() -> str:
    """docs/rules.md: all rules by topic."""
    lines = [
        "# Rules",
        "",
        "Made by `make docs` from `evaltui/validation/rules`. `evaltui rule CODE` prints one rule.",
        "",
        "- *error*: google-adk rejects the file. For a dataset: agentplatform rejects the file.",
        "- *warning*: google-adk accepts the file, but a run fails or gives misleading results.",
        "- *info*: nothing fails, but you may not expect the effect.",
        "",
        "Tests check all examples. The wrong example breaks only this rule. The right example breaks no rule "
        "(for a syntax rule: no other syntax rule).",
    ]
    for heading, rules in TOPICS.items():
        lines += ["", f"## {heading}", "", "| code | severity | problem | fix |", "|---|---|---|---|"]
        for rule in rules:
            lines.append(
                f"| [{rule.code}](#{rule.code}) | {rule.severity} | {rule.summary} | {'yes' if rule.fix else ''} |"
            )
    for rule in (rule for rules in TOPICS.values() for rule in rules):
        lines += ["", f"## {rule.code}", "", f"*{rule.severity}, group {rule.group}.* {rule.summary}", "", rule.why]
        for title, example in (("Wrong", rule.bad), ("Right", rule.good)):
            if example.text:
                language = "text" if example.kind == "text" else "json"
                lines += ["", f"{title}{example.caption}:", "", f"```{language}", example.shown, "```"]
            if example.text and example.config:
                lines += ["", "with the config", "", "```json", example.config, "```"]
        lines += ["", f"Fix: {rule.fix}"] if rule.fix else []
    return "\n".join(lines) + "\n"


def with_pictures(document: str, pictures: Mapping[str, str]) -> str:
    """The text of a document with new pictures between its markers. `pictures` are by the name of the marker."""
    text = (PROJECT / document).read_text("utf-8")
    for name, shown in pictures.items():
        place = rf"(<!-- {name} -->\n```text\n).*?(```\n<!-- end of {name} -->)"
        text = re.sub(place, lambda found, shown=shown: found[1] + shown + found[2], text, flags=re.DOTALL)
    return text


def printed(command: str, columns: int) -> str:
    """A command line and its output in the folder of the sample sets, in lines of at most `columns`."""
    words = [sys.executable, "-m", *shlex.split(command)]
    environment = os.environ | {"COLUMNS": str(columns), "NO_COLOR": "1", "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(
        words, cwd=PROJECT / "sample_sets", env=environment, check=False, capture_output=True, text=True
    )
    return f"$ {command}\n{done.stdout}"


def help_pages() -> dict[str, str]:
    """The help of each command, by the name of its marker in docs/cli.md."""
    return {f"help of {name}": printed(f"evaltui {name} --help", 80) for name in COMMANDS}


def scores() -> str:
    """The scores of the pictured set, up to the line that counts its cases."""
    text = printed("evaltui run trip_planner.evalset.json -r recordings", 80)
    return re.sub(r"(\n6 cases[^\n]*\n).*", r"\1", text, flags=re.DOTALL)


def review_as_text() -> str:
    """The command that reviews the pictured set, and one of its items."""
    text = printed("evaltui review trip_planner.evalset.json -r recordings --format text", 110)
    command, *items = re.split(r"\n(?=✗ )", text)
    item = next(item for item in items if item.startswith("✗ tokyo_day_trip_by_train"))
    return f"{command.splitlines()[0]}\n{item.rstrip()}\n"


# --- conversions ---------------------------------------------------------------------------------------------------

_MOST_FIELDS = 6
"""The most fields that are listed with one reason; the table lists all."""
_MARKS = {None: "●", "changed": "◐", "no_place": "·"}
_LACKS_OF_TRPC = (
    SetField.CASE_NAME,
    SetField.CASE_DESCRIPTION,
    SetField.CASE_TAGS,
    SetField.FINAL_STATE,
    SetField.TURN_RUBRICS,
    SetField.SCENARIO_PERSONA,
    SetField.SCENARIO_TITLE,
    SetField.TURN_DURATIONS,
    SetField.AUTHOR,
    SetField.EVENT_TIME,
    SetField.EVENT_OTHER,
    SetField.STATE_CHANGES,
    SetField.AGENTS,
    SetField.AGENT_DETAILS,
    SetField.ARGUMENT_RULES,
    SetField.EXPECTATION_OPTIONS,
    SetField.CRITERIA,
)
"""The fields that eval sets of trpc-agent-go lack. The format is only read, so it has no holdings."""


def conversion_tables() -> dict[str, str]:
    """The tables of docs/converting.md by name: which format holds which field, and why it does not."""
    shown = [form for form in FORMATS if form not in (LEGACY_TURNS, SCENARIOS)]  # they have the fields of another one
    rows = [["", *(each.option or f"{each.source_word} (read)" for each in shown)], ["---", *(":-:" for _ in shown)]]
    of_trpc: Holdings = {field: Reason("no_place") if field in _LACKS_OF_TRPC else HELD for field in SetField}
    holdings = [form.holdings or of_trpc for form in shown]
    rows += [[field.value, *(_MARKS[held[field].kind] for held in holdings)] for field in SetField]
    reasons = [line for each in shown if each.write is not None for line in _reasons(each)]
    return {
        "fields": "\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows) + "\n",
        "reasons": "\n" + "\n".join(reasons) + "\n",
    }


def _reasons(form: FormatType) -> list[str]:
    """The reasons of one format, each with its fields."""
    fields: dict[tuple[str, str], list[str]] = {}
    for field in SetField:
        holding = form.holdings[field]
        if holding.kind is not None:
            fields.setdefault((holding.text, holding.advice), []).append(field.value)
    lines = [f"**{form.option}**", ""]
    for (reason, advice), names in fields.items():
        more = [f"{len(names) - _MOST_FIELDS} others"] if len(names) > _MOST_FIELDS else []
        lines.append(
            f"- {', '.join([*names[:_MOST_FIELDS], *more])}: {reason or 'no place'}.{' ' + advice if advice else ''}"
        )
    return [*lines, ""]


def migration() -> str:
    """The report of `evaltui convert` for the migrated sample."""
    name = str(MIGRATED.relative_to(PROJECT))
    out = name.replace(EVAL_SET.ending, EVALUATION_DATASET.ending)
    root = Document.open(MIGRATED).root
    assert root is not None
    conversion = convert(root, EVAL_SET, EVALUATION_DATASET, "flight_desk")
    lines = conversion_lines([conversion._replace(path=name, outs=[out])], 100, is_written=True)
    return "\n".join([f"$ evaltui convert {name} --to evaluation-dataset", *lines]) + "\n"


def with_tables(document: str, tables: Mapping[str, str]) -> str:
    """A document with new tables between its markers. `tables` are by the name of the marker."""
    for name, table in tables.items():
        place = rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)"
        document = re.sub(place, lambda found, table=table: found[1] + table + found[2], document, flags=re.DOTALL)
    return document


async def documents() -> dict[str, str]:
    """The text of each generated document and picture, by its path in the project."""
    pictures = {
        "turn": await text_pictures.turn_form(),
        "scores": scores(),
        "review": await text_pictures.review(),
        "review as text": review_as_text(),
        "conversations": await text_pictures.conversations(),
        "recordings": await text_pictures.recordings(),
        "criteria": await text_pictures.criteria(),
    }
    pages = ("authoring", "recording", "recordings", "reviewing", "run-pane", "scoring")
    return {
        **schema_texts(),
        "docs/keys.md": keys_document(),
        "docs/rules.md": rules_document(),
        "docs/man/evaltui.1": manual_page(),
        "docs/cli.md": with_pictures("docs/cli.md", help_pages()),
        "docs/converting.md": with_tables(
            with_pictures("docs/converting.md", {"migration": migration()}), conversion_tables()
        ),
        **{f"docs/{page}.md": with_pictures(f"docs/{page}.md", pictures) for page in pages},
        **await readme_pictures(),
    }


def main() -> None:
    """Write all generated documents."""
    for name, text in asyncio.run(documents()).items():
        (PROJECT / name).parent.mkdir(exist_ok=True)
        (PROJECT / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
