/** A view of the part of the viewer that no panel covers: as it is composed beside an open panel, and shown again (PG80). */
import type { Microscope } from "../core/microscope";
import { directionBack } from "../core/rotation";
import { freeField, freePart } from "../navigation/freePart";
import { type View, readView, showView } from "./view";

export function readFreeView(microscope: Microscope): View {
  const view = readView(microscope);
  const { l0_x, l0_y, l0_width, l0_height } = view;
  const whole = { l0_x: l0_x - l0_width / 2, l0_y: l0_y - l0_height / 2, l0_width, l0_height };
  const free = freeField(microscope, whole, view.rotation);
  return { ...view, ...free, l0_x: free.l0_x + free.l0_width / 2, l0_y: free.l0_y + free.l0_height / 2 };
}

export function showFreeView(microscope: Microscope, view: View, immediately = false): void {
  const { across, down } = freePart(microscope);
  const { region } = microscope.reading(false);
  const [l0_width, l0_height] = [view.l0_width / across, view.l0_height / down];
  const growth = Math.max(l0_width / region.l0_width, l0_height / region.l0_height);
  const beside = [(1 - across) * region.l0_width, (1 - down) * region.l0_height].map((hidden) => (growth * hidden) / 2);
  const [x, y] = directionBack(view.rotation, view.flip, beside[0]!, beside[1]!);
  showView(microscope, { ...view, l0_x: view.l0_x + x, l0_y: view.l0_y + y, l0_width, l0_height }, immediately);
}
