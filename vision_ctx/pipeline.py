"""The machinery between stages: bounded prefetching, batches, time keeping, end marks.

Stages are generators that pass items on in order.  An item is a payload or a `SourceDone`, which
follows the last payload of its source and carries its outcome to the store.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from vision_ctx.types import Source

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SourceDone:
    """All items of a source have passed. ``error`` says what went wrong with it, if anything did.

    ``readable`` is False when nothing could be read, so that nothing of it may be replaced.
    ``retry`` asks the next run to try again although the file did not change.  ``frames`` counts
    the frames that were looked at.
    """

    source: Source
    error: str | None = None
    readable: bool = True
    retry: bool = False
    frames: int = 0

    def also(self, reason: str, *, partly: bool) -> SourceDone:
        """The mark with one more reason, to be tried again.

        ``partly`` says that something of the source is good: what failed wholly replaces nothing.
        """
        error = "; ".join(filter(None, (self.error, reason)))
        return replace(self, error=error, retry=True, readable=self.readable and partly)


@dataclass(slots=True)
class Faults:
    """What a stage could not do, by source, until the end mark of the source takes it along."""

    _reasons: dict[str, str] = field(default_factory=dict)
    _partly: set[str] = field(default_factory=set)

    def bad(self, source_id: str, reason: str) -> None:
        """Something of the source is left out; the latest reason is the one that is told."""
        self._reasons[source_id] = reason

    def good(self, source_id: str) -> None:
        """Something of the source goes on."""
        self._partly.add(source_id)

    def close(self, done: SourceDone) -> SourceDone:
        """The end mark of a source, with the reason if anything of it was left out."""
        reason, partly = self._reasons.pop(done.source.id, None), done.source.id in self._partly
        self._partly.discard(done.source.id)
        return done if reason is None else done.also(reason, partly=partly)


@dataclass(slots=True)
class Stopwatch:
    """Seconds by stage, summed over threads."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time(self, stage: str) -> Iterator[None]:
        """Adds the time of the block to the stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - start
            self.seconds[stage] = self.seconds.get(stage, 0.0) + spent

    def each(self, stage: str, items: Iterable[T]) -> Iterator[T]:
        """Passes items on and adds the time that getting each took to the stage."""
        iterator = iter(items)
        while True:
            with self.time(stage):
                try:
                    item = next(iterator)
                except StopIteration:
                    return
            yield item


class _Buffer(Generic[T]):
    """A queue between two threads, bounded by the weight of what waits in it.

    One item always fits, however heavy, so that nothing can wait for ever.
    """

    def __init__(self, weigh: Callable[[T], int], limit: int) -> None:
        self._weigh, self._limit = weigh, limit
        self._items: deque[tuple[T, int]] = deque()
        self._weight = 0
        self._changed = threading.Condition()
        self._ended = self._abandoned = False
        self._error: BaseException | None = None

    def fill(self, items: Iterable[T]) -> None:
        """Takes all items; runs in the reader's thread."""
        try:
            # A generator's files are closed in the thread that opened them.
            with ExitStack() as closing:
                closing.callback(getattr(items, "close", lambda: None))
                for item in items:
                    if not self._put(item):
                        break
        except BaseException as error:
            self._error = error
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _put(self, item: T) -> bool:
        """Waits for room and takes the item, unless nobody wants it any more."""
        own = self._weigh(item)
        with self._changed:
            while self._items and self._weight + own > self._limit and not self._abandoned:
                self._changed.wait()
            if self._abandoned:
                return False
            self._items.append((item, own))
            self._weight += own
            self._changed.notify_all()
        return True

    def drain(self) -> Iterator[T]:
        """Gives the items in order, then raises what the reader's thread raised."""
        while True:
            with self._changed:
                while not self._items and not self._ended:
                    self._changed.wait()
                if not self._items:
                    if self._error is not None:
                        raise self._error
                    return
                item, own = self._items.popleft()
                self._weight -= own
                self._changed.notify_all()
            yield item

    def abandon(self) -> None:
        """Tells the reader's thread that nobody wants more items."""
        with self._changed:
            self._abandoned = True
            self._changed.notify_all()


def prefetch(items: Iterable[T], weigh: Callable[[T], int], limit: int) -> Iterator[T]:
    """Runs ``items`` in a thread of its own, ahead of the reader by at most ``limit`` in weight.

    An exception of ``items`` is raised here after the items before it.  Closing the generator stops
    the thread.
    """
    buffer = _Buffer(weigh, limit)
    thread = threading.Thread(
        target=buffer.fill, args=(items,), name="vision-ctx-reader", daemon=True
    )
    thread.start()
    try:
        yield from buffer.drain()
    finally:
        buffer.abandon()
        thread.join()


def in_batches(
    items: Iterable[T], size: int, weigh: Callable[[T], int], limit: int
) -> Iterator[list[T]]:
    """Groups items in order; a group ends at ``size`` weighing items or ``limit`` total weight.

    Items that weigh nothing (end marks) ride along and close no group, so that many short sources
    still fill a batch.
    """
    group: list[T] = []
    count = weight = 0
    for item in items:
        own = weigh(item)
        if group and own and (count >= size or weight + own > limit):
            yield group
            group, count, weight = [], 0, 0
        group.append(item)
        count += own > 0
        weight += own
    if group:
        yield group
