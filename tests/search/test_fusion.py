import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision_ctx.search.fusion import (
    K,
    by_position,
    in_order,
    one_dense_list,
    ranked,
    reciprocal_rank,
    shared_ranks,
)

rankings = st.lists(st.integers(0, 20), unique=True, max_size=10).map(by_position)
lists = st.lists(rankings, max_size=5)


def rows(*values):
    return np.array(values, dtype=np.int64)


def test_ranked_keeps_the_order_of_rows_among_equal_scores():
    scores = np.array([0.5, 0.9, 0.5, 0.9, 0.1], dtype=np.float32)
    assert ranked(scores, rows(10, 11, 12, 13, 14), 4).tolist() == [11, 13, 10, 12]
    assert ranked(scores[:0], rows(), 4).tolist() == []


def test_reciprocal_rank():
    scores = reciprocal_rank([by_position([7, 8]), by_position(rows(8))])
    assert scores == pytest.approx({7: 1 / (K + 1), 8: 1 / (K + 2) + 1 / (K + 1)})
    assert in_order(scores) == [8, 7]
    assert reciprocal_rank([]) == {}


@settings(deadline=None)
@given(lists, st.randoms())
def test_the_order_of_lists_changes_nothing(given_lists, random):
    shuffled = random.sample(given_lists, len(given_lists))
    assert reciprocal_rank(shuffled) == pytest.approx(reciprocal_rank(given_lists))


@settings(deadline=None)
@given(lists)
def test_every_row_is_kept_once(given_lists):
    order = in_order(reciprocal_rank(given_lists))
    assert sorted(order) == sorted({row for each in given_lists for row in each})


def test_equal_scores_are_in_the_order_of_rows():
    assert in_order({9: 1.0, 3: 1.0, 5: 2.0}) == [5, 3, 9]


def test_two_dense_channels_count_as_one():
    both = one_dense_list([rows(1, 2, 3), rows(2, 1, 4)])
    assert both == [1, 2, 3, 4]
    assert one_dense_list([rows(3, 1)]) == [3, 1]
    assert one_dense_list([]) == []
    # The best crop of two dense channels scores as the best chunk of one.
    scores = reciprocal_rank([by_position(both), by_position(one_dense_list([rows(8, 9)]))])
    assert scores[1] == scores[8]
    assert scores[2] == scores[9]


def test_weights_count_ranks_more():
    scores = reciprocal_rank([by_position([1, 2]), by_position([2, 1])], [1.0, 3.0])
    assert in_order(scores) == [2, 1]
    assert scores[2] == pytest.approx(1 / (K + 2) + 3 / (K + 1))


def test_equal_scores_share_a_rank():
    assert shared_ranks([5.0, 3.0, 3.0, 3.0, 1.0, 1.0]) == [1, 2, 2, 2, 5, 5]
    assert shared_ranks([]) == []


def test_among_equal_words_the_pictures_decide():
    words = dict(zip(range(60), shared_ranks([1.0] * 60), strict=True))
    pictures = by_position(list(reversed(range(60))))
    assert in_order(reciprocal_rank([pictures, words], [1.0, 3.0])) == list(reversed(range(60)))
