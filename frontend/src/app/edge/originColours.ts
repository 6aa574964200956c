import type { Colour } from "./Plot";

const COLOURS: readonly Colour[] = ["blue", "orange", "teal", "grape", "red", "lime", "cyan"];

/** The colour of an origin in all plots. */
export const originColour = (number: number): Colour => COLOURS[number % COLOURS.length];
