import numpy as np
import pytest

from vision_ctx.search.engine import DEPTH, Question, search
from vision_ctx.search.filters import Filters

PICTURE = np.zeros((4, 4, 3), np.uint8)


class Compass:
    """Every text points along ``text``, every picture along ``image``."""

    id, dim = "compass", 8

    def __init__(self, text, image):
        self.text, self.image = text, image

    def embed_texts(self, texts):
        return np.stack([self.text for _ in texts])

    def embed_images(self, images):
        return np.stack([self.image for _ in images])


@pytest.fixture
def ask(snapshot, unit):
    def run(records, text="", image=None, north=None, east=None, **given):
        filters = Filters(**{key: given.pop(key) for key in ("kind", "camera") if key in given})
        compass = Compass(unit(1) if north is None else north, unit(0, 1) if east is None else east)
        question = Question(text, image, filters=filters, **given)
        return search(snapshot(*records), question, lambda: compass)

    return run


def ids(result):
    return [hit.record.id for hit in result.hits]


@pytest.fixture
def mixed(crop, chunk, unit):
    """Crops turned ever farther from north, chunks too; each word in one of each kind."""
    names = ["white van", "red bus", "small dog", "old bench"]
    records = []
    for turn, name in enumerate(names):
        records.append(crop(f"crop of {name}", unit(4 - turn, turn), label=name.split()[1]))
        records.append(chunk(f"note on {name}", unit(4 - turn, turn)))
    return records


def test_both_kinds_stand_in_one_list(ask, mixed):
    result = ask(mixed, "red bus", k=4)
    assert {ids(result)[0], ids(result)[1]} == {"crop of red bus", "note on red bus"}
    assert [hit.rank for hit in result.hits] == [1, 2, 3, 4]
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)
    assert result.eligible == {"crops": 4, "chunks": 4}


def test_neither_kind_is_drowned(ask, crop, chunk, unit):
    """In CLIP every text lies nearer to a text than to any picture; ranks do not care."""
    crops = [crop(f"crop {n}", unit(0.1, 1, n / 50), unit(0.1, 1, n / 50)) for n in range(30)]
    chunks = [chunk(f"chunk {n}", unit(1, 0.1, n / 50)) for n in range(30)]
    kinds = [hit.record.kind for hit in ask(crops + chunks, "nothing known", k=10).hits]
    assert kinds.count("crop") == kinds.count("chunk") == 5
    few = [hit.record.kind for hit in ask(crops + chunks[:1], "nothing known", k=10).hits]
    assert few.count("chunk") == 1


def test_channels_of_a_text_question(ask, mixed):
    result = ask(mixed, "red bus", k=8)
    for hit in result.hits:
        expected = {"text", "image"} if hit.record.kind == "crop" else {"text"}
        assert hit.channels.keys() - {"bm25"} == expected
        assert ("bm25" in hit.channels) == ("red bus" in hit.record.id)
        assert all(place.rank >= 1 for place in hit.channels.values())
    best = {hit.record.id: hit for hit in result.hits}["crop of white van"]
    assert best.channels["image"].rank == best.channels["text"].rank == 1
    assert best.channels["image"].score == pytest.approx(1)


def test_why(ask, mixed):
    hits = {hit.record.id: hit for hit in ask(mixed, "A red, RED bus!", k=8).hits}
    assert hits["note on red bus"].why == "words: red, RED, bus (rank 1); means it (rank 2)"
    assert hits["crop of red bus"].why.startswith("words: red, RED, bus (rank 1); looks like it (r")
    assert hits["crop of small dog"].why == "looks like it (rank 3); means it (rank 3)"


def test_a_word_score_of_zero_is_no_hit(ask, mixed):  # S26
    result = ask(mixed, "xyzabcxyz", k=8)
    assert all("bm25" not in hit.channels for hit in result.hits)
    only = ask(mixed, "xyzabcxyz", channels=frozenset({"bm25"}))
    assert only.hits == ()
    assert ids(ask(mixed, "dog", channels=frozenset({"bm25"}))) == [
        "crop of small dog",
        "note on small dog",
    ]


def test_an_image_alone_finds_crops(ask, mixed):
    result = ask(mixed, image=PICTURE, k=8)
    assert ids(result) == [
        f"crop of {n}" for n in ("old bench", "small dog", "red bus", "white van")
    ]
    assert all(hit.channels.keys() == {"image"} for hit in result.hits)
    assert result.confident


def test_an_image_alone_ranks_chunks_if_only_those_are_asked_for(ask, mixed):
    result = ask(mixed, image=PICTURE, kind="chunks")
    assert ids(result)[0] == "note on old bench"
    assert len(result.hits) == 4


def test_text_and_image_meet_in_the_middle(ask, crop, unit):
    records = [crop("north", unit(1)), crop("east", unit(0, 1)), crop("between", unit(1, 1))]
    result = ask(records, "unknown", image=PICTURE)
    between = next(hit for hit in result.hits if hit.record.id == "between")
    assert between.channels["image"].rank == 1
    assert between.channels["text"].rank == 2  # words are compared with words alone


@pytest.mark.parametrize(("kind", "count"), [("crops", 4), ("chunks", 4), ("all", 8)])
def test_kinds(ask, mixed, kind, count):
    result = ask(mixed, "red bus", kind=kind, k=100)
    assert len(result.hits) == count == sum(result.eligible.values())
    assert {hit.record.kind for hit in result.hits} == {
        "crops": {"crop"},
        "chunks": {"chunk"},
        "all": {"crop", "chunk"},
    }[kind]
    assert result.interpreted == ({} if kind == "all" else {"kind": kind})


def test_k_bounds_the_hits_and_may_exceed_the_depth(ask, crop, unit):
    records = [crop(f"van {n}", unit(1, n / 500)) for n in range(DEPTH + 60)]
    assert len(ask(records, "van", k=1).hits) == 1
    assert len(ask(records, "van", k=DEPTH + 50).hits) == DEPTH + 50


def test_filters_narrow_before_ranking(ask, crop, unit):  # S20
    near = [crop(f"yard van {n}", unit(1, n / 5000), camera="yard") for n in range(400)]
    far = [crop(f"gate {n}", unit(0, 1, n), camera="gate") for n in range(5)]
    for channels in ({"image"}, {"text"}, {"image", "text", "bm25"}):
        result = ask(near + far, "van", camera="gate", k=10, channels=frozenset(channels))
        assert sorted(ids(result)) == [f"gate {n}" for n in range(5)]
        assert result.eligible == {"crops": 5, "chunks": 0}
        assert len(ask(near + far, "van", camera="gate", k=3).hits) == 3
    ranks = [hit.channels["image"].rank for hit in ask(near + far, "van", camera="gate").hits]
    assert sorted(ranks) == [1, 2, 3, 4, 5]


def test_equal_records_stand_in_the_order_of_rows(ask, crop):
    records = [crop(f"van {n}") for n in range(6)]
    result = ask(records, "unknown")
    assert ids(result) == [f"van {n}" for n in range(6)]


def test_the_stronger_words_go_first_among_equal_ranks(ask, crop, chunk):
    long = chunk("van " + "and much else that is not it " * 30)
    result = ask([long, crop("van van")], "van")
    assert ids(result)[0] == "van van"


@pytest.mark.parametrize(
    ("text", "confident"),
    [("red bus", True), ("giraffe", False), ("xyzabcxyz", False), ("😀", False)],
)
def test_confident(ask, mixed, text, confident):  # S37
    assert ask(mixed, text).confident is confident


def test_nothing_eligible_needs_no_model(snapshot, mixed):
    for records in ([], mixed):
        question = Question("van", filters=Filters(camera="nowhere"))
        result = search(snapshot(*records), question, lambda: pytest.fail("a model was made"))
        assert (result.hits, result.confident) == ((), False)
        assert result.eligible == {"crops": 0, "chunks": 0}


@pytest.mark.parametrize("text", ["", "  ", "—", "'; DROP TABLE", "*", "a" * 5000])
def test_any_text_is_answered(ask, mixed, text):
    result = ask(mixed, text or " ", image=PICTURE)
    assert len(result.hits) >= 4


def test_one_kind_only_in_the_index(ask, crop, chunk):
    assert ids(ask([chunk("van")], "van")) == ["van"]
    assert ids(ask([crop("van")], "van")) == ["van"]
    assert ids(ask([chunk("van")], image=PICTURE)) == []
