/** A microscope with its gestures: what every page opens. */
import { Microscope } from "../core/microscope";
import { addGestures } from "./gestures";

export async function openMicroscope(...given: Parameters<typeof Microscope.open>): Promise<Microscope> {
  const microscope = await Microscope.open(...given);
  addGestures(microscope);
  return microscope;
}
