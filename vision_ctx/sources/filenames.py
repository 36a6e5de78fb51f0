"""Reads the instant, and where a vendor writes it the camera, from the path of a recording.

One table, most specific first.  A pattern says in which zone its vendor writes: ``local`` is the
camera's own zone, ``UTC`` is UTC whatever the camera shows.  Folders count: Frigate and Dahua keep
date and hour in them.  Knows nothing of EXIF, containers or file times.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class NameTime:
    """What a path says: ``time`` is naive local time, or aware if the vendor writes a zone.

    ``summer`` is True or False where the name marks summer time, which settles the hour that comes
    twice; ``camera`` is the folder or name part that the vendor uses for the camera.
    """

    time: datetime
    vendor: str
    camera: str | None = None
    summer: bool | None = None


@dataclass(frozen=True, slots=True)
class _Pattern:
    vendor: str
    expression: re.Pattern[str]
    utc: bool = False


_DATE = r"(?P<Y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)"
_SEP = r"[-_.]?"
_PLAIN = (
    rf"(?P<Y>20\d\d){_SEP}(?P<m>[01]\d){_SEP}(?P<d>[0-3]\d)(?:[-_T @.,]{{0,3}}|\s-\s)"
    rf"(?P<H>[0-2]\d)[-_.:h]?(?P<M>[0-5]\d)(?:[-_.:m]?(?P<S>[0-5]\d))?"
)


def _pattern(vendor: str, expression: str, *, utc: bool = False) -> _Pattern:
    return _Pattern(vendor, re.compile(expression, re.IGNORECASE), utc)


_PATTERNS = (
    # The offset stands in the name, so no zone has to be assumed.
    _pattern(
        "ISO 8601",
        rf"/{_DATE}T(?P<H>\d\d)[:/](?P<M>\d\d)[:/](?P<S>\d\d)(?P<offset>Z|[+-]\d\d[:/]?\d\d)[^/]*$",
    ),
    # Frigate writes UTC since 0.12 (blakeblackshear/frigate#6271).
    _pattern(
        "Frigate",
        rf"/{_DATE}/(?P<H>[0-2]\d)/(?P<camera>[^/]+)/(?P<M>[0-5]\d)\.(?P<S>[0-5]\d)\.[^/.]+$",
        utc=True,
    ),
    # Dahua and Amcrest: video in hour folders, or picture whose name alone is the second.
    _pattern(
        "Dahua",
        rf"/{_DATE}/\d+/(?:dav|jpg)/(?:[^/]+/)*(?P<H>[0-2]\d)\.(?P<M>\d\d)\.(?P<S>\d\d)-[^/]*$",
    ),
    _pattern(
        "Dahua",
        rf"/{_DATE}/\d+/jpg/(?P<H>[0-2]\d)/(?P<M>[0-5]\d)/(?P<S>[0-5]\d)(?:\[[^/]*)?\.[^/.]+$",
    ),
    _pattern(
        "Dahua",
        rf"/{_DATE}/\d+/jpg/(?P<H>[0-2]\d)/(?P<M>[0-5]\d)\.(?P<S>[0-5]\d)(?:\[[^/]*)?\.[^/.]+$",
    ),
    _pattern(
        "Reolink",
        r"/Rec[MS]?\w{0,2}_(?P<DST>DST)?(?P<Y>20\d\d)(?P<m>\d\d)(?P<d>\d\d)"
        r"_(?P<H>\d\d)(?P<M>\d\d)(?P<S>\d\d)_[^/]*$",
    ),
    _pattern(
        "yi-hack",
        r"/(?P<Y>20\d\d)Y(?P<m>\d\d)M(?P<d>\d\d)D(?P<H>\d\d)H/(?:E\d)?(?P<M>\d\d)M(?P<S>\d\d)S[^/]*$",
    ),
    _pattern(
        "Wyze",
        r"/record/(?P<Y>20\d\d)(?P<m>\d\d)(?P<d>\d\d)/(?P<H>[0-2]\d)/(?P<M>[0-5]\d)\.[^/.]+$",
    ),
    # Canon: the file's making, then the start of the recording, in UTC.
    _pattern(
        "Canon",
        r"/(?P<Y>20\d\d)(?P<m>\d\d)(?P<d>\d\d)\d{6}-(?P<H>\d\d)(?P<M>\d\d)(?P<S>\d\d)-[MERTU]\d\d_",
        utc=True,
    ),
    _pattern("Home Assistant", r"/(?P<camera>[^/]+?)\.(?P<epoch>1\d{9})\.\d+\.[^/.]+$", utc=True),
    _pattern(
        "Xiaomi Dafang",
        r"/(?P<d>\d\d)-(?P<m>\d\d)-(?P<Y>20\d\d)_(?P<H>\d\d)\.(?P<M>\d\d)\.(?P<S>\d\d)\.[^/.]+$",
    ),
    _pattern(
        "Hikvision",
        r"/(?:\d+_)?\d{1,3}(?:\.\d{1,3}){3}_\d\d_(?P<Y>20\d\d)(?P<m>\d\d)(?P<d>\d\d)"
        r"(?P<H>\d\d)(?P<M>\d\d)(?P<S>\d\d)\d{3}_[^/]*$",
    ),
    _pattern(
        "UniFi Protect",
        rf"/(?P<camera>[^/]+) - {_DATE} - (?P<H>\d\d)[:.-](?P<M>\d\d)[:.-](?P<S>\d\d)[^/]*$",
    ),
    # Any name that holds a whole date and time; the first one is the start.
    _pattern("date and time", rf"/[^/]*?(?<!\d){_PLAIN}(?!\d{{1,2}}(?!\d))[^/]*$"),
    # Date in a folder, time in the name: ZLMediaKit, motionEye and many scripts.
    _pattern(
        "date folder",
        rf"/{_DATE}/(?:[^/]+/)*(?P<H>[0-2]\d)[-.:](?P<M>[0-5]\d)[-.:](?P<S>[0-5]\d)[^/\d]?[^/]*$",
    ),
)

# Parts of a path that recorders make for themselves and that are no camera's name.
_NOT_A_CAMERA = re.compile(
    r"""^(?:
      [\d\W_]+ | \d{4}Y\d\dM\d\dD\d\dH | recordings? | records? | clips? | events? | snapshots? | snap
    | dav | jpe?g | png | video(?:s|_clips)? | images? | pictures? | photos? | footage | media | mnt
    | mp4record | datadir\d+ | period | alarm | backup | archive | exports? | output | input | data
    | home | root | tmp | temp | users? | desktop | documents? | downloads? | samples? | files
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
_STAMP = re.compile(rf"{_PLAIN}|\d{{6,}}|\[[^\]]*\]")


def time_from_path(path: str) -> NameTime | None:
    """The start that the path names, or ``None``. Impossible dates (month 13) count as none."""
    text = "/" + PurePath(path).as_posix().lstrip("/")
    for pattern in _PATTERNS:
        match = pattern.expression.search(text)
        if match is None:
            continue
        fields = match.groupdict()
        try:
            time = _time(fields, utc=pattern.utc)
        except ValueError:
            continue
        summer = bool(fields["DST"]) if "DST" in fields else None
        return NameTime(time, pattern.vendor, fields.get("camera"), summer)
    return None


def camera_from_path(path: str, root: str) -> str | None:
    """The nearest folder, up to the named one, whose name could be a camera's.

    Folders that recorders make (dates, hours, ``recordings``, ``dav``) are passed over.  Where all
    are, the file's own name without its time stamp; ``None`` if nothing is left.
    """
    named = time_from_path(path)
    if named is not None and named.camera:
        return named.camera
    file, top = PurePath(path), PurePath(root)
    # A folder named by hand counts with its own name; of a file named by hand, its folder does.
    stop = file.parent if file == top else top
    for folder in file.parents:
        if folder.name and not _NOT_A_CAMERA.match(folder.name):
            return folder.name
        if folder == stop:
            break
    if named is not None and named.vendor != "date and time":
        return None  # a vendor's file name, such as RecM02, holds no camera
    stem = _STAMP.sub("", file.stem).strip(" -_.")
    return stem if stem and not _NOT_A_CAMERA.match(stem) else None


def _time(fields: dict[str, str | None], *, utc: bool) -> datetime:
    if fields.get("epoch"):
        return datetime.fromtimestamp(int(fields["epoch"] or 0), UTC)
    year, month, day, hour, minute = (int(fields[name] or 0) for name in "YmdHM")
    time = datetime(year, month, day, hour, minute, int(fields.get("S") or 0))
    if utc:
        return time.replace(tzinfo=UTC)
    offset = fields.get("offset")
    return time.replace(tzinfo=_offset(offset)) if offset else time


def _offset(text: str) -> timezone:
    if text.upper() == "Z":
        return UTC
    sign = -1 if text[0] == "-" else 1
    digits = re.sub(r"\D", "", text)
    return timezone(sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:])))
