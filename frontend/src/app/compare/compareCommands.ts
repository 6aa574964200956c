/** From a slide to two. */
import type { Command } from "../microscope/parts";
import { compareWith } from "./goCompare";

export const compareCommands: readonly Command[] = [
  {
    id: "compare.with",
    group: "Page",
    title: "Compare with another slide",
    keys: ["Shift+c"],
    run: ({ scope }) => compareWith(scope),
  },
];
