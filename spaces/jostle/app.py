"""The Space: what jostle does, for people with a browser. Start it with `python app.py`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read when gradio is imported
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

if find_spec("gradio") is None:
    sys.exit("Error: Expected the package gradio, but it is not installed. Run: pip install 'jostle[models,space]'")

import gradio as gr
from shared import LIMITS
from tab_audit import audit_tab
from tab_jostle import jostle_tab
from tab_report import report_tab
from tab_review import review_tab
from theme import CSS, HEAD, theme

from jostle.measures.version import __version__

TABS: Mapping[str, Callable[[], None]] = {
    "Jostle": jostle_tab,
    "Report": report_tab,
    "Review": review_tab,
    "Audit": audit_tab,
}
INTRO = """# jostle
**Does the score hold when the meaning holds?** Vary an item without changing its answer, and see whether the model's
answer stays."""
_HOUR = 3600


def build_app() -> gr.Blocks:
    """The app, one tab per entry of `TABS`."""
    app = gr.Blocks(title="jostle", analytics_enabled=False, delete_cache=(_HOUR, _HOUR))
    with app:
        gr.Markdown(INTRO, elem_classes="intro")
        with gr.Tabs():
            for name, fill in TABS.items():
                with gr.Tab(name, id=name.lower()):
                    fill()
        gr.Markdown(f"jostle {__version__}. Files you upload are read for your answer and deleted within two hours.")
    app.queue(max_size=LIMITS.queue, default_concurrency_limit=LIMITS.at_once)
    return app


def main() -> None:
    """Serve the app; gradio reads GRADIO_SERVER_NAME and GRADIO_SERVER_PORT."""
    build_app().launch(
        theme=theme(),
        css=CSS,
        head=HEAD,
        max_file_size=f"{LIMITS.megabytes}mb",
        footer_links=["api", "gradio"],
        share=False,
        ssr_mode=False,  # the server-side renderer is a second process, and fetches fonts
        enable_monitoring=False,
    )


if __name__ == "__main__":
    main()
