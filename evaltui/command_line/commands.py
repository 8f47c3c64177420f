"""The commands of evaltui in the order of its help, each with its purpose, usage and one example."""

from __future__ import annotations

from typing import NamedTuple


class CommandHelp(NamedTuple):
    """One command for a reader; module `options` has a function `add_NAME` that adds its options."""

    name: str
    purpose: str
    options: str
    usage: str
    summary: str
    description: str
    example: str
    """Lines for a shell. A test runs them in a copy of the folder sample_sets."""


_ALL = (
    CommandHelp(
        name="edit",
        purpose="Author",
        options="author_options",
        usage="edit [OPTIONS] [SET]",
        summary="Open an eval set in the editor.",
        description="Open an eval set or dataset in the editor. `evaltui SET` does the same.",
        example="evaltui edit trip_planner.evalset.json -r recordings",
    ),
    CommandHelp(
        name="record",
        purpose="Author",
        options="author_options",
        usage="record [OPTIONS] [SOURCE…] (--list | -o NEW | --into SET)",
        summary="Make cases from recordings of the agent.",
        description="Make cases from recorded conversations: sessions of adk web, traces, results.",
        example="evaltui record travel_desk --into travel_desk/travel_desk.evalset.json",
    ),
    CommandHelp(
        name="validate",
        purpose="Check",
        options="check_options",
        usage="validate [OPTIONS] PATH…",
        summary="Find problems in eval sets, and apply safe fixes.",
        description="Find what google-adk rejects or misreads in eval sets, datasets and configs.",
        example="evaltui validate broken.evalset.json",
    ),
    CommandHelp(
        name="rule",
        purpose="Check",
        options="check_options",
        usage="rule [CODE]",
        summary="Explain a rule of validate.",
        description="Explain a rule of validate: the reason, a bad and a good example, and the fix.",
        example="evaltui rule duplicate-eval-id",
    ),
    CommandHelp(
        name="schema",
        purpose="Check",
        options="check_options",
        usage="schema [evalset | config]",
        summary="Print the JSON Schema of eval sets or configs.",
        description="Print the JSON Schema of eval sets or configs. Code editors check files with it.",
        example="evaltui schema > evalset.schema.json",
    ),
    CommandHelp(
        name="run",
        purpose="Score",
        options="score_options",
        usage="run [OPTIONS] SET[:ID,ID…]…",
        summary="Score eval sets against recordings, with reasons.",
        description="Score eval sets against recordings of the agent, exactly as google-adk does.",
        example="evaltui run trip_planner.evalset.json -r recordings",
    ),
    CommandHelp(
        name="watch",
        purpose="Score",
        options="score_options",
        usage="watch [OPTIONS] SET[:ID,ID…]…",
        summary="Score again after each change of a file.",
        description="Score eval sets now, and again after each change of a set, its config or a recording.",
        example="evaltui watch trip_planner.evalset.json -r recordings",
    ),
    CommandHelp(
        name="compare",
        purpose="Score",
        options="score_options",
        usage="compare [OPTIONS] BASE CANDIDATE",
        summary="Compare two results of one eval set.",
        description="Compare two results of one eval set, made by google-adk, agents-cli or `evaltui run`.",
        example=(
            "evaltui run trip_planner.evalset.json -r recordings -o before.json\n"
            "evaltui compare before.json recordings/trip_planner_second.evalset_result.json"
        ),
    ),
    CommandHelp(
        name="review",
        purpose="Review",
        options="review_options",
        usage="review [OPTIONS] SET[:ID,ID…]…",
        summary="Look at failing turns, expected and actual side by side.",
        description="Open the review of failing turns in the app. With --format, print the list of changes.",
        example="evaltui review trip_planner.evalset.json -r recordings",
    ),
    CommandHelp(
        name="accept",
        purpose="Review",
        options="review_options",
        usage="accept [OPTIONS] SET (--change ID… | --case ID | --fills)",
        summary="Write recorded values into an eval set.",
        description="Write recorded values into an eval set. No other byte of the file changes.",
        example="evaltui accept trip_planner.evalset.json -r recordings \\\n  --case tokyo_day_trip_by_train",
    ),
    CommandHelp(
        name="convert",
        purpose="Convert and patch",
        options="conversion_options",
        usage="convert [OPTIONS] FILE… --to FORMAT",
        summary="Write eval sets in another format, and report losses.",
        description="Write eval sets in another format, and report each value that it cannot hold.",
        example="evaltui convert migration/flight_desk.evalset.json --to evaluation-dataset",
    ),
    CommandHelp(
        name="patch",
        purpose="Convert and patch",
        options="conversion_options",
        usage="patch [OPTIONS] FILE PATCH",
        summary="Apply a JSON Patch and change no other byte.",
        description="Apply an RFC 6902 JSON Patch, all or nothing. No other byte of the file changes.",
        example=(
            """echo '[{"op": "replace", "path": "/name", "value": "Trips"}]' > rename.json\n"""
            "evaltui patch trip_planner.evalset.json rename.json --diff"
        ),
    ),
    CommandHelp(
        name="config",
        purpose="Set up",
        options="setup_options",
        usage="config [--path | --commands]",
        summary="Print the current settings.",
        description="Print the current settings, and where each value comes from.",
        example="evaltui config --path",
    ),
    CommandHelp(
        name="completion",
        purpose="Set up",
        options="setup_options",
        usage="completion (bash | zsh | fish)",
        summary="Print a completion script for your shell.",
        description=(
            "Print a script for your shell. With it, Tab completes commands, options, values and files.\n\n"
            "Set it up once:\n"
            "  bash  echo 'eval \"$(evaltui completion bash)\"' >> ~/.bashrc\n"
            "  zsh   echo 'eval \"$(evaltui completion zsh)\"' >> ~/.zshrc\n"
            "  fish  echo 'evaltui completion fish | source' >> ~/.config/fish/config.fish"
        ),
        example="evaltui completion bash",
    ),
)

COMMANDS = {each.name: each for each in _ALL}
