"""What the shared prompt and the batches of `jostle.predict.generate` save, and whether a batch changes an answer.

    python benchmarks/sampling.py --data path/to/sst2_validation.parquet --items 100

One thread, float32, the embedded SmolLM2-135M-Instruct (or --model). Both sides of a ratio take turns; the median of
the runs counts. Without --data the embedded items are used. The numbers are printed and kept in results/sampling.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from jostle.embedded_items import embedded_items
from jostle.items import AnyItem, Item
from jostle.predict.generate import LocalGenerator, load_generator
from jostle.predict.generate_write import decided
from jostle.predict.protocol import Decoding, Request
from jostle.tasks.prompts import Prompt, label_of, make_prompt, render

RESULTS = Path(__file__).parent / "results" / "sampling.json"
GREEDY = Decoding()
Texts = Mapping[tuple[str, int], str]


def sst2(data: Path | None, most: int) -> list[AnyItem]:
    """Items of SST-2."""
    if data is None:
        return list(embedded_items("sst2").items)[:most]
    import pyarrow.parquet as pq

    sentences = pq.read_table(data)["sentence"].to_pylist()[:most]
    return [Item(str(k), "sst2", {"sentence": text}) for k, text in enumerate(sentences)]


def texts(model: LocalGenerator, requests: Sequence[Request], decoding: Decoding, **how: Any) -> Texts:
    """All completions of a run."""
    return {(one.key, one.sample): one.text for one in model.complete(requests, decoding, **how)}


def turns(one: Callable[[], object], other: Callable[[], object], runs: int) -> tuple[float, float]:
    """Median seconds of two ways, which take turns."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for way, own in zip((one, other), seconds, strict=True):
            start = time.process_time()
            way()
            own.append(time.process_time() - start)
    return statistics.median(seconds[0]), statistics.median(seconds[1])


def shared_prompt(model: LocalGenerator, requests: Sequence[Request], runs: int) -> dict[str, float]:
    """Ten samples of each prompt in one call, against ten calls for one sample each.

    Both write as many tokens, in batches under the same budget. Where only the label is written, nearly all the time
    goes into the prompt; the longer the completions, the less of it is shared.
    """
    found = {}
    for name, new in (("label_only", 1), ("sixteen_tokens", 16)):
        many = Decoding("sample", k=10, max_new_tokens=new, until=())
        single = replace(many, k=1)

        def ten_calls(single: Decoding = single) -> None:
            for seed in range(10):
                texts(model, requests, replace(single, seed=seed))

        def one_call(many: Decoding = many) -> None:
            texts(model, requests, many)

        one, ten = turns(one_call, ten_calls, runs)
        found |= {f"{name}_one_call_s": one, f"{name}_ten_calls_s": ten, f"{name}_ratio": ten / one}
    return found


def batching(model: LocalGenerator, requests: Sequence[Request], runs: int) -> dict[str, float]:
    """Greedy in batches, against one prompt at a time."""
    alone = replace(model, batch_size=1)
    many, one = turns(lambda: texts(model, requests, GREEDY), lambda: texts(alone, requests, GREEDY), runs)
    return {"batched_s": many, "one_at_a_time_s": one, "ratio": one / many}


def agreement(model: LocalGenerator, requests: Sequence[Request], prompts: Mapping[str, Prompt]) -> dict[str, Any]:
    """Shares of equal texts and labels: run again, at batch size 1 and 16, and with early stopping."""

    def labels(found: Texts) -> list[object]:
        return [label_of(text, prompts[key]).label for (key, _), text in sorted(found.items())]

    def stop(request: Request, text: str) -> bool:
        return decided(text, prompts[request.key])

    first = texts(model, requests, GREEDY)
    sixteen = texts(replace(model, batch_size=16), requests, GREEDY)
    alone = texts(replace(model, batch_size=1), requests, GREEDY)
    drawn = Decoding("sample", k=2, seed=1)
    few = requests[:20]
    return {
        "items": len(requests),
        "greedy_again_identical": first == texts(model, requests, GREEDY),
        "batch_1_and_16_same_labels": _share(labels(alone), labels(sixteen)),
        "batch_1_and_16_same_texts": _share(sorted(alone.items()), sorted(sixteen.items())),
        "early_stop_same_labels": _share(labels(first), labels(texts(model, requests, GREEDY, stop=stop))),
        "samples_at_batch_1_same_texts": _share(
            sorted(texts(model, few, drawn).items()), sorted(texts(replace(model, batch_size=1), few, drawn).items())
        ),
    }


def _share(one: Sequence[object], other: Sequence[object]) -> float:
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="sst2_validation.parquet")
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--items", type=int, default=100, help="for the agreement")
    parser.add_argument("--timed", type=int, default=16, help="items for the times")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = load_generator(options.model)
    items = sst2(options.data, options.items)
    prompts = {item.id: make_prompt(item, "sst2") for item in items}
    requests = [Request(key, render(prompt, model.tokenizer)) for key, prompt in prompts.items()]
    timed = requests[: options.timed]
    found = {
        "shared_prompt": shared_prompt(model, timed, options.runs),
        "batching": batching(model, timed, options.runs),
        "agreement": agreement(model, requests, prompts),
        "settings": {"items_timed": len(timed), "runs": options.runs, "threads": 1, "machine": platform.machine()},
        "model": model.manifest() | {"model": options.model},
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
