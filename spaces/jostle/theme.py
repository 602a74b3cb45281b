"""How the Space looks: system fonts, dark enough colours, and the styles of what the tabs draw."""

from __future__ import annotations

from pathlib import Path

import gradio as gr

CSS = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
HEAD = '<meta name="viewport" content="width=device-width, initial-scale=1">'
_FONT = ("system-ui", "Segoe UI", "Roboto", "Helvetica Neue", "sans-serif")
_MONO = ("ui-monospace", "Consolas", "Menlo", "monospace")


def theme() -> gr.themes.Base:
    """Gradio's default theme with fonts that every machine has and text that stands out in light and dark."""
    return gr.themes.Default(
        primary_hue="indigo", secondary_hue="indigo", neutral_hue="slate", font=_FONT, font_mono=_MONO
    ).set(
        button_primary_background_fill="*primary_700",
        button_primary_background_fill_hover="*primary_800",
        button_primary_background_fill_dark="*primary_700",
        button_primary_background_fill_hover_dark="*primary_600",
        button_primary_text_color="white",
        button_cancel_background_fill="#b42318",
        button_cancel_background_fill_hover="#912018",
        button_cancel_background_fill_dark="#b42318",
        button_cancel_background_fill_hover_dark="#d92d20",
        body_text_color="*neutral_900",
        body_text_color_dark="*neutral_100",
        body_text_color_subdued="*neutral_600",
        body_text_color_subdued_dark="*neutral_300",
        block_info_text_color="*neutral_600",
        block_info_text_color_dark="*neutral_300",
        block_label_text_color="*neutral_700",
        block_label_text_color_dark="*neutral_200",
        input_placeholder_color="*neutral_600",
        input_placeholder_color_dark="*neutral_400",
        link_text_color="*primary_700",
        link_text_color_dark="*primary_300",
    )
