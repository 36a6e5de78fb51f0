"""Reads pictures: upright, RGB, 8 bits, in bounded memory. Every reader of pictures goes here.

One door, so that a picture has the same pixels whether it is indexed, searched for or shown.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from vision_ctx.errors import SourceError
from vision_ctx.types import RGB

MAX_PIXELS = 120_000_000
"""A picture above this is refused: decoded it takes 360 MB, and two copies must fit in 2 GB.
The largest camera sensors in use have 100 to 108 megapixels."""
_EXIF_IFD, _ORIGINAL, _ORIGINAL_OFFSET, _CHANGED = 0x8769, 0x9003, 0x9011, 0x0132


def read_pages(path: Path) -> Iterator[RGB]:
    """The pictures of a file, one for each page (TIFF) or animation frame (WebP, APNG).

    Raises:
        SourceError: The file is no picture, is cut off, or is larger than `MAX_PIXELS`.
    """
    try:
        with _open(path) as image:
            for page in range(getattr(image, "n_frames", 1)):
                image.seek(page)
                yield to_rgb(image, str(path))
    except SourceError:
        raise
    except UnidentifiedImageError as error:
        raise SourceError(str(path), "the content is not a picture of a known format") from error
    except Exception as error:  # Pillow's decoders raise OSError, SyntaxError, struct.error, …
        raise SourceError(str(path), f"the picture cannot be decoded: {error}") from error


def read_image(source: str | Path | bytes | Image.Image | RGB) -> RGB:
    """The first picture of a path, of encoded bytes, or of a PIL image or array.

    Arrays may be grey ``(h, w)``, RGB ``(h, w, 3)`` or RGBA ``(h, w, 4)``, ``uint8``.

    Raises:
        SourceError: It is no readable picture.
    """
    if isinstance(source, np.ndarray):
        if source.dtype != np.uint8 or source.ndim not in (2, 3):
            raise SourceError("array", f"expected uint8 (h, w[, 3|4]), got {source.dtype} array")
        return to_rgb(Image.fromarray(np.squeeze(source)), "array")
    if isinstance(source, Image.Image):
        return to_rgb(source, "image")
    if isinstance(source, bytes):
        try:
            with _open(io.BytesIO(source)) as image:
                return to_rgb(image, "image")
        except (OSError, SyntaxError, ValueError) as error:
            raise SourceError("image", f"the picture cannot be decoded: {error}") from error
    return next(read_pages(Path(source)))


def to_rgb(image: Image.Image, name: str) -> RGB:
    """Turns the picture upright by its EXIF mark and converts it to 8-bit RGB.

    Transparent parts are shown on white, as a viewer shows them.

    Raises:
        SourceError: The picture has more than `MAX_PIXELS` pixels or no pixels.
    """
    width, height = image.size
    if width * height > MAX_PIXELS:
        limit = MAX_PIXELS // 1_000_000
        raise SourceError(name, f"{width} × {height} pixels are above {limit} megapixels")
    if width == 0 or height == 0:
        raise SourceError(name, "the picture has no pixels")
    image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I") or image.mode == "F":
        image = _to_8_bits(image)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        layer = image.convert("RGBA")
        image = Image.new("RGBA", layer.size, "white")
        image.alpha_composite(layer)
    return np.asarray(image.convert("RGB"))


def exif_time(path: Path) -> datetime | None:
    """When the camera says that it took the picture: naive, or aware if it names its offset."""
    try:
        with _open(path) as image:
            exif = image.getexif()
            details = exif.get_ifd(_EXIF_IFD)
    except Exception:  # a picture without readable EXIF simply has no EXIF time
        return None
    text = details.get(_ORIGINAL) or exif.get(_CHANGED)
    offset = details.get(_ORIGINAL_OFFSET) or ""
    for value, form in ((f"{text}{offset}", "%Y:%m:%d %H:%M:%S%z"), (text, "%Y:%m:%d %H:%M:%S")):
        try:
            return datetime.strptime(str(value).strip("\0 "), form)
        except ValueError:
            continue
    return None


def _open(file: Path | io.BytesIO) -> Image.Image:
    with warnings.catch_warnings():
        # Pillow warns above 89 megapixels; our own limit is checked before anything is decoded.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        return Image.open(file)


def _to_8_bits(image: Image.Image) -> Image.Image:
    """16-bit and float grey: Pillow's own conversion clips at 255 and leaves a white picture."""
    values = np.asarray(image, dtype=np.float32)
    top = 65535.0 if values.max(initial=0.0) > 255.0 else 255.0 if values.max() > 1.0 else 1.0
    return Image.fromarray((np.clip(values / top, 0.0, 1.0) * 255.0).astype(np.uint8))
