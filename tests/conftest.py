"""Fakes that implement the protocols, small real files, and a tiny real open_clip model."""

from __future__ import annotations

import os

os.environ.setdefault("YOLO_OFFLINE", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from vision_ctx.index import Index
from vision_ctx.types import RGB, Box, Detection

SHARED = Path(__file__).resolve().parents[2] / "shared"
DIM = 32
# Pure colours that the fake detector knows, as RGB.
COLOURS = {
    "person": (255, 0, 0),
    "bus": (0, 255, 0),
    "car": (0, 0, 255),
    "dog": (255, 255, 0),
}


class ColourDetector:
    """Finds rectangles of pure colours: a real detector of an easy world."""

    id = "fake:colours"

    def __init__(self) -> None:
        self.batches: list[int] = []

    def detect(self, images: Sequence[RGB]) -> list[list[Detection]]:
        self.batches.append(len(images))
        return [self._detect(image) for image in images]

    def _detect(self, image: RGB) -> list[Detection]:
        found = []
        for label, colour in COLOURS.items():
            mask = (np.abs(image.astype(int) - colour).max(axis=2) < 60).astype(np.uint8)
            count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
            for x, y, width, height, area in stats[1:count]:
                if area >= 64:
                    box = Box(int(x), int(y), int(x + width), int(y + height))
                    found.append(Detection(label, 0.9, box))
        return found


class HashEmbedder:
    """Words become random directions, pictures the direction of their mean colour's label."""

    id = "fake:hash"
    dim = DIM

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.images = 0

    def embed_images(self, images: Sequence[RGB]) -> Any:
        self.images += len(images)
        return np.stack([self._picture(image) for image in images])

    def embed_texts(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        return np.stack([self._text(text) for text in texts])

    def _text(self, text: str) -> Any:
        words = [word.strip(".,:()").lower() for word in text.split()] or [""]
        return self._unit(sum(_direction(word) for word in words))

    def _picture(self, image: RGB) -> Any:
        mean = image.reshape(-1, 3).mean(axis=0)
        label = min(COLOURS, key=lambda name: np.abs(mean - COLOURS[name]).sum())
        return self._unit(_direction(label))

    def _unit(self, vector: Any) -> Any:
        return (vector / np.linalg.norm(vector)).astype(np.float32)


def _direction(word: str) -> Any:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(DIM)


@pytest.fixture
def detector() -> ColourDetector:
    return ColourDetector()


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
def index(tmp_path: Path, detector: ColourDetector, embedder: HashEmbedder) -> Index:
    """An empty index with the fakes."""
    return Index.create(tmp_path / "index", detector=detector, embedder=embedder)


@pytest.fixture
def draw() -> Callable[..., RGB]:
    """Draws coloured rectangles on grey: ``draw((w, h), person=(x0, y0, x1, y1))``."""

    def picture(size: tuple[int, int] = (160, 120), **boxes: Any) -> RGB:
        image = np.full((size[1], size[0], 3), 128, dtype=np.uint8)
        for label, box in boxes.items():
            for x0, y0, x1, y1 in [box] if isinstance(box[0], int) else box:
                image[y0:y1, x0:x1] = COLOURS[label.rstrip("_")]
        return image

    return picture


@pytest.fixture
def save(draw: Callable[..., RGB]) -> Callable[..., Path]:
    """Saves such a picture losslessly enough: ``save(path, person=(…))``."""

    def write(path: Path, size: tuple[int, int] = (160, 120), **boxes: Any) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        options = {"quality": 95, "subsampling": 0} if path.suffix.lower() == ".jpg" else {}
        Image.fromarray(draw(size, **boxes)).save(path, **options)
        return path

    return write


@pytest.fixture(scope="session")
def tiny_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny random open_clip model that loads through its ``local-dir:`` form."""
    import open_clip
    import torch
    from safetensors.torch import save_file

    folder = tmp_path_factory.mktemp("tiny-clip")
    text = {"context_length": 77, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 1}
    vision = {"image_size": 32, "layers": 1, "width": 32, "patch_size": 8, "head_width": 16}
    config = {
        "model_cfg": {"embed_dim": 32, "vision_cfg": vision, "text_cfg": text},
        "preprocess_cfg": {"mean": [0.5] * 3, "std": [0.5] * 3, "resize_mode": "squash"},
    }
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    torch.manual_seed(0)
    model = open_clip.create_model(f"local-dir:{folder}", load_weights=False)
    save_file(model.state_dict(), str(folder / "open_clip_model.safetensors"))
    return folder


@pytest.fixture(scope="session")
def yolo26n() -> Path:
    """The real weights of YOLO26n, as an ONNX export."""
    path = SHARED / "models" / "yolo26n_fp32.onnx"
    if not path.exists():
        pytest.skip(f"real weights are not at {path}")
    return path


@pytest.fixture(scope="session")
def footage() -> Path:
    """The folder of real recordings."""
    path = SHARED / "footage"
    if not path.is_dir():
        pytest.skip(f"real recordings are not at {path}")
    return path


@pytest.fixture(scope="session")
def bus_jpg() -> Path:
    """The photograph of a bus and persons that the ultralytics wheel carries."""
    from ultralytics.utils import ASSETS

    return Path(ASSETS) / "bus.jpg"
