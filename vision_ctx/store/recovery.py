"""Clears away what a run left behind that was killed or broke off.

A mark in the index folder says that a run is writing.  A run that finds the mark of an earlier one
drops rows of sources that never got an entry, and pictures that no row names.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

MARK = ".writing"
_PICTURES = ("crops", "frames")


def mark(folder: Path) -> bool:
    """Sets the mark; returns whether an earlier run had left its own."""
    path = folder / MARK
    was_there = path.exists()
    path.touch()
    return was_there


def unmark(folder: Path) -> None:
    """Removes the mark: what this run wrote is whole."""
    (folder / MARK).unlink(missing_ok=True)


def sweep(folder: Path, named: Iterable[str | None]) -> None:
    """Deletes pictures that no row names, and files that were being written."""
    keep = set(named)
    for kind in _PICTURES:
        for path in (folder / kind).rglob("*.*"):
            if path.relative_to(folder).as_posix() not in keep:
                path.unlink()
    for path in folder.glob(".*.tmp"):
        path.unlink()


def holds_nothing(table: Path) -> bool:
    """Whether a table's folder was made, but never a version of it: its making was cut short."""
    versions, data = table / "_versions", table / "data"
    return not any(versions.glob("*.manifest")) and not any(data.rglob("*"))
