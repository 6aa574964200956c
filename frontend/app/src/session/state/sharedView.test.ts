import { expect, it } from "vitest";
import { entriesOf } from "@wavescope/core/tiles/channels/mix";
import { sharedView } from "./sharedView";

const view = { l0_x: 1, l0_y: 2, l0_width: 3, l0_height: 4, rotation: 0, flip: false, plane: 0 };
const longest = -0.1234567890123456;
const colours = {
  brightness: longest,
  contrast: longest,
  gamma: longest,
  saturation: longest,
  white: [255, 255, 255],
  profile: false,
};
const mix = Array.from({ length: 64 }, (_, c) => ({ c, colour: "FFFFFF", low: -32768, high: -32767, gamma: 1000 }));

it("CM8: a session carries a mix of 64 channels: 4 KiB have room for it", () => {
  const adjustments = { ...colours, ...entriesOf(mix) };
  expect(sharedView({ ...view, adjustments }).adjustments).toEqual(adjustments);
  const served = JSON.stringify(adjustments).replaceAll(",", ", ").replaceAll(":", ": "); // as Python writes it
  expect(served.length).toBeLessThanOrEqual(4096);
  expect(sharedView({ ...view, adjustments: null }).adjustments).toBeNull();
});
