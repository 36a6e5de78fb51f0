"""One row for each vendor of whom names are known, and names that say nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from vision_ctx.sources.filenames import camera_from_path, time_from_path

AWARE = -timedelta(hours=5)


def local(text: str) -> datetime:
    return datetime.fromisoformat(text)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# path below the indexed folder "archive", start (naive: the camera's own clock), camera
VENDORS = [
    ("recordings/2023-04-26/17/front_door/06.56.mp4", utc("2023-04-26 17:06:56"), "front_door"),
    (
        "Mp4Record/2020-12-22/RecM01_20201222_075939_080140_6D28808_1A468F9.mp4",
        local("2020-12-22 07:59:39"),
        None,
    ),
    (
        "RecS07_20250219_111146_111238_0_A714C0A000_21E67C.mp4",
        local("2025-02-19 11:11:46"),
        None,
    ),
    ("Rec_20230517_043229_541_M.mp4", local("2023-05-17 04:32:29"), None),
    (
        "Mp4Record/2023-04-26/RecS02_DST20230426_145918_150032_2B14808_32F1DF.mp4",
        local("2023-04-26 14:59:18"),
        None,
    ),
    (
        "sda/9527000ABCDEF123-Back garden/Mp4Record/2024-08-27/"
        "RecM02_DST20240827_090302_090334_0_800_800_033C820000_61B6F0.mp4",
        local("2024-08-27 09:03:02"),
        "Back garden",
    ),
    ("2019-05-09/001/dav/21/21.04.49-21.05.14[M][0@0][0].mp4", local("2019-05-09 21:04:49"), None),
    (
        "AMC002A3_K2G7HH/2018-02-25/001/jpg/18/53/29[M][0@0][0].jpg",
        local("2018-02-25 18:53:29"),
        "AMC002A3_K2G7HH",
    ),
    (
        "Sippe3/2023-08-03/001/jpg/08/25.03[M][0@0][0].jpg",
        local("2023-08-03 08:25:03"),
        "Sippe3",
    ),
    (
        "mnt/dvr/2026-08-28/0/dav/00/0/1/98673/00.14.57-00.15.31[M][0@0][0].dav",
        local("2026-08-28 00:14:57"),
        None,
    ),
    (
        "NVR_ch1_main_20241118083054_20241118083251.mp4",
        local("2024-11-18 08:30:54"),
        "NVR_ch1",
    ),
    (
        "NVR_ch2_sub_20241118083054_20241118083251_camera2.dav",
        local("2024-11-18 08:30:54"),
        "NVR_ch2",
    ),
    (
        "192.168.1.65_01_20250905115636245_MOTION_DETECTION.jpg",
        local("2025-09-05 11:56:36.245"),
        "192.168.1.65_01",
    ),
    (
        "gate/4_192.168.1.65_01_20250905115636245_MOTION_DETECTION.jpg",
        local("2025-09-05 11:56:36.245"),
        "gate",
    ),
    ("datadir0/hiv00000.mp4", None, None),
    (
        "FI9800P_00123E45E060/snap/MDAlarm_20180914-111429.jpg",
        local("2018-09-14 11:14:29"),
        "FI9800P_00123E45E060",
    ),
    ("snap/HMDAlarm_20180914-111429.jpg", local("2018-09-14 11:14:29"), None),
    ("record/MDalarm_20260728_111148.mkv", local("2026-07-28 11:11:48"), None),
    ("record/alarm_20231127_200437.mkv", local("2023-11-27 20:04:37"), None),
    ("record/2022Y04M12D18H/09M00S60.mp4", local("2022-04-12 18:09:00"), None),
    ("2022Y08M18D15H/E123M45S15.mp4", local("2022-08-18 15:23:45"), None),
    ("E123M45S67.mp4", None, None),
    ("mmcblk0p1/record/clip.mp4", None, None),
    ("05-01-2024_10.15.00.jpg", local("2024-01-05 10:15:00"), None),
    ("media/mmc/record/20220318/14/05.mp4", local("2022-03-18 14:05"), None),
    ("record/20210506?w/14/05.mp4", None, None),
    (
        "2020/06/04/Camera Name/Camera Name - 2020-06-04 - 01:04:05.mp4",
        local("2020-06-04 01:04:05"),
        "Camera Name",
    ),
    ("New/FrontDoor.20210925_140305.bvr", local("2021-09-25 14:03:05"), "FrontDoor"),
    (
        "kitchen/PRIVATE/PANA_GRP/HH/WINDOW/03-04-2021/1M123455.mp4",
        local("2021-03-04 12:34:55"),
        "kitchen",
    ),
    ("PRIVATE/PANA_GRP/HH/WINDOW/03-04-2021/1A000000.mp4", local("2021-03-04 00:00"), None),
    ("20150910070623-070619-M00_508.mov", utc("2015-09-10 07:06:19"), None),
    ("20150911000003-235958-M00_509.mov", utc("2015-09-10 23:59:58"), None),
    (
        "20140509-000500-001000_192.168.1.11-CH2.avi",
        local("2014-05-09 00:05:00"),
        "192.168.1.11-CH2",
    ),
    (
        "2024-01-05/192.168.1.30_3_S10-15-00E10-20-00.mp4",
        local("2024-01-05 10:15:00"),
        "192.168.1.30_3",
    ),
    ("192.168.1.30_3_20240105101500123.jpg", local("2024-01-05 10:15:00.123"), "192.168.1.30_3"),
    (
        "00-18-ae-a8-da-2a/VFD/2021-01-09/14/VFD_2021-01-09-14-05-33-120_001.jpg",
        local("2021-01-09 14:05:33.120"),
        "00-18-ae-a8-da-2a",
    ),
    ("door_20050107180654_2_pre.jpg", local("2005-01-07 18:06:54"), "door"),
    ("door_20050107180654_4_trg.jpg", local("2005-01-07 18:06:54"), "door"),
    ("Entrance-2009-06-05@225030.jpg", local("2009-06-05 22:50:30"), "Entrance"),
    ("IPCamera/Period/20100708/12/clip.avi", None, None),
    ("20250114_093000_1A2B_ACCC8E123456/0.mkv", local("2025-01-14 09:30:00"), "ACCC8E123456"),
    ("gate/20250114_093000_1A2B_ACCC8E123456/0.mkv", local("2025-01-14 09:30:00"), "gate"),
    ("20250114_093000_1A2B_ACCC8E123456/1.mkv", None, "ACCC8E123456"),  # starts some time later
    ("20210712_141048_857A_ACCC8EAF31F3_0.jpg", local("2021-07-12 14:10:48"), "ACCC8EAF31F3"),
    ("yard/01-20240105101500.mp4", local("2024-01-05 10:15:00"), "yard"),
    ("01-20240105101500-00.jpg", local("2024-01-05 10:15:00"), None),
    ("01-20240105101500-snapshot.jpg", local("2024-01-05 10:15:00"), None),
    ("Camera1/2024-01-05/10-15-00.mp4", local("2024-01-05 10:15:00"), "Camera1"),
    ("20260715_140212_NF.mp4", local("2026-07-15 14:02:12"), None),
    ("van/20260715_140212_ER.mp4", local("2026-07-15 14:02:12"), "van"),
    ("19700101_000000_NF.mp4", None, None),
    ("20130501-121010_NOR_D1.avi", local("2013-05-01 12:10:10"), None),
    ("20130501-121010_IMG_C1.jpg", local("2013-05-01 12:10:10"), None),
    (
        "SentryClips/2026-07-03_12-00-00/2026-07-03_11-59-30-left_repeater.mp4",
        local("2026-07-03 11:59:30"),
        "left_repeater",
    ),
    ("1_TimeLapse_2021-05-08_21-01-08.mp4", local("2021-05-08 21:01:08"), None),
    ("2021-01-07/01-41-28.mp4", local("2021-01-07 01:41:28"), None),
    ("yourcamera.1512579138.00433.jpg", utc("2017-12-06 16:52:18"), "yourcamera"),
    (
        "2014-09-08T08:02:17-05:00.jpg",
        datetime(2014, 9, 8, 8, 2, 17, tzinfo=timezone(AWARE)),
        None,
    ),
    (
        "2018-12-01T21/21/27-06/00.jpg",
        datetime(2018, 12, 1, 21, 21, 27, tzinfo=timezone(-timedelta(hours=6))),
        None,
    ),
    ("20211218_124322000_iOS.MOV", local("2021-12-18 12:43:22"), None),
]


@pytest.mark.parametrize(("path", "time", "camera"), VENDORS, ids=[row[0] for row in VENDORS])
def test_vendor(path: str, time: datetime | None, camera: str | None) -> None:
    named = time_from_path(f"/archive/{path}")
    assert (named.time if named else None) == time
    if time is not None and named is not None:
        assert named.time.tzinfo == time.tzinfo  # naive stays naive, UTC stays UTC
    assert camera_from_path(f"/archive/{path}", "/archive") == camera


@pytest.mark.parametrize(
    ("path", "time"),
    [
        ("gate_2024-01-05_101500.jpg", "2024-01-05 10:15:00"),
        ("20240105T101500.jpg", "2024-01-05 10:15:00"),
        ("20240105_1015.jpg", "2024-01-05 10:15:00"),
        ("2024-01-05 10.15.00.png", "2024-01-05 10:15:00"),
        ("cam 2024.01.05 10h15m00 (2).png", "2024-01-05 10:15:00"),
        ("20240105_101500_0001.jpg", "2024-01-05 10:15:00"),
        ("0001-20240105-101500-0002.jpg", "2024-01-05 10:15:00"),
        ("20240105_000000.jpg", "2024-01-05 00:00:00"),
        ("20240229_235959.jpg", "2024-02-29 23:59:59"),
    ],
)
def test_any_name_with_date_and_time(path: str, time: str) -> None:
    named = time_from_path(path)
    assert named is not None
    assert named.time == local(time)


@pytest.mark.parametrize(
    "path",
    [
        "bus.jpg",
        "20241305_101500.jpg",  # month 13
        "20230229_101500.jpg",  # no leap year
        "20240105_251500.jpg",  # hour 25
        "20240105_106000.jpg",  # minute 60
        "20240105.jpg",  # a date alone
        "10-15-00.jpg",  # a time alone
        "2024-01-05_1234567.jpg",  # a number of seven digits is no time
        "120240105101500.jpg",
        "VID-20240105-WA0001.mp4",
        "2021-01-07/10-20-304.mp4",
        "invoice 4711-2024.jpg",
        "20000101_000012.mp4",  # a clock that was never set
        "2000-01-01/00/gate/00.12.mp4",
        "",
    ],
)
def test_names_without_a_time(path: str) -> None:
    assert time_from_path(path) is None


def test_summer_time_marks() -> None:
    def mark(name: str) -> bool | None:
        named = time_from_path(name)
        assert named is not None
        return named.summer

    assert mark("RecS02_DST20230426_145918_150032_2B14808_32F1DF.mp4") is True
    assert mark("RecS02_20231226_145918_150032_2B14808_32F1DF.mp4") is False
    # The oldest form knows no such mark, nor does any other vendor: nothing follows from its lack.
    assert mark("Rec_20230517_043229_541_M.mp4") is None
    assert mark("20230426_145918.mp4") is None


@pytest.mark.parametrize(
    ("path", "root", "camera"),
    [
        ("/site/gate/a.jpg", "/site", "gate"),
        ("/site/gate/2024-01-05/10/a.jpg", "/site", "gate"),
        ("/site/gate/a.jpg", "/site/gate", "gate"),  # the named folder counts
        ("/site/gate/a.jpg", "/site/gate/a.jpg", "gate"),  # so does the folder of a named file
        ("/site/recordings/a.jpg", "/site/recordings", "a"),  # but none above it
        ("/site/footage/gate_20240105_101500.jpg", "/site/footage", "gate"),
        ("/site/footage/20240105_101500_gate.jpg", "/site/footage", "gate"),
        ("/footage/20240105_101500.jpg", "/footage", None),
        ("/footage/IMG_0001.JPG", "/footage", None),
        ("/footage/DSCN0042.JPG", "/footage", None),
        ("/footage/VID_20240105_101500.mp4", "/footage", None),
        ("/site/gate 2024-01-05/a.jpg", "/site", "gate"),  # one camera, not one for each day
        ("/data/מצלמה 1/a.jpg", "/data", "מצלמה 1"),
        ("/data/Ünï & cõdé/a.jpg", "/data", "Ünï & cõdé"),
        ("/a.jpg", "/", "a"),
        ("/data/recordings/2023-04-26/17/dvr/06.56.mp4", "/data", "dvr"),  # Frigate says: a camera
    ],
)
def test_camera_of_a_path(path: str, root: str, camera: str | None) -> None:
    assert camera_from_path(path, root) == camera


def test_a_long_name_takes_no_long_time() -> None:
    for name in ("2024" * 60, "1-" * 120, "a_" * 120, "20240105" * 30, "2024-01-05/" * 80):
        time_from_path(f"/{name}.jpg")
        camera_from_path(f"/x/{name}.jpg", "/x")
