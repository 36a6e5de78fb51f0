"""Reported faults of other programs, as whole kinds, through the whole of this one, with fakes.

Further cases stand with the part that they test: names and streams (S08, S39) in test_cli, folders
that may not be read (S40) in test_ingest, those that need a real detector (S02, S03) in test_real.
"""

import io
import shutil
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision_ctx.errors import SourceError


@pytest.fixture
def photograph():
    """Noise and shading like a photograph's, with a person and a bus that the fake detector knows."""
    rng = np.random.default_rng(7)
    shade = np.linspace(60, 190, 640)[None, :, None]
    image = np.full((480, 640, 3), shade)
    for (x0, y0, x1, y1), colour in (
        ((80, 120, 180, 420), (255, 0, 0)),
        ((240, 80, 600, 400), (0, 255, 0)),
    ):
        image[y0:y1, x0:x1] = np.clip(np.array(colour), 25, 230)
    smooth = rng.normal(0, 12, (60, 80, 3)).repeat(8, axis=0).repeat(8, axis=1)
    return np.clip(image + smooth + rng.normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)


@pytest.fixture
def two_cameras(tmp_path, photograph):
    for camera in ("gate", "yard"):
        (tmp_path / camera).mkdir()
        path = tmp_path / camera / "20240105_101500.jpg"
        Image.fromarray(photograph).save(path, quality=95)
    return tmp_path


def crops(index, **filters):
    return [hit.record for hit in index.search("x", k=100, kind="crops", **filters).hits]


def test_s01_crops_are_pixels_of_their_source(index, two_cameras):
    index.add(two_cameras / "gate")
    found = crops(index)
    assert sorted(record.label for record in found) == ["bus", "person"]
    for record in found:
        source = np.asarray(Image.open(record.source), dtype=int)
        x0, y0, x1, y1 = record.crop_box
        crop = np.asarray(Image.open(index.folder / record.crop_path), dtype=int)
        difference = np.abs(crop - source[y0:y1, x0:x1])
        assert difference.mean() < 3
        # A drawn line would stand out in its row or column, more than JPEG's blurred colour edges.
        assert max(difference.mean(axis=(0, 2)).max(), difference.mean(axis=(1, 2)).max()) < 16
        frame = np.asarray(Image.open(index.folder / record.frame_path), dtype=int)
        assert frame.shape == source.shape and np.abs(frame - source).mean() < 4


def test_s01_a_padded_crop_holds_its_box(index, two_cameras):
    index.add(two_cameras / "gate")
    for record in crops(index):
        box, crop_box, (width, height) = record.box, record.crop_box, record.frame_size
        assert 0 <= crop_box.x0 <= box.x0 < box.x1 <= crop_box.x1 <= width
        assert 0 <= crop_box.y0 <= box.y0 < box.y1 <= crop_box.y1 <= height


def test_s01_equal_names_in_two_folders_overwrite_nothing(index, two_cameras):
    one = index.add(two_cameras / "gate").crops
    both = index.add(two_cameras / "gate", two_cameras / "yard")
    assert (both.added, both.unchanged, both.crops) == (1, 1, one)
    found = crops(index)
    assert len(found) == 2 * one
    assert (
        len({record.id for record in found})
        == len({record.crop_path for record in found})
        == 2 * one
    )
    for camera in ("gate", "yard"):
        expected = str(two_cameras / camera / "20240105_101500.jpg")
        assert {record.source for record in crops(index, camera=camera)} == {expected}


def test_s01_a_removed_twin_leaves_the_other_its_pictures(index, two_cameras):
    index.add(two_cameras / "gate", two_cameras / "yard")
    (two_cameras / "gate" / "20240105_101500.jpg").unlink()
    (two_cameras / "gate" / "note.md").write_text("Words.")
    assert index.add(two_cameras / "gate").removed == 1
    found = crops(index)
    assert {record.camera for record in found} == {"yard"}
    assert all((index.folder / record.crop_path).is_file() for record in found)


MODES = ["RGB", "RGBA", "L", "LA", "1", "P", "CMYK", "YCbCr", "I;16"]


def in_mode(photograph, mode):
    image = Image.fromarray(photograph)
    if mode == "I;16":
        return Image.fromarray(np.asarray(image.convert("L")).astype(np.uint16) * 257)
    if mode == "RGBA":
        image.putalpha(200)
        return image
    return image.convert(mode)


@pytest.mark.parametrize("mode", MODES)
def test_s05_pictures_of_every_mode(index, tmp_path, photograph, mode):
    image = in_mode(photograph, mode)
    path = tmp_path / "gate" / f"a.{'tif' if mode in ('CMYK', 'YCbCr') else 'png'}"
    path.parent.mkdir()
    image.save(path)
    report = index.add(path)
    assert (report.added, report.failures) == (1, [])
    found = {record.label for record in crops(index)}
    coloured = mode in ("RGB", "P", "CMYK", "YCbCr")
    assert found >= {"person", "bus"} if coloured else found
    for question in (path, image, *([np.asarray(image)] if mode in ("RGB", "RGBA", "L") else [])):
        answers = [hit.record.id for hit in index.search(image=question).hits]
        assert answers == [hit.record.id for hit in index.search(image=path).hits]


def test_s06_any_capitals(index, tmp_path, photograph):
    names = ["IMG_0001.PNG", "IMG_0002.JPG", "IMG_0003.JpEg", "IMG_0004.TIF", "im.jpg.jpg", "x.MD"]
    for name in names[:-1]:
        Image.fromarray(photograph).save(tmp_path / name)
    (tmp_path / "x.MD").write_text("# Title")
    (tmp_path / "noext").touch()
    (tmp_path / "a.xyz").touch()
    report = index.add(*(tmp_path / name for name in names), tmp_path / "noext", tmp_path / "a.xyz")
    assert report.added == 6
    assert sorted(Path(failure.source).name for failure in report.failures) == ["a.xyz", "noext"]


def bomb(side):
    """A PNG of ``side`` × ``side`` one-bit pixels: a few kilobytes that unfold to gigabytes."""
    packed = zlib.compress((b"\0" + b"\0" * (side // 8)) * side, 9)

    def part(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", packed) + part(b"IEND", b"")


def test_s13_a_giant_picture_stops_nothing(index, tmp_path, photograph):
    site = tmp_path / "site"
    site.mkdir()
    (site / "a_bomb.png").write_bytes(bomb(20_000))
    (site / "a_larger.png").write_bytes(bomb(13_400))
    stream = io.BytesIO()
    Image.fromarray(photograph).save(stream, "JPEG")
    (site / "b_ok.jpg").write_bytes(stream.getvalue())
    (site / "c_cut.jpg").write_bytes(stream.getvalue()[: len(stream.getvalue()) // 2])
    report = index.add(site)
    failed = {Path(failure.source).name: failure.error for failure in report.failures}
    assert failed.keys() == {"a_bomb.png", "a_larger.png", "c_cut.jpg"}
    assert {record.source for record in crops(index)} == {str(site / "b_ok.jpg")}
    with pytest.raises(SourceError):
        index.search(image=site / "a_bomb.png")


def test_s26_fewer_records_than_asked_for(index, tmp_path):
    (tmp_path / "a.txt").write_text("A cat at the gate.\n")
    (tmp_path / "b.txt").write_text("A dog in the yard.\n")
    index.add(tmp_path / "a.txt", tmp_path / "b.txt")
    assert len(index.search("cat", k=10).hits) == 2
    shutil.rmtree(tmp_path / "c", ignore_errors=True)
    assert index.search("zebra").confident is False
