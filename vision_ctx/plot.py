"""Draws the rows of an evaluation as bars. Needs matplotlib, which ultralytics brings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vision_ctx.errors import VisionCtxError


def plot_rows(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Writes a picture (by its extension: PNG, SVG, PDF) of the failure rate of every row.

    Raises:
        VisionCtxError: The file cannot be written.
    """
    from matplotlib.figure import Figure  # not pyplot: no window system is asked for

    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.add_subplot()
    bars = axes.bar([row["name"] for row in rows], [100 * row["failure_at_20"] for row in rows])
    axes.bar_label(bars, fmt="%.1f %%")
    axes.set_ylabel("1 − recall@20 in %")
    axes.set_ylim(bottom=0)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise VisionCtxError(f"{path}: the plot cannot be written: {error}") from error
