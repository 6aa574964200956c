"""The classroom as a picture: response times and wide-area bytes by the number of clients."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

SHOWN = ("no edge, batches", "nginx proxy_cache, GET", "edge ", "DZI")


def write_plot(path: Path, records: Sequence[dict[str, Any]]) -> None:
    """An SVG with a curve for each row; rows of one client number only have a point."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 5.5), layout="constrained")
    FigureCanvasSVG(figure)
    times, sizes = figure.subplots(1, 2)
    names = [name for name in dict.fromkeys(record["row"] for record in records) if name.startswith(SHOWN)]
    for place, name in enumerate(names):
        own = sorted((record for record in records if record["row"] == name), key=lambda record: record["clients"])
        clients = [record["clients"] for record in own]
        style = {"marker": "osv^D*x"[place % 7], "linestyle": ("-", "--", ":")[place // 7 % 3], "label": name}
        times.plot(clients, [record["response_seconds"]["mean"] for record in own], **style)
        sizes.plot(clients, [record["wide_area_bytes"] / 1e6 for record in own], **style)
    times.set(xlabel="clients", ylabel="seconds", title="Mean response time")
    sizes.set(xlabel="clients", ylabel="MB", title="Bytes over the wide-area link")
    for axes in (times, sizes):
        axes.set_ylim(bottom=0)
    figure.legend(*sizes.get_legend_handles_labels(), loc="outside right upper", fontsize="small")
    figure.savefig(path, metadata={"Date": None})
