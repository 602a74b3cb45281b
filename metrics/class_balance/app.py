"""The page of class_balance as a Hub Space. Start it with `python app.py`."""

from pathlib import Path

from metric_page import MetricPage

EXAMPLE = """labels,texts
billing,I was charged twice this month.
billing,Why is my invoice higher than last time?
billing,The receipt names the wrong company.
billing,Can I pay once a year instead?
billing,My card was refused although it is valid.
billing,Where do I find my old invoices?
refund,I want my money back for the second licence.
bug,The export button does nothing.
"""

page = MetricPage(
    folder=Path(__file__).parent,
    name="class_balance",
    first=("imbalance_ratio", "majority_share", "n_classes", "n_labelled"),
    settings=(),
    about="One row per case, with the column `labels` and, for the lengths, `texts`. The first line names the columns; "
    "cells are separated by commas or tabs; quote cells that hold commas; an empty label is no label.",
    example=EXAMPLE,
)

if __name__ == "__main__":
    page.launch()
