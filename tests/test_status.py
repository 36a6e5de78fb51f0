"""What an index says of itself, with cameras in several zones, before and after its first run."""

import pytest

import vision_ctx.models.loading
from vision_ctx import Index
from vision_ctx.errors import IndexDamagedError


def test_an_index_that_was_never_filled(index):
    state = index.status()
    assert (state["crops"], state["chunks"], state["frames"]) == (0, 0, 0)
    assert state["cameras"] == [] and state["first"] is None and state["last"] is None
    assert state["sources"] == {} and state["failures"] == []
    assert state["detector"] == {"spec": "object:fake:colours", "id": "fake:colours"}


def test_first_and_last_are_instants_not_texts(index, tmp_path, save):
    # By text, 01:00-08:00 comes before 05:00+02:00; by instant it is six hours later.
    west = save(tmp_path / "west" / "20260701_010000.png", person=(20, 30, 50, 100))
    east = save(tmp_path / "east" / "20260701_050000.png", person=(20, 30, 50, 100))
    index.add(west, timezone="America/Los_Angeles")
    index.add(east, timezone="Europe/Amsterdam")
    state = index.status()
    assert state["first"] == "2026-07-01T05:00:00+02:00"
    assert state["last"] == "2026-07-01T01:00:00-07:00"
    assert [(c["camera"], c["first"]) for c in state["cameras"]] == [
        ("east", "2026-07-01T05:00:00+02:00"),
        ("west", "2026-07-01T01:00:00-07:00"),
    ]


def test_counts_failures_and_kinds(index, tmp_path, save):
    site = tmp_path / "site"
    save(site / "gate" / "a.png", person=(20, 30, 50, 100), bus=(60, 20, 150, 110))
    (site / "log.md").write_text("# Log\n\nAll quiet.\n")
    (site / "bad.jpg").write_text("no picture")
    index.add(site)
    state = index.status()
    assert state["sources"] == {"image": 2, "document": 1}
    assert (state["crops"], state["chunks"], state["frames"]) == (2, 1, 1)
    (failure,) = state["failures"]
    assert failure["source"] == str(site / "bad.jpg") and "picture" in failure["error"]


def test_failures_end_with_their_cause(index, tmp_path, save):
    site = tmp_path / "site"
    site.mkdir()
    (site / "bad.png").write_text("no picture")
    index.add(site)
    assert len(index.status()["failures"]) == 1
    save(site / "bad.png", person=(20, 30, 50, 100))
    index.add(site)
    assert index.status()["failures"] == []


def test_loads_no_model(index, tmp_path, save, monkeypatch):
    index.add(save(tmp_path / "a.png", person=(20, 30, 50, 100)))
    monkeypatch.setattr(vision_ctx.models.loading, "load_embedder", None)
    monkeypatch.setattr(vision_ctx.models.loading, "load_detector", None)
    assert Index.open(index.folder).status()["crops"] == 1


def test_disk_counts_every_file(index, tmp_path, save):
    before = index.status()["disk_bytes"]
    index.add(save(tmp_path / "a.png", person=(20, 30, 50, 100)))
    crop = next((index.folder / "crops").rglob("*.jpg")).stat().st_size
    assert index.status()["disk_bytes"] > before + crop


@pytest.mark.parametrize("name", ["published.json", "vision-ctx.json"])
def test_a_damaged_index_is_named(index, tmp_path, save, name):
    index.add(save(tmp_path / "a.png", person=(20, 30, 50, 100)))
    (index.folder / name).write_text("{")
    with pytest.raises(IndexDamagedError, match=name):
        Index.open(index.folder).status()
