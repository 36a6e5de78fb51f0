"""Decides when a recording starts, and says who says so.

In order: the user's own word, the file name, EXIF, and last the file's modification time minus the
length of the recording, which is marked weak: copying a file often resets it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from vision_ctx.errors import ConfigError, SourceError
from vision_ctx.sources.filenames import time_from_path
from vision_ctx.sources.image import exif_time
from vision_ctx.types import Moment

WEAK_CLOCK = "file time"
# How far the end of a recording may lie from its file's time and still settle a doubtful hour.
# Recorders close a file within seconds of its end; a quarter of an hour leaves room for uploads.
SETTLES = timedelta(minutes=15)


def local_timezone() -> str:
    """The IANA name of this computer's zone, ``UTC`` if it has none."""
    import tzlocal

    try:
        name = tzlocal.get_localzone_name() or "UTC"
    except (ZoneInfoNotFoundError, ValueError):
        return "UTC"
    return "UTC" if name == "Etc/UTC" else name


def check_timezone(name: str) -> str:
    """Returns the name if it is an IANA zone.

    Raises:
        ConfigError: There is no such zone.
    """
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ConfigError(
            f"'{name}' is no time zone; use an IANA name such as Europe/Amsterdam or UTC"
        ) from error
    return name


def parse_time(text: str) -> datetime:
    """An ISO 8601 date or date and time: naive if it names no offset.

    Raises:
        ValueError: It is no such text.
    """
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(
            f"'{text}' is no date or time; write 2026-03-03 or 2026-03-03T07:15[+01:00]"
        ) from None


def start_of(
    path: Path,
    timezone: str,
    *,
    mtime_ns: int,
    duration_s: float = 0.0,
    start_time: datetime | None = None,
    exif: bool = False,
) -> Moment:
    """When the recording or picture at ``path`` starts.

    Raises:
        SourceError: The clock of the camera's zone never showed that local time.
    """
    file_time = datetime.fromtimestamp(mtime_ns / 1e9, UTC)
    end_settles = file_time - timedelta(seconds=duration_s)
    if start_time is not None:
        return _moment(path, start_time, timezone, "given", end_settles)
    named = time_from_path(str(path))
    if named is not None:
        clock = f"file name ({named.vendor})"
        return _moment(path, named.time, timezone, clock, end_settles, named.summer)
    taken = exif_time(path) if exif else None
    if taken is not None:
        return _moment(path, taken, timezone, "EXIF", end_settles)
    return Moment(end_settles, timezone, WEAK_CLOCK, weak=True)


def _moment(
    path: Path,
    time: datetime,
    timezone: str,
    clock: str,
    file_start: datetime,
    summer: bool | None = None,
) -> Moment:
    if time.tzinfo is not None:
        return Moment(time.astimezone(UTC), timezone, clock)
    zone = ZoneInfo(timezone)
    first, second = (time.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first == second:
        return Moment(first, timezone, clock)
    if first > second:  # PEP 495: in the hour that is left out, fold 0 lies after fold 1
        raise SourceError(
            str(path),
            f"{time:%Y-%m-%d %H:%M:%S} does not exist in {timezone} (clocks go forward); "
            "give the right zone with --timezone or the instant with --start-time",
        )
    if summer is not None:
        return Moment(first if summer else second, timezone, clock)
    nearest = min((first, second), key=lambda candidate: abs(candidate - file_start))
    if abs(nearest - file_start) <= SETTLES:
        return Moment(nearest, timezone, f"{clock}, hour settled by file time")
    return Moment(first, timezone, f"{clock}, first or second {time:%H:%M} unknown", weak=True)
