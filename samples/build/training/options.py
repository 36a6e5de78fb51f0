"""The command-line options that both trainings share, and what they set up."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch


def add_shared_options(
    parser: argparse.ArgumentParser, counted: str, batch: int, rate: float
) -> None:
    """Add the options of pace, checkpoints and machine.

    Args:
        parser: the training's own.
        counted: the option, without dashes, that says how many items the whole schedule has.
        batch: default of ``--batch``.
        rate: default of ``--rate``.
    """
    parser.add_argument("--minutes", type=float, default=60, help="stop this run after so long")
    parser.add_argument(
        "--pace",
        choices=(counted, "minutes"),
        default=counted,
        help=f"what drives the schedule: --{counted} (repeatable), or finishing within --minutes",
    )
    parser.add_argument("--save-every", type=float, default=4, help="minutes between checkpoints")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument(
        "--progress",
        type=float,
        help="with --resume and --pace minutes: set the schedule back to this share, 0 to 1",
    )


def prepare(options: argparse.Namespace) -> Path | None:
    """Set the threads, make the folder of ``--out``; return the checkpoint to resume, if any."""
    torch.set_num_threads(options.threads)
    options.out.mkdir(parents=True, exist_ok=True)
    last: Path = options.out / "last.pt"
    return last if options.resume and last.exists() else None
