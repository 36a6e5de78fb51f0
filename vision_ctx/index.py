"""The public interface: make or open an index, add sources, search."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from vision_ctx.documents.situate import HeadingContextualizer
from vision_ctx.errors import ArgumentError, IndexMismatchError, VisionCtxError
from vision_ctx.ingest import Models, Run, Step, ingest, ingest_picture
from vision_ctx.models.catalog import LEAST_CONFIDENCE, SAMPLES
from vision_ctx.plan import Given
from vision_ctx.protocols import Contextualizer, Detector, Embedder, Tracker
from vision_ctx.search.engine import Question, search
from vision_ctx.search.filters import KINDS, Filters, Kind
from vision_ctx.sources.clock import parse_time
from vision_ctx.sources.discover import INDEX_MARK
from vision_ctx.sources.image import read_image
from vision_ctx.store.manifest import Manifest, ModelEntry, Settings
from vision_ctx.store.snapshot import Snapshot
from vision_ctx.store.store import Store, locked, read_published
from vision_ctx.types import RGB, Report, SearchResult

if TYPE_CHECKING:
    import PIL.Image

PathLike = str | os.PathLike[str]
MAX_K = 10_000
MAX_FPS = 120.0
_OBJECT = "object:"
"""Begins the spec of a model that was handed over as an object and cannot be loaded by name."""


class Index:
    """A folder that holds crops and passages and answers questions about them.

    Models are loaded when they are first needed.  Use `create` and `open`.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self._manifest = manifest
        self._detector: Detector | None = None
        self._embedder: Embedder | None = None
        self._contextualizer: Contextualizer = HeadingContextualizer()
        self._snapshot: tuple[dict[str, Any] | None, Snapshot] | None = None

    @classmethod
    def create(
        cls,
        folder: PathLike,
        *,
        detector: PathLike | Detector = "default",
        embedder: PathLike | Embedder = "default",
        fps: float | None = None,
        min_confidence: float | None = None,
        track: bool | None = None,
    ) -> Index:
        """Makes an empty index.

        Args:
            folder: Where to put it; made if it does not exist.
            detector: ``default``, ``samples``, a name that ultralytics knows, a path, or an object
                with the members of `vision_ctx.protocols.Detector`.
            embedder: ``default``, ``samples``, ``NAME/PRETRAINED`` of open_clip, a folder, or an
                object with the members of `vision_ctx.protocols.Embedder`.
            fps: Frames to look at for each second of video.
            min_confidence: Least confidence of a detection, from 0.05 to 1.
            track: Whether the sightings of one object in a recording become one record.

        Raises:
            VisionCtxError: There is an index already, or the folder holds something else.
        """
        path = Path(folder).expanduser().absolute()
        if (path / INDEX_MARK).exists():
            raise VisionCtxError(f"there is an index at {path} already; open it instead")
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise VisionCtxError(f"{path} is not an empty folder; name another for the index")
        manifest = Manifest(
            ModelEntry(_spec("detector", detector)), ModelEntry(_spec("embedder", embedder))
        )
        manifest.settings = _settings(Settings(), fps, min_confidence, track)
        path.mkdir(parents=True, exist_ok=True)
        manifest.save(path)
        return cls(path, manifest)._with(detector, embedder)

    @classmethod
    def open(
        cls,
        folder: PathLike,
        *,
        detector: PathLike | Detector | None = None,
        embedder: PathLike | Embedder | None = None,
        fps: float | None = None,
        min_confidence: float | None = None,
        track: bool | None = None,
    ) -> Index:
        """Opens an index.

        Models need to be given only if they were given as objects before, or if their files have
        moved: their content, not their name, has to be what the index was made with.

        Raises:
            IndexNotFoundError: There is none.
            IndexMismatchError: It was made with another schema or another model.
            ModelUnavailableError: The model that is named cannot be had here.
        """
        path = Path(folder).expanduser().absolute()
        manifest = Manifest.load(path)
        manifest.settings = _settings(manifest.settings, fps, min_confidence, track)
        return cls(path, manifest)._with(detector, embedder)

    def add(
        self,
        *sources: PathLike,
        camera: str | None = None,
        timezone: str | None = None,
        start_time: datetime | str | None = None,
        on_progress: Callable[[Step], None] | None = None,
    ) -> Report:
        """Indexes files and folders; what did not change since the last time is left alone.

        Args:
            sources: Files and folders of footage and documents.
            camera: Camera of the footage, instead of the configured one or the folder's name.
            timezone: IANA name of the zone in which the footage was recorded.
            start_time: When the one recording among the sources starts (ISO 8601).
            on_progress: Called often with what is going on.

        Raises:
            VisionCtxError: The run cannot start; files that cannot be read are in the report.
            ArgumentError: A start time was given for more than one recording.
        """
        start = parse_time(start_time) if isinstance(start_time, str) else start_time
        given = Given(camera, timezone, start)
        with self._writing(on_progress) as run:
            return ingest(run, sources, given)

    def add_image(
        self,
        image: PIL.Image.Image | RGB,
        name: str,
        *,
        camera: str | None = None,
        timezone: str | None = None,
        captured_at: datetime | str | None = None,
    ) -> Report:
        """Indexes a picture that is in memory; the same name again replaces it.

        Args:
            image: PIL image, or ``uint8`` array ``(h, w[, 3|4])``, red first.
            name: What to call the source; hits show it as ``memory:NAME``.
            camera: Camera that took it.
            timezone: IANA name of the camera's zone.
            captured_at: When it was taken (ISO 8601); now, if not given.

        Raises:
            SourceError: The picture cannot be used.
            ArgumentError: ``captured_at`` is no time that a calendar has.
        """
        time = parse_time(captured_at) if isinstance(captured_at, str) else captured_at
        pixels = read_image(image)
        with self._writing(None) as run:
            return ingest_picture(run, pixels, name, Given(camera, timezone, time))

    def search(
        self,
        query: str = "",
        *,
        image: PathLike | PIL.Image.Image | RGB | None = None,
        k: int = 10,
        kind: Kind = "all",
        camera: str | None = None,
        label: str | None = None,
        after: datetime | str | None = None,
        before: datetime | str | None = None,
    ) -> SearchResult:
        """Finds crops and passages.

        Args:
            query: Words; may be empty if there is an image.
            image: A picture to look for: path, PIL image, or ``uint8`` array ``(h, w[, 3|4])``.
            k: Number of hits, from 1 to 10,000.
            kind: ``all``, ``crops`` or ``chunks``.
            camera: Only crops of this camera (its id).
            label: Only crops with this label.
            after: Only crops from this instant on; without offset, local time of each camera.
            before: Only crops before this instant.

        Raises:
            ArgumentError: There is neither a word nor a picture, or ``k``, ``kind`` or a time is wrong.
            SourceError: The picture cannot be read.
            IndexNotFoundError: Nothing was indexed yet.
        """
        # Bytes of a command line that are no UTF-8 arrive as lone surrogates, which no tokeniser takes.
        query = query.encode("utf-8", "replace").decode()
        if not query.strip() and image is None:
            raise ArgumentError("a search needs words or a picture")
        if not 1 <= k <= MAX_K:
            raise ArgumentError(f"k must be from 1 to {MAX_K}, not {k}")
        if kind not in KINDS:
            raise ArgumentError(f"kind must be one of {', '.join(KINDS)}, not '{kind}'")
        filters = Filters(kind, camera, label, _time(after), _time(before))
        picture = None if image is None else read_image(_picture(image))
        question = Question(query, picture, k, filters)
        return search(self.snapshot(), question, self._get_embedder)

    def snapshot(self) -> Snapshot:
        """The newest published state, loaded again only if it changed."""
        state = read_published(self.folder)
        if self._snapshot is None or self._snapshot[0] != state:
            self._snapshot = (state, Snapshot.load(self.folder))
        return self._snapshot[1]

    @property
    def embedder(self) -> Embedder:
        """The index's embedder, loaded on first use."""
        return self._get_embedder()

    def status(self) -> dict[str, Any]:
        """Counts, cameras, time span, models, failures and disk, as JSON values."""
        from vision_ctx.status import status

        return status(self.folder, self._manifest)

    @contextmanager
    def _writing(self, on_progress: Callable[[Step], None] | None) -> Iterator[Run]:
        if not self._manifest.embedder.dim:
            self._get_embedder()  # the length of its vectors shapes the table
        models = Models(self._get_detector, _tracker, self._get_embedder, self._contextualizer)
        with locked(self.folder):
            self._agree()
            self._manifest.save(self.folder)
            store = Store(self.folder, self._manifest.embedder.dim)
            run = Run(store, models, self._manifest.settings)
            if on_progress is not None:
                run.progress = on_progress
            yield run

    def _with(
        self, detector: PathLike | Detector | None, embedder: PathLike | Embedder | None
    ) -> Index:
        self._detector = self._taken("detector", detector, _load_detector)
        self._embedder = self._taken("embedder", embedder, _load_embedder)
        return self

    def _taken(
        self, role: str, given: PathLike | Model | None, load: Callable[[str], Model]
    ) -> Model | None:
        """The model that the caller names, or ``None`` if it can be loaded when it is needed.

        Another name may stand for the same model (a folder that moved), so the model decides.  A
        name that was never followed, since its model could not be had, is simply replaced.
        """
        if given is None:
            return None
        entry: ModelEntry = getattr(self._manifest, role)
        spec = _spec(role, given)
        if not isinstance(given, str | os.PathLike):
            return self._checked(role, given)
        if spec == entry.spec:
            return None
        if not entry.id:
            entry.spec = spec
            return None
        model = self._checked(role, load(spec))
        entry.spec = spec
        return model

    def _get_detector(self) -> Detector:
        if self._detector is None:
            model = _load_detector(self._manifest.detector.spec)
            self._detector = self._checked("detector", model)
        return self._detector

    def _get_embedder(self) -> Embedder:
        if self._embedder is None:
            model = _load_embedder(self._manifest.embedder.spec)
            self._embedder = self._checked("embedder", model)
        return self._embedder

    def _checked(self, role: str, model: Model) -> Model:
        """The model, if it is the one that the index was made with; the first one is remembered."""
        if not getattr(self._manifest, role).id:
            self._agree()
        entry: ModelEntry = getattr(self._manifest, role)
        if not entry.id:
            entry.id = model.id
            if isinstance(model, Embedder):
                entry.dim = model.dim
            self._manifest.save(self.folder)
        elif entry.id != model.id:
            raise _mismatch(self.folder, role, entry.id, model.id)
        return model

    def _agree(self) -> None:
        """Takes over which models another process has used since this index was opened.

        Raises:
            IndexMismatchError: They are others than those that were used here.
        """
        stored = Manifest.load(self.folder)
        for role in ("detector", "embedder"):
            theirs, ours = getattr(stored, role), getattr(self._manifest, role)
            if theirs.id and not ours.id:
                setattr(self._manifest, role, theirs)
            elif theirs.id and theirs.id != ours.id:
                raise _mismatch(self.folder, role, theirs.id, ours.id)


Model = TypeVar("Model", Detector, Embedder)
NAMES = ("default", SAMPLES)
"""Specs that stand for a model whatever lies in the present folder."""


def _tracker(fps: float) -> Tracker:
    from vision_ctx.models.tracker import ByteTracker

    return ByteTracker(fps)


def _load_detector(spec: str) -> Detector:
    from vision_ctx.models.loading import load_detector

    _refuse_object("detector", spec)
    return load_detector(spec)


def _load_embedder(spec: str) -> Embedder:
    from vision_ctx.models.loading import load_embedder

    _refuse_object("embedder", spec)
    return load_embedder(spec)


def _refuse_object(role: str, spec: str) -> None:
    if spec.startswith(_OBJECT):
        raise IndexMismatchError(
            f"the index was made with a {role} of your own ({spec.removeprefix(_OBJECT)}); hand it "
            f"to Index.open(…, {role}=…)"
        )


def _spec(role: str, model: PathLike | Detector | Embedder) -> str:
    """The text by which a model is remembered; paths become absolute, to hold in any folder."""
    if isinstance(model, str | os.PathLike):
        text = os.fspath(model)
        path = Path(text).expanduser()
        return text if text in NAMES or not path.exists() else str(path.absolute())
    if not isinstance(model, Detector | Embedder):
        raise ArgumentError(
            f"a {role} is a name, a path or an object of that protocol, not {model!r}"
        )
    return f"{_OBJECT}{model.id}"


def _mismatch(folder: Path, role: str, built: str, given: str) -> IndexMismatchError:
    return IndexMismatchError(
        f"{folder}: the index was made with the {role} '{built}', not with '{given}'; leave the "
        f"option out to go on with that one, or index the sources into another folder (--index) "
        "to use the other"
    )


def _settings(
    settings: Settings, fps: float | None, min_confidence: float | None, track: bool | None
) -> Settings:
    if fps is not None and not 0 < fps <= MAX_FPS:
        raise ArgumentError(f"fps must be above 0 and at most {MAX_FPS:g}, not {fps}")
    if min_confidence is not None and not LEAST_CONFIDENCE <= min_confidence <= 1:
        raise ArgumentError(f"min_confidence must be from {LEAST_CONFIDENCE} to 1")
    return Settings(
        settings.fps if fps is None else fps,
        settings.min_confidence if min_confidence is None else min_confidence,
        settings.track if track is None else track,
    )


def _time(value: datetime | str | None) -> datetime | None:
    return parse_time(value) if isinstance(value, str) else value


def _picture(image: Any) -> Any:  # noqa: ANN401 - path, PIL image or array
    return Path(image) if isinstance(image, str | os.PathLike) else image
