"""Train the sample detector: YOLO26n's architecture from random weights, on a CPU or a GPU.

A loop of our own around ultralytics' model and loss: images lie decoded in memory, augmentation
is light, and small canvases come first, which is what a CPU can afford. Rendered scenes are
read from shards that `render_shards.py` writes, new ones also while training runs. Every few
minutes a checkpoint is written; `--resume` goes on from it.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch
from checkpoints import export_detector, resumed_progress, save_atomically
from data import CLASSES, Augmenter, Picture, load_photographs
from options import add_shared_options, prepare
from shards import load_shards
from torch import nn
from ultralytics.cfg import get_cfg
from ultralytics.nn.tasks import DetectionModel
from ultralytics.optim import MuSGD
from ultralytics.utils.torch_utils import ModelEMA

# (share of the training done, (width, height)): 16:9 like the cameras, multiples of 32.
CANVASES = ((0.0, (320, 192)), (0.88, (416, 256)))
REAL_SHARE = (0.3, 0.4)  # of each batch, at the start and at the end
MOSAIC_ENDS = 0.85  # the last part sees whole pictures only, as in use
WARMUP_STEPS = 200


class MaskedBCE(nn.Module):
    """Binary cross-entropy that is silent about classes a picture does not label.

    Attributes:
        known: shape (batch, 1, classes), set before each step.
    """

    def __init__(self) -> None:
        super().__init__()
        self.known = torch.ones(1, 1, len(CLASSES))

    def forward(self, scores: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the loss of every anchor and class, shape (batch, anchors, classes)."""
        loss = nn.functional.binary_cross_entropy_with_logits(scores, targets, reduction="none")
        return loss * ((self.known > 0) | (targets > 0))


def make_model(device: torch.device) -> DetectionModel:
    """Return an untrained YOLO26n for our classes."""
    model = DetectionModel("yolo26n.yaml", nc=len(CLASSES), verbose=False)
    model.names = dict(enumerate(CLASSES))
    model.args = get_cfg()
    return model.to(device).to(memory_format=torch.channels_last)


def make_criterion(model: DetectionModel) -> tuple[nn.Module, MaskedBCE]:
    """Return ultralytics' loss for the model, with its classification part masked."""
    criterion, masked = model.init_criterion(), MaskedBCE()
    criterion.one2many.bce = criterion.one2one.bce = masked
    return criterion, masked


def make_optimizer(model: nn.Module, name: str, rate: float) -> torch.optim.Optimizer:
    """Return the optimizer; only weights of two or more dimensions decay."""
    matrices = [p for p in model.parameters() if p.ndim >= 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    if name == "musgd":
        common = {"lr": rate, "momentum": 0.9, "nesterov": True}
        groups = [
            {"params": matrices, "use_muon": True, "weight_decay": 5e-4, **common},
            {"params": rest, "use_muon": False, "weight_decay": 0.0, **common},
        ]
        return MuSGD(groups, muon=0.2, sgd=1.0)
    groups = [{"params": matrices, "weight_decay": 0.02}, {"params": rest, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.99))


def make_batch(
    samples: list[tuple[np.ndarray, np.ndarray, np.ndarray]], device: torch.device
) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    """Return ultralytics' batch dict and the known classes, shape (batch, 1, classes)."""
    images = torch.from_numpy(np.stack([s[0] for s in samples])).to(device)
    height, width = images.shape[1:3]
    rows = np.concatenate(
        [np.c_[np.full(len(boxes), i), boxes] for i, (_, boxes, _) in enumerate(samples)]
    )
    boxes = torch.from_numpy(rows.astype(np.float32)).to(device)
    centre = torch.stack([boxes[:, 2] + boxes[:, 4], boxes[:, 3] + boxes[:, 5]], 1) / 2
    size = boxes[:, 4:6] - boxes[:, 2:4]
    scale = torch.tensor([width, height, width, height], device=device)
    batch = {
        "img": images.permute(0, 3, 1, 2).float().div_(255),  # already channels-last in memory
        "batch_idx": boxes[:, 0],
        "cls": boxes[:, 1:2],
        "bboxes": torch.cat([centre, size], 1) / scale,
    }
    known = torch.from_numpy(np.stack([s[2] for s in samples]))[:, None].to(device)
    return batch, known


class Run:
    """One training: model, averaged model, optimizer, and how far it has come."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.device = torch.device(options.device)
        torch.manual_seed(options.seed)
        self.model = make_model(self.device).train()
        self.criterion, self.masked = make_criterion(self.model)
        self.optimizer = make_optimizer(self.model, options.optimizer, options.rate)
        self.average = ModelEMA(self.model, decay=0.9995, tau=600)
        self.images = self.step = 0
        self.seconds = 0.0
        self.progress = self.begun_at = 0.0  # share of the whole training, now and at its start
        self.photographs: dict[str, list[Picture]] = {}
        self.rendered: list[Picture] = []
        self.seen_shards: set[str] = set()

    def advance(self, images: int, share_of_run: float) -> None:
        """Note images seen, and progress: by images, or by time where a run must end in time."""
        self.images += images
        if self.options.pace == "images":
            self.progress = min(1.0, self.images / self.options.images)
        else:
            self.progress = min(1.0, self.begun_at + (1 - self.begun_at) * share_of_run)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint."""
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.average.ema.load_state_dict(state["average"])
        self.average.updates = state["updates"]
        if state["optimizer_name"] == self.options.optimizer:
            self.optimizer.load_state_dict(state["optimizer"])
        self.images, self.step, self.seconds = state["images"], state["step"], state["seconds"]
        self.progress = self.begun_at = resumed_progress(
            self.options, state["progress"], self.images / self.options.images
        )

    def save(self) -> None:
        """Write the checkpoint and, where asked for, the usable model."""
        state = {
            "model": self.model.state_dict(),
            "average": self.average.ema.state_dict(),
            "updates": self.average.updates,
            "optimizer": self.optimizer.state_dict(),
            "optimizer_name": self.options.optimizer,
            "images": self.images,
            "step": self.step,
            "seconds": self.seconds,
            "progress": self.progress,
        }
        save_atomically(state, self.options.out / "last.pt")
        if self.options.export:
            export_detector(deepcopy(self.average.ema), self.options.export, CANVASES[-1][1][0])

    def refresh_rendered(self) -> None:
        """Take in rendered shards that have appeared since the last look."""
        if self.options.rendered:
            self.rendered += load_shards(self.options.rendered, self.seen_shards)

    def groups(self, rng: np.random.Generator) -> list[str]:
        """Return the group of each picture of the next batch."""
        share = REAL_SHARE[0] + (REAL_SHARE[1] - REAL_SHARE[0]) * self.progress
        if not self.rendered:
            share = 1.0
        if not self.photographs:
            share = 0.0
        names = list(self.photographs)
        # The square root lets small sources (COCO: clean, varied) count beside the large one.
        weights = np.sqrt([len(self.photographs[name]) for name in names])
        real = rng.random(self.options.batch) < share
        chosen = rng.choice(names, self.options.batch, p=weights / weights.sum()) if names else []
        return [str(chosen[i]) if real[i] else "rendered" for i in range(self.options.batch)]

    def rate_now(self) -> float:
        """Return the factor on the learning rate: warm-up, then a cosine down to 2 %."""
        warm = min(1.0, (self.step + 1) / WARMUP_STEPS)
        return warm * (0.02 + 0.98 * (1 + math.cos(math.pi * self.progress)) / 2)

    def train_step(self, augmenter: Augmenter) -> dict[str, float]:
        """Do one step; return its losses."""
        size = [canvas for start, canvas in CANVASES if start <= self.progress][-1]
        if self.progress >= MOSAIC_ENDS:
            augmenter.mosaic = 0.0
        pool = {**self.photographs, "rendered": self.rendered}
        samples = list(augmenter.batch(pool, self.groups(augmenter.rng), size))
        batch, self.masked.known = make_batch(samples, self.device)
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.rate * self.rate_now()
        # Weight of the one-to-many head falls from 0.8 to 0.1, as in ultralytics' own schedule.
        self.criterion.o2m = 0.1 + 0.7 * (1 - self.progress)
        self.criterion.o2o = 1 - self.criterion.o2m
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            outputs = self.model(batch["img"])
        outputs = {head: _as_float(values) for head, values in outputs.items()}
        loss, items = self.criterion(outputs, batch)
        self.optimizer.zero_grad()
        loss.sum().backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.optimizer.step()
        self.average.update(self.model)
        self.step += 1
        return {name: float(value) for name, value in items.items()}


def _as_float(values: dict) -> dict:
    return {
        key: [v.float() for v in value] if isinstance(value, list) else value.float()
        for key, value in values.items()
    }


def train(run: Run) -> None:
    """Train until the planned images or the minutes are used up."""
    options = run.options
    augmenter = Augmenter(options.seed + run.step)
    begin = saved = time.monotonic()
    before = run.seconds
    losses: list[dict[str, float]] = []
    log = (options.out / "log.jsonl").open("a", encoding="utf-8")
    while run.progress < 1 and time.monotonic() - begin < options.minutes * 60:
        losses.append(run.train_step(augmenter))
        run.advance(options.batch, (time.monotonic() - begin) / (options.minutes * 60))
        run.seconds = before + time.monotonic() - begin
        if run.step % 50 == 0:
            row = {"step": run.step, "images": run.images, "seconds": round(run.seconds)}
            row |= {k: round(float(np.mean([x[k] for x in losses])), 4) for k in losses[0]}
            row |= {"progress": round(run.progress, 4), "rendered": len(run.rendered)}
            log.write(json.dumps(row) + "\n")
            log.flush()
            losses.clear()
            run.refresh_rendered()
        if time.monotonic() - saved > options.save_every * 60:
            run.save()
            saved = time.monotonic()
    log.close()
    run.save()


def main() -> None:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="checkpoints and log")
    parser.add_argument("--data", type=Path, help="folder of real photographs (flags.jsonl)")
    parser.add_argument("--rendered", type=Path, help="folder of rendered shards")
    parser.add_argument("--export", type=Path, help="where to write the usable .pt")
    parser.add_argument("--images", type=int, default=150_000, help="images of the whole training")
    parser.add_argument("--optimizer", choices=("musgd", "adamw"), default="musgd")
    add_shared_options(parser, "images", batch=16, rate=0.01)
    options = parser.parse_args()
    last = prepare(options)
    run = Run(options)
    if last is not None:
        run.load(last)
    if options.data:
        for picture in load_photographs(options.data, "train"):
            run.photographs.setdefault(picture.group, []).append(picture)
    run.refresh_rendered()
    if not run.photographs and not run.rendered:
        parser.error("no pictures: give --data, --rendered or both")
    train(run)


if __name__ == "__main__":
    main()
