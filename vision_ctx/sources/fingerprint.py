"""Says whether a file changed: by size and time where that is safe, else by its content.

A file whose time lies within two seconds of the moment it was read may have been written again
without a visible change of time, so it is read again (git calls such an entry "racy").
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from vision_ctx.errors import SourceError
from vision_ctx.sources.discover import reason_of
from vision_ctx.types import RGB, Source, SourceKind

# The coarsest file time in common use: FAT and exFAT count in steps of two seconds.
RACY_NS = 2_000_000_000
MEMORY = "memory:"
"""What the path of a picture begins with that was handed over by a program, not read from a file."""
ID_BYTES = 16
"""128 bits: the chance of two equal ids among a thousand million is below 1e-20."""


def digest(*parts: str) -> str:
    """A hexadecimal id of texts, with a separator that no path contains."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[
        : 2 * ID_BYTES
    ]


def read_source(path: Path, kind: SourceKind) -> Source:
    """Reads the whole file once to fingerprint it.

    Raises:
        SourceError: The file is empty or cannot be read.
    """
    try:
        stat = path.stat()
        if stat.st_size == 0:
            raise SourceError(str(path), "the file is empty")
        with path.open("rb") as file:
            fingerprint = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SourceError(str(path), reason_of(error)) from error
    return make_source(str(path), kind, stat.st_size, mtime_ns(stat), fingerprint)


def mtime_ns(stat: os.stat_result) -> int:
    """The file's time, brought into the range that tables can store (the years 1677 to 2262)."""
    return max(-(2**63), min(stat.st_mtime_ns, 2**63 - 1))


def make_source(path: str, kind: SourceKind, size: int, mtime_ns: int, fingerprint: str) -> Source:
    """A source whose id covers its path and its content."""
    return Source(path, kind, size, mtime_ns, fingerprint, digest(path, fingerprint))


def picture_source(name: str, image: RGB) -> Source:
    """The source of a picture that is in memory, known by the caller's name for it."""
    content = f"{image.shape}".encode() + image.tobytes()
    path = f"{MEMORY}{name}"
    return make_source(path, "image", image.nbytes, 0, hashlib.sha256(content).hexdigest())
