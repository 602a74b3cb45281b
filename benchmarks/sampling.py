"""What the shared prompt and the batches of `jostle.predict.generate` save, and whether a batch changes an answer.

    python benchmarks/sampling.py --data path/to/glue --items 100

One thread, float32, the embedded SmolLM2-135M-Instruct (or --model). Both sides of a ratio take turns; the median of
the runs counts, in CPU seconds. Without --data the embedded items are used. Kept in results/sampling.json.
"""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from form import Row, in_turns, keep

from jostle.embedded_items import embedded_items
from jostle.items import AnyItem, Item
from jostle.predict.generate import LocalGenerator, load_generator
from jostle.predict.generate_write import decided
from jostle.predict.protocol import Decoding, Request
from jostle.tasks.prompts import Prompt, label_of, make_prompt, render

GREEDY = Decoding()
Texts = Mapping[tuple[str, int], str]


def sst2(data: Path | None, most: int) -> list[AnyItem]:
    """Items of SST-2."""
    if data is None:
        return list(embedded_items("sst2").items)[:most]
    import pyarrow.parquet as pq

    sentences = pq.read_table(data / "sst2_validation.parquet")["sentence"].to_pylist()[:most]
    return [Item(str(k), "sst2", {"sentence": text}) for k, text in enumerate(sentences)]


def texts(model: LocalGenerator, requests: Sequence[Request], decoding: Decoding, **how: Any) -> Texts:
    """All completions of a run."""
    return {(one.key, one.sample): one.text for one in model.complete(requests, decoding, **how)}


def shared_prompt(model: LocalGenerator, requests: Sequence[Request], runs: int) -> Iterator[Row]:
    """Ten samples of each prompt in one call, against ten calls for one sample each.

    Both write as many tokens, in batches under the same budget. Where only the label is written, nearly all the time
    goes into the prompt; the longer the completions, the less of it is shared.
    """
    for name, new in (("only the label", 1), ("sixteen tokens", 16)):
        many = Decoding("sample", k=10, max_new_tokens=new, until=())
        single = replace(many, k=1)

        def ten_calls(single: Decoding = single) -> None:
            for seed in range(10):
                texts(model, requests, replace(single, seed=seed))

        def one_call(many: Decoding = many) -> None:
            texts(model, requests, many)

        taken = in_turns({"ours": one_call, "ten calls": ten_calls}, runs)
        work = f"ten samples each of {len(requests)} prompts, {name}"
        yield Row(work, taken.pop("ours"), "s", taken, wanted=3.0, note="one call for all samples shares the prompt")


def batching(model: LocalGenerator, requests: Sequence[Request], runs: int, note: str) -> Row:
    """Greedy in batches, against one prompt at a time."""
    alone = replace(model, batch_size=1)
    ways = {"ours": lambda: texts(model, requests, GREEDY), "one at a time": lambda: texts(alone, requests, GREEDY)}
    taken = in_turns(ways, runs)
    return Row(f"greedy answers to {len(requests)} prompts", taken.pop("ours"), "s", taken, note=note)


def agreement(model: LocalGenerator, requests: Sequence[Request], prompts: Mapping[str, Prompt]) -> str:
    """Shares of equal texts and labels: run again, at batch size 1 and 16, and with early stopping."""

    def labels(found: Texts) -> list[object]:
        return [label_of(text, prompts[key]).label for (key, _), text in sorted(found.items())]

    def stop(request: Request, text: str) -> bool:
        return decided(text, prompts[request.key])

    first = texts(model, requests, GREEDY)
    assert first == texts(model, requests, GREEDY), "greedy answers differ from run to run"
    sixteen = texts(replace(model, batch_size=16), requests, GREEDY)
    alone = texts(replace(model, batch_size=1), requests, GREEDY)
    drawn = Decoding("sample", k=2, seed=1)
    few = requests[:20]
    shares = {
        "labels at batch sizes 1 and 16": _share(labels(alone), labels(sixteen)),
        "texts at batch sizes 1 and 16": _share(sorted(alone.items()), sorted(sixteen.items())),
        "labels when ended early": _share(labels(first), labels(texts(model, requests, GREEDY, stop=stop))),
        f"sampled texts at batch size 1, {len(few)} items": _share(
            sorted(texts(model, few, drawn).items()), sorted(texts(replace(model, batch_size=1), few, drawn).items())
        ),
    }
    listed = ", ".join(f"{share:.0%} of {what}" for what, share in shares.items())
    return f"the same on {len(requests)} items: {listed}"


def _share(one: Sequence[object], other: Sequence[object]) -> float:
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with sst2_validation.parquet")
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--items", type=int, default=100, help="for the agreement")
    parser.add_argument("--timed", type=int, default=16, help="items for the times")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = load_generator(options.model)
    items = sst2(options.data, options.items)
    prompts = {str(item.id): make_prompt(item, "sst2") for item in items}
    requests = [Request(key, render(prompt, model.tokenizer)) for key, prompt in prompts.items()]
    timed = requests[: options.timed]
    note = agreement(model, requests, prompts)
    rows = [*shared_prompt(model, timed, options.runs), batching(model, timed, options.runs, note)]
    keep("sampling", f"Samples and batches of a model that writes: {options.model}", rows)


if __name__ == "__main__":
    main()
