"""BM25 over ``context + "\\n" + body`` of every record, by bm25s. Derived from the tables.

bm25s cannot add to an index, raises on an empty corpus and gives unknown words a score of 0; all
three are handled here: the index is built anew, an empty one scores nothing, and a score of 0 is no
match.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision_ctx.errors import IndexDamagedError
from vision_ctx.store.analysis import tokens

Scores = npt.NDArray[np.float32]
_STATE = "covers.json"


class LexicalIndex:
    """Word index over rows 0 … n-1."""

    def __init__(self, model: Any, rows: int) -> None:  # noqa: ANN401 - bm25s has no types
        self._model = model
        self.rows = rows

    @classmethod
    def build(cls, texts: Sequence[str]) -> LexicalIndex:
        """Indexes texts; row i is ``texts[i]``."""
        tokenised = [tokens(text) for text in texts]
        if not any(tokenised):
            return cls(None, len(texts))
        model = _bm25s().BM25()  # Lucene's variant, k1 = 1.5, b = 0.75: scores are never negative
        model.index(tokenised, show_progress=False)
        return cls(model, len(texts))

    def scores(self, words: Sequence[str]) -> Scores:
        """BM25 of every row for the tokens of a question, shape ``(rows,)``; 0 is no match."""
        known = [w for w in words if self._model is not None and w in self._model.vocab_dict]
        if not known:
            return np.zeros(self.rows, dtype=np.float32)
        return np.asarray(self._model.get_scores(known), dtype=np.float32)

    def save(self, folder: Path) -> None:
        """Writes the index into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        if self._model is not None:
            self._model.save(str(folder), show_progress=False)
        state = {"rows": self.rows, "words": self._model is not None}
        (folder / _STATE).write_text(json.dumps(state), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> LexicalIndex:
        """Opens a saved index by memory map.

        Raises:
            IndexDamagedError: It is not there or not whole.
        """
        try:
            state = json.loads((folder / _STATE).read_text(encoding="utf-8"))
            if not state["words"]:
                return cls(None, int(state["rows"]))
            model = _bm25s().BM25.load(str(folder), mmap=True, show_progress=False)
            if model.scores["num_docs"] != state["rows"]:
                raise ValueError(f"{model.scores['num_docs']} rows instead of {state['rows']}")
            return cls(model, int(state["rows"]))
        except Exception as error:  # bm25s and numpy raise many types on damaged files
            raise IndexDamagedError(
                f"the word index at {folder} cannot be opened ({error}); any run of "
                "vision-ctx index builds it anew"
            ) from error


def _bm25s() -> Any:  # noqa: ANN401 - bm25s has no types
    """The package, quiet: it sets its own logger to DEBUG when it is imported."""
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s
