"""Evaluations of CX Agent Studio and a file of cxas with every member that they have."""

from __future__ import annotations

from typing import Any

from tests.interop.rich_set import PIXEL

APP = "projects/p/locations/us/apps/a"
_CALL = {"tool": f"{APP}/tools/find", "id": "c1", "args": {"a": 1, "b": {"$matchType": "ignore"}}}
_THRESHOLDS = {"toolInvocationParameterCorrectnessThreshold": 0.5}

RICH_EVALUATIONS: list[dict[str, Any]] = [
    {
        "name": f"{APP}/evaluations/e1",
        "displayName": "refund",
        "description": "A refund is refused.",
        "tags": ["p0", "refunds"],
        "createTime": "2026-02-03T04:05:06Z",
        "etag": "e7",
        "invalid": True,
        "lastTenResults": [{"name": "r1", "evaluationStatus": "PASS"}],
        "evaluationMetricsThresholdOverride": {"goldenEvaluationMetricsThresholds": {"x": 1}},
        "golden": {
            "turns": [
                {
                    "steps": [
                        {"userInput": {"variables": {"plan": "gold", "left": 3}}},
                        {"userInput": {"event": {"event": "welcome"}}},
                        {
                            "expectation": {
                                "agentResponse": {
                                    "role": "agent",
                                    "chunks": [{"text": "Hello"}, {"transcript": "Hallo"}, {"payload": {"card": "c"}}],
                                    "eventTime": "2026-02-03T04:05:06Z",
                                },
                                "note": "Greets",
                                "comparisonType": "SEMANTIC_SIMILARITY",
                            }
                        },
                        {"expectation": {"noToolCalls": True, "skipEvaluation": True}},
                    ],
                    "rootSpan": {"name": "root", "attributes": {"k": "v"}},
                },
                {
                    "steps": [
                        {"userInput": {"text": "I want my money", "willContinue": True}},
                        {"userInput": {"image": {"mimeType": "image/png", "data": PIXEL}, "willContinue": True}},
                        {"userInput": {"audio": "UklGRg=="}},
                        {"userInput": {"toolResponses": {"toolResponses": [{**_CALL, "response": {"ok": True}}]}}},
                        {"expectation": {"toolCall": _CALL, "expectationLevelMetricsThresholdsOverride": _THRESHOLDS}},
                        {"expectation": {"mockToolResponse": {"tool": f"{APP}/tools/find", "response": {"n": 1}}}},
                        {"expectation": {"toolResponse": {"tool": f"{APP}/tools/find", "response": {"n": 2}}}},
                        {
                            "expectation": {
                                "toolCall": {
                                    "toolsetTool": {"toolset": f"{APP}/toolsets/web", "toolId": "search"},
                                    "displayName": "Web search",
                                }
                            }
                        },
                        {"agentTransfer": {"targetAgent": f"{APP}/agents/81", "displayName": "billing"}},
                        {"userInput": {"dtmf": "42#"}},
                        {"userInput": {"variables": {"late": "value"}}},
                        {"expectation": {"agentResponse": {"chunks": [{"text": "No."}, {"image": {"data": PIXEL}}]}}},
                        {"expectation": {"updatedVariables": {"refused": True}}},
                    ],
                    "turnLevelMetricsThresholdsOverride": {"semanticSimilaritySuccessThreshold": 2},
                },
            ],
            "evaluationExpectations": [f"{APP}/evaluationExpectations/polite"],
        },
    },
    {
        "displayName": "shoes",
        "scenario": {
            "task": "Buy shoes.",
            "userFacts": [{"name": "size", "value": "41"}],
            "maxTurns": 8,
            "rubrics": ["The shoes fit."],
            "scenarioExpectations": [{"toolExpectation": {"expectedToolCall": _CALL}}],
            "variableOverrides": {"shop": "north"},
            "userGoalBehavior": "USER_GOAL_REJECTED",
            "scenarioExecutionMode": "SPEED_OPTIMIZED",
        },
    },
]

RICH_CXAS: dict[str, Any] = {
    "common_session_parameters": {"account": "0042", "tier": 1},
    "common_expectations": ["The agent stays polite."],
    "owner": "the support team",
    "conversations": [
        {
            "conversation": "refund",
            "tags": ["P0"],
            "session_parameters": {"tier": 2},
            "note": "from a call",
            "turns": [
                {"user": None, "agent": "Hello, what can I do?"},
                {"event": "no-input", "agent": ["Still there?", "Take your time."]},
                {
                    "user": "A refund",
                    "agent": ["One moment.", "Refused."],
                    "tool_calls": [
                        {
                            "action": "find",
                            "args": {
                                "id": "7",
                                "why": {"$matchType": "semantic", "$matchValue": "money", "$originalValue": "cash"},
                                "day": {"$matchType": "ignore", "$matchValue": "", "$originalValue": ""},
                                "like": {"$matchType": "regexp", "value": "a.*b"},
                            },
                            "output": {"state": "late"},
                        },
                        {"action": "log", "output": "written"},
                        {"action": "transfer_to_agent", "args": {"agent": "billing"}},
                        {"action": "transfer_to_agent", "agent": "sales", "comment": "late"},
                    ],
                },
                {"user": 42, "agent": None},
            ],
            "expectations": ["The refund is refused.", "projects/p/locations/l/apps/a/evaluationExpectations/e"],
            "mocks": [{"tool": "nobody", "response": {"a": 1}}],
        }
    ],
    "evals": [
        {
            "name": "shoes",
            "tags": ["P1"],
            "steps": [
                {
                    "goal": "Ask for shoes",
                    "success_criteria": "Shoes are shown",
                    "response_guide": "You are in a hurry.",
                    "max_turns": 4,
                    "static_utterance": "Shoes?",
                    "inject_variables": {"size": 41},
                },
                {"goal": "Buy them", "max_turns": 2},
            ],
            "expectations": ["The price is told."],
            "session_parameters": {"shop": "north"},
        },
        {"name": "task_only", "task": "Buy a hat.", "variables": {"v": 1}, "max_turns": 3, "priority": "P2"},
    ],
}
