"""Reads pictures: upright, RGB, 8 bits, in bounded memory. Every reader of pictures goes here.

One door, so that a picture has the same pixels whether it is indexed, searched for or shown.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

# Pillow's own: ultralytics, once imported, puts one in its place that tries to install a package
# for each file that is no picture.
from PIL.Image import open as open_with_pillow

from vision_ctx.errors import SourceError
from vision_ctx.sources.discover import reason_of
from vision_ctx.types import RGB

MAX_PIXELS = 120_000_000
"""A picture above this is refused: decoded it takes 360 MB, and two copies must fit in 2 GB.
The largest camera sensors in use have 100 to 108 megapixels."""
# Formats whose further pictures are pages or moments. Those of a JPEG (MPO) are previews and depth.
_PAGED = frozenset({"TIFF", "WEBP", "PNG"})
_ORIENTATION = 0x0112
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_EXIF_IFD, _ORIGINAL, _ORIGINAL_OFFSET, _CHANGED = 0x8769, 0x9003, 0x9011, 0x0132


def read_pages(path: Path) -> Iterator[RGB]:
    """The pictures of a file, one for each page (TIFF) or animation frame (WebP, APNG).

    Raises:
        SourceError: The file is no picture, is cut off, or is larger than `MAX_PIXELS`.
    """
    with _explained(str(path)), _open(path) as image:
        pages = getattr(image, "n_frames", 1) if image.format in _PAGED else 1
        for page in range(pages):
            image.seek(page)
            yield to_rgb(image, str(path))


def read_image(source: str | Path | bytes | Image.Image | RGB) -> RGB:
    """The first picture of a path, of encoded bytes, or of a PIL image or array.

    Arrays may be grey ``(h, w)``, RGB ``(h, w, 3)`` or RGBA ``(h, w, 4)``, ``uint8``.

    Raises:
        SourceError: It is no readable picture.
    """
    if isinstance(source, np.ndarray):
        return _of_array(source)
    if isinstance(source, Image.Image):
        with _explained("image"):
            return to_rgb(source, "image")
    if isinstance(source, bytes):
        with _explained("image"), _open(io.BytesIO(source)) as image:
            return to_rgb(image, "image")
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
    image = _upright(image)
    if image.mode.startswith("I") or image.mode == "F":
        image = _to_8_bits(image)
    if image.has_transparency_data:
        image = _on_white(image)
    return np.asarray(image if image.mode == "RGB" else image.convert("RGB"))


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turns whatever a decoder raises into a `SourceError` with a reason.

    Pillow's decoders raise OSError, SyntaxError, struct.error, DecompressionBombError and more.
    """
    try:
        yield
    except SourceError:
        raise
    except (UnidentifiedImageError, ImportError) as error:  # the latter where that came too late
        raise SourceError(name, "the content is not a picture of a known format") from error
    except (FileNotFoundError, PermissionError) as error:
        raise SourceError(name, reason_of(error)) from error
    except Exception as error:
        raise SourceError(name, f"the picture cannot be decoded: {error}") from error


def _of_array(array: npt.NDArray[Any]) -> RGB:
    grey = array.ndim == 2 or (array.ndim == 3 and array.shape[2] == 1)
    if array.dtype != np.uint8 or not (grey or (array.ndim == 3 and array.shape[2] in (3, 4))):
        got = f"{array.dtype} array of shape {array.shape}"
        raise SourceError("array", f"expected uint8 (h, w[, 3|4]), got {got}")
    if array.size == 0:
        raise SourceError("array", "the picture has no pixels")
    return to_rgb(Image.fromarray(array.reshape(array.shape[:2]) if grey else array), "array")


def _upright(image: Image.Image) -> Image.Image:
    """Turned by its EXIF mark; as it is if the EXIF block is damaged."""
    with _unwarned():
        image.load()  # a TIFF turns itself while it is decoded, and loses its mark
        try:
            turn = _TURNS.get(image.getexif().get(_ORIENTATION, 1))
        except Exception:  # any error of a parser: the pixels are good all the same
            turn = None
    return image if turn is None else image.transpose(turn)


def exif_time(path: Path) -> datetime | None:
    """When the camera says that it took the picture: naive, or aware if it names its offset."""
    try:
        with _unwarned(), open_with_pillow(path) as image:
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
    with _unwarned():
        return open_with_pillow(file)


@contextmanager
def _unwarned() -> Iterator[None]:
    """Without Pillow's warnings of damaged marks, and of pictures above 89 megapixels.

    Marks are checked where they are used, and our own limit before anything is decoded.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _to_8_bits(image: Image.Image) -> Image.Image:
    """16-bit and float grey: Pillow's own conversion clips at 255 and leaves a white picture."""
    values = np.array(image, dtype=np.float32)
    np.nan_to_num(values, copy=False, nan=0.0)
    largest = values.max()
    if image.mode.startswith("I;16") or largest > 255.0:
        top = 65535.0
    else:
        top = 255.0 if largest > 1.0 else 1.0
    values *= 255.0 / top  # in place: a picture of the largest size takes 480 MB here
    np.clip(values, 0.0, 255.0, out=values)
    return Image.fromarray(values.astype(np.uint8))


def _on_white(image: Image.Image) -> Image.Image:
    layer = image if image.mode == "RGBA" else image.convert("RGBA")  # convert copies: 480 MB
    white = Image.new("RGB", layer.size, "white")
    white.paste(layer, mask=layer.getchannel("A"))
    return white
