import pytest

from vision_ctx.errors import ModelUnavailableError
from vision_ctx.models import catalog, loading


def test_weights_hash_covers_content_and_names_of_a_folder(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"1")
    first = catalog.weights_hash(tmp_path)
    assert len(first) == 16
    (tmp_path / "README.md").write_text("card")
    assert catalog.weights_hash(tmp_path) == first
    (tmp_path / "a.bin").rename(tmp_path / "b.bin")
    renamed = catalog.weights_hash(tmp_path)
    (tmp_path / "b.bin").write_bytes(b"2")
    assert len({first, renamed, catalog.weights_hash(tmp_path)}) == 3


def test_weights_hash_of_a_file_is_its_content(tmp_path):
    for name in ("a.pt", "b.pt"):
        (tmp_path / name).write_bytes(b"weights")
    assert catalog.weights_hash(tmp_path / "a.pt") == catalog.weights_hash(tmp_path / "b.pt")


def test_the_sample_site_can_be_named(tmp_path, monkeypatch):
    monkeypatch.setenv("VISION_CTX_SAMPLES", str(tmp_path))
    with pytest.raises(ModelUnavailableError, match="sample detector is not at"):
        catalog.sample_model("detector")
    path = tmp_path / "models" / "detector" / "yolo26n-samples.pt"
    path.parent.mkdir(parents=True)
    path.touch()
    assert catalog.sample_model("detector") == path
    monkeypatch.setenv("VISION_CTX_SAMPLES", str(tmp_path / "nowhere"))
    with pytest.raises(ModelUnavailableError, match="VISION_CTX_SAMPLES"):
        catalog.sample_model("embedder")


def test_downloads_go_to_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("VISION_CTX_CACHE", raising=False)
    assert catalog.cache_folder() == tmp_path / "vision-ctx"
    monkeypatch.setenv("VISION_CTX_CACHE", str(tmp_path / "mine"))
    assert catalog.cache_folder() == tmp_path / "mine"
    assert (tmp_path / "mine").is_dir()


def test_default_names_the_default_models(monkeypatch):
    made = []
    monkeypatch.setattr("vision_ctx.models.yolo.UltralyticsDetector", made.append)
    monkeypatch.setattr("vision_ctx.models.clip.OpenClipEmbedder", made.append)
    for spec in ("default", "mine"):
        loading.load_detector(spec)
        loading.load_embedder(spec)
    assert made == [catalog.DEFAULT_DETECTOR, catalog.DEFAULT_EMBEDDER, "mine", "mine"]
