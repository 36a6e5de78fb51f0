"""What has to be set before ultralytics is imported. Imports nothing heavy."""

from __future__ import annotations

import os


def before_ultralytics() -> None:
    """Sets what ultralytics reads while it is imported, unless the user has set it.

    Its first import on a machine writes about its settings to standard output, which belongs to
    results; it limits OpenMP to one thread for the sake of its training, which slows every model here.
    """
    os.environ.setdefault("YOLO_VERBOSE", "false")
    os.environ.setdefault("OMP_NUM_THREADS", str(os.cpu_count() or 1))
