"""Traces of agents, as Jaeger, OpenTelemetry and Tempo write them, read into conversations.

The turns are those that agentevals 0.11 finds; where it guesses, so does this, and says so.
"""

from evaltui.recordings.traces.formats import TraceFormat, trace_format
from evaltui.recordings.traces.reading import read_traces
from evaltui.recordings.traces.recorded_traces import across_files

__all__ = ["TraceFormat", "across_files", "read_traces", "trace_format"]
