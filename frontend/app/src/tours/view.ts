/** A waypoint's view: stored as plain JSON, shown if valid. */
import type { View } from "@wavescope/viewer/view/view";
import type { Json } from "@wavescope/core/wire/http/json";

/** The view in the JSON; null if it is none. Parts that are missing are as in the slide itself. */
export function viewOf(json: Json): View | null {
  const number = (key: string): number => (typeof json[key] === "number" ? json[key] : NaN);
  const [l0_x, l0_y, l0_width, l0_height] = ["l0_x", "l0_y", "l0_width", "l0_height"].map(number) as [
    number,
    number,
    number,
    number,
  ];
  if (![l0_x, l0_y, l0_width, l0_height].every(Number.isFinite) || l0_width <= 0 || l0_height <= 0) return null;
  const { adjustments } = json;
  return {
    l0_x,
    l0_y,
    l0_width,
    l0_height,
    rotation: number("rotation") || 0,
    flip: json.flip === true,
    plane: number("plane") || 0,
    adjustments: typeof adjustments === "object" && adjustments !== null ? (adjustments as View["adjustments"]) : null,
  };
}
