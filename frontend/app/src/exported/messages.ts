/** The messages between the page and the page around its frame (SH23). Pure. */
import type { ViewLink } from "@wavescope/viewer/core/viewLink";

type View = Omit<ViewLink, "adjustments">;

export const MESSAGE = {
  /** To the page around: the slide is open. */
  ready: "wavescope:ready",
  /** To the page around: the view has changed. */
  view: "wavescope:view",
  /** From the page around: show this view. */
  show: "wavescope:show",
} as const;

const LARGEST_SCALE = 64;

/** The view that a message asks for; null: it is no such message. Fields that make no sense count as not given. */
export function requestedView(data: unknown): Partial<View> | null {
  const message = data as { type?: unknown; view?: unknown } | null;
  if (typeof message !== "object" || message?.type !== MESSAGE.show) return null;
  const view = message.view as Partial<Record<keyof View, unknown>> | null;
  if (typeof view !== "object" || view === null) return null;
  const number = (name: Exclude<keyof View, "flip">): object => {
    const value = view[name];
    return typeof value === "number" && Number.isFinite(value) ? { [name]: value } : {};
  };
  const scale = view.scale;
  const sensible = typeof scale === "number" && scale > 0 && scale <= LARGEST_SCALE;
  return {
    ...number("l0_x"),
    ...number("l0_y"),
    ...(sensible ? { scale } : {}),
    ...number("rotation"),
    ...number("plane"),
    ...(typeof view.flip === "boolean" ? { flip: view.flip } : {}),
  };
}
