"""Who says when a recording starts, and what becomes of hours that come twice or never."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PIL import Image

from vision_ctx.errors import ArgumentError, ConfigError, SourceError
from vision_ctx.sources.clock import (
    check_timezone,
    local_timezone,
    moment_of,
    parse_time,
    start_of,
)
from vision_ctx.types import Moment

NEW_YORK, AMSTERDAM = "America/New_York", "Europe/Amsterdam"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def ns(time: datetime) -> int:
    return round(time.timestamp()) * 10**9


LATER = ns(at("2026-06-01 00:00"))


def start(name: str, zone: str = "UTC", mtime_ns: int = LATER, duration_s: float = 0.0) -> Moment:
    return start_of(Path(f"/site/{name}"), zone, mtime_ns=mtime_ns, duration_s=duration_s)


def test_the_order_of_witnesses(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0132] = "2024:02:02 12:00:00"
    named, plain = tmp_path / "20240101_120000.jpg", tmp_path / "plain.jpg"
    for path in (named, plain):
        Image.new("RGB", (8, 8)).save(path, exif=exif)
    given = datetime(2023, 1, 1, 12)

    def moment(path: Path, **options: object) -> tuple[datetime, str, bool]:
        found = start_of(path, "UTC", mtime_ns=LATER, **options)  # type: ignore[arg-type]
        return found.utc, found.clock, found.weak

    assert moment(named, start_time=given, exif=True) == (at("2023-01-01 12:00"), "given", False)
    assert moment(named, exif=True)[:2] == (
        at("2024-01-01 12:00"),
        "file name (date and time)",
    )
    assert moment(plain, exif=True) == (at("2024-02-02 12:00"), "EXIF", False)
    assert moment(plain) == (at("2026-06-01 00:00"), "file time", True)
    assert moment(tmp_path / "no file.jpg", exif=True)[1] == "file time"


def test_a_file_time_is_the_end_of_a_recording() -> None:
    found = start("clip.mp4", mtime_ns=ns(at("2024-01-05 10:10")), duration_s=600)
    assert found.utc == at("2024-01-05 10:00")
    assert found.weak


def test_local_names_take_the_zone_of_the_camera() -> None:
    assert start("20240105_101500.jpg", NEW_YORK).utc == at("2024-01-05 15:15")
    assert start("20240705_101500.jpg", NEW_YORK).utc == at("2024-07-05 14:15")
    assert start("20240705_101500.jpg", "Asia/Kathmandu").utc == at("2024-07-05 04:30")
    found = start("20240705_233000.jpg", NEW_YORK)
    assert found.local.strftime("%Y-%m-%d %H:%M") == "2024-07-05 23:30"  # utc is the next day


def test_frigate_is_utc_whatever_the_zone() -> None:  # S14
    found = start("recordings/2023-04-26/17/front_door/06.56.mp4", "America/Los_Angeles")
    assert found.utc == at("2023-04-26 17:06:56")
    assert found.local.isoformat() == "2023-04-26T10:06:56-07:00"
    assert found.clock == "file name (Frigate)"
    assert not found.weak


def test_an_offset_in_the_name_settles_everything() -> None:
    found = start("2022-11-06T01:30:00-05:00.jpg", NEW_YORK)
    assert (found.utc, found.weak) == (at("2022-11-06 06:30"), False)


# zone, local time that came twice, the two instants
TWICE = [
    (NEW_YORK, "20221106_013000", "2022-11-06 05:30", "2022-11-06 06:30"),
    (AMSTERDAM, "20231029_023000", "2023-10-29 00:30", "2023-10-29 01:30"),
    ("Australia/Lord_Howe", "20240407_014500", "2024-04-06 14:45", "2024-04-06 15:15"),
    ("Australia/Sydney", "20240407_023000", "2024-04-06 15:30", "2024-04-06 16:30"),
    ("America/Sao_Paulo", "20190216_233000", "2019-02-17 01:30", "2019-02-17 02:30"),
]


@pytest.mark.parametrize(("zone", "stamp", "first", "second"), TWICE)
def test_the_hour_that_comes_twice(zone: str, stamp: str, first: str, second: str) -> None:  # S15
    for instant in (at(first), at(second)):
        near = start(f"{stamp}.mp4", zone, ns(instant + timedelta(minutes=7)), duration_s=300)
        assert (near.utc, near.weak) == (instant, False)
        assert near.clock.endswith("hour settled by file time")
    unknown = start(f"{stamp}.mp4", zone)
    assert (unknown.utc, unknown.weak) == (at(first), True)
    assert unknown.clock.endswith(f"{stamp[-6:-4]}:{stamp[-4:-2]} first or second hour unknown")


def test_reolink_marks_the_double_hour_itself() -> None:  # S16
    tail = "20231029_023000_023100_2B14808_32F1DF.mp4"
    summer, winter = start(f"RecS02_DST{tail}", AMSTERDAM), start(f"RecS02_{tail}", AMSTERDAM)
    assert (summer.utc, winter.utc) == (at("2023-10-29 00:30"), at("2023-10-29 01:30"))
    assert not summer.weak and not winter.weak
    unmarked = start("Rec_20231029_023000_541_M.mp4", AMSTERDAM)
    assert unmarked.weak
    usual = start("RecS02_DST20230426_145918_150032_2B14808_32F1DF.mp4", AMSTERDAM)
    assert usual.utc == at("2023-04-26 12:59:18")


@pytest.mark.parametrize(
    ("zone", "stamp", "before", "after"),
    [
        (NEW_YORK, "20230312_023000", "2023-03-12 07:30", "2023-03-12 06:30"),
        (AMSTERDAM, "20240331_023000", "2024-03-31 01:30", "2024-03-31 00:30"),
        ("Pacific/Apia", "20111230_120000", "2011-12-30 22:00", "2011-12-29 22:00"),  # a whole day
    ],
)
def test_the_hour_that_never_was(zone: str, stamp: str, before: str, after: str) -> None:
    """A camera that does not follow summer time still filmed something: it is kept and marked."""
    found = start(f"{stamp}.mp4", zone)
    assert (found.utc, found.weak) == (at(before), True)
    assert found.clock.endswith("not on the clocks that day")
    for instant in (at(before), at(after)):
        near = start(f"{stamp}.mp4", zone, ns(instant))
        assert (near.utc, near.weak) == (instant, False)


def test_hours_beside_the_change_are_certain() -> None:
    for stamp, instant in (
        ("20221106_005959", "2022-11-06 04:59:59"),
        ("20221106_020000", "2022-11-06 07:00:00"),
        ("20230312_015959", "2023-03-12 06:59:59"),
        ("20230312_030000", "2023-03-12 07:00:00"),
    ):
        found = start(f"{stamp}.jpg", NEW_YORK)
        assert (found.utc, found.weak) == (at(instant), False)


def test_a_name_with_minutes_but_no_date() -> None:  # S17
    dated = start("2022Y08M18D15H/E123M45S15.mp4")
    assert (dated.utc, dated.weak) == (at("2022-08-18 15:23:45"), False)
    flat = start("flat/E123M45S15.mp4", mtime_ns=ns(at("2022-08-20 09:00:15")), duration_s=15)
    assert (flat.utc, flat.clock, flat.weak) == (at("2022-08-20 09:00"), "file time", True)


@pytest.mark.parametrize(
    ("name", "mtime", "trusted"),
    [
        ("20240105_101500.mp4", "2024-01-05 10:16", True),
        ("20240105_101500.mp4", "2024-01-04 22:00", True),  # a zone's difference
        ("20380105_101500.mp4", "2024-01-04 22:00", False),  # a clock in the far future
        ("19700101_000010.mp4", "2024-01-04 22:00", False),  # a clock that was never set
        ("20000101_000010.mp4", "2024-01-04 22:00", False),
        ("20240105_101500.mp4", "1980-01-01 00:00", True),  # an archive without file times
    ],
)
def test_clocks_that_were_set_wrong(name: str, mtime: str, trusted: bool) -> None:
    found = start(name, mtime_ns=ns(at(mtime)))
    assert (found.utc == at("2024-01-05 10:15")) is trusted
    assert found.weak is not trusted
    assert found.clock.startswith("file name" if trusted else "file time")
    if name.startswith("2038"):
        assert found.clock == "file time, since the file name (date and time) lies after it"


@pytest.mark.parametrize("mtime_ns", [10**21, -(10**21), 2**63 - 1, -1])
@pytest.mark.parametrize("duration_s", [0.0, 1e15])
def test_file_times_out_of_range(mtime_ns: int, duration_s: float) -> None:
    """Broken file systems and headers give such numbers; a name is taken all the same."""
    assert start("20240105_101500.mp4", "UTC", mtime_ns, duration_s).utc == at("2024-01-05 10:15")
    try:
        assert start("clip.mp4", "UTC", mtime_ns, duration_s).weak
    except SourceError as error:
        assert "--start-time" in error.reason


def test_given_times_out_of_range() -> None:
    for time in (datetime.max, datetime.min):
        with pytest.raises(SourceError, match="out of range"):
            for zone in ("Pacific/Kiritimati", "America/Adak"):
                start_of(Path("/a.mp4"), zone, mtime_ns=LATER, start_time=time)


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "../etc/passwd", "/etc/passwd", "Europe", "a\0b", "CE T"]
)
def test_names_that_are_no_zone(name: str) -> None:
    with pytest.raises(ConfigError, match="IANA"):
        check_timezone(name)


def test_names_that_are_zones() -> None:
    for name in ("UTC", NEW_YORK, AMSTERDAM, "America/Argentina/Buenos_Aires"):
        assert check_timezone(name) == name
    assert check_timezone(local_timezone())


@pytest.mark.parametrize("text", ["2026-03-03", " 2026-03-03T07:15 ", "2026-03-03T07:15:00+01:00"])
def test_times_as_people_write_them(text: str) -> None:
    assert (parse_time(text).year, parse_time(text).month) == (2026, 3)


@pytest.mark.parametrize("text", ["", "yesterday", "03.03.2026", "2026-13-01", "7:15"])
def test_words_that_are_no_time(text: str) -> None:
    with pytest.raises(ValueError, match="no date or time"):
        parse_time(text)


def test_a_second_look_says_the_same(save: Callable[..., Path], tmp_path: Path) -> None:
    path = save(tmp_path / "a.jpg")
    stat = path.stat()
    assert len({start_of(path, "UTC", mtime_ns=stat.st_mtime_ns) for _ in range(3)}) == 1


def test_an_instant_that_a_program_names() -> None:
    moment = moment_of(datetime(2026, 3, 3, 7, 15), "Europe/Amsterdam")
    assert (moment.utc, moment.clock) == (datetime(2026, 3, 3, 6, 15, tzinfo=UTC), "given")
    assert moment_of(None, "UTC").weak
    with pytest.raises(ArgumentError, match="out of range"):
        moment_of(datetime(1, 1, 1), "Europe/Amsterdam")
