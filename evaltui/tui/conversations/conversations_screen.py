"""The screen of conversations: a list of what was found, the chat of the selected one, and what is ticked in both."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from evaltui.document.errors import DocumentError
from evaltui.files.typed_paths import file_or_folder
from evaltui.printable import one_line, printable
from evaltui.recordings.conversation import ConversationKey
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.conversations.chat_list import ChatList
from evaltui.tui.conversations.conversation_reading import ConversationReading
from evaltui.tui.conversations.found_lines import FoundLines
from evaltui.tui.conversations.picked_turns import PickedTurns
from evaltui.tui.conversations.screen_words import empty_line, offered_title, title_text
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.panes.bars import KeysBar, StatusBar
from evaltui.tui.panes.requests import adopt_actions
from evaltui.tui.recordings.picker_filter import PickerFilter
from evaltui.tui.recordings.picker_list import PickerList
from evaltui.tui.recordings.recording_words import counted
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.session.conversation_additions import AddTarget
from evaltui.tui.session.found_conversations import FoundConversation, FoundConversations
from evaltui.tui.session.turn_ticks import TurnTicks
from evaltui.tui.session.value_decisions import ValueDecisions
