"""Embedding through open_clip: any name and pretrained tag, or a local folder.

A local folder holds ``open_clip_config.json`` and a checkpoint, as open_clip's ``local-dir:`` form
loads them.  Texts longer than the tower's context are embedded in windows and pooled: nothing is
cut off.  Imports open_clip and torch when an embedder is made, not before.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision_ctx.errors import ModelUnavailableError
from vision_ctx.models.catalog import SAMPLES, WAYS_OUT, sample_model, weights_hash
from vision_ctx.types import RGB, Vectors

CONFIG = "open_clip_config.json"
_BATCH = 32
_LONGEST_REASON = 200
_SPECIAL_TOKENS = 3  # start and end of text and, in some towers, a class token


class OpenClipEmbedder:
    """Both towers of an open_clip model on the CPU, or on the GPU where there is one."""

    def __init__(self, spec: str) -> None:
        """Loads the model.

        Raises:
            ModelUnavailableError: It is neither here nor can it be downloaded.
        """
        name, pretrained, folder = _parse(spec)
        import torch

        self._torch = torch
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model, self._preprocess = _load(name, pretrained, spec, self._device)
        self._tokenizer, self._count, self._window = _tokenizer(name, spec)
        weights = f"{folder.name}:{weights_hash(folder)}" if folder else f"{name}/{pretrained}"
        # The text tower alone says how long its vectors are for every kind of model.
        self.dim = int(self.embed_texts(["x"]).shape[1])
        self.id = f"open_clip:{weights}"

    def embed_images(self, images: Sequence[RGB]) -> Vectors:
        """Unit vectors, shape ``(n, dim)``."""
        from PIL import Image

        def encode(part: Sequence[RGB]) -> Any:  # noqa: ANN401 - a tensor
            pictures = [self._preprocess(Image.fromarray(image)) for image in part]
            return self._model.encode_image(self._torch.stack(pictures).to(self._device))

        return self._batched(images, encode)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, shape ``(n, dim)``; a text's windows are averaged by their tokens."""
        pieces = [windows(text, self._window, self._count) for text in texts]
        flat = [piece for part in pieces for piece in part]

        def encode(part: Sequence[str]) -> Any:  # noqa: ANN401 - a tensor
            return self._model.encode_text(self._tokenizer(list(part)).to(self._device))

        vectors = self._batched(flat, encode)
        weights = np.array([max(self._count(piece), 1) for piece in flat], dtype=np.float32)
        return pool(vectors, weights, [len(part) for part in pieces])

    def _batched(self, items: Sequence[Any], encode: Callable[[Any], Any]) -> Vectors:
        parts = []
        with self._torch.inference_mode():
            for start in range(0, len(items), _BATCH):
                vectors = encode(items[start : start + _BATCH]).float()
                parts.append(self._torch.nn.functional.normalize(vectors, dim=-1).cpu().numpy())
        if not parts:
            return np.empty((0, self.dim), dtype=np.float32)
        return np.concatenate(parts).astype(np.float32)


def windows(text: str, size: int, count: Callable[[str], int]) -> list[str]:
    """Cuts a text at spaces into pieces of about equal length, each of at most ``size`` tokens.

    ``count`` tells the tokens of a text without special ones.  All of the text is in the pieces.
    """
    total = count(text)
    if total <= size:
        return [text]
    aim = math.ceil(
        total / math.ceil(total / size)
    )  # a last window of two words would weigh little
    pieces: list[list[str]] = [[]]
    held = 0
    for word in chain.from_iterable(_fitting(run, size, count) for run in text.split()):
        tokens = count(word)
        if pieces[-1] and (held + tokens > size or held >= aim):
            pieces.append([])
            held = 0
        pieces[-1].append(word)
        held += tokens
    # The tokens of words need not add up: some tokenisers clean a text as a whole first.
    return [part for piece in pieces for part in _fitting(" ".join(piece), size, count)]


def pool(vectors: Vectors, weights: npt.NDArray[np.float32], lengths: Sequence[int]) -> Vectors:
    """Weighted means of consecutive groups of unit vectors, at unit length again.

    ``lengths`` gives the number of vectors of each group; the result has one row for each.
    """
    pooled = np.zeros((len(lengths), vectors.shape[1]), dtype=np.float32)
    start = 0
    for row, length in enumerate(lengths):
        part = slice(start, start + length)
        pooled[row] = np.average(vectors[part], axis=0, weights=weights[part])
        start += length
    norms = np.linalg.norm(pooled, axis=1, keepdims=True)
    return np.asarray(pooled / np.maximum(norms, 1e-12), dtype=np.float32)


def _fitting(text: str, size: int, count: Callable[[str], int]) -> Iterator[str]:
    """The text, cut in halves until each fits; one character is but a few tokens in any tokeniser."""
    if len(text) <= 1 or count(text) <= size:
        yield text
        return
    middle = len(text) // 2
    middle = max(text.rfind(" ", 0, middle), 0) or middle
    yield from _fitting(text[:middle], size, count)
    yield from _fitting(text[middle:].strip(), size, count)


def _parse(spec: str) -> tuple[str, str | None, Path | None]:
    """open_clip's model name, pretrained tag, and the local folder if it is one."""
    folder = sample_model("embedder") if spec == SAMPLES else Path(spec).expanduser()
    if folder.is_dir():
        if not (folder / CONFIG).is_file():
            raise ModelUnavailableError(
                f"{folder}: there is no {CONFIG} in it; an embedder's folder holds that file and a "
                "checkpoint (open_clip's local-dir form)"
            )
        folder = folder.resolve()
        return f"local-dir:{folder}", None, folder
    if spec.startswith((".", "~")) or folder.is_absolute():
        raise ModelUnavailableError(f"there is no embedder at {folder}; {WAYS_OUT}")
    name, slash, pretrained = spec.partition("/")
    if not slash or not re.fullmatch(r"[\w.+-]+", name):
        raise ModelUnavailableError(
            f"'{spec}' names no embedder: write NAME/PRETRAINED (open_clip's names), or {WAYS_OUT}"
        )
    return name, pretrained, None


def _load(name: str, pretrained: str | None, spec: str, device: str) -> tuple[Any, Any]:
    import open_clip

    if not name.startswith("local-dir:"):
        _check_names(name, pretrained, open_clip)
    try:
        with _no_logging():
            model, _, preprocess = open_clip.create_model_and_transforms(
                name, pretrained=pretrained, device=device, require_pretrained=True
            )
    except Exception as error:  # hubs, files and state dicts each fail in their own way
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        reason = reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]}…"
        where = "cannot be loaded" if pretrained is None else "is not here and cannot be downloaded"
        raise ModelUnavailableError(
            f"the embedder '{spec}' {where} ({reason}); {WAYS_OUT}"
        ) from error
    return model.eval(), preprocess


@contextmanager
def _no_logging() -> Iterator[None]:
    """Keeps libraries from logging each of a dozen attempts to reach a hub; the error says it once.

    open_clip logs through the root logger, which also gives it a handler for everything else.
    """
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _check_names(name: str, pretrained: str | None, open_clip: Any) -> None:  # noqa: ANN401
    if name not in open_clip.list_models():
        raise ModelUnavailableError(f"open_clip knows no model '{name}'; {WAYS_OUT}")
    tags = open_clip.list_pretrained_tags_by_model(name)
    if pretrained not in tags:
        raise ModelUnavailableError(
            f"open_clip knows no weights '{pretrained}' for {name}, but {', '.join(tags)}; {WAYS_OUT}"
        )


def _tokenizer(name: str, spec: str) -> tuple[Any, Callable[[str], int], int]:
    """The tokeniser, a function that counts a text's tokens without cutting, and the window."""
    import open_clip

    try:
        tokenizer = open_clip.get_tokenizer(name)
    except Exception as error:
        raise ModelUnavailableError(
            f"the tokeniser of '{spec}' cannot be loaded: {error}"
        ) from error
    inner = getattr(tokenizer, "tokenizer", None)

    def count(text: str) -> int:
        if inner is not None:  # a Hugging Face tokeniser
            return len(inner.encode(tokenizer.clean_fn(text), add_special_tokens=False))
        return len(tokenizer.encode(tokenizer.clean_fn(text)))

    return tokenizer, count, int(tokenizer.context_length or 77) - _SPECIAL_TOKENS
