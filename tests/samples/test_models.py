"""The two sample models load the normal way, offline, and see what was drawn."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "samples" / "models"
DETECTOR = MODELS / "detector" / "yolo26n-samples.pt"
IMAGE_TEXT = MODELS / "clip"
LIMIT_BYTES = 40e6  # of both models together
CLASSES = [
    "person",
    "bicycle",
    "car",
    "motorcycle",
    "bus",
    "truck",
    "dog",
    "cat",
    "backpack",
    "suitcase",
    "umbrella",
]
# Held out: training uses seeds from 0 upwards.
SCENE_SEEDS = range(9_500_000, 9_500_040)
SCENE_SIZE = (640, 360)


@pytest.fixture(scope="module", autouse=True)
def offline() -> None:
    """Nothing may be fetched."""
    os.environ["YOLO_OFFLINE"] = "1"
    os.environ["HF_HUB_OFFLINE"] = "1"


@pytest.fixture(scope="module")
def scenes() -> list[Any]:
    """Return rendered scenes that no model was trained on."""
    sys.path.insert(0, str(ROOT / "samples" / "build"))
    try:
        from render.training import random_scene
    finally:
        sys.path.pop(0)
    return [random_scene(seed, SCENE_SIZE) for seed in SCENE_SEEDS]


@pytest.fixture(scope="module")
def detector() -> Any:
    """Return the detector as a user loads it."""
    from ultralytics import YOLO

    return YOLO(DETECTOR)


@pytest.fixture(scope="module")
def image_text() -> tuple[Any, Any, Any]:
    """Return (model, preprocess, tokenizer) as a user loads them."""
    import open_clip

    name = f"local-dir:{IMAGE_TEXT}"
    model, _, preprocess = open_clip.create_model_and_transforms(name)
    return model.eval(), preprocess, open_clip.get_tokenizer(name)


def overlap(first: np.ndarray, second: np.ndarray) -> float:
    """Return intersection over union of two boxes x0 y0 x1 y1."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    shared = max(width, 0) * max(height, 0)
    areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in (first, second)]
    return float(shared / (sum(areas) - shared))


def large(found: Any) -> bool:
    """Tell whether an object is large and open enough to be asked for."""
    width, height = found.box[2] - found.box[0], found.box[3] - found.box[1]
    return found.visible > 0.7 and min(width, height) >= 28


def test_both_models_are_small_enough_to_ship() -> None:
    files = [path for path in MODELS.rglob("*") if path.is_file()]
    assert DETECTOR in files
    assert sum(path.stat().st_size for path in files) < LIMIT_BYTES


def test_detector_names_our_classes_and_its_own_image_size(detector: Any) -> None:
    assert list(detector.names.values()) == CLASSES
    assert detector.task == "detect"
    assert detector.overrides["imgsz"] % 32 == 0


def test_detector_weights_name_no_place_of_their_making() -> None:
    content = DETECTOR.read_bytes()
    assert b"/home/" not in content
    assert b"/tmp/" not in content


def test_detector_finds_most_of_what_was_drawn(detector: Any, scenes: list[Any]) -> None:
    wanted = hits = 0
    for scene in scenes:
        result = detector.predict(scene.image, conf=0.25, verbose=False)[0]
        boxes = result.boxes.xyxy.cpu().numpy()
        names = [detector.names[int(c)] for c in result.boxes.cls]
        for found in filter(large, scene.objects):
            wanted += 1
            hits += any(
                name == found.label and overlap(box, np.array(found.box, float)) >= 0.5
                for box, name in zip(boxes, names, strict=True)
            )
    assert wanted >= 10
    assert hits / wanted >= 0.6


def test_detector_sees_nothing_in_an_even_picture(detector: Any) -> None:
    grey = np.full((360, 640, 3), 128, np.uint8)
    assert len(detector.predict(grey, conf=0.25, verbose=False)[0].boxes) == 0


def test_image_text_model_gives_unit_vectors_of_256(image_text: tuple[Any, Any, Any]) -> None:
    import torch

    model, _, tokenizer = image_text
    with torch.no_grad():
        vectors = model.encode_text(tokenizer(["a red truck", "트럭"]), normalize=True)
    assert vectors.shape == (2, 256)
    assert torch.allclose(vectors.norm(dim=1), torch.ones(2), atol=1e-4)


def test_texts_find_the_crops_they_describe(
    image_text: tuple[Any, Any, Any], scenes: list[Any]
) -> None:
    import torch
    from PIL import Image

    model, preprocess, tokenizer = image_text
    labels, crops = [], []
    for scene in scenes:
        for found in filter(large, scene.objects):
            x0, y0, x1, y1 = (int(v) for v in found.box)
            crops.append(preprocess(Image.fromarray(scene.image[y0:y1, x0:x1, ::-1])))
            labels.append(found.label)
    with torch.no_grad():
        images = model.encode_image(torch.stack(crops), normalize=True)
        texts = model.encode_text(tokenizer([f"a {name}" for name in CLASSES]), normalize=True)
    guesses = [CLASSES[i] for i in (images @ texts.T).argmax(1).tolist()]
    right = sum(guess == label for guess, label in zip(guesses, labels, strict=True))
    assert right / len(labels) >= 0.6  # 0.68 measured; by chance it would be 0.09


def test_words_that_no_caption_has_land_near_their_kin(image_text: tuple[Any, Any, Any]) -> None:
    import torch

    model, _, tokenizer = image_text
    texts = ["a burglary during the night", "theft after dark", "a recipe for apple cake"]
    with torch.no_grad():
        vectors = model.encode_text(tokenizer(texts), normalize=True)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
