"""Ids follow path and content; unreadable files give a reason."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from vision_ctx.errors import SourceError
from vision_ctx.sources.fingerprint import digest, read_source


def test_ids_cover_path_and_content(tmp_path: Path) -> None:
    a, b = tmp_path / "a.jpg", tmp_path / "b.jpg"
    for path in (a, b):
        path.write_bytes(b"same")
    first, other = read_source(a, "image"), read_source(b, "image")
    assert first.fingerprint == other.fingerprint == hashlib.sha256(b"same").hexdigest()
    assert first.id != other.id
    assert first == read_source(a, "image")
    a.write_bytes(b"more")
    assert read_source(a, "image").id != first.id


def test_what_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "é.mp4"
    path.write_bytes(b"12345")
    source = read_source(path, "video")
    assert (source.path, source.kind, source.size) == (str(path), "video", 5)
    assert source.mtime_ns == path.stat().st_mtime_ns
    assert len(source.id) == 32 and int(source.id, 16)


@pytest.mark.parametrize("name", ["empty.mp4", "empty.jpg", "empty.md"])
def test_empty_files(tmp_path: Path, name: str) -> None:  # S12
    (tmp_path / name).touch()
    with pytest.raises(SourceError) as caught:
        read_source(tmp_path / name, "image")
    assert caught.value.reason == "the file is empty"
    assert caught.value.source == str(tmp_path / name)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        read_source(tmp_path / "gone.jpg", "image")
    (tmp_path / "folder.jpg").mkdir()
    (tmp_path / "folder.jpg" / "x").touch()
    with pytest.raises(SourceError):
        read_source(tmp_path / "folder.jpg", "image")


def test_digests_keep_parts_apart() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("a") != digest("a", "")
    assert digest("x\udcff") != digest("x")  # names that are no text still have an id


def test_file_times_that_no_table_holds(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"x")
    try:
        os.utime(path, (10**11, 10**11))
    except OSError as error:
        pytest.skip(f"this file system has no such times: {error}")
    if path.stat().st_mtime_ns < 2**63:
        pytest.skip("this file system has no such times")
    assert read_source(path, "image").mtime_ns == 2**63 - 1
