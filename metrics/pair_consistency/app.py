"""The page of pair_consistency as a Hub Space. Start it with `python app.py`."""

from pathlib import Path

from metric_page import MetricPage

page = MetricPage(
    folder=Path(__file__).parent,
    name="pair_consistency",
    first=("relation_accuracy", "side_accuracy", "pair_accuracy"),
    settings=("reference", "seed"),
)

if __name__ == "__main__":
    page.launch()
