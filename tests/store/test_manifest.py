import json

import pytest

from vision_ctx.errors import IndexDamagedError, IndexMismatchError, IndexNotFoundError
from vision_ctx.sources.discover import INDEX_MARK
from vision_ctx.store.manifest import (
    SCHEMA_VERSION,
    Manifest,
    ModelEntry,
    Settings,
    write_atomically,
)

MANIFEST = Manifest(
    ModelEntry("yolo26n.pt", "ultralytics:yolo26n:aa"),
    ModelEntry("ViT/x", "open_clip:x", 512),
    Settings(fps=1.5, min_confidence=0.4),
)


def test_save_and_load(tmp_path):
    MANIFEST.save(tmp_path)
    assert Manifest.load(tmp_path) == MANIFEST
    assert [path.name for path in tmp_path.iterdir()] == [INDEX_MARK]


def test_no_index(tmp_path):
    with pytest.raises(IndexNotFoundError, match="vision-ctx index SOURCE"):
        Manifest.load(tmp_path)


@pytest.mark.parametrize("version", [SCHEMA_VERSION + 1, 0, None, "1"])
def test_another_schema_names_both_versions_and_the_way_out(tmp_path, version):  # S22
    MANIFEST.save(tmp_path)
    data = json.loads((tmp_path / INDEX_MARK).read_text())
    (tmp_path / INDEX_MARK).write_text(json.dumps({**data, "schema_version": version}))
    with pytest.raises(IndexMismatchError, match=f"{version}, .*{SCHEMA_VERSION}.*--index"):
        Manifest.load(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "{", '{"schema_version": 1}', '{"schema_version": 1, "x": 2}']
)
def test_damage(tmp_path, text):
    (tmp_path / INDEX_MARK).write_text(text)
    with pytest.raises(IndexDamagedError, match="--index"):
        Manifest.load(tmp_path)


def test_a_write_that_breaks_off_leaves_the_old_content(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    write_atomically(path, b"old")

    def killed(fd):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
