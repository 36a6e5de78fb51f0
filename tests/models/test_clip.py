import json
import logging
import shutil
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from vision_ctx.errors import ModelUnavailableError
from vision_ctx.models import clip
from vision_ctx.models.clip import OpenClipEmbedder, pool, windows

WEIGHTS = "open_clip_model.safetensors"


@pytest.fixture(scope="module")
def embedder(tiny_clip):
    return OpenClipEmbedder(str(tiny_clip))


@pytest.fixture(scope="module")
def tokenizer():
    import open_clip

    return open_clip.get_tokenizer("ViT-B-32")


def count(tokenizer, text):
    return len(tokenizer.encode(tokenizer.clean_fn(text)))


def bare(text):
    return "".join(text.split())


@settings(deadline=None, max_examples=100)
@given(
    st.text(max_size=400) | st.text(alphabet="Ã¼â€™&amp; <3é😀界ไทย", max_size=400),
    st.integers(8, 75),
)
def test_windows_hold_all_of_any_text_and_fit(tokenizer, text, size):
    pieces = windows(text, size, lambda part: count(tokenizer, part))
    assert bare("".join(pieces)) == bare(text)
    for piece in pieces:
        assert count(tokenizer, piece) <= size
        # The tokeniser cuts what is longer than its context, without a word; nothing here is.
        tokens = tokenizer([piece])[0]
        assert int((tokens != 0).sum()) <= size + 2


@pytest.mark.parametrize(
    "text",
    [
        "gate " * 500,
        "x" * 5000,
        "门口有一辆白色的车停了下来。" * 50,
        "😀" * 300,
        "07:15 1 4 9 11 13 15 19 23 39 40 41 49 51 59 61 64 66 70 71 72 " * 4,  # S27
    ],
    ids=["words", "run", "chinese", "emoji", "numbers"],
)
def test_long_texts_come_in_windows_of_about_equal_length(tokenizer, text):
    pieces = windows(text, 75, lambda part: count(tokenizer, part))
    sizes = [count(tokenizer, piece) for piece in pieces]
    assert bare("".join(pieces)) == bare(text)
    assert max(sizes) <= 75
    if " " in text:
        assert min(sizes) > 0.5 * max(sizes)
        assert len(pieces) == -(-count(tokenizer, text) // 75)


def test_a_text_that_fits_stays_as_it_is():
    assert windows("  a  b ", 5, lambda text: len(text.split())) == ["  a  b "]
    assert windows("", 5, len) == [""]


def test_a_tokeniser_whose_tokens_do_not_add_up_is_no_danger():
    def odd(text):  # one word is cheap, many together are dear
        return len(text.split()) ** 2

    pieces = windows("a b c d e f g", 9, odd)
    assert all(odd(piece) <= 9 for piece in pieces)
    assert bare("".join(pieces)) == "abcdefg"


def test_pool_weighs_by_tokens_and_returns_unit_vectors():
    vectors = np.array([[1, 0], [0, 1], [0, 1]], dtype=np.float32)
    pooled = pool(vectors, np.array([3, 1, 5], dtype=np.float32), [2, 1])
    assert pooled == pytest.approx(np.array([[3, 1], [0, 10**0.5]]) / 10**0.5)
    assert pool(np.empty((0, 2), np.float32), np.empty(0, np.float32), []).shape == (0, 2)


def test_a_local_folder_gives_unit_vectors(embedder, tiny_clip):
    assert embedder.dim == 32
    assert embedder.id.startswith(f"open_clip:{tiny_clip.name}:")
    vectors = embedder.embed_texts(["a van", "", "gate " * 500])
    assert (vectors.shape, vectors.dtype) == ((3, 32), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert embedder.embed_texts([]).shape == embedder.embed_images([]).shape == (0, 32)


@pytest.mark.parametrize("shape", [(1, 1), (8, 900), (900, 2), (64, 64)])
def test_pictures_of_any_shape(embedder, shape):
    picture = np.random.default_rng(0).integers(0, 255, (*shape, 3), dtype=np.uint8)
    (vector,) = embedder.embed_images([picture])
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_vectors_do_not_hang_on_the_batch(embedder, monkeypatch):
    monkeypatch.setattr(clip, "_BATCH", 4)
    random = np.random.default_rng(0)
    pictures = [random.integers(0, 255, (40, 30, 3), dtype=np.uint8) for _ in range(10)]
    texts = [f"camera {n} " * (8 * n + 1) for n in range(10)]
    for embed, items in ((embedder.embed_images, pictures), (embedder.embed_texts, texts)):
        together, alone = embed(items), np.concatenate([embed([item]) for item in items])
        assert np.abs(together - alone).max() < 1e-5
        assert np.abs(embed(items[::-1])[::-1] - together).max() < 1e-5


def test_a_long_text_is_not_its_beginning(embedder):
    start = "gate " * 75
    vectors = embedder.embed_texts([start, start + "white van on the left " * 20])
    assert float(vectors[0] @ vectors[1]) < 0.999


def test_the_same_weights_give_the_same_vectors_and_id(embedder, tiny_clip, tmp_path):
    copy = tmp_path / tiny_clip.name
    shutil.copytree(tiny_clip, copy)
    (copy / "README.md").write_text("A model card.")
    again = OpenClipEmbedder(str(copy))
    assert again.id == embedder.id
    assert np.array_equal(again.embed_texts(["a van"]), embedder.embed_texts(["a van"]))
    state = load_file(copy / WEIGHTS)
    state["logit_scale"] += 1
    save_file(state, copy / WEIGHTS)
    assert OpenClipEmbedder(str(copy)).id != embedder.id


def test_weights_are_loaded_not_drawn_at_random(tiny_clip):
    embedder = OpenClipEmbedder(str(tiny_clip))
    stored = load_file(tiny_clip / WEIGHTS)
    loaded = embedder._model.state_dict()
    assert all((loaded[name] == value).all() for name, value in stored.items())
    assert not embedder._model.training


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / WEIGHTS).unlink(),
        lambda folder: (folder / WEIGHTS).write_bytes(b"garbage"),
        lambda folder: (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:999]),
        lambda folder: save_file(
            dict(list(load_file(folder / WEIGHTS).items())[::2]), folder / WEIGHTS
        ),
        lambda folder: (folder / clip.CONFIG).write_text("{"),
        lambda folder: (folder / clip.CONFIG).write_text(json.dumps({"model_cfg": {}})),
        lambda folder: (folder / clip.CONFIG).unlink(),
    ],
    ids=["no weights", "garbage", "cut", "half the weights", "bad json", "bad config", "no config"],
)
def test_a_damaged_folder_is_an_error_never_random_weights(tiny_clip, tmp_path, spoil):
    folder = tmp_path / "model"
    shutil.copytree(tiny_clip, folder)
    spoil(folder)
    with pytest.raises(ModelUnavailableError, match="model"):
        OpenClipEmbedder(str(folder))


@pytest.mark.parametrize(
    "spec",
    [
        *("nonsense", "no-such-model/openai", "ViT-B-32/no-such-tag", "ViT-B-32/", "/openai"),
        *("./models/clip", "/no/such/folder", "~/no/such/folder", "hf-hub:org/name", "a b/c"),
    ],
)
def test_unknown_names_say_the_ways_out(spec):
    with pytest.raises(ModelUnavailableError, match=r"local path.*--models samples"):
        OpenClipEmbedder(spec)


@pytest.mark.parametrize("spec", ["ViT-B-32-256/datacomp_s34b_b86k", "ViT-B-32/openai"])
def test_without_network_the_ways_out_are_named(spec, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))

    def offline(*args, **kwargs):
        raise OSError("no route to host")

    monkeypatch.setattr("open_clip.pretrained.hf_hub_download", offline)
    monkeypatch.setattr("urllib.request.urlopen", offline)
    with pytest.raises(
        ModelUnavailableError, match=r"cannot be downloaded.*--models samples"
    ) as info:
        OpenClipEmbedder(spec)
    assert spec in str(info.value)
    assert "local path" in str(info.value)


def test_loading_warns_of_nothing(tiny_clip):  # S28: a mismatch of activations is a warning
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*torch.jit.*", DeprecationWarning)
        OpenClipEmbedder(str(tiny_clip))


def test_a_failing_download_is_said_once_not_logged(monkeypatch, caplog, capfd):
    def fail(*args, **kwargs):
        for attempt in range(5):
            logging.getLogger("huggingface_hub.utils").warning("retry %s", attempt)
        logging.error("Failed to download")
        raise RuntimeError("no such host " * 100)

    monkeypatch.setattr("open_clip.create_model_and_transforms", fail)
    with pytest.raises(ModelUnavailableError, match="--models samples") as raised:
        OpenClipEmbedder("ViT-B-32/openai")
    assert len(str(raised.value)) < 600
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")
    logging.getLogger("after").warning("loggers work again")
    assert [record.message for record in caplog.records] == ["loggers work again"]
