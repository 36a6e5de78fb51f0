"""Writes the story of the sample site: `story.json` beside this file and `../vision_ctx.toml`.

    python samples/build/story.py

The scenes are written by hand in `storybook`; only unreported traffic is drawn, by seed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from storybook import dock, gate, lobby, stills, yard
from storybook.cameras import CAMERAS, FRAME, SiteCamera
from storybook.everyday import SEEN_AT_LEAST_S, fill
from storybook.motion import Moving, collision, facing, place_at, seconds_seen, waypoints
from storybook.names import clip_path, still_path
from storybook.scene import Event, Scene

SEED = 20260303
HERE = Path(__file__).parent
COMPANY = "Noorderkade Cold Logistics"
Json = dict[str, Any]


def build() -> Json:
    """The whole story as JSON values."""
    recordings, events = [], []
    numbers: dict[str, int] = {}
    for scene in (*gate.SCENES, *dock.SCENES, *yard.SCENES, *lobby.SCENES, *stills.SCENES):
        kind = scene.camera if scene.duration_s else f"{scene.camera}-still"
        numbers[kind] = numbers.get(kind, 0) + 1
        recording, found = _recording(scene, f"{kind}-{numbers[kind]:02d}")
        recordings.append(recording)
        events.extend(found)
    return {
        "version": 1,
        "seed": SEED,
        "company": COMPANY,
        "frame": list(FRAME),
        "cameras": {camera.id: _camera(camera) for camera in CAMERAS.values()},
        "clips": [item for item in recordings if item["duration_s"]],
        "stills": [item for item in recordings if not item["duration_s"]],
        "events": sorted(events, key=lambda event: (event["start"], event["id"])),
    }


def _camera(camera: SiteCamera) -> Json:
    return {
        "name": camera.name,
        "site": camera.site,
        "timezone": camera.timezone,
        "looks_at": camera.looks_at,
        "vendor": camera.vendor,
        "place": camera.place,
        "height_m": camera.height_m,
        "pitch_deg": camera.pitch_deg,
        "focal_px": camera.focal_px,
        "props": [{"kind": kind, "line": [list(p) for p in line]} for kind, line in camera.props],
        "spots": {name: list(at) for name, (at, _) in camera.spots.items()},
        "routes": {name: [list(p) for p in points] for name, points in camera.routes.items()},
        "zones": [
            {"name": z.name, "ground": [list(p) for p in z.ground],
             "polygon": camera.relative(z.ground)}
            for z in camera.zones
        ],
    }  # fmt: skip


def _recording(scene: Scene, name: str) -> tuple[Json, list[Json]]:
    camera = CAMERAS[scene.camera]
    zone = ZoneInfo(camera.timezone)
    start = datetime.fromisoformat(scene.start).replace(tzinfo=zone)
    end = (start.astimezone(UTC) + timedelta(seconds=scene.duration_s)).astimezone(zone)
    objects, events = _objects(scene, camera, name)
    still = not scene.duration_s
    path = still_path if still else clip_path
    times = (start,) if still else (start, end)
    recording = {
        "id": name,
        "path": path(camera.vendor, camera.id, *times),
        "camera": camera.id,
        "timezone": camera.timezone,
        "start": start.isoformat(),
        "end": end.isoformat(),
        "duration_s": scene.duration_s,
        "fps": 0 if still else scene.fps,
        "light": scene.light,
        "weather": scene.weather,
        "objects": objects,
        "filler": _filler(scene, camera),
    }
    found = [
        _event(event, camera, recording, [o for o in objects if o["event"] == event.id], start)
        for event in events
    ]
    return recording, found


def _objects(scene: Scene, camera: SiteCamera, name: str) -> tuple[list[Json], Sequence[Event]]:
    moving, owners = [], []
    for event in scene.events:
        for cue in event.cues:
            points = waypoints(cue, camera, scene.duration_s)
            moving.append(Moving(cue, points, facing(cue, camera)))
            owners.append(event.id)
    _check(moving, scene, name)
    everyday = fill(scene, camera, moving, random.Random(f"{SEED}/{name}"))
    owners.extend([None] * len(everyday))
    everything = [*moving, *everyday]
    return [
        _object(item, owner, f"{name}-t{number:02d}", scene.duration_s)
        for number, (item, owner) in enumerate(zip(everything, owners, strict=True), 1)
    ], scene.events


def _check(moving: Sequence[Moving], scene: Scene, name: str) -> None:
    camera = CAMERAS[scene.camera]
    for number, item in enumerate(moving):
        if seconds_seen(item, camera, scene.duration_s) < SEEN_AT_LEAST_S:
            raise ValueError(f"{name}: {item.cue.note} is hardly ever within the frame")
        for other in moving[number + 1 :]:
            time = collision(item, other, scene.duration_s)
            if time is not None:
                raise ValueError(
                    f"{name}: {item.cue.note} and {other.cue.note} collide after {time:.1f} s"
                )


def _object(item: Moving, owner: str | None, track: str, duration_s: float) -> Json:
    cue = item.cue
    data: Json = {
        "track": track,
        "label": cue.label,
        "colour": cue.colour,
        "waypoints": [list(point) for point in item.points],
        "facing": list(item.looks) if item.looks else None,
        "event": owner,
        "note": cue.note,
        "seed": random.Random(f"{SEED}/{track}").randrange(1 << 31),
        "lower": cue.lower,
        "carrying": [
            {"label": label, "colour": colour, "track": f"{track}.{label}"}
            for label, colour in cue.carrying
        ],
        "rider": None,
        "model": cue.model,
        "rear": cue.rear,
        "lit": cue.lit,
        "open_umbrella": cue.open_umbrella,
    }
    if cue.rider:
        upper, lower = cue.rider
        data["rider"] = {"upper": upper, "lower": lower, "track": f"{track}.rider"}
    if not duration_s and place_at(item.points, 0.0) is None:
        raise ValueError(f"{track} is not there when the still is taken")
    return data


def _filler(scene: Scene, camera: SiteCamera) -> Json:
    """Things that only the renderer knows: on these routes, of these labels and colours."""
    allowed = {
        "gate": (["person", "car"], ["street_right", "street_left"]),
        "dock": (["person"], ["apron_right", "apron_left"]),
        "yard": (["person"], ["fence_right", "fence_left"]),
        "lobby": (["person"], ["back_left"]),
    }
    labels, routes = allowed[camera.id]
    return {"count": scene.filler, "labels": labels, "routes": routes,
            "colours": ["grey", "white", "black"]}  # fmt: skip


def _event(
    event: Event, camera: SiteCamera, recording: Json, objects: Sequence[Json], start: datetime
) -> Json:
    first = min(max(0.0, o["waypoints"][0][0]) for o in objects)
    last = min(recording["duration_s"], max(o["waypoints"][-1][0] for o in objects))
    zone = ZoneInfo(camera.timezone)

    def moment(seconds: float) -> str:
        at = (start.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(zone)
        return at.isoformat(timespec="seconds")

    return {
        "id": event.id,
        "kind": event.kind,
        "summary": event.summary,
        "camera": camera.id,
        "zone": event.zone,
        "recording": recording["id"],
        "start": moment(first),
        "end": moment(last),
        "tracks": [o["track"] for o in objects],
    }


def config_toml(story: Json) -> str:
    """The site's `vision_ctx.toml`."""
    lines = [f"# The cameras of the sample site ({story['company']}); written by build/story.py."]
    for name, camera in story["cameras"].items():
        lines += ["", f"[cameras.{name}]"]
        lines += [f'{key} = "{camera[key]}"' for key in ("name", "site", "timezone", "looks_at")]
        lines.append(f'paths = ["footage/{name}/**"]')
        for zone in camera["zones"]:
            lines += ["", f"[[cameras.{name}.zones]]", f'name = "{zone["name"]}"']
            lines.append(f"polygon = {json.dumps(zone['polygon'])}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes both files and says how much the story holds."""
    story = build()
    target = HERE / "story.json"
    target.write_text(json.dumps(story, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (HERE.parent / "vision_ctx.toml").write_text(config_toml(story), encoding="utf-8")
    recordings = [*story["clips"], *story["stills"]]
    objects = [o for recording in recordings for o in recording["objects"]]
    parts = sum(len(o["carrying"]) + bool(o["rider"]) for o in objects)
    print(
        f"{len(story['clips'])} clips, {len(story['stills'])} stills, {len(story['events'])} "
        f"events, {len(objects)} actors with {parts} riders and carried things"
    )


if __name__ == "__main__":
    main()
