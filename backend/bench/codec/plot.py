"""Rate-distortion curves as an SVG picture."""

from __future__ import annotations

from pathlib import Path

WIDTH, HEIGHT, LEFT, BELOW = 760, 480, 60, 50
COLOURS = ("#d62728", "#7f7f7f", "#bcbd22", "#17becf", "#9467bd", "#ff7f0e", "#2ca02c", "#1f77b4", "#8c564b")


def write_plot(path: Path, title: str, curves: dict[str, list[tuple[float, float]]]) -> None:
    """``curves``: name -> (bits per pixel, PSNR); shown from 34 to 44 dB."""
    low, high = 34.0, 44.0
    shown = {name: [p for p in points if low <= p[1] <= high] for name, points in curves.items()}
    most = max((bits for points in shown.values() for bits, _ in points), default=1.0)

    def place(bits: float, quality: float) -> str:
        x = LEFT + (WIDTH - LEFT - 150) * bits / most
        return f"{x:.1f},{20 + (HEIGHT - BELOW - 20) * (high - quality) / (high - low):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"',
        ' font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT}" y="14">{title}: PSNR in dB by bits per pixel</text>',
    ]
    for quality in range(int(low), int(high) + 1, 2):
        x, y = place(0, quality).split(",")
        parts.append(f'<text x="{float(x) - 30}" y="{float(y) + 4}">{quality}</text>')
        parts.append(f'<path d="M{x},{y}H{WIDTH - 150}" stroke="#ddd"/>')
    for tick in range(int(most) + 1):
        x, y = place(tick, low).split(",")
        parts.append(f'<text x="{x}" y="{float(y) + 18}" text-anchor="middle">{tick}</text>')
    for number, (name, points) in enumerate(shown.items()):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(place(*point) for point in sorted(points, key=lambda point: point[1]))
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{3 if number == 0 else 1.5}"/>'
        )
        parts.append(f'<text x="{WIDTH - 140}" y="{40 + 18 * number}" fill="{colour}">{name}</text>')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*parts, "</svg>", ""]))
