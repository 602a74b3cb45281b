"""The page of invariance_drift as a Hub Space. Start it with `python app.py`."""

from pathlib import Path

from metric_page import MetricPage

page = MetricPage(
    folder=Path(__file__).parent,
    name="invariance_drift",
    first=("verdict", "verdict_reason", "max_drift", "drift_ci_low", "drift_ci_high"),
    settings=("tolerance", "missing", "reference", "seed"),
)

if __name__ == "__main__":
    page.launch()
