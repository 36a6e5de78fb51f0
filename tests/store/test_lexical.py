import json
import shutil

import numpy as np
import pytest

from vision_ctx.errors import IndexDamagedError
from vision_ctx.store.analysis import tokens
from vision_ctx.store.lexical import LexicalIndex

TEXTS = [
    "A white van at the gate.",
    "A dog in the yard.",
    "",
    "The gate, the gate, the gate.",
    "华山是一个很好旅游景点",
]


@pytest.fixture(params=["built", "loaded"])
def lexical(request, tmp_path):
    index = LexicalIndex.build(TEXTS)
    if request.param == "built":
        return index
    index.save(tmp_path / "words")
    return LexicalIndex.load(tmp_path / "words")


def best(index, query):
    scores = index.scores(tokens(query))
    assert scores.shape == (index.rows,)
    assert (scores >= 0).all()
    return [int(row) for row in np.argsort(-scores, kind="stable") if scores[row] > 0]


def test_scores(lexical):
    assert best(lexical, "gate") == [3, 0]
    assert best(lexical, "dogs") == [1]
    assert best(lexical, "华山") == [4]
    assert best(lexical, "a white gate") == [0, 3, 1]


@pytest.mark.parametrize("query", ["giraffe", "", "xyzabcxyz", "😀", "大象"])
def test_unknown_words_match_nothing(lexical, query):
    assert best(lexical, query) == []


def test_unknown_words_beside_known_ones_change_nothing(lexical):
    assert (lexical.scores(["gate", "qqq"]) == lexical.scores(["gate"])).all()


@pytest.mark.parametrize("texts", [[], [""], ["", "…", "😀"]])
def test_without_any_word(tmp_path, texts):  # S26
    index = LexicalIndex.build(texts)
    index.save(tmp_path / "words")
    for each in (index, LexicalIndex.load(tmp_path / "words")):
        assert each.rows == len(texts)
        assert each.scores(["gate"]).tolist() == [0.0] * len(texts)


def test_a_single_document(tmp_path):  # bm25s's IDF and its k
    index = LexicalIndex.build(["A cat at the gate."])
    assert best(index, "cat") == [0]


def test_saved_scores_are_those_of_the_built_index(tmp_path):
    index = LexicalIndex.build(TEXTS)
    index.save(tmp_path / "words")
    loaded = LexicalIndex.load(tmp_path / "words")
    for query in ("gate", "white van", "山"):
        assert np.array_equal(index.scores(tokens(query)), loaded.scores(tokens(query)))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: shutil.rmtree(folder),
        lambda folder: (folder / "covers.json").unlink(),
        lambda folder: (folder / "covers.json").write_text("{"),
        lambda folder: (folder / "covers.json").write_text("[]"),
        lambda folder: (folder / "covers.json").write_text(json.dumps({"rows": 4, "words": True})),
        lambda folder: [p.write_bytes(b"") for p in folder.glob("*.npy")],
        lambda folder: [p.unlink() for p in folder.glob("*.npy")],
        lambda folder: [p.write_bytes(p.read_bytes()[:-40]) for p in folder.glob("*.npy")],
        lambda folder: [p.unlink() for p in folder.glob("*vocab*")],
    ],
    ids=[
        "gone",
        "no state",
        "half state",
        "odd state",
        "rows",
        "empty",
        "no arrays",
        "cut",
        "vocab",
    ],
)
def test_a_damaged_folder_says_so(tmp_path, spoil):
    folder = tmp_path / "words"
    LexicalIndex.build(TEXTS).save(folder)
    spoil(folder)
    with pytest.raises(IndexDamagedError, match="any run of vision-ctx index builds it anew"):
        LexicalIndex.load(folder)
