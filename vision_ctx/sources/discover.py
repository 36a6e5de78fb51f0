"""Finds the files to index and says of every other file why it was left out.

Takes paths, gives `Found` files; does not open them.  Links to files are followed, links to folders
are not (they make loops and double entries) and are listed.  Names that systems and cameras leave
behind (``._x``, ``Thumbs.db``, files still being written under a dot name) are passed over.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vision_ctx.types import Failure, SourceKind

IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".jpe", ".png", ".webp", ".bmp", ".tif", ".tiff"})
VIDEO_SUFFIXES = frozenset(
    {".mp4", ".m4v", ".mov", ".mkv", ".avi", ".webm", ".mpg", ".mpeg", ".ts", ".m2ts", ".mts"}
    | {".flv", ".wmv", ".3gp", ".dav", ".h264", ".264", ".h265", ".265", ".hevc", ".mjpeg"}
)
DOCUMENT_SUFFIXES = frozenset(
    {".md", ".markdown", ".txt", ".text", ".log", ".pdf", ".docx", ".html", ".htm", ".xhtml"}
)

# Folders that systems and network drives keep for themselves; their content is never the user's.
SYSTEM_FOLDERS = frozenset(
    {"@eadir", ".trashes", ".trash", "$recycle.bin", ".spotlight-v100", ".fseventsd", "#recycle"}
    | {".git", "__macosx", "lost+found"}
)
SYSTEM_FILES = frozenset({"thumbs.db", "desktop.ini", ".ds_store", "ehthumbs.db"})
INDEX_MARK = "vision-ctx.json"
"""A folder that holds this file is an index of ours: its crops must not be indexed again."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file to look at: absolute path, what its name says it holds, the named source it is of."""

    path: Path
    kind: SourceKind
    root: Path


@dataclass(slots=True)
class Discovery:
    """What a walk found.

    ``blind`` are places that could not be looked into; ``ignored`` counts hidden and system names.
    """

    files: list[Found] = field(default_factory=list)
    skipped: list[Failure] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    ignored: int = 0
    roots: list[Path] = field(default_factory=list)
    blind: list[Path] = field(default_factory=list)


def kind_of(path: Path) -> SourceKind | None:
    """The kind that a file's extension names, in any mixture of capitals; ``None`` if unknown."""
    suffix = path.suffix.lower()
    if suffix in IMAGE_SUFFIXES:
        return "image"
    if suffix in VIDEO_SUFFIXES:
        return "video"
    if suffix in DOCUMENT_SUFFIXES:
        return "document"
    return None


def discover(paths: Sequence[str | os.PathLike[str]]) -> Discovery:
    """Walks the given files and folders in a stable order.

    A path named by hand that does not exist or has an unknown extension is a failure; the same
    extension inside a folder is only listed as skipped.
    """
    result = Discovery()
    seen: set[Path] = set()
    for given in paths:
        # Not resolve(): a file stays known by the path, links included, that its owner uses.
        path = Path(os.path.abspath(Path(given).expanduser()))  # noqa: PTH100
        result.roots.append(path)
        for found in _walk(path, result):
            if found.path not in seen:
                seen.add(found.path)
                result.files.append(found)
    return result


def _walk(top: Path, result: Discovery) -> Iterator[Found]:
    """Visits everything under a named source, a folder's entries in the order of their names."""
    waiting = [top]  # a list and no recursion: folders may be nested deeper than Python's stack
    while waiting:
        path = waiting.pop()
        if not _is_utf8(path):
            shown = str(path).encode("utf-8", "backslashreplace").decode()
            reason = "the name is not valid UTF-8 and cannot be stored; rename it and index again"
            result.failures.append(Failure(shown, reason))
            continue
        try:
            mode = path.stat().st_mode
        except OSError as error:
            result.blind.append(path)
            # os.path.islink, unlike Path.is_symlink, does not raise where it may not look.
            is_link = os.path.islink(path)  # noqa: PTH114
            reason = "the link points to nothing" if is_link else reason_of(error)
            result.failures.append(Failure(str(path), reason))
            continue
        if stat.S_ISDIR(mode):
            waiting.extend(reversed(_entries(path, top, result)))
        elif not stat.S_ISREG(mode):
            result.skipped.append(Failure(str(path), "not a regular file"))
        else:
            yield from _look_at_file(path, top, result)


def _entries(folder: Path, root: Path, result: Discovery) -> list[Path]:
    if folder.is_symlink() and folder != root:
        reason = "a link to a folder is not followed; name the folder itself to index it"
        result.skipped.append(Failure(str(folder), reason))
        return []
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except OSError as error:
        result.blind.append(folder)
        result.failures.append(Failure(str(folder), reason_of(error)))
        return []
    if INDEX_MARK in names:
        result.skipped.append(Failure(str(folder), "an index of vision-ctx, not a source"))
        return []
    users = [name for name in names if not _is_system_name(name)]
    result.ignored += len(names) - len(users)
    return [folder / name for name in users]


def _look_at_file(path: Path, root: Path, result: Discovery) -> Iterator[Found]:
    kind = kind_of(path)
    if kind is not None:
        yield Found(path, kind, root)
        return
    reason = f"files of type '{path.suffix or path.name}' are not read"
    (result.failures if path == root else result.skipped).append(Failure(str(path), reason))


def _is_system_name(name: str) -> bool:
    lowered = name.lower()
    return name.startswith(".") or lowered in SYSTEM_FILES or lowered in SYSTEM_FOLDERS


def _is_utf8(path: Path) -> bool:
    """Whether text can hold the name: tables store only that, and OpenCV crashes on other names."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def reason_of(error: OSError) -> str:
    """Why a file or folder cannot be read, in words, with the next step where there is one."""
    if isinstance(error, PermissionError):
        return "may not be read (permission denied); allow it and run index again"
    if isinstance(error, FileNotFoundError):
        return "there is no such file or folder"
    return (error.strerror or str(error)).lower()
