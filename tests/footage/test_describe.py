from datetime import UTC, datetime, timedelta

import numpy as np

from vision_ctx.footage.crops import Seen, cut
from vision_ctx.footage.describe import describe
from vision_ctx.pipeline import SourceDone
from vision_ctx.sources.fingerprint import make_source
from vision_ctx.types import Box, Camera, Detection, Frame, Moment, Nearby

SOURCE = make_source("/gate/a.mp4", "video", 1, 1, "aa")
CAMERA = Camera("gate", "Gate camera", "Asia/Tokyo", site="Osaka")
START = datetime(2026, 3, 2, 23, 15, tzinfo=UTC)  # 08:15 of the next day in Tokyo


def seen(time_s, *detections):
    moment = Moment(START + timedelta(seconds=time_s), "Asia/Tokyo", "EXIF", weak=True)
    return Seen(Frame(SOURCE, CAMERA, moment, np.zeros((90, 120, 3), np.uint8), time_s), detections)


PAIR = (Detection("bus", 0.8, Box(39, 0, 100, 80)), Detection("person", 0.9, Box(10, 0, 38, 60)))


def drafts(items):
    return list(
        describe(cut(items), lambda sighting: (f"c/{sighting.id}", f"f/{sighting.frame_id}"))
    )


def test_every_field_of_a_record():
    bus, person = drafts([seen(1.5, *PAIR)])
    record = person.record
    assert record.kind == "crop"
    assert record.body == record.label == "person"
    assert record.confidence == 0.9
    assert record.context == (
        "Gate camera, Osaka. Tuesday 3 March 2026, 08:15, morning. Large person, left. "
        "Nearby: beside bus (touching)."
    )
    assert (record.source, record.source_id, record.source_time_s) == (SOURCE.path, SOURCE.id, 1.5)
    assert (record.camera, record.site, record.timezone) == ("gate", "Osaka", "Asia/Tokyo")
    assert (record.captured_at, record.clock) == (START + timedelta(seconds=1.5), "EXIF")
    assert record.clock_weak
    assert (record.box, record.crop_box) == (Box(10, 0, 38, 60), Box(7, 0, 41, 66))
    assert record.frame_size == (120, 90)
    assert record.nearby == (Nearby("bus", "touching", larger=True),)
    assert record.crop_path == f"c/{record.id}"
    assert record.frame_path == bus.record.frame_path
    assert person.image.shape == (66, 34, 3)


def test_equal_scenes_share_the_words_to_embed_but_not_the_prefix():
    first, second = drafts([seen(0.0, PAIR[0]), seen(3600.0, PAIR[0])])
    assert first.text_to_embed == second.text_to_embed
    assert first.record.context != second.record.context
    assert "March" not in first.text_to_embed


def test_a_scene_has_no_confidence_and_end_marks_pass():
    done = SourceDone(SOURCE, "cut off")
    scene, end = drafts([seen(0.0), done])
    assert scene.record.label == "scene"
    assert scene.record.confidence is None
    assert end is done
