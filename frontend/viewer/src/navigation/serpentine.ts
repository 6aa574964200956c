/** The way through the tissue of a slide, field by field: rows from the top, one to the right, the next to the left (CV5). Pure. */
import type { SeenMap } from "./seenViews";
import type { TissueMask } from "./tissue";

export interface SlidePlace {
  readonly l0_x: number;
  readonly l0_y: number;
}

/** The size of the field of view along the screen's axes, and the degrees by which the slide is turned on the screen. */
export interface FieldShape {
  readonly l0_width: number;
  readonly l0_height: number;
  readonly rotation: number;
}

/** Neighbouring fields share a tenth. */
const STRIDE = 0.9;

interface Stop extends SlidePlace {
  readonly order: number;
  /** Whether it has tissue that was not seen. */
  unseen: boolean;
}

/** The fields with tissue in the order of the way; `seen`: where an objective from `objective` on has been. */
function stops(mask: TissueMask, seen: SeenMap, objective: number, field: FieldShape): Stop[] {
  const frame = frameOf(mask, field);
  const found = new Map<number, Stop>();
  mask.cells.forEach((tissue, i) => {
    if (tissue === 0) return;
    const x = ((i % mask.columns) + 0.5) * mask.l0_width;
    const y = (Math.floor(i / mask.columns) + 0.5) * mask.l0_height;
    const { order, centre } = frame.fieldAt(x, y);
    let stop = found.get(order);
    if (!stop) found.set(order, (stop = { order, ...centre, unseen: false }));
    stop.unseen ||= seen[i]! <= objective;
  });
  return [...found.values()].sort((a, b) => a.order - b.order);
}

/** The next field with tissue that was not seen, after `from` on the way, and from its beginning once it has ended. Null: all is seen. */
export function nextUnseen(
  mask: TissueMask,
  seen: SeenMap,
  objective: number,
  field: FieldShape,
  from: SlidePlace | null,
): SlidePlace | null {
  const unseen = stops(mask, seen, objective, field).filter((stop) => stop.unseen);
  const now = from ? frameOf(mask, field).fieldAt(from.l0_x, from.l0_y).order : -1;
  const stop = unseen.find(({ order }) => order > now) ?? unseen[0];
  return stop ? placeOf(stop) : null;
}

/** The field with tissue before `from` on the way, seen or not; null at its beginning. */
export function stopBefore(mask: TissueMask, field: FieldShape, from: SlidePlace): SlidePlace | null {
  const now = frameOf(mask, field).fieldAt(from.l0_x, from.l0_y).order;
  const stop = stops(mask, new Uint8Array(mask.cells.length), 0, field).findLast(({ order }) => order < now);
  return stop ? placeOf(stop) : null;
}

const placeOf = ({ l0_x, l0_y }: Stop): SlidePlace => ({ l0_x, l0_y });

/** Fields side by side along the screen's axes, about the centre of the slide. */
function frameOf(mask: TissueMask, { l0_width, l0_height, rotation }: FieldShape) {
  const angle = (rotation * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [middle_x, middle_y] = [(mask.columns * mask.l0_width) / 2, (mask.rows * mask.l0_height) / 2];
  const [across, down] = [Math.max(STRIDE * l0_width, mask.l0_width), Math.max(STRIDE * l0_height, mask.l0_height)];
  const reach = Math.ceil(Math.hypot(middle_x, middle_y) / Math.min(across, down)) + 1;
  const fieldAt = (l0_x: number, l0_y: number) => {
    const [x, y] = [l0_x - middle_x, l0_y - middle_y];
    const column = Math.round((cos * x - sin * y) / across);
    const row = Math.round((sin * x + cos * y) / down);
    const [u, v] = [column * across, row * down];
    const place = (row & 1) === 0 ? column : -column;
    return {
      order: (row + reach) * (2 * reach + 1) + place + reach,
      centre: { l0_x: middle_x + cos * u + sin * v, l0_y: middle_y - sin * u + cos * v },
    };
  };
  return { fieldAt };
}
