"""Values of a JSON tree are added, renamed, moved and given other types, in the tree as in the form."""

import pytest

from tests.sampling import sampled
from tests.tui.scenario import NORMAL, scenario

VALUE = """{
    "limits": {"days": 3, "cities": ["Oslo", "Bergen"]},
    "tags": ["nightly", "slow", "late"],
    "owner": null
}
"""


@pytest.mark.thorough
async def test_a_member_is_added_inside_an_object_and_an_item_inside_a_list() -> None:
    async with scenario(VALUE) as s:
        await s.to("limits  {")
        await s.press("A")
        await s.type("unit\r")
        await s.type("mm")
        await s.press("escape", "escape")
        await s.to("tags  [")
        await s.press("A")
        await s.type("new")
        await s.press("escape")
        wanted = s.original.replace(b'"Bergen"]}', b'"Bergen"], "unit": "mm"}').replace(b'"late"', b'"late", "new"')
        assert s.bytes() == wanted


@pytest.mark.thorough
async def test_an_item_is_added_behind_the_selected_one() -> None:
    async with scenario(VALUE) as s:
        await s.to('0  "nightly"')
        await s.press("a")
        await s.type("daily")
        await s.press("escape")
        assert s.bytes() == s.original.replace(b'"nightly",', b'"nightly", "daily",')


@pytest.mark.thorough
async def test_a_member_is_renamed_in_the_tree_a_container_too() -> None:
    async with scenario(VALUE) as s:
        await s.to("limits  {")
        await s.press("r", "ctrl+u")
        await s.type("bounds\r")
        assert "bounds  {" in s.cursor()
        assert s.bytes() == s.original.replace(b"limits", b"bounds")


async def test_a_name_that_is_taken_is_refused_a_free_one_is_added_and_values_change_places() -> None:
    async with scenario(VALUE) as s:
        # An item has no name.
        await s.to('0  "nightly"')
        await s.press("r")
        assert "This row has no name to change" in s.status
        assert "r rename" not in s.keys
        assert "t type" in s.keys

        # A name that is taken is refused.
        await s.to("tags  [")
        await s.press("a")
        await s.type("owner\r")
        s.expect('"owner" already exists')
        await s.press("escape")
        assert not s.is_dirty

        # Items and members change places.
        await s.to('0  "nightly"')
        await s.press("alt+down")
        assert '1  "nightly"' in s.cursor()
        assert s.bytes() == s.original.replace(b'"nightly", "slow"', b'"slow", "nightly"')
        await s.press("alt+up", "alt+up")
        assert "already first" in s.status
        assert s.bytes() == s.original
        await s.to("owner  null")
        await s.press("alt+up")
        assert "owner  null" in s.cursor()
        assert s.bytes().index(b'"owner"') < s.bytes().index(b'"tags"')
        await s.press("alt+down")
        assert s.bytes() == s.original

        # A member is added behind the selected one by name.
        await s.to("tags  [")
        await s.press("a")
        s.expect("Name of the new key")
        await s.type("team\r")
        await s.type("red")
        await s.press("escape")
        assert s.bytes() == s.original.replace(b'"late"],', b'"late"],\n    "team": "red",')


@pytest.mark.thorough
@pytest.mark.parametrize("row", sampled(["limits  {", "tags  [", '0  "nightly"', "owner  null"]))
async def test_types_go_round_in_the_tree_and_come_back_byte_for_byte(row: str) -> None:
    async with scenario(VALUE) as s:
        await s.to(row)
        seen = {s.bytes()}
        for _ in range(5):
            await s.press("t")
            seen.add(s.bytes())
        assert len(seen) == 6
        await s.press("t")
        assert s.bytes() == s.original


@pytest.mark.thorough
@pytest.mark.parametrize("row", sampled(["limits  {", "tags  ["], 1))
async def test_types_go_round_in_the_form_and_come_back_byte_for_byte(row: str) -> None:
    async with scenario(VALUE, NORMAL) as s:
        await s.press("home", "enter")
        await s.to(row)
        for _ in range(6):
            await s.press("t")
        assert s.bytes() == s.original


async def test_a_value_edited_between_two_changes_of_type_is_not_forgotten() -> None:
    async with scenario(VALUE) as s:
        await s.enter("limits  {")
        await s.to("days")
        await s.press("t", "u")
        await s.edit("days", "12")
        await s.to("days")
        for _ in range(6):
            await s.press("t")
        assert s.bytes() == s.original.replace(b'"days": 3', b'"days": 12')


async def test_a_container_is_renamed_moved_and_deleted_in_the_form() -> None:
    async with scenario(VALUE, NORMAL) as s:
        await s.press("home", "enter")
        await s.to("tags  [")
        await s.press("alt+up")
        assert "tags        [" in s.cursor()
        assert s.bytes().index(b'"tags"') < s.bytes().index(b'"limits"')
        await s.press("r", "ctrl+u")
        await s.type("labels\r")
        assert b'"labels": ["nightly"' in s.bytes()
        await s.press("d")
        assert b"labels" not in s.bytes()
