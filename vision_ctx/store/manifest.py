"""The index's own description of itself: schema version, models, settings. One small JSON file."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from vision_ctx.errors import IndexDamagedError, IndexMismatchError, IndexNotFoundError
from vision_ctx.sources.discover import INDEX_MARK

SCHEMA_VERSION = 1


@dataclass(slots=True)
class ModelEntry:
    """A model of the index: what the user named, and what that turned out to be.

    ``id`` is empty until the model was first loaded, ``dim`` counts for embedders only.
    """

    spec: str
    id: str = ""
    dim: int = 0


@dataclass(slots=True)
class Settings:
    """What decides about the records besides the models.

    Frames a second, least confidence, and whether sightings of one object become one record.
    """

    fps: float = 2.0
    min_confidence: float = 0.25
    track: bool = True


@dataclass(slots=True)
class Manifest:
    """Schema version, models and settings of an index."""

    detector: ModelEntry
    embedder: ModelEntry
    settings: Settings = field(default_factory=Settings)
    schema_version: int = SCHEMA_VERSION

    def save(self, folder: Path) -> None:
        """Writes the manifest so that a reader sees the old or the new one, never a half."""
        write_atomically(folder / INDEX_MARK, json.dumps(asdict(self), indent=2).encode())

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Reads the manifest.

        Raises:
            IndexNotFoundError: There is no index in the folder.
            IndexMismatchError: Another version of this program made it.
            IndexDamagedError: It cannot be read.
        """
        path = folder / INDEX_MARK
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise IndexNotFoundError(
                f"there is no index at {folder}; make one with: vision-ctx index SOURCE "
                f"--index {folder}"
            ) from None
        except (OSError, ValueError) as error:
            raise IndexDamagedError(
                f"{path} cannot be read ({error}); index anew into another folder with --index"
            ) from error
        return cls._from(data, path)

    @classmethod
    def _from(cls, data: Any, path: Path) -> Manifest:  # noqa: ANN401 - JSON holds anything
        found = data.get("schema_version") if isinstance(data, dict) else None
        if found != SCHEMA_VERSION:
            raise IndexMismatchError(
                f"{path.parent}: the index has schema version {found}, this program reads version "
                f"{SCHEMA_VERSION}; index the sources anew into another folder with --index"
            )
        try:
            return cls(
                ModelEntry(**data["detector"]),
                ModelEntry(**data["embedder"]),
                Settings(**data["settings"]),
            )
        except (KeyError, TypeError) as error:
            raise IndexDamagedError(
                f"{path} lacks an entry ({error}); index anew into another folder with --index"
            ) from error


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces a file in one step: a reader, or a crash, finds the old content or the new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
