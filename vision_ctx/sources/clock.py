"""Decides when a recording starts, and says who says so.

In order: the user's own word, the file name, EXIF, and last the file's modification time minus the
length of the recording, which is marked weak: copying a file often resets it.  A local time that
the clocks showed twice, or never, is taken all the same and marked, unless the file time settles it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from vision_ctx.errors import ArgumentError, ConfigError, SourceError
from vision_ctx.sources.filenames import time_from_path
from vision_ctx.sources.image import exif_time
from vision_ctx.types import Moment

WEAK_CLOCK = "file time"
# How far the end of a recording may lie from its file's time and still settle a doubtful hour.
# Recorders close a file within seconds of its end; a quarter of an hour leaves room for uploads.
SETTLES = timedelta(minutes=15)
# Zones reach from UTC-12 to UTC+14: a name further ahead of its file's time was not merely written
# in another zone.
WIDEST_ZONES = timedelta(hours=26)


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
        ArgumentError: It is no such text.
    """
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        raise ArgumentError(
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
        SourceError: Nothing names an instant that a calendar has.
    """
    file_start = _file_start(mtime_ns, duration_s)
    if start_time is not None:
        return _moment(path, _Said(start_time, "given"), timezone, file_start)
    said = _said(path, exif)
    clock = WEAK_CLOCK
    if said is not None:
        moment = _moment(path, said, timezone, file_start)
        if file_start is None or not _lies_after(moment.utc, file_start):
            return moment
        clock = f"{WEAK_CLOCK}, since the {said.clock} lies after it"
    if file_start is None:
        raise SourceError(str(path), "the file's time is no date; give --start-time")
    return Moment(file_start, timezone, clock, weak=True)


@dataclass(frozen=True, slots=True)
class _Said:
    """A time, naive or aware, with who says it; ``summer`` as in `NameTime`."""

    time: datetime
    clock: str
    summer: bool | None = None


def _said(path: Path, exif: bool) -> _Said | None:
    named = time_from_path(str(path))
    if named is not None:
        return _Said(named.time, f"file name ({named.vendor})", named.summer)
    taken = exif_time(path) if exif else None
    return _Said(taken, "EXIF") if taken is not None else None


def _file_start(mtime_ns: int, duration_s: float) -> datetime | None:
    """The start of a recording whose file was last written at its end; ``None`` if no such date."""
    try:
        return datetime.fromtimestamp(mtime_ns / 1e9, UTC) - timedelta(seconds=duration_s)
    except (OverflowError, ValueError, OSError):
        return None


def _lies_after(start: datetime, file_start: datetime) -> bool:
    """Whether a clock that was set wrong wrote the name: nothing starts after its file was written.

    A file time of the last century is itself none, as in archives that keep no times.
    """
    return start - file_start > WIDEST_ZONES and file_start.year >= 2000


def _moment(path: Path, said: _Said, timezone: str, file_start: datetime | None) -> Moment:
    """The instant of a local time; file time settles the hours of which there are two or none."""
    time, clock = said.time, said.clock
    zone = ZoneInfo(timezone)
    try:
        if time.tzinfo is not None:
            return Moment(time.astimezone(UTC), timezone, clock)
        first, second = (time.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    except OverflowError as error:
        raise SourceError(str(path), f"the time {time} is out of range") from error
    if first == second:
        return Moment(first, timezone, clock)
    # PEP 495: in the hour that is left out in spring, fold 0 lies after fold 1.
    left_out = first > second
    if said.summer is not None and not left_out:
        return Moment(first if said.summer else second, timezone, clock)
    if file_start is not None:
        nearest = min((first, second), key=lambda candidate: abs(candidate - file_start))
        if abs(nearest - file_start) <= SETTLES:
            return Moment(nearest, timezone, f"{clock}, hour settled by file time")
    doubt = "not on the clocks that day" if left_out else "first or second hour unknown"
    return Moment(first, timezone, f"{clock}, {time:%H:%M} {doubt}", weak=True)


def moment_of(time: datetime | None, timezone: str) -> Moment:
    """The instant that a program names for a picture, else now, which is marked weak.

    Raises:
        ArgumentError: No calendar has the time in UTC.
    """
    if time is None:
        return Moment(datetime.now(UTC), timezone, "time of adding", weak=True)
    try:
        utc = time.replace(tzinfo=time.tzinfo or ZoneInfo(timezone)).astimezone(UTC)
    except OverflowError as error:
        raise ArgumentError(f"the time {time} is out of range") from error
    return Moment(utc, timezone, "given")
