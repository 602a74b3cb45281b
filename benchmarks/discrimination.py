"""The discrimination table of a file with results of several models, as Markdown.

    python benchmarks/discrimination.py RESULTS...

prints the models by accuracy with the difference to the next, its McNemar p-value after Holm and the smallest
difference that the set could detect between the two, and then the items by kind. The table in docs/discrimination.md is
what it prints for the answers of 29 models to MMLU-Pro (TIGER-AI-Lab/MMLU-Pro, eval_results, a column for each model).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from jostle.audit import DiscriminationCheck
from jostle.audit.result_files import read_model_results

ALPHA = 0.05


def model_table(stats: Mapping[str, Any]) -> Iterator[str]:
    """One row for each model, weakest first, with the step to the next."""
    steps = {(pair["weaker"], pair["stronger"]): pair for pair in stats["pairs"]}
    yield "| model | accuracy | next is better by | p (Holm) | detectable | told apart |"
    yield "|---|---|---|---|---|---|"
    names = stats["models"]
    for name, following in zip(names, [*names[1:], None], strict=True):
        accuracy = f"{stats['accuracy_by_model'][name]:.1%}"
        if following is None:
            yield f"| {name} | {accuracy} | | | | |"
            continue
        step = steps[name, following]
        apart = "yes" if step["p_value_holm"] < ALPHA else "no"
        p = f"{step['p_value_holm']:.2g}" if step["p_value_holm"] >= 0.001 else "< 0.001"
        detectable = step["smallest_detectable_difference"]
        yield f"| {name} | {accuracy} | {step['difference']:.1%} | {p} | {detectable:.1%} | {apart} |"


def kind_table(stats: Mapping[str, Any]) -> Iterator[str]:
    """One row for each kind of item."""
    yield "| items | n | share |"
    yield "|---|---|---|"
    for kind in ("discriminating", "ceiling", "floor", "inverted"):
        yield f"| {kind} | {stats[f'n_{kind}']:,} | {stats[f'n_{kind}'] / stats['n_measured']:.1%} |"


def main(paths: list[str]) -> None:
    """Print both tables and what the check finds."""
    results = read_model_results(paths)
    found = DiscriminationCheck(results=results).run(results.evalset())
    print(found.summary, "", *model_table(found.stats), "", *kind_table(found.stats), "", sep="\n")
    print(*(f"* {finding.message}" for finding in found.findings), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
