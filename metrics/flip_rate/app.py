"""The page of flip_rate as a Hub Space. Start it with `python app.py`."""

from pathlib import Path

from metric_page import MetricPage

page = MetricPage(
    folder=Path(__file__).parent,
    name="flip_rate",
    first=("flip_rate", "flip_rate_ci_low", "flip_rate_ci_high"),
    settings=("missing", "reference", "seed"),
)

if __name__ == "__main__":
    page.launch()
