"""What the reranker and the moderation classifier have in common."""
import hashlib
import json
import time

import torch

import tokens
from texts import ROOT

WORK = ROOT / "scripts/training/text/.work"


def first_vectors(width):
    """The embedder's vectors of single tokens in fewer dimensions: where each training begins."""
    vectors = torch.load(WORK / "embedder.pt")["vectors.weight"][:tokens_count()]
    centred = vectors - vectors.mean(dim=0)
    _, _, directions = torch.linalg.svd(centred, full_matrices=False)
    reduced = centred @ directions[:width].T
    reduced = reduced / reduced.norm(dim=1, keepdim=True).clamp(min=1e-6)
    reduced[:len(tokens.SPECIALS)] = 0
    return reduced


def tokens_count():
    return len(tokens.load(WORK / "merges.json"))


def pad(lists):
    length = max(map(len, lists))
    return torch.tensor([[*ids, *[tokens.PAD] * (length - len(ids))] for ids in lists])


def save_folder(folder, graph, output, config, tokenizer, tokens_max, facts):
    """A folder as the hub has it: config.json, the tokenizer, and onnx/model_quantized.onnx."""
    ports = [(name, "int64", ("batch", "tokens")) for name in ("input_ids", "attention_mask")]
    graph.save(folder / "onnx/model_quantized.onnx", ports, [output])
    config = {"model_type": "xlm-roberta", "vocab_size": len(tokenizer), "max_position_embeddings": tokens_max + 2, **config}
    for name, content in {"config.json": config, **tokenizer.files(tokens_max)}.items():
        (folder / name).write_text(json.dumps(content, ensure_ascii=False))
    files = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
             for path in sorted(folder.rglob("*.*")) if path.name != "card.json"}
    made = {**facts, "training": f"{time.process_time() / 60:.0f} minutes of one processor core, from nothing", "licence of the data": "Apache-2.0, all of it is askd's own"}
    (folder / "card.json").write_text(json.dumps({"facts": made, "files": files}, indent=2) + "\n")
