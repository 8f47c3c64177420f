"""What configs are changed with."""

from __future__ import annotations

from tests.agreement.mutator import KEYS, VALUES, Words

_KEYS = (
    *("criteria", "custom_metrics", "user_simulator_config", "live_model_config", "threshold", "match_type"),
    *("ignore_args", "judge_model_options", "judge_model", "num_samples", "parallelism_limit", "rubrics", "rubric_id"),
    *("include_intermediate_responses_in_final", "code_config", "metric_info", "metric_value_info", "interval", "name"),
    *("min_value", "max_value", "open_at_min", "requires_threshold", "metric_name", "description", "timeout_seconds"),
    *("type", "model", "model_configuration", "max_allowed_invocations", "custom_instructions", "audio_model"),
    *("include_function_calls", "audio_model_configuration", "include_text_with_audio", "http_options", "temperature"),
    *("system_instruction", "response_schema", "response_json_schema", "tools", "tool_config", "safety_settings"),
    *("speech_config", "thinking_config", "image_config", "labels", "stop_sequences", "response_modalities", "seed"),
    *("routing_config", "model_selection_config", "automatic_function_calling", "continuation_token", "store"),
    *("media_resolution", "service_tier", "cached_content", "audio_transcription_config", "generation_output_config"),
    *("headers", "timeout", "httpx_client", "httpx_async_client", "aiohttp_client", "retry_options", "extra_body"),
    *("parts", "role", "text", "inline_data", "function_call", "uri", "size_bytes", "create_time", "state", "error"),
    *("function_declarations", "google_search", "retrieval", "mcp_servers", "url_context", "code_execution", "schema"),
    *("parameters", "properties", "items", "any_of", "defs", "enum", "required", "nullable", "minimum", "max_length"),
    *("mode", "category", "voice_config", "language_code", "start_time", "end_time", "zz", "tool_trajectory_avg_score"),
)
_PLACES = "{{ stop_signal }} {{ conversation_plan }} {{ conversation_history }}"
_VALUES = (
    *("EXACT", "in-order", 2, "llm_backed", "llm_audio", "other", {"type": "llm_audio"}, {"threshold": 0.5}),
    *({"threshold": "1"}, {"threshold": None}, {"Threshold": 1}, {"name": "a.b"}, {"code_config": {"name": "a.b"}}),
    *(_PLACES, _PLACES + " {% if %}", "{{ stop_signal }}", "{% set stop_signal = 1 %}" + _PLACES, "{{ persona"),
    *(_PLACES + "{# x", _PLACES + "{{ x|nofilter }}", "{% raw %}" + _PLACES + "{% endraw %}", "{{ " * 200),
    *("2025-01-01T00:00:00Z", "2025-13-01", 1e18, "PT1S", 1735689600, -1, 2**63, 2**64, "BALANCED", "balanced"),
    *({"parts": [{"text": "x"}]}, {"text": "x", "uri": "y"}, {"name": "x"}, {"inline_data": {"data": "\u00e4"}}),
    *([{"text": "x"}, "y"], [["x"]], [1], ["x", {}], ["x", {"zz": 1}], [{"parts": []}], {"type": "STRING"}),
    *({"function_declarations": [{"name": "f"}]}, {"function_declarations": {}}, [{"google_search": {}}, 3, "f"]),
    *([{"zz": 1}], {"min_value": 0, "max_value": 1}, {"interval": None}, {"voice_config": {}}, {"voice": "Kore"}),
)

OF_CONFIGS = Words((*_KEYS, *_KEYS, *KEYS), (*_VALUES, *_VALUES, *VALUES))
