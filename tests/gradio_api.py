"""The API of a running gradio app, by HTTP alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.request import Request, urlopen


def call(url: str, name: str, *given: Any) -> tuple[str, Any]:
    """Kind and data of the last event that a function of the app's API answers with."""
    address = f"{url.rstrip('/')}/gradio_api/call/{name}"
    request = Request(address, json.dumps({"data": given}).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=60) as answer:
        event = json.load(answer)["event_id"]
    with urlopen(f"{address}/{event}", timeout=60) as answer:
        kind, data = answer.read().decode().strip().split("\n")[-2:]
    return kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def shown_inputs(config: Mapping[str, Any], name: str) -> list[Any]:
    """What stands in the inputs of a function when the page opens."""
    (function,) = [one for one in config["dependencies"] if one["api_name"] == name]
    values = {one["id"]: one["props"].get("value") for one in config["components"]}
    return [values[key] for key in function["inputs"]]
