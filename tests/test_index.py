"""The public interface: making and opening an index, its models, and questions of every form."""

import json
from datetime import UTC, datetime

import numpy as np
import pytest
from PIL import Image

import vision_ctx.models.loading
from vision_ctx import Hit, Index
from vision_ctx.errors import (
    IndexDamagedError,
    IndexLockedError,
    IndexMismatchError,
    IndexNotFoundError,
    ModelUnavailableError,
    SourceError,
    VisionCtxError,
)
from vision_ctx.store.store import locked


class Other:
    """Another detector and embedder than the fakes."""

    id = "fake:other"
    dim = 32

    def detect(self, images):
        return [[] for _ in images]

    def embed_images(self, images):
        return np.ones((len(images), 32), np.float32)

    def embed_texts(self, texts):
        return np.ones((len(texts), 32), np.float32)


@pytest.fixture
def loads(monkeypatch, detector, embedder):
    """Models by spec, and the list of specs that were loaded."""
    asked = []
    known = {"d2": Other(), "e2": Other()}

    def load(fallback):
        return lambda spec: asked.append(spec) or known.get(spec, fallback)

    monkeypatch.setattr(vision_ctx.models.loading, "load_detector", load(detector))
    monkeypatch.setattr(vision_ctx.models.loading, "load_embedder", load(embedder))
    return asked


@pytest.fixture
def filled(index, tmp_path, save):
    save(
        tmp_path / "gate" / "20260303_071500.png", person=(20, 30, 50, 100), bus=(60, 20, 150, 110)
    )
    (tmp_path / "log.md").write_text("# Log\n\nThe red bus left.\n")
    index.add(tmp_path / "gate", tmp_path / "log.md", timezone="UTC")
    return index


def test_create_refuses_what_is_there(index, tmp_path, detector, embedder):
    with pytest.raises(VisionCtxError, match="open it instead"):
        Index.create(index.folder, detector=detector, embedder=embedder)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").touch()
    with pytest.raises(VisionCtxError, match="not an empty folder"):
        Index.create(tmp_path / "mine", detector=detector, embedder=embedder)
    (tmp_path / "empty").mkdir()
    assert Index.create(tmp_path / "empty", detector=detector, embedder=embedder)


def test_open_needs_an_index(tmp_path):
    with pytest.raises(IndexNotFoundError, match="vision-ctx index SOURCE"):
        Index.open(tmp_path)


def test_an_empty_index_says_so(index):
    with pytest.raises(IndexNotFoundError, match="is empty"):
        index.search("bus")


@pytest.mark.parametrize(
    "settings",
    [
        *({"fps": value} for value in (0, -1, 121, float("nan"), float("inf"))),
        *({"min_confidence": value} for value in (0, 0.01, 1.1, float("nan"))),
    ],
)
def test_settings_out_of_range(tmp_path, detector, embedder, settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        Index.create(tmp_path / "index", detector=detector, embedder=embedder, **settings)
    assert not (tmp_path / "index").exists()


def test_settings_are_remembered(tmp_path, detector, embedder):
    Index.create(tmp_path / "i", detector=detector, embedder=embedder, fps=5, min_confidence=0.5)
    settings = Index.open(tmp_path / "i").status()["settings"]
    assert (settings["fps"], settings["min_confidence"]) == (5, 0.5)


def test_folders_may_be_texts_and_paths_home_and_relative(
    tmp_path, monkeypatch, detector, embedder
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    Index.create("here", detector=detector, embedder=embedder)
    assert Index.open("~/here").folder == Index.open(tmp_path / "here").folder


# Models


def test_models_are_loaded_when_needed_and_remembered(tmp_path, loads, save):
    index = Index.create(tmp_path / "i", detector="d1", embedder="e1")
    assert loads == []
    (tmp_path / "log.md").write_text("Quiet.")
    index.add(tmp_path / "log.md")
    assert loads == ["e1"]  # a document needs no detector
    index.add(save(tmp_path / "a.png", bus=(10, 10, 60, 60)))
    assert loads == ["e1", "d1"]
    again = Index.open(tmp_path / "i")
    assert loads == ["e1", "d1"]
    assert again.search("bus").hits
    assert loads == ["e1", "d1", "e1"]


@pytest.mark.parametrize("role", ["detector", "embedder"])
def test_another_model_is_refused(tmp_path, loads, save, role):
    index = Index.create(tmp_path / "i", detector="d1", embedder="e1")
    index.add(save(tmp_path / "a.png", bus=(10, 10, 60, 60)))
    for given in (f"{role[0]}2", Other()):
        with pytest.raises(IndexMismatchError, match=rf"{role}.*--index"):
            Index.open(tmp_path / "i", **{role: given})
    assert Index.open(tmp_path / "i", **{role: f"{role[0]}1"}).status()["crops"] == 1


def test_a_model_whose_weights_changed_is_refused(tmp_path, loads, save, monkeypatch, embedder):
    index = Index.create(tmp_path / "i", detector="d1", embedder="e1")
    index.add(save(tmp_path / "a.png", bus=(10, 10, 60, 60)))
    monkeypatch.setattr(vision_ctx.models.loading, "load_embedder", lambda spec: Other())
    with pytest.raises(IndexMismatchError, match="fake:other"):
        Index.open(tmp_path / "i").search("bus")


def test_a_model_that_moved_goes_on_under_its_new_name(tmp_path, loads, save):
    index = Index.create(tmp_path / "i", detector="d1", embedder="e1")
    index.add(save(tmp_path / "a.png", bus=(10, 10, 60, 60)))
    moved = Index.open(tmp_path / "i", embedder="e1-moved")
    assert moved.add(tmp_path / "a.png").unchanged == 1
    loads.clear()
    assert Index.open(tmp_path / "i").search("bus").hits
    assert loads == ["e1-moved"]


def test_a_model_that_could_not_be_had_can_be_replaced(
    tmp_path, loads, save, monkeypatch, embedder
):
    def none(spec):
        if spec == "default":
            raise ModelUnavailableError("no network")
        return embedder

    monkeypatch.setattr(vision_ctx.models.loading, "load_embedder", none)
    picture = save(tmp_path / "a.png", bus=(10, 10, 60, 60))
    with pytest.raises(ModelUnavailableError):
        Index.create(tmp_path / "i").add(picture)
    assert Index.open(tmp_path / "i", detector="d1", embedder="samples").add(picture).added == 1
    assert Index.open(tmp_path / "i").status()["embedder"]["spec"] == "samples"


@pytest.mark.parametrize("role", ["detector", "embedder"])
def test_a_path_holds_in_every_folder(tmp_path, monkeypatch, role):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "mine").touch()
    (tmp_path / "samples").mkdir()
    monkeypatch.chdir(tmp_path)
    for given in ("models/mine", tmp_path / "models" / "mine"):
        folder = tmp_path / f"index-{type(given).__name__}"
        state = Index.create(folder, **{role: given}).status()
        assert state[role]["spec"] == str(tmp_path / "models" / "mine")
    # A folder of the same name does not change what a word means.
    assert Index.create(tmp_path / "s", **{role: "samples"}).status()[role]["spec"] == "samples"


@pytest.mark.parametrize("role", ["detector", "embedder"])
def test_an_own_object_has_to_be_given_again(tmp_path, filled, save, role, detector, embedder):
    given = {"detector": detector, "embedder": embedder}
    del given[role]
    again = Index.open(filled.folder, **given)
    with pytest.raises(IndexMismatchError, match=rf"Index\.open\(…, {role}=…\)"):
        again.add(save(tmp_path / "new.png", dog=(10, 10, 60, 60)))


@pytest.mark.parametrize("role", ["detector", "embedder"])
@pytest.mark.parametrize("thing", [object(), 3])
def test_a_thing_that_is_no_model(tmp_path, filled, role, thing):
    for make in (Index.create, Index.open):
        folder = tmp_path / "new" if make == Index.create else filled.folder
        with pytest.raises((ValueError, IndexMismatchError), match=role):
            make(folder, **{role: thing})
    assert not (tmp_path / "new").exists()


def test_an_embedder_of_wrong_shape_is_named(tmp_path, detector, save):
    wrong = Other()
    wrong.embed_texts = lambda texts: np.ones((len(texts), 7), np.float32)
    index = Index.create(tmp_path / "i", detector=detector, embedder=wrong)
    with pytest.raises(VisionCtxError, match=r"fake:other.*\(1, 7\).*\(1, 32\)"):
        index.add(save(tmp_path / "a.png", bus=(10, 10, 60, 60)))


# Questions


def forms(path):
    image = Image.open(path)
    return {
        "path": path,
        "text": str(path),
        "pil": image.copy(),
        "rgb": np.asarray(image),
        "rgba": np.dstack([np.asarray(image), np.full(image.size[::-1], 255, np.uint8)]),
    }


@pytest.mark.parametrize("form", ["path", "text", "pil", "rgb", "rgba"])
def test_a_picture_of_any_form_finds_the_same(filled, tmp_path, save, form):
    path = save(tmp_path / "query.png", size=(60, 60), bus=(0, 0, 60, 60))
    result = filled.search(image=forms(path)[form])
    assert result.hits[0].record.label == "bus"
    expected = [(hit.record.id, hit.score) for hit in filled.search(image=path).hits]
    assert [(hit.record.id, hit.score) for hit in result.hits] == expected
    assert result.confident


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 1), np.uint8),
        Image.new("L", (4, 4)),
        Image.new("1", (4, 4)),
        Image.new("CMYK", (4, 4)),
        Image.new("LA", (4, 4)),
        Image.new("P", (4, 4)),
        Image.new("I;16", (4, 4)),
        Image.new("RGB", (1, 1)),
    ],
    ids=["grey", "channel", "L", "1", "CMYK", "LA", "P", "I;16", "one pixel"],
)
def test_pictures_of_every_mode_are_taken(filled, image):
    assert filled.search(image=image).hits


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 4, 3), np.float32),
        np.zeros((4, 4, 2), np.uint8),
        np.zeros((4, 4, 5), np.uint8),
        np.zeros((0, 0, 3), np.uint8),
        np.zeros(4, np.uint8),
        np.zeros((2, 4, 4, 3), np.uint8),
    ],
    ids=lambda image: f"{image.dtype}{image.shape}",
)
def test_arrays_that_are_no_picture_are_refused(filled, image):
    with pytest.raises(SourceError):
        filled.search(image=image)


def test_a_picture_that_is_not_there(filled, tmp_path):
    with pytest.raises(SourceError, match="nowhere"):
        filled.search(image=tmp_path / "nowhere.jpg")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"query": ""}, "words or a picture"),
        ({"query": " \n\t"}, "words or a picture"),
        ({"query": "x", "k": 0}, "k must be"),
        ({"query": "x", "k": -1}, "k must be"),
        ({"query": "x", "k": 10**6}, "k must be"),
        ({"query": "x", "kind": "video"}, "kind must be"),
        ({"query": "x", "after": "soon"}, "no date or time"),
        ({"query": "x", "before": "2026-02-30"}, "no date or time"),
    ],
)
def test_mistakes_of_the_caller(filled, arguments, word):
    with pytest.raises(ValueError, match=word):
        filled.search(**arguments)


@pytest.mark.parametrize("after", ["0001-01-01", "9999-12-31T23:59:59", "1969-12-31"])
def test_times_at_the_edges(filled, after):
    for zone in ("", "+14:00", "-12:00"):
        text = after if "T" in after or not zone else f"{after}T00:00:00"
        assert filled.search("bus", after=text + zone).eligible["crops"] in (0, 2)
        assert filled.search("bus", before=text + zone).eligible["crops"] in (0, 2)


def test_times_may_be_datetimes(filled):
    time = datetime(2026, 3, 3, 7, 15)
    assert filled.search("bus", after=time).eligible == {"crops": 2, "chunks": 0}
    assert filled.search("bus", before=time).eligible == {"crops": 0, "chunks": 0}


def test_k_above_what_there_is(filled):
    result = filled.search("bus", k=10_000)
    assert len(result.hits) == 3 == sum(result.eligible.values())
    assert len(filled.search("bus", k=1).hits) == 1


def test_broken_text_is_taken_as_far_as_it_goes(filled):
    result = filled.search("bus \ud800\udcff")
    assert result.hits[0].record.label == "bus"
    json.dumps(result.to_dict()).encode()
    result.query.encode()


def test_a_hit_is_a_hit(filled):
    hit = filled.search("bus").hits[0]
    assert isinstance(hit, Hit) and hit.to_dict()["id"] == hit.record.id


def test_equal_questions_have_equal_answers(filled):
    first, second = (filled.search("bus at the gate") for _ in range(2))
    assert first.hits == second.hits


def test_a_reader_sees_what_another_process_added(filled, tmp_path, save, detector, embedder):
    reader = Index.open(filled.folder, embedder=embedder)
    assert reader.search("dog").eligible["crops"] == 2
    filled.add(save(tmp_path / "dog.png", dog=(10, 10, 60, 60)))
    assert reader.search("dog").eligible["crops"] == 3


def test_two_writers_are_one_too_many(filled, tmp_path, save):
    new = save(tmp_path / "dog.png", dog=(10, 10, 60, 60))
    with locked(filled.folder), pytest.raises(IndexLockedError, match="in use by process"):
        filled.add(new)
    assert filled.search("bus").hits  # readers go on
    assert filled.add(new).added == 1


def test_a_damaged_word_index_is_named_and_mended(filled, tmp_path, save):
    (state,) = (filled.folder / "lexical").glob("*/covers.json")
    state.unlink()
    with pytest.raises(IndexDamagedError, match="builds it anew"):
        Index.open(filled.folder).search("bus")


@pytest.mark.parametrize("form", ["array", "grey", "rgba", "pil", "pil-la", "bilevel"])
def test_pictures_in_memory_are_indexed_like_files(index, draw, form):
    image = draw((160, 120), person=(10, 20, 40, 100), bus=(60, 10, 150, 110))
    picture = {
        "array": image,
        "grey": image[..., 0],
        "rgba": np.dstack([image, np.full(image.shape[:2], 255, np.uint8)]),
        "pil": Image.fromarray(image),
        "pil-la": Image.fromarray(image).convert("LA"),
        "bilevel": Image.fromarray(image).convert("1"),
    }[form]
    report = index.add_image(
        picture,
        "frame 1",
        camera="gate",
        timezone="Europe/Amsterdam",
        captured_at="2026-03-03T07:15",
    )
    assert (report.added, report.failures) == (1, [])
    hits = index.search("gate").hits
    coloured = form in ("array", "rgba", "pil")
    assert {hit.record.label for hit in hits} == ({"person", "bus"} if coloured else {"scene"})
    record = hits[0].record
    assert (record.source, record.camera, record.clock) == ("memory:frame 1", "gate", "given")
    assert record.captured_at == datetime(2026, 3, 3, 6, 15, tzinfo=UTC)


def test_a_picture_in_memory_again_changed_and_beside_files(index, draw, save, tmp_path):
    first, second = draw(person=(10, 20, 40, 100)), draw(car=(60, 10, 150, 110))
    index.add_image(first, "a", camera="gate")
    assert index.add_image(first, "a", camera="gate").unchanged == 1
    assert index.add_image(second, "a", camera="gate").updated == 1
    save(tmp_path / "in" / "b.jpg", dog=(10, 20, 40, 100))
    assert index.add(tmp_path / "in").removed == 0  # what came from memory lies in no folder
    labels = {hit.record.label for hit in index.search("gate in car dog person").hits}
    assert labels == {"car", "dog"}
    weak = next(h.record for h in index.search("car").hits if h.record.label == "car")
    assert weak.clock_weak


def test_a_picture_in_memory_that_is_none(index):
    with pytest.raises(SourceError):
        index.add_image(np.zeros((4, 4), dtype=float), "a")


def test_two_that_open_an_empty_index_do_not_mix_models(tmp_path, loads):
    (tmp_path / "log.md").write_text("# Log\n\nThe red bus left.\n")
    first = Index.create(tmp_path / "i", detector="d", embedder="e")
    second = Index.open(tmp_path / "i", embedder="e2")
    assert second.add(tmp_path / "log.md").chunks == 1
    with pytest.raises(IndexMismatchError, match="fake:other"):
        first.add(tmp_path / "log.md")
    assert Index.open(tmp_path / "i").add(tmp_path / "log.md").unchanged == 1
