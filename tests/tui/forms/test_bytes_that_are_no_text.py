"""Bytes that are not UTF-8 stay what they are beside, around and in what is edited."""

from tests.tui.scenario import scenario

BAD = (
    b'{"o": {"a": "caf\xe9 \\u00e9", "b": [1, "\xff\xfe"], "\xe9": 2}, '
    b'"t": "r\xe9sum\xe9", "s": "\\udce9 \xe2\x82\xac"}'
)


async def test_beside_what_is_edited_as_json() -> None:
    async with scenario(BAD) as s:
        await s.to("o  ")
        await s.press("enter", "end", "enter")
        assert s.focused == "field"
        await s.press("ctrl+home", *["right"] * 200)
        await s.press("ctrl+end", "left", "backspace", "3", "escape")
        assert s.bytes() == BAD.replace(b": 2}", b": 3}")


async def test_in_a_text_that_is_edited() -> None:
    async with scenario(BAD) as s:
        await s.enter("t  ", "text")
        await s.press("end", "!", "home", "R", "delete", "escape")
        assert s.bytes() == BAD.replace(b"r\xe9sum\xe9", b"R\xe9sum\xe9!")


async def test_in_a_text_that_is_given_another_type() -> None:
    async with scenario(BAD) as s:
        await s.enter("t  ")
        await s.to("text")
        await s.press("t", "t", "t", "t")
        assert s.bytes() == BAD.replace(b'"r\xe9sum\xe9"', b'["r\xe9sum\xe9"]')


async def test_in_a_list_that_becomes_a_text() -> None:
    async with scenario(
        b'{"eval_set_id": "s", "eval_cases": [{"eval_id": "1", "conversation": [{"intermediate_data": '
        b'{"tool_uses": [{"name": "f", "args": {"l": ["\xe9\\n"]}}]}}]}]}'
    ) as s:
        await s.press("down", "down", "down", "down", "enter")
        await s.enter("f")
        await s.to("l  ")
        await s.press("t", "t")
        assert rb'"l": "[\"' + b"\xe9" + rb'\\n\"]"' in s.bytes()
