"""The page of discrimination as a Hub Space. Start it with `python app.py`."""

from pathlib import Path

from metric_page import MetricPage

EXAMPLE = """item_ids,models,conditions,references,predictions
sum,small,orig,4,5
sum,middle,orig,4,4
sum,large,orig,4,4
capital,small,orig,Bern,Bern
capital,middle,orig,Bern,Bern
capital,large,orig,Bern,Bern
date,small,orig,1291,1848
date,middle,orig,1291,1848
date,large,orig,1291,1848
prime,small,orig,no,yes
prime,middle,orig,no,yes
prime,large,orig,no,no
"""

page = MetricPage(
    folder=Path(__file__).parent,
    name="discrimination",
    first=("discriminating_share", "non_discriminating_share", "n_inverted", "smallest_detectable_difference"),
    settings=("missing", "reference"),
    about="One row per item and model, with the columns `predictions`, `references`, `item_ids`, `conditions` (`orig`) "
    "and `models`. The first line names the columns; cells are separated by commas or tabs; an empty cell is an answer "
    "that could not be read. Messages count rows from 0.",
    example=EXAMPLE,
)

if __name__ == "__main__":
    page.launch()
