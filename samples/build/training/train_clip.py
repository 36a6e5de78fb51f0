"""Train the sample image-text model from random weights, on a CPU or a GPU.

Stage `text` teaches the text tower the teacher's map of meaning (see texts.py). Stage `joint`
trains both towers on crops and captions, and keeps some of the first lesson going so that
words which no caption has stay where they belong. Resumable: `--resume`.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from pathlib import Path

import numpy as np
import torch
from captions import caption
from checkpoints import export_image_text, resumed_progress, save_atomically
from crops import CropBank, augment
from data import load_photographs
from image_text import (
    CONFIG,
    MAX_SCALE,
    FactHeads,
    contrastive_loss,
    distillation_loss,
    encode_images,
    encode_texts,
    keep_depthwise_exact,
    make_model,
    tokenize,
    truth_matrix,
)
from options import add_shared_options, prepare
from shards import load_shards
from torch import nn

WARMUP_STEPS = 100
# (share of the training done, pixels): small pictures first, 96 px cost half of 128 px.
SIDES = ((0.0, 96), (0.8, 128))
REAL_SHARE = 0.45  # of each batch of crops, where there are both kinds
# Weights of place and of mutual cosines in the joint stage: captions must be free to part
# where the teacher puts "truck" and "bus" at a cosine of 0.9.
DISTILLING = (0.2, 5.0)
TEXT_RATIO = 0.25  # texts per crop in the joint stage
HEADS_WEIGHT = 0.5
AVERAGE_DECAY = 0.995  # a window of 200 steps; runs here have one or two thousand
SCALE_RATE = 10  # times the learning rate for the logit scale, which has far to go


class Lessons:
    """The teacher's texts: token rows and the teacher's vectors turned to 256 dimensions."""

    def __init__(self, folder: Path, seed: int) -> None:
        listing = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
        self.tokens = tokenize(listing["texts"])
        self.rows = np.array(listing["rows"])
        vectors = np.load(folder / "teacher.npy").astype(np.float32)
        self.vectors = reduce_dimensions(vectors, CONFIG["model_cfg"]["embed_dim"])
        self.order = np.argsort((self.tokens != 0).sum(1), kind="stable")
        self.rng = np.random.default_rng(seed)

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return token rows and teacher vectors of texts of like length (little padding)."""
        span = min(len(self.order), size * 8)
        start = int(self.rng.integers(0, len(self.order) - span + 1))
        chosen = self.order[start + self.rng.permutation(span)[:size]]
        tokens = torch.from_numpy(self.tokens[chosen].astype(np.int64))
        return tokens, torch.from_numpy(self.vectors[self.rows[chosen]])


def reduce_dimensions(vectors: np.ndarray, dim: int) -> np.ndarray:
    """Return the vectors on their first principal axes (about the origin), unit length."""
    _, axes = np.linalg.eigh(vectors.T @ vectors)
    reduced = vectors @ axes[:, ::-1][:, :dim]
    return reduced / np.maximum(np.linalg.norm(reduced, axis=1, keepdims=True), 1e-6)


class Run:
    """One training: model, averaged weights, optimizer, crops, and how far it has come."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.device = torch.device(options.device)
        torch.manual_seed(options.seed)
        self.model = make_model().to(self.device).train()
        self.model.visual.to(memory_format=torch.channels_last)
        keep_depthwise_exact(self.model.visual)
        self.heads = FactHeads(CONFIG["model_cfg"]["embed_dim"]).to(self.device)
        self.average = {k: v.clone() for k, v in self.model.state_dict().items()}
        matrices = [p for p in self.model.parameters() if p.ndim >= 2]
        scale = self.model.logit_scale
        rest = [p for p in self.model.parameters() if p.ndim < 2 and p is not scale]
        groups = [
            {"params": matrices, "weight_decay": 0.02, "factor": 1},
            {"params": rest, "weight_decay": 0.0, "factor": 1},
            {"params": [scale], "weight_decay": 0.0, "factor": SCALE_RATE},
            {"params": list(self.heads.parameters()), "weight_decay": 0.02, "factor": 1},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), fused=True)
        self.seen = {"text": 0, "joint": 0}
        self.step = 0
        self.seconds = 0.0
        self.progress = self.begun_at = 0.0  # share of this stage, now and at this run's start
        self.lessons = Lessons(options.texts, options.seed)
        self.photographs, self.rendered = CropBank(), CropBank()
        self.seen_shards: set[str] = set()

    def load(self, path: Path) -> None:
        """Go on from a checkpoint; the optimizer starts anew with a new stage."""
        state = torch.load(path, map_location=self.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.heads.load_state_dict(state["heads"])
        self.average = state["average"]
        self.seen, self.seconds = state["seen"], state["seconds"]
        if state["stage"] == self.options.stage:
            self.optimizer.load_state_dict(state["optimizer"])
            self.step = state["step"]
            self.progress = self.begun_at = resumed_progress(
                self.options, state["progress"], self.seen[state["stage"]] / self.options.count
            )

    def save(self) -> None:
        """Write the checkpoint and, where asked for, the usable model."""
        state = {
            "model": self.model.state_dict(),
            "heads": self.heads.state_dict(),
            "average": self.average,
            "optimizer": self.optimizer.state_dict(),
            "stage": self.options.stage,
            "seen": self.seen,
            "step": self.step,
            "seconds": self.seconds,
            "progress": self.progress,
        }
        save_atomically(state, self.options.out / "last.pt")
        if self.options.export:
            copy = make_model()
            copy.load_state_dict(self.average)
            export_image_text(copy, CONFIG, self.options.export)

    def refresh_rendered(self) -> None:
        """Cut crops out of rendered shards that have appeared since the last look."""
        if self.options.rendered:
            self.rendered.add(load_shards(self.options.rendered, self.seen_shards))

    def advance(self, share_of_run: float) -> None:
        """Note progress: by texts or crops, or by time where a run must end in time."""
        self.step += 1
        if self.options.pace == "count":
            self.progress = min(1.0, self.seen[self.options.stage] / self.options.count)
        else:
            self.progress = min(1.0, self.begun_at + (1 - self.begun_at) * share_of_run)

    def rate_now(self) -> float:
        """Return the factor on the learning rate: warm-up, then a cosine down to 2 %."""
        warm = min(1.0, (self.step + 1) / WARMUP_STEPS)
        return warm * (0.02 + 0.98 * (1 + math.cos(math.pi * self.progress)) / 2)

    def text_loss(self) -> torch.Tensor:
        """Return the loss of the text tower alone."""
        tokens, teacher = self.lessons.batch(self.options.batch)
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            student = encode_texts(self.model, tokens.to(self.device))
        self.seen["text"] += len(tokens)
        return distillation_loss(student, teacher.to(self.device), 1.0, 10.0)

    def crops(self, rng: np.random.Generator) -> tuple[np.ndarray, list[dict[str, str]]]:
        """Return augmented crops, shape (batch, side, side, 3), and their facts."""
        count = self.options.batch
        real = round(count * REAL_SHARE) if len(self.rendered) else count
        real = real if len(self.photographs) else 0
        side = [pixels for start, pixels in SIDES if start <= self.progress][-1]
        images, facts = [], []
        for bank, share in ((self.photographs, real), (self.rendered, count - real)):
            for i in bank.sample(rng, share) if share else []:
                images.append(augment(rng, bank.images[i], side))
                facts.append(bank.facts[i])
        return np.stack(images), facts

    def joint_loss(self, rng: np.random.Generator, words: random.Random) -> torch.Tensor:
        """Return the contrastive loss of a batch of crops, plus some of the text lesson."""
        images, facts = self.crops(rng)
        captions = [caption(words, fact) for fact in facts]
        truth = truth_matrix(captions, facts).to(self.device)
        tokens = torch.from_numpy(tokenize([c.text for c in captions]).astype(np.int64))
        lesson, teacher = self.lessons.batch(int(self.options.batch * TEXT_RATIO))
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            pictures = encode_images(self.model, images, self.device)
            texts = encode_texts(self.model, tokens.to(self.device))
            student = encode_texts(self.model, lesson.to(self.device))
        scale = self.model.logit_scale.exp().clamp(max=MAX_SCALE)
        self.seen["joint"] += len(images)
        distilled = distillation_loss(student, teacher.to(self.device), *DISTILLING)
        readings = HEADS_WEIGHT * self.heads.loss(pictures, facts)
        units = nn.functional.normalize(pictures, dim=-1)
        return contrastive_loss(units, texts, truth, scale) + distilled + readings

    def average_weights(self) -> None:
        """Move the averaged weights a little towards the present ones."""
        decay = min(AVERAGE_DECAY, (1 + self.step) / (10 + self.step))
        for name, value in self.model.state_dict().items():
            if value.is_floating_point():
                self.average[name].lerp_(value, 1 - decay)
            else:
                self.average[name].copy_(value)


def train(run: Run) -> None:
    """Train this stage until its count or the minutes are used up."""
    options = run.options
    rng, words = np.random.default_rng(options.seed + run.step), random.Random(options.seed)
    begin = saved = time.monotonic()
    before, losses = run.seconds, []
    log = (options.out / "log.jsonl").open("a", encoding="utf-8")
    while run.progress < 1 and time.monotonic() - begin < options.minutes * 60:
        for group in run.optimizer.param_groups:
            group["lr"] = options.rate * run.rate_now() * group["factor"]
        loss = run.text_loss() if options.stage == "text" else run.joint_loss(rng, words)
        run.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(run.model.parameters(), 1.0)
        run.optimizer.step()
        run.average_weights()
        losses.append(float(loss.detach()))
        run.advance((time.monotonic() - begin) / (options.minutes * 60))
        run.seconds = before + time.monotonic() - begin
        if run.step % 50 == 0:
            row = {"stage": options.stage, "step": run.step, **run.seen}
            row |= {"seconds": round(run.seconds), "loss": round(float(np.mean(losses)), 4)}
            row |= {"scale": round(float(run.model.logit_scale.detach().exp()), 2)}
            row |= {"progress": round(run.progress, 4)}
            row |= {"rendered": len(run.rendered), "real": len(run.photographs)}
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
    """Read the options and train one stage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stage", choices=("text", "joint"), required=True)
    parser.add_argument("--out", type=Path, required=True, help="checkpoints and log")
    parser.add_argument("--texts", type=Path, required=True, help="folder that texts.py wrote")
    parser.add_argument("--data", type=Path, help="folder of real photographs (flags.jsonl)")
    parser.add_argument("--rendered", type=Path, help="folder of rendered shards")
    parser.add_argument("--export", type=Path, help="folder for the usable model")
    parser.add_argument("--count", type=int, default=600_000, help="texts or crops of the stage")
    add_shared_options(parser, "count", batch=192, rate=1e-3)
    options = parser.parse_args()
    last = prepare(options)
    run = Run(options)
    if last is not None:
        run.load(last)
    if options.stage == "joint":
        if options.data:
            run.photographs.add(load_photographs(options.data, "train"))
        run.refresh_rendered()
        if not len(run.photographs) + len(run.rendered):
            parser.error("no crops: give --data, --rendered or both")
    train(run)


if __name__ == "__main__":
    main()
