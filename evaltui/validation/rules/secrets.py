"""Rules of secrets."""

from __future__ import annotations

from evaltui.validation.rule import Rule, a_turn

SECRET = Rule(
    "secret",
    "meaning",
    "info",
    "A text looks like it holds a key or a token.",
    "Eval sets are committed, and recorded ones hold whatever the tools returned. google-adk sends the texts of a case "
    "to the agent's model and to judges, and stores them in `.adk/eval_history`. Keys of Google, OpenAI, Anthropic, "
    "GitHub, AWS and Slack, JSON web tokens and private keys are recognised by their form.",
    a_turn(
        '{"user_content": {"parts": [{"text": "Why is this refused? -----BEGIN PRIVATE KEY-----"}]},\n'
        ' "final_response": {"parts": [{"text": "It has expired."}]}}'
    ),
    a_turn(
        '{"user_content": {"parts": [{"text": "Why is my private key refused?"}]},\n'
        ' "final_response": {"parts": [{"text": "It has expired."}]}}'
    ),
)
