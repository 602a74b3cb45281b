"""The page of robustness_ratio as a Hub Space. Start it with `python app.py`."""

from pathlib import Path

from metric_page import MetricPage

page = MetricPage(
    folder=Path(__file__).parent,
    name="robustness_ratio",
    first=("robustness_ratio", "robustness_ratio_ci_low", "robustness_ratio_ci_high"),
    settings=("missing", "reference", "seed"),
)

if __name__ == "__main__":
    page.launch()
