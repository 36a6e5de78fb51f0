"""The image-text model's shape, its text encoding and its losses."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import open_clip
import torch
from captions import Caption, describes
from open_clip.model import CLIP
from torch import nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel
from vocabulary import COLOURS, LABELS

IMAGE_SIDE = 128
MEAN = (0.48145466, 0.4578275, 0.40821073)  # open_clip's own normalisation
STD = (0.26862954, 0.26130258, 0.27577711)
CONTEXT = 77
MAX_SCALE = 100.0  # CLIP's own cap on the logit scale

CONFIG = {
    "model_cfg": {
        "embed_dim": 256,
        "vision_cfg": {
            "timm_model_name": "mobilenetv4_conv_small",
            "timm_model_pretrained": False,
            "timm_pool": "avg",
            "timm_proj": "",  # the trunk's own classifier is the projection
            "image_size": IMAGE_SIDE,
        },
        "text_cfg": {
            "context_length": CONTEXT,
            "vocab_size": 49408,
            "width": 192,
            "heads": 6,
            "layers": 4,
        },
    },
    "preprocess_cfg": {
        "mean": list(MEAN),
        "std": list(STD),
        "interpolation": "bicubic",
        "resize_mode": "squash",
    },
}


def make_model() -> CLIP:
    """Return the untrained model."""
    settings = CONFIG["model_cfg"]
    model = CLIP(
        embed_dim=settings["embed_dim"],
        vision_cfg=dict(settings["vision_cfg"]),
        text_cfg=dict(settings["text_cfg"]),
    )
    nn.init.constant_(model.logit_scale, math.log(1 / 0.07))
    return model


def keep_depthwise_exact(tower: nn.Module) -> None:
    """Let depthwise convolutions run in float32 inside autocast.

    Their bfloat16 backward pass is up to nine times slower than float32's on a CPU with AMX
    (5x5, stride 2: 164 ms against 18), and was two thirds of a whole step.
    """
    for module in tower.modules():
        if isinstance(module, nn.Conv2d) and module.groups > 1:
            module.forward = _float32_forward(module)


def _float32_forward(module: nn.Conv2d) -> Callable[[torch.Tensor], torch.Tensor]:
    def forward(values: torch.Tensor) -> torch.Tensor:
        with torch.autocast(values.device.type, enabled=False):
            return nn.Conv2d.forward(module, values.float())

    return forward


@lru_cache(maxsize=1)
def _tokenizer() -> open_clip.SimpleTokenizer:
    return open_clip.SimpleTokenizer(context_length=CONTEXT)  # reads its vocabulary each time


def tokenize(texts: list[str]) -> np.ndarray:
    """Return token ids, shape (n, 77), as uint16 (49408 fits)."""
    tokenizer = _tokenizer()
    parts = [tokenizer(texts[i : i + 4096]).numpy() for i in range(0, len(texts), 4096)]
    return np.concatenate(parts).astype(np.uint16)


def encode_texts(model: CLIP, tokens: torch.Tensor) -> torch.Tensor:
    """Return unit vectors of token rows, shape (n, 256).

    Like `model.encode_text`, but cut to the longest row: the mask is causal, so the padding
    after the end token changes nothing but the time it takes.
    """
    length = int((tokens != 0).sum(1).max())
    tokens = tokens[:, :length]
    hidden = model.token_embedding(tokens) + model.positional_embedding[:length]
    # The fused kernel's backward pass takes 60 % of a step on a CPU for such short rows.
    with sdpa_kernel(SDPBackend.MATH):
        hidden = model.transformer(hidden, attn_mask=model.attn_mask[:length, :length])
    ends = tokens.argmax(1)
    last = model.ln_final(hidden[torch.arange(len(tokens)), ends])
    return functional.normalize((last @ model.text_projection).float(), dim=-1)


def encode_images(model: CLIP, images: np.ndarray, device: torch.device) -> torch.Tensor:
    """Return vectors of uint8 RGB crops, shape (n, 256), not yet of unit length."""
    pixels = torch.from_numpy(images).to(device).permute(0, 3, 1, 2).float().div_(255)
    mean = torch.tensor(MEAN, device=device).view(1, 3, 1, 1)
    std = torch.tensor(STD, device=device).view(1, 3, 1, 1)
    return model.encode_image((pixels - mean) / std).float()


def truth_matrix(captions: list[Caption], facts: list[dict[str, str]]) -> torch.Tensor:
    """Return describes() of every caption (row) and object (column): 1, 0 or -1."""
    return torch.tensor([[describes(c, f) for f in facts] for c in captions])


def contrastive_loss(
    images: torch.Tensor, texts: torch.Tensor, truth: torch.Tensor, scale: torch.Tensor
) -> torch.Tensor:
    """Return the symmetric loss where a caption may be true of several crops of the batch.

    Args:
        images: unit vectors, shape (n, d).
        texts: unit vectors of one caption per crop, shape (n, d).
        truth: shape (n, n), captions by crops: 1 true, 0 false, -1 unknown (left out).
        scale: factor on the cosines.
    """
    logits = scale * texts @ images.T
    logits = logits.masked_fill(truth < 0, -1e4)
    right = (truth > 0).float()
    total = torch.zeros((), device=images.device)
    for dim in (0, 1):
        chances = functional.log_softmax(logits, dim)
        total = total - ((chances * right).sum(dim) / right.sum(dim).clamp(min=1)).mean()
    return total / 2


class FactHeads(nn.Module):
    """Linear readings of class and colours from an image vector, for training only.

    They give the young image tower a straight lesson while the captions' vectors still move.
    """

    TARGETS = (
        ("label", tuple(LABELS)),
        ("colour", tuple(COLOURS)),
        ("lower_colour", tuple(COLOURS)),
    )

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(dim, len(names)) for _, names in self.TARGETS)

    def loss(self, vectors: torch.Tensor, facts: list[dict[str, str]]) -> torch.Tensor:
        """Return the sum of the cross-entropies over what is known of each crop."""
        total = torch.zeros((), device=vectors.device)
        for head, (key, names) in zip(self.heads, self.TARGETS, strict=True):
            wanted = [names.index(f[key]) if f.get(key) in names else -1 for f in facts]
            target = torch.tensor(wanted, device=vectors.device)
            if (target >= 0).any():
                total = total + functional.cross_entropy(head(vectors), target, ignore_index=-1)
        return total


def distillation_loss(
    student: torch.Tensor, teacher: torch.Tensor, direct: float, relative: float
) -> torch.Tensor:
    """Return how far texts lie from the teacher's places, and from its mutual cosines.

    Args:
        student: unit vectors, shape (n, d).
        teacher: unit vectors, shape (n, d).
        direct: weight of 1 - cosine.
        relative: weight of the squared error of all pairs' cosines.
    """
    place = 1 - (student * teacher).sum(1).mean()
    pairs = functional.mse_loss(student @ student.T, teacher @ teacher.T)
    return direct * place + relative * pairs
