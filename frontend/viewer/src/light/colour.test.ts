import { expect, it } from "vitest";
import { type Rgb, plain } from "./adjustments";
import { adjust, applyTable, bake, gainsOf, lookUp } from "./colour";

const colours: Rgb[] = [
  [0, 0, 0],
  [255, 255, 255],
  [128, 64, 200],
  [3, 250, 90],
  [17, 18, 19],
];
const parts = (colour: Rgb): Rgb => [colour[0] / 255, colour[1] / 255, colour[2] / 255];
const whole = (colour: Rgb): Rgb => [255 * colour[0], 255 * colour[1], 255 * colour[2]];
const near = (colour: Rgb): unknown[] => colour.map((value): unknown => expect.closeTo(value, 6));
const even: Rgb = [1, 1, 1];

it("leaves every colour as it is when nothing is adjusted", () => {
  for (const colour of colours) expect(adjust(parts(colour), plain, even)).toEqual(near(parts(colour)));
});

it("makes the glass white and leaves black black", () => {
  const white: Rgb = [240, 230, 220];
  const gains = gainsOf(white, null);
  expect(whole(adjust(parts(white), { ...plain, white }, gains))).toEqual(near([255, 255, 255]));
  expect(adjust([0, 0, 0], { ...plain, white }, gains)).toEqual([0, 0, 0]);
});

it("adds brightness, spreads contrast about middle grey, lifts the dark by gamma, and takes colour away", () => {
  expect(adjust([0.25, 0.5, 0.75], { ...plain, brightness: 0.1 }, even)).toEqual(near([0.35, 0.6, 0.85]));
  expect(adjust([0.25, 0.5, 0.75], { ...plain, contrast: 2 }, even)).toEqual(near([0, 0.5, 1]));
  expect(adjust([0.25, 0.25, 0.25], { ...plain, gamma: 2 }, even)).toEqual(near([0.5, 0.5, 0.5]));
  const [red, green, blue] = adjust([0.9, 0.2, 0.4], { ...plain, saturation: 0 }, even);
  expect([green, blue]).toEqual([expect.closeTo(red), expect.closeTo(red)]);
});

it("looks between the nodes of a table by straight lines", () => {
  const table = bake(null, plain, 52); // 255 / 51 is whole: the nodes are exact
  for (const colour of colours) expect(lookUp(table, colour)).toEqual(near(colour));
});

it("passes pixels through a table as it looks single colours up, and leaves what is not there", () => {
  const table = bake(null, { ...plain, contrast: 1.4, saturation: 0.5, white: [230, 240, 250] }, 33);
  const pixels = new Uint8ClampedArray([...colours.flatMap((colour) => [...colour, 255]), 7, 7, 7, 0]);
  applyTable(table, pixels);
  const expected = colours.flatMap((colour) => [...lookUp(table, colour).map(Math.round), 255]);
  expect([...pixels]).toEqual([...expected, 7, 7, 7, 0]);
});

it("brings the glass to white through a profile too", () => {
  const darker = bake(null, { ...plain, brightness: -0.1 }, 52); // stands for a profile
  const white: Rgb = [240, 240, 240];
  const table = bake(darker, { ...plain, white }, 52);
  expect(lookUp(table, white)).toEqual(near([255, 255, 255]));
});
