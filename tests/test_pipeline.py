"""Prefetching is bounded, ordered and never hangs; batches fill across sources."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from vision_ctx.pipeline import SourceDone, Stopwatch, in_batches, prefetch
from vision_ctx.types import Source


def weigh(item: int) -> int:
    return item


def readers() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name == "vision-ctx-reader"]


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    yield
    assert not readers()


@pytest.mark.parametrize("limit", [1, 3, 10_000])
def test_items_keep_their_order(limit: int) -> None:
    assert list(prefetch(range(200), weigh, limit)) == list(range(200))


def test_nothing_to_fetch() -> None:
    assert list(prefetch([], weigh, 5)) == []


def test_reading_ahead_is_bounded() -> None:
    taken: list[int] = []

    def source() -> Iterator[int]:
        for number in range(50):
            taken.append(number)
            yield 10

    items = prefetch(source(), weigh, 40)
    next(items)
    time.sleep(0.1)
    # 1 handed out, 4 waiting, 1 in the reader's hand.
    assert len(taken) <= 6
    assert len(list(items)) == 49


def test_an_item_heavier_than_the_limit_passes() -> None:
    assert list(prefetch([100, 100, 1, 100], weigh, 10)) == [100, 100, 1, 100]


def test_an_error_comes_after_the_items_before_it() -> None:
    def source() -> Iterator[int]:
        yield 1
        yield 2
        raise RuntimeError("camera on fire")

    items = prefetch(source(), weigh, 100)
    assert [next(items), next(items)] == [1, 2]
    with pytest.raises(RuntimeError, match="camera on fire"):
        next(items)


def test_an_error_of_weighing_arrives_too() -> None:
    with pytest.raises(ZeroDivisionError):
        list(prefetch([1], lambda item: 1 // 0, 5))


def test_an_error_while_closing_does_not_hang() -> None:
    class Source:
        def __iter__(self) -> Iterator[int]:
            return iter([1])

        def close(self) -> None:
            raise RuntimeError("cannot close")

    items = prefetch(Source(), weigh, 5)
    assert next(items) == 1
    with pytest.raises(RuntimeError, match="cannot close"):
        next(items)


@pytest.mark.parametrize("read", [0, 1, 3])
def test_a_reader_that_leaves_ends_the_thread_and_closes_the_source(read: int) -> None:
    closed: list[str] = []

    def source() -> Iterator[int]:
        try:
            while True:
                yield 1
        finally:
            closed.append(threading.current_thread().name)

    items = prefetch(source(), weigh, 2)
    for _ in range(read):
        next(items)
    items.close()  # type: ignore[attr-defined]
    assert not readers()
    # Not started at all if nothing was read; else closed by the thread that opened it.
    assert closed == (["vision-ctx-reader"] if read else [])


def test_work_goes_on_while_the_reader_waits() -> None:
    def slow() -> Iterator[int]:
        for _ in range(5):
            time.sleep(0.02)
            yield 1

    start = time.perf_counter()
    for _ in prefetch(slow(), weigh, 100):
        time.sleep(0.02)
    assert time.perf_counter() - start < 0.19  # 0.2 s one after the other, 0.12 s side by side


def test_batches_by_number_and_by_weight() -> None:
    assert list(in_batches([1] * 7, 3, weigh, 100)) == [[1] * 3, [1] * 3, [1]]
    assert list(in_batches([4, 4, 4, 20, 1], 10, weigh, 10)) == [[4, 4], [4], [20], [1]]
    assert list(in_batches([], 3, weigh, 10)) == []


def test_end_marks_ride_along() -> None:
    # Sources of one frame each still fill a batch, and a mark never waits alone for long.
    assert list(in_batches([1, 0, 1, 0, 1, 0], 2, weigh, 10)) == [[1, 0, 1, 0], [1, 0]]
    assert list(in_batches([0, 0, 0], 2, weigh, 10)) == [[0, 0, 0]]
    assert list(in_batches([0, 99, 0], 2, weigh, 10)) == [[0], [99, 0]]


@pytest.mark.parametrize("size", [1, 2, 5])
def test_batches_lose_nothing(size: int) -> None:
    items = [5, 0, 3, 0, 0, 9, 1, 1, 1, 0, 7]
    groups = list(in_batches(items, size, weigh, 10))
    assert [item for group in groups for item in group] == items
    assert all(sum(item > 0 for item in group) <= size for group in groups)
    assert all(sum(group) <= 10 for group in groups)


def test_the_stopwatch_counts_the_stage_and_not_its_reader() -> None:
    watch = Stopwatch()

    def stage() -> Iterator[int]:
        for number in range(3):
            time.sleep(0.01)
            yield number

    for _ in watch.each("decode", stage()):
        time.sleep(0.02)
    assert 0.03 <= watch.seconds["decode"] < 0.06
    with pytest.raises(KeyError), watch.time("detect"):
        raise KeyError
    assert "detect" in watch.seconds


def test_an_end_mark_is_readable_unless_told() -> None:
    done = SourceDone(Source("/a.jpg", "image", 1, 1, "f", "i"))
    assert (done.error, done.readable, done.retry, done.frames) == (None, True, False, 0)
