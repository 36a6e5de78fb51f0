"""Turns text into the tokens of the word index; the same for records and for questions.

- Text is normalised (NFKC, so that "ﬁ", "Ａ" and "①" are what people type) and lower-cased.
- Joined words (``INC-2023-Q4-011``, ``gate_02``, ``07:15``, ``O'Brien``) count whole and in parts;
  so do camelCase names and letters with digits (``cam03``).
- Numbers lose leading zeros, so that 07:05 and 7:05 are equal.
- Words lose their accents and vowel points, Latin words are stemmed; no word is dropped as too
  common, since ``IT`` may be a camera: BM25 gives common words little weight anyway.
- Scripts without spaces become pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

# Marks that make the letter in scripts other than Latin (vowel signs); ``\\w`` does not hold them.
# The last two ranges are the scripts of South, South-East and North Asia.
_SIGNS = "".join(
    chr(code)
    for block in (
        range(0x300, 0x370),
        range(0x483, 0x900),
        range(0x900, 0x1A00),
        range(0x1B00, 0x1C50),
    )
    for code in block
    if unicodedata.category(chr(code)).startswith("M")
)
_LETTERS = rf"(?:[^\W_][{_SIGNS}]*)+"
_JOINERS = r"[-_.:/'’@]"
_WORD = re.compile(rf"{_LETTERS}(?:{_JOINERS}{_LETTERS})*")
_PART = re.compile(_LETTERS)
_CAMEL = re.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])"
)
# Characters within words that no one sees: soft hyphen, joiners, marks of direction.
_UNSEEN = re.compile(r"[\u00ad\u200c-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    r"\U00020000-\U0003ffff"
)
_RUN = re.compile(rf"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_UNSPACED_START = re.compile(rf"[{_UNSPACED}]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]")
# Marks that people leave out when they type: accents, the vowel points of Hebrew and Arabic. In
# other scripts (Devanagari, Thai, kana) marks make the letter.
_MARKS = re.compile(r"[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]")
LONGEST = 64
"""Longer runs without a space are no words anyone searches for (base64, hashes); they still count in
pieces of this length, so that nothing is dropped."""


def tokens(text: str) -> list[str]:
    """The tokens of a text, in order, repeats included."""
    return [token for match in _WORD.finditer(_normal(text)) for token in _expand(match.group())]


def words(text: str) -> dict[str, list[str]]:
    """The words of a text as they are written, each with its tokens."""
    return {match.group(): list(_expand(match.group())) for match in _WORD.finditer(_normal(text))}


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", _UNSEEN.sub("", text))


@lru_cache(maxsize=65536)
def _expand(word: str) -> tuple[str, ...]:
    return tuple(_forms(word))


def _forms(word: str) -> Iterator[str]:
    parts = _PART.findall(word)
    if len(parts) > 1:
        whole = re.sub(r"[’]", "'", "".join(_keep_joined(word)))
        yield _fold(whole.lower())
    for part in parts:
        pieces = _CAMEL.split(part)
        if len(pieces) > 1:
            yield _fold(part.lower())
        for piece in pieces:
            yield from _simple(piece)


def _keep_joined(word: str) -> Iterator[str]:
    """The joined word with its numbers stripped of leading zeros."""
    for piece in re.split(rf"({_JOINERS})", word):
        yield _number(piece) if piece.isdigit() else piece


def _simple(piece: str) -> Iterator[str]:
    for run in _RUN.findall(piece):
        if _UNSPACED_START.match(run):
            yield from _character_pairs(run)
        elif run.isdigit():
            yield _number(run)
        else:
            for start in range(0, len(run), LONGEST):
                yield stem(_fold(run[start : start + LONGEST].lower()))


def _character_pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
        return
    for first, second in pairwise(run):
        yield first + second
    # One Chinese or Japanese character is often a word of its own.
    yield from _HAN.findall(run)


def _number(digits: str) -> str:
    return digits.lstrip("0") or "0"


def _fold(word: str) -> str:
    """Letters without accents and vowel points: entrée and entree are one word."""
    if word.isascii():
        return word
    base = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", word)))
    return base.replace("ß", "ss").replace("æ", "ae").replace("ø", "o").replace("œ", "oe")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The English stem (Snowball) of a word of Latin letters; other words stay."""
    return str(_stemmer().stemWord(word)) if word.isascii() and word.isalpha() else word


@cache
def _stemmer() -> Any:  # noqa: ANN401 - PyStemmer has no types
    import Stemmer

    return Stemmer.Stemmer("english")
