"""Paths as each camera's vendor writes them."""

from __future__ import annotations

from datetime import UTC, datetime

# Reolink writes its triggers and the size in hex; the values only have to look like some.
_REOLINK_FLAGS = "6D28808"


def clip_path(vendor: str, camera: str, start: datetime, end: datetime) -> str:
    """The path of a recording below `samples/`; times carry the camera's zone.

    Raises:
        ValueError: no naming is known for the vendor.
    """
    folder = f"footage/{camera}"
    if vendor == "Reolink":
        mark = "DST" if start.dst() else ""
        size = f"{0x1A40000 + int(start.timestamp()) % 0xFFFFF:X}"
        name = f"RecM02_{mark}{start:%Y%m%d_%H%M%S}_{end:%H%M%S}_{_REOLINK_FLAGS}_{size}.mp4"
        return f"{folder}/Mp4Record/{start:%Y-%m-%d}/{name}"
    if vendor == "Frigate":
        utc = start.astimezone(UTC)
        return f"{folder}/recordings/{utc:%Y-%m-%d}/{utc:%H}/{camera}/{utc:%M.%S}.mp4"
    if vendor == "Dahua":
        name = f"{start:%H.%M.%S}-{end:%H.%M.%S}[M][0@0][0].mp4"
        return f"{folder}/{start:%Y-%m-%d}/001/dav/{start:%H}/{name}"
    if vendor == "Blue Iris":
        return f"{folder}/{camera.title()}.{start:%Y%m%d_%H%M%S}.mp4"
    raise ValueError(f"no file naming is known for {vendor}")


def still_path(vendor: str, camera: str, time: datetime) -> str:
    """The path of a picture below `samples/`; the Frigate site lets Home Assistant take them.

    Raises:
        ValueError: no naming of pictures is known for the vendor.
    """
    folder = f"footage/{camera}"
    if vendor == "Frigate":
        return f"{folder}/snapshots/{camera}.{int(time.timestamp())}.00433.jpg"
    if vendor == "Dahua":
        name = f"{time:%S}[M][0@0][0].jpg"
        return f"{folder}/{time:%Y-%m-%d}/001/jpg/{time:%H}/{time:%M}/{name}"
    if vendor == "Blue Iris":
        return f"{folder}/{camera.title()}.{time:%Y%m%d_%H%M%S}.jpg"
    raise ValueError(f"no picture naming is known for {vendor}")
