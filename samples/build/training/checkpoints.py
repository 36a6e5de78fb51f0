"""Writing weights so that a reader never sees half a file, and in the forms that load normally."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import nn


def resumed_progress(options: argparse.Namespace, saved: float, seen: float) -> float:
    """Return where in its schedule (0 to 1) a resumed training stands.

    Args:
        options: those of the command line.
        saved: progress when the checkpoint was written.
        seen: share of the images (or texts) now asked for that has been seen; it decides unless
            the clock sets the pace, so a finished training goes on when more are asked for.
    """
    if options.pace != "minutes":
        return min(1.0, seen)
    return saved if options.progress is None else options.progress


def save_atomically(content: object, path: Path) -> None:
    """Save with torch under a temporary name, then rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.part")
    torch.save(content, temporary)
    temporary.replace(path)


def export_detector(model: nn.Module, path: Path, image_size: int) -> None:
    """Write a checkpoint that `ultralytics.YOLO(path)` loads, in half precision.

    Args:
        model: the averaged DetectionModel; it is changed (halved), so give a copy.
        path: the .pt file.
        image_size: longer side the model was trained for; predict takes it as its default.
    """
    from ultralytics import __version__

    model.criterion = None
    settings = {"task": "detect", "mode": "train", "model": "yolo26n.yaml", "imgsz": image_size}
    model.args = settings
    model = model.eval().to(memory_format=torch.contiguous_format).half()
    for parameter in model.parameters():
        parameter.requires_grad = False
    content = {
        "epoch": -1,
        "best_fitness": None,
        "model": model,
        "ema": None,
        "updates": None,
        "optimizer": None,
        "train_args": settings,
        "version": __version__,
        "license": "AGPL-3.0-or-later",
    }
    save_atomically(content, path)


def export_image_text(model: nn.Module, config: dict, folder: Path) -> None:
    """Write config and half-precision weights as open_clip's `local-dir:` form wants them."""
    import json

    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(config, indent=2) + "\n"
    (folder / "open_clip_config.json").write_text(text, encoding="utf-8")
    weights = {
        name: (value.half() if value.is_floating_point() else value).contiguous().clone()
        for name, value in model.state_dict().items()
    }
    temporary = folder / ".open_clip_model.part"
    save_file(weights, temporary, metadata={"format": "pt"})
    temporary.replace(folder / "open_clip_model.safetensors")
