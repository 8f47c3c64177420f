"""Attribute names: of OpenTelemetry's GenAI semantic conventions, old and new, and of google-adk."""

from __future__ import annotations

OPERATION = "gen_ai.operation.name"
INPUT = "gen_ai.input.messages"
OUTPUT = "gen_ai.output.messages"
REQUEST_MODEL = "gen_ai.request.model"
RESPONSE_MODEL = "gen_ai.response.model"
FINISH_REASONS = "gen_ai.response.finish_reasons"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
CACHED_TOKENS = "gen_ai.usage.cache_read.input_tokens"
REASONING_TOKENS = "gen_ai.usage.reasoning.output_tokens"
PROVIDER = "gen_ai.provider.name"
SYSTEM = "gen_ai.system"
CONVERSATION = "gen_ai.conversation.id"
SESSION = "session.id"
SERVICE = "service.name"
AGENT_NAME = "gen_ai.agent.name"
SESSION_NAME = "agentevals.session_name"
CASE = "agentevals.eval.case.id"
TOOL_NAME = "gen_ai.tool.name"
TOOL_CALL_ID = "gen_ai.tool.call.id"
TOOL_ARGUMENTS = "gen_ai.tool.call.arguments"
TOOL_RESULT = "gen_ai.tool.call.result"
ERROR = "error.type"
MCP_METHOD = "mcp.method.name"

DEPRECATED = {
    INPUT_TOKENS: "gen_ai.usage.prompt_tokens",
    OUTPUT_TOKENS: "gen_ai.usage.completion_tokens",
    FINISH_REASONS: "gen_ai.response.finish_reason",
}
"""The names that attributes had before."""

PROMPTS = "gen_ai.prompt."
COMPLETIONS = "gen_ai.completion."
"""OpenLLMetry's messages, an attribute a member: `gen_ai.prompt.0.role`."""

ADK = "gcp.vertex.agent"
ADK_REQUEST = "gcp.vertex.agent.llm_request"
ADK_RESPONSE = "gcp.vertex.agent.llm_response"
ADK_ARGUMENTS = "gcp.vertex.agent.tool_call_args"
ADK_RESULT = "gcp.vertex.agent.tool_response"
