"""Names of models: the defaults, the samples, and where downloaded weights are kept.

A model is named by a *spec*, the text that a user gives and that the index remembers:
``samples`` (the small models of the sample site), any ultralytics name or a path for a detector,
``NAME/PRETRAINED`` of open_clip or a local folder for an embedder.  Loads nothing itself.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from vision_ctx.errors import ModelUnavailableError

DEFAULT_DETECTOR = "yolo26n.pt"
DEFAULT_EMBEDDER = "ViT-B-32-256/datacomp_s34b_b86k"
"""72.8 % zero-shot on ImageNet at 1.3 times the arithmetic of ViT-B-32 at 224 pixels (open_clip's
results table); MIT licence. Larger towers are out of reach of a laptop without a GPU."""
LEAST_CONFIDENCE = 0.05
"""What detectors give below this is noise; no setting asks for it."""
SAMPLES = "samples"
_SAMPLE_FILES = {"detector": "models/detector/yolo26n-samples.pt", "embedder": "models/clip"}

WAYS_OUT = (
    "give a local path (--detector FILE, --embedder FOLDER), or try the small sample models with "
    "--models samples"
)


def samples_folder() -> Path:
    """The folder of the sample site: ``VISION_CTX_SAMPLES``, or ``samples`` of a checkout.

    Raises:
        ModelUnavailableError: There is none.
    """
    named = os.environ.get("VISION_CTX_SAMPLES")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "samples"
    if not folder.is_dir():
        raise ModelUnavailableError(
            f"the sample site is not at {folder}; it is part of the source checkout: "
            "set VISION_CTX_SAMPLES to its folder 'samples'"
        )
    return folder


def sample_model(role: str) -> Path:
    """Path of the sample ``detector`` or ``embedder``.

    Raises:
        ModelUnavailableError: It is not there.
    """
    path = samples_folder() / _SAMPLE_FILES[role]
    if not path.exists():
        raise ModelUnavailableError(f"the sample {role} is not at {path}")
    return path


def cache_folder() -> Path:
    """Where downloaded detector weights are kept: ``VISION_CTX_CACHE`` or the user's cache."""
    named = os.environ.get("VISION_CTX_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(named) if named else Path(base) / "vision-ctx"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def weights_hash(path: Path) -> str:
    """Sixteen hexadecimal digits that stand for the content of a file or of a folder's files."""
    total = hashlib.sha256()
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    for file in files:
        if path.is_dir():
            if file.suffix.lower() in (".md", ".log", ".csv", ".jsonl"):
                continue  # a changed model card is not a changed model
            total.update(file.relative_to(path).as_posix().encode())
        with file.open("rb") as stream:
            total.update(hashlib.file_digest(stream, "sha256").digest())
    return total.hexdigest()[:16]
