"""Renders the sample site's recordings from story.json: clips, stills and their full truth.

Run it from anywhere: `python samples/build/render_site.py [--only ID ...]`. Needs opencv-python,
numpy and the ffmpeg program with libx264. The same story gives the same pictures and truth on any
machine, and the same bytes of video from the same version of ffmpeg.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from cv2.typing import MatLike as Image

sys.path.insert(0, str(Path(__file__).resolve().parent))

from render.camera import Camera
from render.choreography import Performer, fillers, performers
from render.daytime import light_of
from render.lens import Lens, expose, glare
from render.places import Place
from render.scene import RenderedObject, compose
from render.site import view
from render.streaks import rain
from render.truth import Track, frame_line, inside, moment, write_lines
from render.weather import barriers, beams, headlamps

SAMPLES = Path(__file__).resolve().parent.parent
STORY = Path(__file__).resolve().with_name("story.json")
CRF = 29  # of libx264: persons at 25 m stay recognisable; all recordings together are 10 MB
KEYFRAME_S = 2


@dataclass(frozen=True, slots=True)
class Recording:
    """A clip or still of the story, ready to be rendered."""

    facts: Mapping[str, Any]
    camera: Mapping[str, Any]
    place: Place
    cast: tuple[Performer, ...]

    @staticmethod
    def prepare(facts: Mapping[str, Any], story: Mapping[str, Any]) -> Recording:
        """Return the recording with its empty place and everyone who appears."""
        camera = story["cameras"][facts["camera"]]
        lens = Camera(
            tuple(story["frame"]), camera["focal_px"], camera["height_m"],
            math.radians(camera["pitch_deg"]),
        )  # fmt: skip
        start = moment(facts, 0.0)
        hour = start.hour + start.minute / 60
        light = light_of(camera["place"], facts["light"], facts["weather"], hour)
        seed = _seed(story["seed"], facts["id"])
        place = view(camera["place"], lens, light, facts["weather"], seed)
        cast = performers(facts)
        cast += fillers(facts, camera["routes"], cast, np.random.default_rng(seed))
        return Recording(facts, camera, place, tuple(cast))

    def frame(self, t: float) -> tuple[Image, list[tuple[str, Performer, RenderedObject]]]:
        """Return the clean picture at t seconds and its objects with their tracks."""
        present = [p for p in self.cast if p.is_present(t)]
        camera, light = self.place.camera, self.place.light
        ground = self.place.picture
        is_dark = light.name in ("night", "dusk", "dawn") or self.facts["weather"] == "rain"
        if light.name in ("night", "dusk"):
            ground = beams(ground, present, camera, t)
        solids = list(self.place.props)
        if self.camera["place"] == "gate":
            solids += barriers(self.cast, t)
        standing = [p.standing(t) for p in present]
        picture, objects = compose(ground, standing, camera, light, solids)
        if is_dark:
            picture = glare(picture, headlamps(present, camera, t), 0.7)
        found = []
        for item in objects:
            performer = present[item.owner]
            found.append((performer.tracks[_part(performer, item)], performer, item))
        return picture, found


def _part(performer: Performer, item: RenderedObject) -> int:
    """Return which part of its performer an object is: main, carried things, rider."""
    if item.carried:
        return 1 + performer.actor.carrying.index((item.label, item.colour))
    return len(performer.tracks) - 1 if item.riding else 0


def _seed(base: int, name: str) -> int:
    return int.from_bytes(name.encode()[-6:], "big") ^ base


def _lens(facts: Mapping[str, Any]) -> Lens:
    noise = {"night": 5.0, "dusk": 3.0, "dawn": 3.0}.get(facts["light"], 1.6)
    gain = (0.97, 1.0, 1.02) if facts["camera"] in ("gate", "yard") else (1.01, 1.0, 0.98)
    return Lens(blur=0.45, noise=noise, gain=gain, contrast=1.05, vignette=0.12)


def frames(
    recording: Recording, tracks: dict[str, Track], lines: list[dict[str, Any]]
) -> Iterator[Image]:
    """Yield the finished frames and fill tracks and lines on the way."""
    facts = recording.facts
    fps = facts["fps"] or 1
    count = max(1, round(facts["duration_s"] * fps))
    rng = np.random.default_rng(_seed(1, facts["id"]))
    for k in range(count):
        t = k / fps
        picture, found = recording.frame(t)
        for track, performer, item in found:
            x, z = performer.place(t)
            zones = [
                zone["name"] for zone in recording.camera["zones"] if inside(x, z, zone["ground"])
            ]
            known = tracks.setdefault(track, Track(track, item, performer.event))
            known.see(item, t, zones)
        lines.append(frame_line(facts, k, t, ((track, item) for track, _, item in found)))
        if facts["weather"] == "rain" and recording.camera["place"] != "lobby":
            picture = rain(picture, rng)
        yield expose(picture, _lens(facts), rng)


def encode(path: Path, pictures: Iterator[Image], fps: float, size: tuple[int, int]) -> None:
    """Write an H.264 file without anything that differs between machines or runs.

    Raises:
        subprocess.CalledProcessError: ffmpeg failed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    command = [
        "ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24",
        "-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "-", "-an",
        "-c:v", "libx264", "-preset", "slow", "-crf", str(CRF), "-pix_fmt", "yuv420p",
        "-g", str(round(fps * KEYFRAME_S)), "-threads", "1",
        # unit type 6 is the encoder's note about itself
        "-bsf:v", "filter_units=remove_types=6", "-map_metadata", "-1",
        "-fflags", "+bitexact", "-flags:v", "+bitexact", "-movflags", "+faststart", str(path),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    if process.stdin is None:
        raise RuntimeError("ffmpeg has no standard input")
    with process.stdin as pipe:
        for picture in pictures:
            pipe.write(picture.tobytes())
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, command)


def render(facts: Mapping[str, Any], story: Mapping[str, Any], out: Path) -> list[dict[str, Any]]:
    """Render one recording with its truth into `out` and return the lines of its tracks."""
    recording = Recording.prepare(facts, story)
    tracks: dict[str, Track] = {}
    lines: list[dict[str, Any]] = []
    pictures = frames(recording, tracks, lines)
    path = out / facts["path"]
    if facts["fps"]:
        width, height = story["frame"]
        encode(path, pictures, facts["fps"], (width, height))
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        _, data = cv2.imencode(".jpg", next(pictures), [cv2.IMWRITE_JPEG_QUALITY, 88])
        path.write_bytes(data.tobytes())
    write_lines(out / "truth" / f"{facts['id']}.jsonl.gz", lines)
    return [track.line(facts) for track in tracks.values() if track.frames]


def merge_tracks(path: Path, fresh: list[dict[str, Any]], order: list[str]) -> int:
    """Put fresh tracks in the place of older ones of the same recordings; return how many are."""
    old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    again = {track["recording"] for track in fresh}
    kept = [track for line in old if (track := json.loads(line))["recording"] not in again]
    tracks = [track for track in (*kept, *fresh) if track["recording"] in order]
    tracks.sort(key=lambda track: order.index(track["recording"]))
    write_lines(path, tracks)
    return len(tracks)


def main() -> None:
    """Render everything, or the recordings named by --only."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="ids of clips or stills")
    parser.add_argument("--out", type=Path, default=SAMPLES, help="default: samples/")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    story = json.loads(STORY.read_text(encoding="utf-8"))
    recordings = [*story["clips"], *story["stills"]]
    tracks = []
    for facts in recordings:
        if chosen.only and facts["id"] not in chosen.only:
            continue
        mine = render(facts, story, chosen.out)
        tracks += mine
        size = (chosen.out / facts["path"]).stat().st_size
        print(f"{facts['id']}: {len(mine)} tracks, {size / 1024:.0f} KiB", flush=True)
    order = [facts["id"] for facts in recordings]
    count = merge_tracks(chosen.out / "truth" / "tracks.jsonl", tracks, order)
    print(f"{count} tracks in all")


if __name__ == "__main__":
    main()
