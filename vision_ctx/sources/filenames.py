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
    twice; ``camera`` is the folder or name part that the vendor uses for the camera; ``folders`` is
    the number of folders above those that the vendor makes itself.
    """

    time: datetime
    vendor: str
    camera: str | None = None
    summer: bool | None = None
    folders: int | None = None


@dataclass(frozen=True, slots=True)
class _Pattern:
    """``own_folders`` says that no folder that the expression covers was named by the owner."""

    vendor: str
    expression: re.Pattern[str]
    utc: bool = False
    own_folders: bool = True


# A recorder whose clock was never set writes 1970 or 2000: such a year is no time at all.
_YEAR = r"(?P<Y>20(?!00)\d\d)"
_DATE = rf"{_YEAR}-(?P<m>\d\d)-(?P<d>\d\d)"
_DAY = rf"{_YEAR}(?P<m>[01]\d)(?P<d>[0-3]\d)"
_CLOCK = r"(?P<H>[0-2]\d)(?P<M>[0-5]\d)(?P<S>[0-5]\d)"
_SEP = r"[-_.]?"
_PLAIN = (
    rf"{_YEAR}{_SEP}(?P<m>[01]\d){_SEP}(?P<d>[0-3]\d)(?:[-_T @.,]{{0,3}}|\s-\s)"
    r"(?P<H>[0-2]\d)[-_.:h]?(?P<M>[0-5]\d)(?:[-_.:m]?(?P<S>[0-5]\d)(?P<ms>\d{3})?)?(?!\d)"
)
_IP = r"\d{1,3}(?:\.\d{1,3}){3}"
_MAC = r"(?:[\dA-F]{2}[-:]){5}[\dA-F]{2}"


def _pattern(
    vendor: str, expression: str, *, utc: bool = False, own_folders: bool = True
) -> _Pattern:
    return _Pattern(vendor, re.compile(expression, re.IGNORECASE), utc, own_folders)


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
    # Reolink: the digits after RecM are the version of the name.  Only names with it mark summer
    # time, so only there does a missing mark mean winter.  A hub writes the camera into a folder.
    _pattern(
        "Reolink",
        rf"(?:/[0-9A-Z]{{16}}-(?P<camera>[^/]+))?(?:/Mp4Record(?:/[\d-]+)?)?"
        rf"/Rec[MS]\w\w_(?P<DST>DST)?{_DAY}_{_CLOCK}_[^/]*$",
    ),
    _pattern("Reolink", rf"(?:/Mp4Record(?:/[\d-]+)?)?/Rec_{_DAY}_{_CLOCK}_[^/]*$"),
    _pattern(
        "yi-hack",
        rf"/{_YEAR}Y(?P<m>\d\d)M(?P<d>\d\d)D(?P<H>\d\d)H/(?:E\d)?(?P<M>\d\d)M(?P<S>\d\d)S[^/]*$",
    ),
    _pattern("Wyze", rf"/record/{_DAY}/(?P<H>[0-2]\d)/(?P<M>[0-5]\d)\.[^/.]+$"),
    # Canon: date and clock of the file's making, then the start of the recording, in UTC.
    _pattern("Canon", rf"/{_DAY}(?P<made>\d{{6}})-{_CLOCK}-[MERTU]\d\d_", utc=True),
    _pattern("Home Assistant", r"/(?P<camera>[^/]+?)\.(?P<epoch>1\d{9})\.\d+\.[^/.]+$", utc=True),
    _pattern(
        "Xiaomi Dafang",
        rf"/(?P<d>\d\d)-(?P<m>\d\d)-{_YEAR}_(?P<H>\d\d)\.(?P<M>\d\d)\.(?P<S>\d\d)\.[^/.]+$",
    ),
    # HomeHawk: the folder starts with the month, the file with a digit and the kind.
    _pattern(
        "Panasonic HomeHawk",
        rf"(?:/PRIVATE/PANA_GRP/HH/[^/]+)?/(?P<m>\d\d)-(?P<d>\d\d)-{_YEAR}/\d[AMC]{_CLOCK}\.[^/.]+$",
    ),
    _pattern("Hikvision", rf"/(?:\d+_)?{_IP}_\d\d_{_DAY}{_CLOCK}(?P<ms>\d{{3}})_[^/]*$"),
    _pattern("Uniview", rf"/{_IP}_[^_/]+_{_DAY}{_CLOCK}(?P<ms>\d{{3}})?\.[^/.]+$"),
    _pattern(
        "Uniview",
        rf"/{_DATE}/{_IP}_[^_/]+_S(?P<H>\d\d)-(?P<M>\d\d)-(?P<S>\d\d)E\d\d-\d\d-\d\d\.[^/.]+$",
    ),
    _pattern("Brickcom", rf"/{_DAY}-{_CLOCK}-\d{{6}}_{_IP}-CH\d+[^/]*$"),
    _pattern(
        "GeoVision",
        rf"(?:/{_MAC})?/(?P<event>[^/]+)/[\d-]+/\d\d/(?P=event)_{_DATE}-(?P<H>\d\d)-(?P<M>\d\d)"
        r"-(?P<S>\d\d)-(?P<ms>\d{3})_\d+\.[^/.]+$",
    ),
    _pattern("Foscam", rf"(?:/(?:snap|record))?/(?:H?MD)?alarm_{_DAY}[-_]{_CLOCK}\.[^/.]+$"),
    # Blue Iris, by default: camera, date and time.
    _pattern("Blue Iris", rf"/(?P<camera>[^/.]+)\.{_DAY}_{_CLOCK}\.[^/.]+$"),
    _pattern("NVR export", rf"/(?P<camera>[^/]*ch\d+)_(?:main|sub)_{_DAY}{_CLOCK}_\d{{14}}[^/]*$"),
    _pattern("Vivotek", rf"/(?P<camera>[^/]+)_{_DAY}{_CLOCK}_\d+_(?:pre|trg|pos)\.[^/.]+$"),
    _pattern("Motion", rf"/\d+-{_DAY}{_CLOCK}(?:-\d+|-snapshot)?\.[^/.]+$"),
    _pattern("BlackVue", rf"/{_DAY}_{_CLOCK}_[A-Z][FRI]\.[^/.]+$"),
    _pattern("Cowon", rf"/{_DAY}-{_CLOCK}_(?:NOR|EVT|MOT|IMG)_[A-Z]\d\.[^/.]+$"),
    # Axis: the folder is the start of the recording, so only its first piece starts then.
    _pattern("Axis", rf"/{_DAY}_{_CLOCK}_[\dA-F]{{4}}_[\dA-F]{{12}}(?:/0|_\d+)\.[^/.]+$"),
    # Tesla: the folder is the event, the file one minute of one of the cameras.
    _pattern(
        "Tesla",
        rf"/{_DATE}_(?P<H>\d\d)-(?P<M>\d\d)-(?P<S>\d\d)"
        r"-(?P<camera>front|back|(?:left|right)_(?:repeater|pillar))\.[^/.]+$",
    ),
    _pattern(
        "Agent DVR",
        rf"/\d+_(?:[A-Z]+_)?{_DATE}_(?P<H>\d\d)-(?P<M>\d\d)-(?P<S>\d\d)\.[^/.]+$",
    ),
    _pattern(
        "UniFi Protect",
        rf"/(?P<camera>[^/]+) - {_DATE} - (?P<H>\d\d)[:.-](?P<M>\d\d)[:.-](?P<S>\d\d)[^/]*$",
    ),
    # Any name that holds a whole date and time; the first one is the start.
    _pattern("date and time", rf"/[^/]*?(?<!\d){_PLAIN}[^/]*$"),
    # Date in a folder, time in the name: ZLMediaKit, motionEye and many scripts.
    _pattern(
        "date folder",
        rf"/{_DATE}/(?:[^/]+/)*(?P<H>[0-2]\d)[-.:](?P<M>[0-5]\d)[-.:](?P<S>[0-5]\d)(?!\d)[^/]*$",
        own_folders=False,
    ),
)

# Parts of a path that recorders, cards and people make for keeping files and that name no camera.
_NOT_A_CAMERA = re.compile(
    r"""^(?:
      [\d\W_]+ | \d{4}Y\d\dM\d\dD\d\dH | recordings? | records? | clips? | events? | snapshots? | snap
    | dav | jpe?g | png | video(?:s|_clips)? | images? | pictures? | photos? | footage | media | mnt
    | mp4record | datadir\d+ | hiv\d+ | index\d+ | period | alarm | backup | archive | exports?
    | (?:sentry|saved|recent)clips | teslacam | ipcamera | private | pana_grp | hh | [nd]vr
    | mmc(?:blk\w+)? | sd[a-z] | sdcard | dcim | time_?lapse | motion | new | stored
    | output | input | data | home | root | tmp | temp | users? | desktop | documents? | downloads?
    | samples? | files
    | img | vid | mov | mvi | pxl | ios | rec[ms]? | (?:e\d)?\d\dm\d\ds\d+   # heads of file names
    | [NEPMI][FRI]                    # BlackVue: mode and view
    | \?w                             # what a faulty Wyze adds to a date
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
_STAMP = re.compile(
    rf"{re.sub(r'[?]P<[^>]*>', '?:', _PLAIN)}|20\d\d-\d\d-\d\d|\[[^\]]*\]"
    r"|_[\dA-F]{4}_[\dA-F]{12}|\d{6,}",  # Axis: an id and the serial number; counters
    re.IGNORECASE,
)
# DCF, which phones and still cameras follow: four free characters and a counter, as IMG_0001.
_COUNTED = re.compile(r"\w{4}\d{4}")
# What a recorder writes of a camera that has no name: address and channel, or serial number.
_ADDRESS = re.compile(
    rf"(?<![\d.]){_IP}(?:[-_](?:CH)?\d{{1,3}}(?![\dA-Z]))?|{_MAC}|(?<=_)[\dA-F]{{12}}(?=[_/])",
    re.IGNORECASE,
)


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
        folders = text.count("/", 1, match.start() + 1) if pattern.own_folders else None
        return NameTime(time, pattern.vendor, fields.get("camera"), summer, folders)
    return None


def camera_from_path(path: str, root: str) -> str | None:
    """The nearest folder, up to the named one, whose name could be a camera's.

    Folders that recorders make (dates, hours, ``recordings``, ``dav``) are passed over.  Where all
    are, the file's own name without its time stamp, then the address that a recorder wrote into the
    path; ``None`` if nothing is left.
    """
    named = time_from_path(path)
    if named is not None and named.camera:
        return named.camera
    file, top = PurePath(path), PurePath(root)
    # A folder named by hand counts with its own name; of a file named by hand, its folder does.
    stop = file.parent if file == top else top
    for folder in _owners_folders(file, stop, named):
        name = _without_stamp(folder.name)
        if name:
            return name
    if named is None or named.vendor == "date and time":  # others' names, as RecM02, hold no camera
        name = _without_stamp(file.stem)
        if name and not _COUNTED.fullmatch(name):
            return name
    address = _ADDRESS.search(file.as_posix())
    return address.group() if address else None


def _owners_folders(file: PurePath, stop: PurePath, named: NameTime | None) -> list[PurePath]:
    """The folders of a file from the nearest to ``stop``, without those that its recorder makes."""
    folders = [folder for folder in file.parents if folder == stop or stop in folder.parents]
    made = 0
    if named is not None and named.folders is not None:
        made = len(file.parent.relative_to(file.anchor).parts) - named.folders
    return folders[made:]


def _without_stamp(name: str) -> str | None:
    """A name without date, time and counters; ``None`` if no camera's name is left."""
    rest = _STAMP.sub("", name).strip(" -_.")
    return rest if rest and not _NOT_A_CAMERA.match(rest) else None


def _time(fields: dict[str, str | None], *, utc: bool) -> datetime:
    if fields.get("epoch"):
        return datetime.fromtimestamp(int(fields["epoch"] or 0), UTC)
    year, month, day, hour, minute = (int(fields[name] or 0) for name in "YmdHM")
    second, milliseconds = (int(fields.get(name) or 0) for name in ("S", "ms"))
    time = datetime(year, month, day, hour, minute, second, milliseconds * 1000)
    if (fields.get("made") or "999999") < f"{time:%H%M%S}":
        time -= timedelta(days=1)  # the file was made after midnight, the recording starts before
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
