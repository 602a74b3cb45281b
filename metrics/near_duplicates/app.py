"""The page of near_duplicates as a Hub Space. Start it with `python app.py`."""

from pathlib import Path

from metric_page import MetricPage

EXAMPLE = """texts,labels
How much is 2 + 2?,4
how much is 2 + 2,5
How much is 3 + 4?,7
Who painted the Mona Lisa?,Leonardo
Who paintde the Mona Lisa?,Leonardo
Name a mammal that lays eggs.,platypus
"""

page = MetricPage(
    folder=Path(__file__).parent,
    name="near_duplicates",
    first=("n_cases", "effective_scenarios", "redundant_share", "largest_share"),
    settings=(),
    about="One row per case, with the columns `texts` and, where there are gold answers, `labels`. The first line "
    "names the columns; cells are separated by commas or tabs; quote cells that hold commas. Embeddings are not "
    "computed here, so rewordings are not found: pass `embeddings` to the module on your own machine.",
    example=EXAMPLE,
)

if __name__ == "__main__":
    page.launch()
