"""BLAKE2b without OpenSSL: importing `hashlib` loads it, and that takes 4 ms of the time to the first frame."""

from __future__ import annotations

try:
    from _blake2 import blake2b  # the very class that hashlib exports; `random` of the standard library does the same
except ImportError:
    from hashlib import blake2b

__all__ = ["blake2b"]
