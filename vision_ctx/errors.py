"""Every exception that this library raises on purpose.

    VisionCtxError
    ├─ SourceError             a file, folder or stream cannot be read (has `.source`)
    ├─ ConfigError             `vision_ctx.toml` says something that cannot be followed
    ├─ ModelUnavailableError   a model cannot be had here; names the ways out
    ├─ MissingDependencyError  an optional package is not installed; names the extra
    ├─ IndexNotFoundError      there is no index at that path
    ├─ IndexMismatchError      schema or model differs from what the index was built with
    ├─ IndexDamagedError       a part of the index cannot be opened
    └─ IndexLockedError        another process writes to the index

A mistake of the caller (a negative `k`, say) is an `ArgumentError`, which is a `ValueError`.
"""

from __future__ import annotations


class VisionCtxError(Exception):
    """Base of all errors that a user can act on; its text names the file and the next step."""


class SourceError(VisionCtxError):
    """A source cannot be read. Indexing collects it in the report and goes on."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")
        self.source = source
        self.reason = reason


class ConfigError(VisionCtxError):
    """The configuration file cannot be followed."""


class ModelUnavailableError(VisionCtxError):
    """A model cannot be loaded or downloaded."""


class MissingDependencyError(VisionCtxError, ImportError):
    """An optional package is missing."""


class IndexNotFoundError(VisionCtxError):
    """There is no index at the given path."""


class IndexMismatchError(VisionCtxError):
    """The index was built with another schema or another model."""


class IndexDamagedError(VisionCtxError):
    """A part of the index cannot be opened."""


class IndexLockedError(VisionCtxError):
    """Another process writes to the index."""


class ArgumentError(ValueError):
    """An argument that can mean nothing; the caller has to change the call."""
