"""Measure both sample models on pictures they were not trained on; write the figures as JSON.

The models are loaded the way a user loads them: `ultralytics.YOLO(path)` and open_clip's
`local-dir:` form with its own preprocessing. Rendered scenes come from shards of held-out seeds.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

os.environ.setdefault("YOLO_OFFLINE", "1")

import numpy as np
import open_clip
import torch
from crops import PAD, cut, worth_a_crop
from data import CLASSES, Picture, load_photographs
from PIL import Image
from shards import load_shards
from site_frames import load_site
from ultralytics import YOLO
from ultralytics.utils.metrics import ap_per_class, box_iou

ROAD_CLASSES = ("person", "car", "motorcycle", "bus", "truck")
MIN_CONFIDENCE = 0.001  # as ultralytics' own validation: the whole curve counts
IOU = 0.5


def matches(predicted: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Return which predictions are right, shape (n,): same class, overlap 0.5, each box once.

    Args:
        predicted: shape (n, 6), x0 y0 x1 y1 confidence class, best first.
        boxes: shape (m, 5), class x0 y0 x1 y1.
    """
    right = np.zeros(len(predicted), bool)
    if not len(predicted) or not len(boxes):
        return right
    overlap = box_iou(torch.from_numpy(boxes[:, 1:]), torch.from_numpy(predicted[:, :4])).numpy()
    overlap[boxes[:, :1] != predicted[None, :, 5]] = 0
    taken = np.zeros(len(boxes), bool)
    for i in range(len(predicted)):
        free = np.where(taken, 0, overlap[:, i])
        best = int(free.argmax())
        if free[best] >= IOU:
            taken[best] = right[i] = True
    return right


def detect(model: YOLO, picture: Picture, size: int) -> np.ndarray:
    """Return the predictions on one picture, shape (n, 6), best first."""
    result = model.predict(
        picture.image[..., ::-1], imgsz=size, conf=MIN_CONFIDENCE, max_det=100, verbose=False
    )[0]
    rows = result.boxes.data.cpu().numpy()
    return rows[np.argsort(-rows[:, 4])].astype(np.float32)


def average_precisions(model: YOLO, pictures: list[Picture], size: int) -> dict[str, float]:
    """Return AP50 of each class that occurs; classes unknown in a picture do not count there."""
    right, sure, predicted, wanted = [], [], [], []
    for picture in pictures:
        rows = detect(model, picture, size)
        rows = rows[picture.known[rows[:, 5].astype(int)]]
        boxes = picture.boxes[picture.known[picture.boxes[:, 0].astype(int)]]
        right.append(matches(rows, boxes))
        sure.append(rows[:, 4])
        predicted.append(rows[:, 5])
        wanted.append(boxes[:, 0])
    outcome = ap_per_class(
        np.concatenate(right)[:, None],
        np.concatenate(sure),
        np.concatenate(predicted),
        np.concatenate(wanted),
    )
    precision, classes = outcome[5], outcome[6]
    return {CLASSES[int(c)]: round(float(p[0]), 4) for c, p in zip(classes, precision, strict=True)}


def mean(figures: dict[str, float], names: tuple[str, ...] = CLASSES) -> float:
    """Return the mean over those of the names that were measured."""
    values = [figures[name] for name in names if name in figures]
    return round(float(np.mean(values)), 4) if values else float("nan")


def measure_detector(options: argparse.Namespace) -> dict:
    """Return the detector's figures at each image size."""
    model = YOLO(options.detector)
    lists = rendered_and_real(options)
    figures: dict = {}
    for size in options.sizes:
        for name, pictures in lists.items():
            if not pictures:
                continue
            start = time.perf_counter()
            classes = average_precisions(model, pictures, size)
            road = name == "real_camera"
            figures.setdefault(name, {})[str(size)] = {
                "pictures": len(pictures),
                "mAP50": mean(classes, ROAD_CLASSES if road else CLASSES),
                "AP50": classes,
                "ms_per_picture": round((time.perf_counter() - start) / len(pictures) * 1e3, 1),
            }
    return figures


def rendered_and_real(options: argparse.Namespace) -> dict[str, list[Picture]]:
    """Return the held-out pictures by name of the list."""
    lists: dict[str, list[Picture]] = {}
    if options.rendered:
        lists["rendered"] = load_shards(options.rendered, set())
    if options.site:
        lists["site"] = load_site(options.site)
    if options.data:
        real = load_photographs(options.data, "val")
        coco = [p for p in real if p.group.startswith("coco")]
        lists["real_camera"] = [p for p in real if not p.group.startswith("coco")]
        lists["real_coco"] = coco
    return {name: pictures[: options.limit or None] for name, pictures in lists.items()}


class ImageText:
    """The image-text model as a user loads it."""

    def __init__(self, folder: Path) -> None:
        name = f"local-dir:{folder}"
        self.model, _, self.preprocess = open_clip.create_model_and_transforms(name)
        self.model.eval()
        self.tokenizer = open_clip.get_tokenizer(name)

    def texts(self, texts: list[str]) -> np.ndarray:
        """Return unit vectors, shape (n, d)."""
        with torch.no_grad():
            return self.model.encode_text(self.tokenizer(texts), normalize=True).numpy()

    def crops(self, images: list[np.ndarray], batch: int = 64) -> np.ndarray:
        """Return unit vectors, shape (n, d), of uint8 RGB crops."""
        parts = []
        for start in range(0, len(images), batch):
            tensors = [
                self.preprocess(Image.fromarray(image)) for image in images[start : start + batch]
            ]
            with torch.no_grad():
                parts.append(self.model.encode_image(torch.stack(tensors), normalize=True).numpy())
        return np.concatenate(parts)


def held_out_crops(pictures: list[Picture]) -> tuple[list[np.ndarray], list[dict[str, str]]]:
    """Return crops in their own pixels, padded as the product pads, and their facts."""
    images, facts = [], []
    for picture in pictures:
        for row, extra in zip(picture.boxes, picture.attributes, strict=True):
            if not picture.known[int(row[0])] or not worth_a_crop(row, extra):
                continue
            images.append(cut(picture.image, row[1:], PAD, 0))
            facts.append({"label": CLASSES[int(row[0])], **extra})
    return images, facts


def rank_one(model: ImageText, pictures: list[Picture]) -> dict:
    """Return how often the first crop for "a red truck" and the like is one."""
    images, facts = held_out_crops(pictures)
    vectors = model.crops(images)
    pairs = sorted({(f["label"], f["colour"]) for f in facts if f.get("colour")})
    texts = [
        f"a person in a {colour} jacket" if label == "person" else f"a {colour} {label}"
        for label, colour in pairs
    ]
    best = (model.texts(texts) @ vectors.T).argmax(1)
    label_right = [facts[i]["label"] == pair[0] for i, pair in zip(best, pairs, strict=True)]
    colour_right = [facts[i].get("colour") == pair[1] for i, pair in zip(best, pairs, strict=True)]
    both = np.logical_and(label_right, colour_right)
    wrong = {
        text: f"{facts[i].get('colour')} {facts[i]['label']}"
        for text, i, ok in zip(texts, best, both, strict=True)
        if not ok
    }
    return {
        "queries": len(texts),
        "crops": len(images),
        "class": round(float(np.mean(label_right)), 4),
        "colour": round(float(np.mean(colour_right)), 4),
        "class_and_colour": round(float(both.mean()), 4),
        "wrong": wrong,
    }


def right_class(model: ImageText, pictures: list[Picture], labels: tuple[str, ...]) -> dict:
    """Return how often the nearest of eleven class names is the crop's own."""
    images, facts = held_out_crops(pictures)
    kept = [i for i, f in enumerate(facts) if f["label"] in labels]
    vectors = model.crops([images[i] for i in kept])
    guesses = (vectors @ model.texts([f"a {name}" for name in CLASSES]).T).argmax(1)
    truth = np.array([CLASSES.index(facts[i]["label"]) for i in kept])
    by_class = {
        name: round(float((guesses == truth)[truth == CLASSES.index(name)].mean()), 4)
        for name in labels
        if (truth == CLASSES.index(name)).any()
    }
    return {
        "crops": len(kept),
        "right": round(float((guesses == truth).mean()), 4),
        "mean_of_classes": round(float(np.mean(list(by_class.values()))), 4),
        "by_class": by_class,
    }


def measure_image_text(options: argparse.Namespace) -> dict:
    """Return the image-text model's figures."""
    model = ImageText(options.clip)
    lists = rendered_and_real(options)
    figures: dict = {}
    for name in ("rendered", "site"):
        if lists.get(name):
            figures[f"{name}_text_to_crop"] = rank_one(model, lists[name])
            figures[f"{name}_class"] = right_class(model, lists[name], CLASSES)
    for name in ("real_camera", "real_coco"):
        if lists.get(name):
            figures[f"{name}_class"] = right_class(model, lists[name], ROAD_CLASSES)
    if lists.get("real_camera"):
        real = lists["real_camera"] + lists["real_coco"]
        figures["real_class"] = right_class(model, real, ROAD_CLASSES)
    return figures


def main() -> None:
    """Measure what was asked for and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--detector", type=Path, help="a .pt of the detector")
    parser.add_argument("--clip", type=Path, help="folder of the image-text model")
    parser.add_argument("--rendered", type=Path, help="folder of held-out rendered shards")
    parser.add_argument("--site", type=Path, help="folder with the committed footage and truth")
    parser.add_argument("--data", type=Path, help="folder of real photographs")
    parser.add_argument("--sizes", type=int, nargs="+", default=[512])
    parser.add_argument("--limit", type=int, default=0, help="at most so many pictures of each")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, help="JSON file; also printed")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    figures = {}
    if options.detector:
        figures["detector"] = measure_detector(options)
    if options.clip:
        figures["image_text"] = measure_image_text(options)
    text = json.dumps(figures, indent=2)
    print(text)
    if options.out:
        options.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
