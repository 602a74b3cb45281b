"""Fine-tune a small classifier and watch its robustness, epoch by epoch, without network.

    pip install 'jostle[models]' accelerate
    python examples/train_with_flip_rate.py --out robustness

The packaged MiniLM encoder gets a new head and learns sentiment from two thirds of the embedded sentences; after every
epoch the others and their variants are evaluated. Families of sentences stay on one side. The checkpoint that is kept
is the one that is right in every condition most often: the robustness ratio alone is 1 for a model that gives one
answer to everything. Half a minute of one core.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import Trainer, TrainingArguments, set_seed

from jostle import split_families
from jostle.embedded_items import embedded_items
from jostle.integrations.trainer import LABEL_COLUMNS, PerturbedSet
from jostle.predict.embedded import build_classifier, encoder_folder, load_tokenizer, read_encoder

OPERATORS = ("contractions", "synonyms", "typos", "letter_case", "distractor")


def main() -> None:
    """Train, log, plot."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=Path("robustness"))
    parser.add_argument("--epochs", type=int, default=5)
    arguments = parser.parse_args()
    set_seed(0)
    torch.set_num_threads(1)  # on a busy machine two threads took five times as long
    tokenizer = load_tokenizer(encoder_folder())
    items = embedded_items("sst2")
    train, held_out = split_families(items.items, test_share=1 / 3)  # related sentences stay on one side
    kept = {item.id for item in held_out}
    by_hand = [variant for variant in items.variants if variant.base.id in kept]
    robust = PerturbedSet.of(held_out, items.labels, OPERATORS, variants=by_hand)
    trainer = Trainer(
        model=fresh_model(),
        args=settings(arguments.out, arguments.epochs),
        train_dataset=tokenised(train, items.labels, tokenizer),
        eval_dataset=robust.dataset(tokenizer),
        compute_metrics=robust.compute_metrics,
        processing_class=tokenizer,
    )
    trainer.train()
    history = [entry for entry in trainer.state.log_history if "eval_robustness_ratio" in entry]
    plot(history, arguments.out / "robustness.svg")
    (arguments.out / "history.json").write_text(json.dumps(history, indent=2) + "\n", encoding="utf-8")
    best = trainer.state.best_metric
    print(f"right in every condition: {best:.3f} of the items at best; see {arguments.out / 'robustness.svg'}")


def fresh_model() -> Any:
    """The packaged encoder with a head that has learnt nothing."""
    folder = encoder_folder()
    model = build_classifier(folder)
    model.load_state_dict(read_encoder(folder), strict=False)
    return model


def tokenised(items: Any, labels: Any, tokenizer: Any) -> Dataset:
    """Training sentences with their class numbers."""
    encoded = tokenizer([item.fields["sentence"] for item in items], truncation=True)
    return Dataset.from_dict({**encoded, "labels": [labels.index(item.label) for item in items]})


def settings(out: Path, epochs: int) -> TrainingArguments:
    """Evaluate after every epoch; the best checkpoint is right in every condition most often."""
    return TrainingArguments(
        output_dir=str(out),
        num_train_epochs=epochs,
        per_device_train_batch_size=16,
        per_device_eval_batch_size=64,
        learning_rate=1e-4,
        eval_strategy="epoch",
        save_strategy="epoch",
        save_total_limit=1,
        load_best_model_at_end=True,
        metric_for_best_model="eval_worst_case_accuracy",
        greater_is_better=True,
        label_names=LABEL_COLUMNS,  # so that items and conditions reach compute_metrics
        report_to=[],
        use_cpu=not torch.cuda.is_available(),
        seed=0,
        disable_tqdm=True,
    )


def plot(history: list[dict[str, float]], path: Path) -> None:
    """Accuracy, flip rate and robustness ratio over the epochs, with the interval of the ratio."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.add_subplot()
    epochs = [entry["epoch"] for entry in history]
    for key, name in (("accuracy", "accuracy"), ("robustness_ratio", "robustness ratio"), ("flip_rate", "flip rate")):
        axes.plot(epochs, [entry[f"eval_{key}"] for entry in history], "o-", label=name)
    low, high = ([entry[f"eval_robustness_ratio_ci_{end}"] for entry in history] for end in ("low", "high"))
    axes.fill_between(epochs, low, high, alpha=0.15, color="C1")
    axes.set_xlabel("epoch")
    axes.set_xticks(epochs)
    axes.legend(frameon=False)
    figure.savefig(path)


if __name__ == "__main__":
    main()
