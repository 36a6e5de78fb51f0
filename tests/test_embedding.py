import numpy as np
import pytest

from vision_ctx.embedding import BATCH, Draft, EmbeddingStage
from vision_ctx.errors import VisionCtxError
from vision_ctx.pipeline import SourceDone
from vision_ctx.sources.fingerprint import make_source
from vision_ctx.types import Record

DIM = 4
SOURCES = [make_source(f"/{name}.mp4", "video", 1, 1, name) for name in "abc"]


class Table:
    """Looks vectors up: texts by themselves, pictures by their first pixel."""

    id, dim = "table", DIM

    def __init__(self, vectors=None, shape=None):
        self.vectors, self.shape = vectors or {}, shape
        self.texts, self.pictures = [], []

    def _rows(self, keys):
        default = np.arange(1, DIM + 1)
        rows = [self.vectors.get(key, default) for key in keys]
        return np.array(rows, dtype=np.float32) if self.shape is None else np.ones(self.shape)

    def embed_texts(self, texts):
        self.texts.append(list(texts))
        return self._rows(texts)

    def embed_images(self, images):
        self.pictures.append(len(images))
        return self._rows([int(image[0, 0, 0]) for image in images])


def crop(source, value, text="a van"):
    record = Record(f"{value}", "crop", source.id, source.path, text, "van")
    return Draft(record, text, np.full((4, 4, 3), value, np.uint8))


def chunk(source, text):
    return Draft(Record(text, "chunk", source.id, source.path, "", text), text)


def run(embedder, items):
    return list(EmbeddingStage(embedder).run(items))


def test_crops_get_both_vectors_chunks_one():
    first, second, done = run(
        Table(), [crop(SOURCES[0], 1), chunk(SOURCES[0], "log"), SourceDone(SOURCES[0])]
    )
    for vector in (first.image_vector, first.text_vector, second.text_vector):
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1)
    assert second.image_vector is None
    assert done == SourceDone(SOURCES[0])


def test_order_batches_and_each_text_once():
    items = [crop(SOURCES[0], n % 200, f"scene {n % 3}") for n in range(3 * BATCH)]
    embedder = Table()
    out = run(embedder, items)
    assert [record.id for record in out] == [item.record.id for item in items]
    assert embedder.pictures == [BATCH] * 3
    assert embedder.texts == [["scene 0", "scene 1", "scene 2"]]


def test_texts_are_forgotten_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr("vision_ctx.embedding.CACHED_TEXTS", 2)
    stage = EmbeddingStage(Table())
    out = list(stage.run([chunk(SOURCES[0], f"text {n}") for n in range(2 * BATCH)]))
    assert all(record.text_vector is not None for record in out)
    assert len(stage._texts) == 2


BAD = {
    "zero": [0, 0, 0, 0],
    "nan": [1, np.nan, 1, 1],
    "inf": [1, np.inf, 1, 1],
    "minus inf": [-np.inf] * 4,
    "tiny": [1e-9] * 4,
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("what", ["text", "picture"])
def test_a_vector_without_direction_is_refused_with_its_source(name, what):
    bad = crop(SOURCES[1], 7, "bad" if what == "text" else "good")
    embedder = Table({"bad" if what == "text" else 7: BAD[name]})
    items = [crop(SOURCES[0], 1), SourceDone(SOURCES[0]), crop(SOURCES[1], 2), bad]
    items += [
        SourceDone(SOURCES[1], "cut off", frames=2),
        crop(SOURCES[2], 3),
        SourceDone(SOURCES[2]),
    ]
    out = run(embedder, items)
    assert [item.id for item in out if isinstance(item, Record)] == ["1", "2", "3"]
    marks = [item for item in out if isinstance(item, SourceDone)]
    assert marks[0] == SourceDone(SOURCES[0])
    assert marks[2] == SourceDone(SOURCES[2])
    assert marks[1].error == (
        f"cut off; incomplete: the embedder table gave no finite {what} vector"
    )
    assert marks[1].retry
    assert marks[1].readable
    assert marks[1].frames == 2


def test_huge_vectors_have_a_direction():
    (record,) = run(Table({"huge": [3e38, 0, 0, 3e38]}), [chunk(SOURCES[0], "huge")])
    assert record.text_vector == pytest.approx([0.5**0.5, 0, 0, 0.5**0.5])


@pytest.mark.parametrize("shape", [(1, DIM + 1), (2, DIM), (DIM,)])
def test_vectors_of_another_shape_stop_the_run_and_say_why(shape):
    with pytest.raises(VisionCtxError, match="the embedder table gave vectors of shape"):
        run(Table(shape=shape), [chunk(SOURCES[0], "log")])


def test_end_marks_alone_need_no_embedder():
    assert run(None, [SourceDone(SOURCES[0])]) == [SourceDone(SOURCES[0])]


def test_a_source_without_any_good_vector_replaces_nothing():
    items = [chunk(SOURCES[0], "bad"), SourceDone(SOURCES[0]), chunk(SOURCES[1], "log")]
    failed, _, fine = run(Table({"bad": BAD["nan"]}), [*items, SourceDone(SOURCES[1])])
    assert (failed.readable, failed.retry) == (False, True)
    assert fine == SourceDone(SOURCES[1])


class Breaks(Table):
    """Raises on one text and on one picture, as a model does on what it cannot take."""

    def embed_texts(self, texts):
        if "poison" in texts:
            raise RuntimeError("cannot embed this")
        return super().embed_texts(texts)

    def embed_images(self, images):
        if any(image[0, 0, 0] == 13 for image in images):
            raise RuntimeError("cannot embed this")
        return super().embed_images(images)


@pytest.mark.parametrize(
    "bad", [crop(SOURCES[1], 13), chunk(SOURCES[1], "poison")], ids=["picture", "text"]
)
def test_an_embedder_that_raises_on_one_item_loses_only_that(bad):
    good = [crop(SOURCES[0], 1), chunk(SOURCES[2], "log")]
    items = [good[0], SourceDone(SOURCES[0]), bad, SourceDone(SOURCES[1]), good[1]]
    out = run(Breaks(), [*items, SourceDone(SOURCES[2])])
    assert [item for item in out if isinstance(item, Record)] == [draft.record for draft in good]
    ends = {item.source: item for item in out if isinstance(item, SourceDone)}
    assert ends[SOURCES[0]].error is None
    assert ends[SOURCES[2]].error is None
    assert "vector (RuntimeError: cannot embed this)" in ends[SOURCES[1]].error
    assert ends[SOURCES[1]].retry
