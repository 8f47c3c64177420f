"""Eval sets in the two shapes, laid out by hand: snake_case with lists, camelCase with events."""

LISTED = """\
{
  "eval_set_id": "trips",
  "eval_cases": [
    {
      "eval_id": "paris-1",
      "conversation": [
        {
          "invocation_id": "inv-1",
          "user_content": {"role": "user", "parts": [{"text": "To Paris"}]},
          "final_response": {"role": "model", "parts": [{"text": "Booked."}]},
          "intermediate_data": {
            "tool_uses": [
              {"id": "c1", "name": "search", "args": {"to": "CDG", "max": 1.0}},
              {"id": "c2", "name": "book", "args": {"flight": 7}}
            ],
            "tool_responses": [
              {"id": "c1", "name": "search", "response": {"flights": [7]}}
            ]
          }
        }
      ],
      "session_input": {"user_id": "u", "app_name": "travel", "state": {"vip": true}}
    }
  ]
}
"""

EVENTS = """\
{
	"eval_set_id": "desk",
	"eval_cases": [
		{
			"evalId": "refund",
			"conversation": [
				{
					"userContent": {"parts": [{"text": "Refund me"}], "role": "user"},
					"intermediateData": {
						"invocationEvents": [
							{"content": {"parts": [{"text": "Wait"}, {"functionCall": {"name": "move", "args": {}}}], "role": "model"}, "author": "triage"},
							{"content": {"parts": [{"functionResponse": {"name": "move", "response": {}}}], "role": "user"}, "author": "triage"},
							{"content": {"parts": [{"functionCall": {"name": "refund", "args": {"order_id": 5}}}], "role": "model"}, "author": "billing"}
						]
					},
					"invocationId": "e-1"
				}
			]
		}
	]
}""".replace("\n", "\r\n")  # fmt: skip  # noqa: E501
"""The file has tabs, CRLF and no newline at its end."""
