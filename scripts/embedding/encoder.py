"""The encoder of all-MiniLM-L6-v2 in plain numpy: six BERT layers, read from a safetensors file."""

import json
import math
import struct

import numpy as np

LAYERS = 6
HEADS = 12


def read_safetensors(path):
    """Tensors of a safetensors file by name, as float32."""
    with open(path, "rb") as file:
        raw = file.read()
    (header_size,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + header_size])
    kinds = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        data = np.frombuffer(raw[8 + header_size + begin : 8 + header_size + end], dtype=kinds[entry["dtype"]])
        tensors[name] = data.reshape(entry["shape"]).astype(np.float32)
    return tensors


def layer_norm(x, weight, bias):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-12) * weight + bias


def erf(x):
    """Abramowitz and Stegun 7.1.26, error below 1.5e-7."""
    sign = np.sign(x)
    x = np.abs(x)
    t = 1.0 / (1.0 + 0.3275911 * x)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return sign * (1.0 - poly * np.exp(-x * x))


def gelu(x):
    return 0.5 * x * (1.0 + erf(x / math.sqrt(2.0)))


class Encoder:
    def __init__(self, path):
        self.t = read_safetensors(path)

    def linear(self, x, name):
        return x @ self.t[f"{name}.weight"].T + self.t[f"{name}.bias"]

    def encode(self, ids):
        """Output states of a batch of equally long sequences of token ids, shape (batch, length, 384)."""
        t = self.t
        batch, length = ids.shape
        x = t["embeddings.word_embeddings.weight"][ids]
        x = x + t["embeddings.position_embeddings.weight"][:length][None]
        x = x + t["embeddings.token_type_embeddings.weight"][0]
        x = layer_norm(x, t["embeddings.LayerNorm.weight"], t["embeddings.LayerNorm.bias"])
        width = x.shape[-1]
        size = width // HEADS
        for n in range(LAYERS):
            base = f"encoder.layer.{n}"

            def heads(name):
                return self.linear(x, f"{base}.attention.self.{name}").reshape(batch, length, HEADS, size).transpose(0, 2, 1, 3)

            scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / math.sqrt(size)
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ heads("value")).transpose(0, 2, 1, 3).reshape(batch, length, width)
            out = f"{base}.attention.output"
            x = layer_norm(x + self.linear(mixed, f"{out}.dense"), t[f"{out}.LayerNorm.weight"], t[f"{out}.LayerNorm.bias"])
            inner = gelu(self.linear(x, f"{base}.intermediate.dense"))
            out = f"{base}.output"
            x = layer_norm(x + self.linear(inner, f"{out}.dense"), t[f"{out}.LayerNorm.weight"], t[f"{out}.LayerNorm.bias"])
        return x
