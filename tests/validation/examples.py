"""The examples of the rules as files."""

from evaltui.validation.rule import Example

GOOD_TURN = '{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}'


def file_of(example: Example) -> bytes:
    """The whole file that an example stands for."""
    text = example.text
    if example.kind == "turn":
        text = f'{{"eval_id": "a", "conversation": [{text}]}}'
    if example.kind in ("turn", "case"):
        text = f'{{"eval_set_id": "s", "eval_cases": [{text}]}}'
    return text.encode("utf-8", "surrogatepass")
