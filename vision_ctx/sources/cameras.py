"""Decides which camera a file belongs to, from the user's option, `vision_ctx.toml` or the path.

`vision_ctx.toml` lies in the indexed folder or a folder above it:

    [cameras.gate]
    name = "Gate camera 1"          # shown and searched; the id if left out
    site = "Rotterdam"
    timezone = "Europe/Amsterdam"   # IANA name
    looks_at = "main gate, barrier in the middle"
    paths = ["footage/gate/**"]     # relative to the file; * and ** match across folders

    [[cameras.gate.zones]]          # an object is in the first zone in which it stands
    name = "entry lane"
    polygon = [[0.1, 1.0], [0.4, 1.0], [0.5, 0.4]]   # shares of width and height, from top left
"""

from __future__ import annotations

import fnmatch
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from vision_ctx.errors import ConfigError
from vision_ctx.sources.clock import check_timezone
from vision_ctx.sources.filenames import camera_from_path
from vision_ctx.types import Camera, Zone

CONFIG_NAME = "vision_ctx.toml"
UNKNOWN_CAMERA = "unknown"
_TEXT_FIELDS = ("name", "site", "timezone", "looks_at")
_FIELDS = (*_TEXT_FIELDS, "paths", "zones")


@dataclass(frozen=True, slots=True)
class _Entry:
    camera: Camera
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hints:
    """What is said of a file besides its path: by the user's options, or by an earlier run.

    ``assumed_timezone`` is the zone for cameras of which nothing tells one: that of the computer
    that indexed the file first, so that a journey does not change old times.
    """

    camera: str | None = None
    timezone: str | None = None
    assumed_timezone: str = "UTC"


@dataclass(slots=True)
class CameraBook:
    """The cameras of the configuration files that apply to the named sources."""

    _files: dict[Path, list[_Entry]] = field(default_factory=dict)

    def of(self, path: Path, root: Path, hints: Hints) -> Camera:
        """The camera of a file found under the named source ``root``.

        Raises:
            ConfigError: A configuration file cannot be followed.
        """
        home = find_config(root)
        entries = self._entries(home) if home is not None else []
        known = None
        if hints.camera is None and home is not None:
            known = _by_pattern(entries, path, home)
        if known is None:
            name = hints.camera or camera_from_path(str(path), str(root)) or UNKNOWN_CAMERA
            known = next((entry.camera for entry in entries if entry.camera.id == name), None)
            known = known or Camera(name, name, "")
        zone = hints.timezone or known.timezone or hints.assumed_timezone
        return replace(known, timezone=zone)

    def _entries(self, home: Path) -> list[_Entry]:
        if home not in self._files:
            self._files[home] = load_config(home)
        return self._files[home]


def _by_pattern(entries: Sequence[_Entry], path: Path, home: Path) -> Camera | None:
    if not path.is_relative_to(home.parent):
        return None
    relative = path.relative_to(home.parent).as_posix()
    for entry in entries:
        if any(fnmatch.fnmatchcase(relative, pattern) for pattern in entry.patterns):
            return entry.camera
    return None


def find_config(root: Path) -> Path | None:
    """The nearest `vision_ctx.toml` in ``root`` or above it."""
    for folder in (root, *root.parents):
        candidate = folder / CONFIG_NAME
        # Unlike Path.is_file, this takes a folder that may not be looked into for one without it.
        if os.path.isfile(candidate):  # noqa: PTH113
            return candidate
    return None


def load_config(path: Path) -> list[_Entry]:
    """Reads the cameras of a configuration file.

    Raises:
        ConfigError: The file is no TOML or an entry is not as documented; names file and entry.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    _check_names(str(path), data, ("cameras",))
    cameras = data.get("cameras", {})
    if not isinstance(cameras, dict):
        raise ConfigError(f"{path}: 'cameras' must be tables such as [cameras.gate]")
    return [_entry(path, str(key), value) for key, value in cameras.items()]


def _entry(path: Path, key: str, value: Any) -> _Entry:  # noqa: ANN401 - TOML holds anything
    where = f"{path}: [cameras.{key}]"
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table")
    _check_names(where, value, _FIELDS)
    for name in _TEXT_FIELDS:
        if name in value and not isinstance(value[name], str):
            raise ConfigError(f"{where} {name} must be text in quotes")
    patterns = value.get("paths", [])
    if not isinstance(patterns, list) or not all(isinstance(p, str) for p in patterns):
        raise ConfigError(f"{where} paths must be a list of patterns in quotes")
    try:
        zone = check_timezone(value["timezone"]) if "timezone" in value else ""
    except ConfigError as error:
        raise ConfigError(f"{where} timezone: {error}") from error
    zones = tuple(_zone(where, entry) for entry in _list_of(where, value, "zones"))
    camera = Camera(
        key, value.get("name", key), zone, value.get("site"), value.get("looks_at"), zones
    )
    return _Entry(camera, tuple(patterns))


def _check_names(where: str, table: dict[str, Any], known: tuple[str, ...]) -> None:
    """Refuses an entry that would have no effect: a slip of the pen, or of a newer version."""
    for name in table:
        if name not in known:
            raise ConfigError(f"{where} '{name}' is unknown; known are {', '.join(known)}")


def _list_of(where: str, value: dict[str, Any], name: str) -> list[Any]:
    entries = value.get(name, [])
    if not isinstance(entries, list):
        raise ConfigError(f"{where} {name} must be a list")
    return entries


def _zone(where: str, value: Any) -> Zone:  # noqa: ANN401 - TOML holds anything
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str) or not name.strip():
        raise ConfigError(f"{where} every zone needs a name in quotes")
    _check_names(f"{where} zone '{name}':", value, ("name", "polygon"))
    try:
        polygon = tuple((float(x), float(y)) for x, y in value["polygon"])
    except (KeyError, TypeError, ValueError):
        polygon = ()
    if len(polygon) < 3 or not all(0 <= share <= 1 for corner in polygon for share in corner):
        raise ConfigError(
            f"{where} zone '{name}': polygon must be three or more corners [x, y] from 0 to 1"
        )
    return Zone(name, polygon)
