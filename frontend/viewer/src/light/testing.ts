/** The light of a microscope for tests of what follows it: one store in place of the module `light.ts`. */
import { createStore } from "zustand/vanilla";
import { type Adjustments, plain } from "./adjustments";

export const fakeLight = createStore<{ adjustments: Adjustments }>(() => ({ adjustments: plain }));

export const lightModule = {
  lightOf: () => ({ state: fakeLight }),
  readLight: () => fakeLight.getState().adjustments,
  setLight: (_: unknown, adjustments: Adjustments) => fakeLight.setState({ adjustments }),
};
