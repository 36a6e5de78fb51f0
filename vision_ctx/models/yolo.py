"""Detection through ultralytics: any name it knows, any ``.pt``, ONNX or OpenVINO export.

Imports ultralytics and torch when a detector is made, not before.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vision_ctx.errors import MissingDependencyError, ModelUnavailableError
from vision_ctx.models.catalog import (
    LEAST_CONFIDENCE,
    SAMPLES,
    WAYS_OUT,
    cache_folder,
    sample_model,
    weights_hash,
)
from vision_ctx.models.surroundings import before_ultralytics
from vision_ctx.types import RGB, Box, Detection

_EXTRAS = {".onnx": ("onnxruntime", "onnx"), "_openvino_model": ("openvino", "openvino")}


class UltralyticsDetector:
    """A detector of the YOLO family."""

    def __init__(self, spec: str) -> None:
        """Loads the model.

        Raises:
            ModelUnavailableError: It is neither here nor can it be downloaded.
            MissingDependencyError: Its export format needs a package that is not installed.
        """
        path = _locate(spec)
        _require_runtime(path)
        self._model = _load(path, spec)
        self._fixed = _fixed_size(path)
        self.id = f"ultralytics:{path.stem}:{weights_hash(path)}"

    def detect(self, images: Sequence[RGB]) -> list[list[Detection]]:
        """Detections of each picture.

        Pictures of one size go through the network together.  Different sizes are not mixed, since
        that would pad them differently than alone and so move the boxes.
        """
        results: list[list[Detection]] = [[] for _ in images]
        groups: dict[tuple[int, ...], list[int]] = {}
        for index, image in enumerate(images):
            groups.setdefault(image.shape, []).append(index)
        for indices in groups.values():
            limit = 1 if self._fixed else len(indices)
            for start in range(0, len(indices), limit):
                part = indices[start : start + limit]
                for index, found in zip(part, self._run([images[i] for i in part]), strict=True):
                    results[index] = found
        return results

    def _run(self, images: list[RGB]) -> list[list[Detection]]:
        pictures = [np.ascontiguousarray(image[..., ::-1]) for image in images]  # it expects BGR
        predictions = self._model.predict(
            pictures, conf=LEAST_CONFIDENCE, verbose=False, save=False
        )
        return [_detections(prediction) for prediction in predictions]


def _detections(prediction: Any) -> list[Detection]:  # noqa: ANN401 - ultralytics has no types
    boxes = prediction.boxes
    corners = boxes.xyxy.cpu().numpy()
    return [
        Detection(
            prediction.names[int(label)],
            float(confidence),
            Box(*(round(float(value)) for value in corner)),
        )
        for corner, confidence, label in zip(
            corners, boxes.conf.cpu().numpy(), boxes.cls.cpu().numpy(), strict=True
        )
    ]


def _locate(spec: str) -> Path:
    """Where the weights are or, for a name of ultralytics, where they are to be downloaded to."""
    if spec == SAMPLES:
        return sample_model("detector")
    path = Path(spec).expanduser()
    if path.exists():
        return path.resolve()
    if path.name == spec and path.suffix in ("", ".pt"):
        return cache_folder() / f"{path.stem}.pt"
    raise ModelUnavailableError(f"there is no detector at {path}; {WAYS_OUT}")


def _require_runtime(path: Path) -> None:
    import importlib.util

    for ending, (module, extra) in _EXTRAS.items():
        if path.name.endswith(ending) and importlib.util.find_spec(module) is None:
            raise MissingDependencyError(
                f"{path}: this export needs {module}: pip install 'vision-ctx[{extra}]'"
            )


def _load(path: Path, spec: str) -> Any:  # noqa: ANN401 - ultralytics has no types
    before_ultralytics()
    from ultralytics import YOLO

    _hush()
    try:
        model = YOLO(str(path), task="detect")
        # Exports are opened by the first prediction only; what is no detector shows there too.
        blank = np.zeros((32, 32, 3), dtype=np.uint8)
        if model.predict(blank, verbose=False, save=False)[0].boxes is None:
            raise ValueError(f"its task is '{model.task}', it finds no boxes")
        return model
    except Exception as error:  # ultralytics raises many types when a download or a file fails
        reason = str(error).strip().splitlines()
        detail = f" ({reason[0]})" if reason else ""
        if path.exists():
            raise ModelUnavailableError(f"{path}: no detector can be read{detail}") from error
        raise ModelUnavailableError(
            f"the detector '{spec}' is not on this machine and cannot be downloaded{detail}; "
            f"{WAYS_OUT}"
        ) from error


def _hush() -> None:
    """Keeps ultralytics from what it does unasked, whoever imported it first.

    It would install packages by itself, report usage to its makers (footage of people is handled
    here), and write to standard output, which belongs to results.
    """
    from ultralytics.utils import LOGGER, checks, events

    if os.environ.get("YOLO_AUTOINSTALL", "false").lower() != "true":
        checks.AUTOINSTALL = False
    if os.environ.get("YOLO_VERBOSE", "false").lower() != "true":
        LOGGER.setLevel(logging.ERROR)
    events.events.enabled = False


def _fixed_size(path: Path) -> bool:
    """Exports may accept one picture at a time only; PyTorch weights take any batch."""
    return path.suffix != ".pt"
