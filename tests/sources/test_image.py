"""Pictures of every mode and turn become the same upright RGB; broken ones say why."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vision_ctx.errors import SourceError
from vision_ctx.index import Index
from vision_ctx.sources.image import exif_time, read_image, read_pages, to_rgb

ORIENTATION, EXIF_IFD, ORIGINAL, OFFSET, CHANGED = 0x0112, 0x8769, 0x9003, 0x9011, 0x0132
# How a picture is stored so that each EXIF mark turns it upright again.
STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.fixture
def scene(draw: Callable[..., np.ndarray]) -> Image.Image:
    """160 × 120, another colour in each corner region, so that every turn shows."""
    return Image.fromarray(draw(person=(8, 8, 56, 40), bus=(100, 8, 150, 40), car=(8, 70, 56, 110)))


def stored_as(scene: Image.Image, mode: str) -> Image.Image:
    if mode in ("P", "PA"):  # the palette of the picture itself: the usual one needs dots
        return scene.convert("P", palette=Image.Palette.ADAPTIVE).convert(mode)
    return scene.convert("L").convert(mode) if mode in ("I", "F") else scene.convert(mode)


def distance(first: np.ndarray, second: np.ndarray) -> float:
    assert first.shape == second.shape
    return float(np.abs(first.astype(int) - second.astype(int)).mean())


@pytest.mark.parametrize("mark", STORED)
@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".tif"])
def test_exif_turns_are_applied_once(
    tmp_path: Path, scene: Image.Image, mark: int, suffix: str
) -> None:  # S02
    turn = STORED[mark]
    stored = scene if turn is None else scene.transpose(turn)
    exif = Image.Exif()
    exif[ORIENTATION] = mark
    path = tmp_path / f"turned{suffix}"
    stored.save(path, exif=exif, quality=95)
    upright = np.asarray(scene)
    limit = 3 if suffix in (".jpg", ".webp") else 0
    assert distance(read_image(path), upright) <= limit
    assert distance(read_image(path.read_bytes()), upright) <= limit
    with Image.open(path) as image:
        assert distance(read_image(image), upright) <= limit


@pytest.mark.parametrize("mark", [0, 9, 255])
def test_unknown_turns_are_none(tmp_path: Path, scene: Image.Image, mark: int) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = mark
    scene.save(tmp_path / "a.png", exif=exif)
    assert distance(read_image(tmp_path / "a.png"), np.asarray(scene)) == 0


def test_damaged_exif_costs_no_pixels(tmp_path: Path, scene: Image.Image) -> None:
    scene.save(tmp_path / "a.jpg", exif=b"Exif\0\0MM\0*\0\0\0\x08\xff\xff" + b"\x01\x12\0\x03" * 9)
    scene.save(tmp_path / "b.jpg", exif=b"Exif\0\0garbage, not a TIFF header")
    for name in ("a.jpg", "b.jpg"):
        assert read_image(tmp_path / name).shape == (120, 160, 3)
        assert exif_time(tmp_path / name) is None


@pytest.mark.parametrize("mode", ["L", "LA", "RGBA", "P", "PA", "1", "CMYK", "YCbCr", "I", "F"])
def test_every_mode_of_pillow(scene: Image.Image, mode: str) -> None:  # S05
    pixels = to_rgb(stored_as(scene, mode), "a")
    assert (pixels.shape, pixels.dtype) == ((120, 160, 3), np.uint8)
    colourless = mode in ("L", "LA", "1", "I", "F")
    expected = np.asarray((scene.convert("L") if colourless else scene).convert("RGB"))
    assert distance(pixels, expected) < (130 if mode == "1" else 6)  # black and white dots


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        ("L", "grey.png"),
        ("L", "grey.jpg"),
        ("LA", "la.png"),
        ("RGBA", "rgba.png"),
        ("RGBA", "rgba.webp"),
        ("RGBA", "rgba.tif"),
        ("P", "palette.png"),
        ("P", "palette.bmp"),
        ("1", "bilevel.png"),
        ("1", "bilevel.tif"),
        ("CMYK", "cmyk.jpg"),
        ("CMYK", "cmyk.tif"),
    ],
)
def test_path_bytes_and_picture_agree(
    tmp_path: Path, scene: Image.Image, mode: str, name: str
) -> None:
    path = tmp_path / name
    stored_as(scene, mode).save(path)
    by_path = read_image(path)
    assert distance(by_path, read_image(path.read_bytes())) == 0
    assert distance(by_path, next(read_pages(path))) == 0
    with Image.open(path) as image:
        assert distance(by_path, read_image(image)) == 0
    if mode in ("RGBA", "P"):
        assert distance(by_path, np.asarray(scene)) < 6


def test_arrays_of_each_shape(scene: Image.Image) -> None:
    rgb = np.asarray(scene)
    grey = np.asarray(scene.convert("L"))
    assert distance(read_image(rgb), rgb) == 0
    assert distance(read_image(np.dstack([rgb, np.full(grey.shape, 255, np.uint8)])), rgb) == 0
    for same in (grey, grey[:, :, None]):
        assert distance(read_image(same), np.dstack([grey] * 3)) == 0
    assert read_image(rgb[:1, :1]).shape == (1, 1, 3)
    assert read_image(rgb[:, :1]).shape == (120, 1, 3)  # one column is no grey picture


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((4, 4), np.float32),
        np.zeros((4, 4, 2), np.uint8),
        np.zeros((4, 4, 5), np.uint8),
        np.zeros((2, 4, 4, 3), np.uint8),
        np.zeros(4, np.uint8),
        np.zeros((0, 4, 3), np.uint8),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
def test_arrays_that_are_no_picture(array: np.ndarray) -> None:
    with pytest.raises(SourceError):
        read_image(array)


@pytest.mark.parametrize("name", ["deep.png", "deep.tif"])
@pytest.mark.parametrize("largest", [65535, 200])
def test_16_bits_of_grey(tmp_path: Path, name: str, largest: int) -> None:
    ramp = np.linspace(0, largest, 160).astype(np.uint16)[None, :].repeat(40, axis=0)
    Image.fromarray(ramp).save(tmp_path / name)
    pixels = read_image(tmp_path / name)
    # A dark picture stays dark: the file says 16 bits, whatever its brightest pixel is.
    assert pixels[20, -1].tolist() == [largest * 255 // 65535] * 3
    assert pixels[20, 80, 0] == pytest.approx(largest * 255 / 65535 / 2, abs=1.5)


def test_float_pixels_that_are_no_numbers(tmp_path: Path) -> None:
    values = np.full((10, 10), 0.5, np.float32)
    values[0, :3] = (np.nan, np.inf, -np.inf)
    Image.fromarray(values).save(tmp_path / "f.tif")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_image(tmp_path / "f.tif").shape == (10, 10, 3)


def test_transparent_parts_are_white(tmp_path: Path) -> None:
    clear = Image.new("RGBA", (8, 8), (255, 0, 0, 0))
    clear.save(tmp_path / "a.png")
    clear.save(tmp_path / "a.webp", lossless=True, exact=True)
    palette = Image.new("P", (8, 8), 0)
    palette.putpalette([255, 0, 0, 0, 0, 255])
    palette.save(tmp_path / "p.png", transparency=0)
    palette.save(tmp_path / "b.png", transparency=b"\x00\xff")
    Image.new("RGB", (8, 8), (255, 0, 0)).save(tmp_path / "t.png", transparency=(255, 0, 0))
    Image.new("L", (8, 8), 7).save(tmp_path / "l.png", transparency=7)
    Image.new("LA", (8, 8), (7, 0)).save(tmp_path / "la.png")
    for path in sorted(tmp_path.iterdir()):
        assert read_image(path).tolist() == np.full((8, 8, 3), 255).tolist(), path.name


def test_half_transparent_parts_are_blended() -> None:
    half = Image.new("RGBA", (2, 2), (0, 0, 0, 128))
    assert read_image(half)[0, 0].tolist() == pytest.approx([127] * 3, abs=1)


@pytest.mark.parametrize("name", ["pages.tif", "moving.webp", "moving.png"])
def test_pages_and_moments_are_all_read(tmp_path: Path, name: str) -> None:
    colours = [(250, 0, 0), (0, 250, 0), (0, 0, 250)]
    pages = [Image.new("RGB", (32, 24), colour) for colour in colours]
    options = {"lossless": True} if name.endswith("webp") else {}
    pages[0].save(tmp_path / name, save_all=True, append_images=pages[1:], **options)
    read = list(read_pages(tmp_path / name))
    assert [tuple(int(v) for v in page[12, 16]) for page in read] == colours


def test_previews_inside_a_jpeg_are_no_pages(tmp_path: Path, scene: Image.Image) -> None:
    small = scene.resize((40, 30))
    scene.save(tmp_path / "phone.jpg", format="MPO", save_all=True, append_images=[small])
    assert [page.shape for page in read_pages(tmp_path / "phone.jpg")] == [(120, 160, 3)]


def test_a_damaged_page_keeps_the_pages_before_it(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3), np.uint8)
    pages = [Image.fromarray(noise), Image.fromarray(255 - noise)]
    path = tmp_path / "two.png"
    pages[0].save(path, save_all=True, append_images=pages[1:])
    path.write_bytes(path.read_bytes()[:-6000])
    reader = read_pages(path)
    assert distance(next(reader), noise) == 0
    with pytest.raises(SourceError, match="cannot be decoded"):
        list(reader)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".tif", ".bmp"])
@pytest.mark.parametrize("share", [0.9, 0.5, 0.1])
def test_truncated_pictures_are_refused(tmp_path: Path, suffix: str, share: float) -> None:  # S13
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3), np.uint8)
    path = tmp_path / f"cut{suffix}"
    Image.fromarray(noise).save(path)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    for given in (path, path.read_bytes()):
        with pytest.raises(SourceError):
            read_image(given)


@pytest.mark.parametrize(
    "content", [b"", b"x", b"just text\n" * 50, b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"II*\0" * 9]
)
def test_what_is_no_picture(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        read_image(path)
    assert caught.value.source == str(path)
    with pytest.raises(SourceError):
        read_image(content)


@pytest.mark.slow
@pytest.mark.parametrize("first", ["ultralytics.utils", "vision_ctx.sources.image"])
def test_the_reason_is_the_same_whoever_was_imported_first(tmp_path: Path, first: str) -> None:
    (tmp_path / "a.jpg").write_text("just text")
    program = (
        f"import sys, {first}, ultralytics.utils; from pathlib import Path\n"
        "from vision_ctx.sources.image import read_image, SourceError\n"
        "try: read_image(Path(sys.argv[1]))\n"
        "except SourceError as error: sys.stdout.write(error.reason)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "a.jpg")]
    environment = {**os.environ, "YOLO_OFFLINE": "1", "YOLO_AUTOINSTALL": "false"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert done.stdout.endswith("the content is not a picture of a known format")


def test_the_content_decides_and_not_the_name(tmp_path: Path, scene: Image.Image) -> None:
    scene.save(tmp_path / "a.jpg", format="PNG")
    assert distance(read_image(tmp_path / "a.jpg"), np.asarray(scene)) == 0


@pytest.mark.parametrize("size", [(20000, 20000), (13000, 10000), (60000, 2500)])
def test_giant_pictures_are_refused_before_they_are_decoded(
    tmp_path: Path, size: tuple[int, int]
) -> None:  # S13
    path = tmp_path / "bomb.png"
    Image.new("1", size).save(path)
    for given in (path, path.read_bytes()):
        with pytest.raises(SourceError, match=r"pixels"):
            read_image(given)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["1", "L", "RGB", "RGBA", "I;16", "CMYK"])
def test_memory_of_the_largest_picture(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("large.tif" if mode == "CMYK" else "large.png")
    Image.new(mode, (12000, 10000)).save(path, compress_level=1)
    program = (
        "import resource, sys; from pathlib import Path\n"
        "from vision_ctx.sources.image import read_image\n"
        "assert read_image(Path(sys.argv[1])).shape == (10000, 12000, 3)\n"
        "sys.stdout.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))"
    )
    command = [sys.executable, "-c", program, str(path)]
    kib = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert kib < 2_000_000


@pytest.mark.slow
def test_real_detections_agree_in_every_form(
    tmp_path: Path, yolo26n: Path, bus_jpg: Path, embedder: Any
) -> None:  # S02, S05
    folder = tmp_path / "site"
    folder.mkdir()
    with Image.open(bus_jpg) as photo:
        photo.save(folder / "plain.png")
        photo.save(folder / "PLAIN2.TIF")
        for mode, name in (("L", "grey.png"), ("LA", "la.png"), ("CMYK", "cmyk.jpg")):
            photo.convert(mode).save(folder / name, quality=95)
        clear = photo.copy()
        clear.putalpha(200)
        clear.save(folder / "rgba.png")
        exif = Image.Exif()
        exif[ORIENTATION] = 6
        photo.rotate(90, expand=True).save(folder / "turned.jpg", exif=exif, quality=95)
    index = Index.create(tmp_path / "index", detector=str(yolo26n), embedder=embedder)
    assert not index.add(folder).failures
    boxes: dict[str, dict[str, list[np.ndarray]]] = {}
    for hit in index.search("a person beside a bus", k=500, kind="crops").hits:
        record = hit.record
        assert record.frame_size == (810, 1080)
        by_label = boxes.setdefault(Path(record.source).name, {})
        by_label.setdefault(str(record.label), []).append(np.array(record.box))
    assert len(boxes) == 7
    for name, by_label in boxes.items():
        assert set(by_label) >= {"bus", "person"}, name
        for box in boxes["plain.png"]["person"]:
            nearest = min(np.abs(other - box).max() for other in by_label["person"])
            assert nearest <= 0.03 * 1080, name


def test_files_that_are_gone_or_closed(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        read_image(tmp_path / "gone.jpg")
    with pytest.raises(SourceError):
        read_image(tmp_path)


def test_exif_time(tmp_path: Path, scene: Image.Image) -> None:
    def taken(**tags: str) -> datetime | None:
        exif = Image.Exif()
        if "changed" in tags:
            exif[CHANGED] = tags["changed"]
        details = exif.get_ifd(EXIF_IFD)
        details.update(
            {
                tag: tags[name]
                for name, tag in (("original", ORIGINAL), ("offset", OFFSET))
                if name in tags
            }
        )
        scene.save(tmp_path / "t.jpg", exif=exif)
        return exif_time(tmp_path / "t.jpg")

    assert taken() is None
    assert taken(original="2024:01:05 10:15:00") == datetime(2024, 1, 5, 10, 15)
    assert taken(original="2024:01:05 10:15:00", changed="2025:01:01 00:00:00") == datetime(
        2024, 1, 5, 10, 15
    )
    assert taken(changed="2024:01:05 10:15:00") == datetime(2024, 1, 5, 10, 15)
    zone = timezone(timedelta(hours=2))
    assert taken(original="2024:01:05 10:15:00", offset="+02:00") == datetime(
        2024, 1, 5, 10, 15, tzinfo=zone
    )
    assert taken(original="2024:01:05 10:15:00", offset="nonsense") == datetime(2024, 1, 5, 10, 15)
    for nothing in ("0000:00:00 00:00:00", "    :  :     :  :  ", "", "yesterday"):
        assert taken(original=nothing) is None


def test_bytes_in_memory(scene: Image.Image) -> None:
    buffer = io.BytesIO()
    scene.save(buffer, format="PNG")
    assert distance(read_image(buffer.getvalue()), np.asarray(scene)) == 0
