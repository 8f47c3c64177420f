"""Files of other formats, made up."""

from __future__ import annotations

import json
from typing import Any

LEGACY = [
    {
        "name": "refund",
        "data": [
            {"query": "Refund order 7", "expected_tool_use": [], "reference": "Which one?"},
            {
                "query": "The blue one",
                "expected_tool_use": [{"tool_name": "refund", "tool_input": {"order": 7}}],
                "expected_intermediate_agent_responses": [],
                "reference": "Done.",
                "mark": "a member that nobody knows",
            },
        ],
        "initial_session": {"state": {"tier": "gold"}, "app_name": "shop", "user_id": "u", "session_id": "s1"},
    },
    {"name": "greeting", "data": [{"query": "Hello", "expected_tool_use": [], "reference": "Hi."}]},
]
LEGACY_TURNS = [{"query": "One", "expected_tool_use": [], "reference": "1"}, {"query": "Two", "reference": "2", "x": 1}]
CES = {
    "name": "projects/p/locations/l/apps/a/evaluations/e1",
    "displayName": "refund by chat",
    "golden": {
        "turns": [
            {
                "steps": [
                    {"userInput": {"text": "I want a refund"}},
                    {"expectation": {"toolCall": {"tool": "projects/p/tools/refund", "args": {"order": 7}}}},
                    {"expectation": {"agentResponse": {"chunks": [{"text": "Refunded."}]}}},
                ]
            }
        ]
    },
}
TRPC = {
    "evalSetId": "shop",
    "evalCases": [
        {
            "evalId": "calc",
            "conversation": [
                {
                    "invocationId": "i1",
                    "userContent": {"role": "user", "content": "calc add 1 2"},
                    "finalResponse": {"role": "assistant", "content": "3"},
                    "tools": [{"id": "c1", "name": "calculator", "arguments": {"a": 1}, "result": {"sum": 3}}],
                }
            ],
        }
    ],
}
ADK_RS = {
    "name": "rust",
    "eval_cases": [{"id": "hello", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}}]}],
}
CXAS = """\
conversations:
  - conversation: refund by phone
    turns:
      - user: I want a refund
        agent: Which order?
"""


def text_of(value: Any) -> str:
    """A value as people write it."""
    return json.dumps(value, indent=2)
