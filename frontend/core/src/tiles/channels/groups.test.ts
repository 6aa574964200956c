import { describe, expect, it } from "vitest";
import type { Channel } from "../../wire/slides/manifest";
import { groupShown, groupsOf, stepFrom } from "./groups";

const channels = (names: readonly string[], colours: readonly string[] = []): Channel[] =>
  names.map((name, c) => ({
    name,
    colour: colours[c] ?? "FFFFFF",
    display: { low: c, high: 100, gamma: 100, on: true },
  }));
const colours = ["0000AA", "AA0000", "00AA00", "AAAA00", "AA00AA", "00AAAA"];

describe("groups of a slide's channels", () => {
  it("have the nuclear marker and three others each, by the windows of the slide", () => {
    const groups = groupsOf(channels(["CD3", "DAPI", "CD8", "CD20", "PanCK", "Ki67"], colours));
    expect(groups.map(({ name }) => name)).toEqual(["DAPI + CD3 + CD8 + CD20", "DAPI + PanCK + Ki67"]);
    expect(groups[1]!.mix).toEqual([
      { c: 1, colour: "AA0000", low: 1, high: 100, gamma: 100 },
      { c: 4, colour: "AA00AA", low: 4, high: 100, gamma: 100 },
      { c: 5, colour: "00AAAA", low: 5, high: 100, gamma: 100 },
    ]);
  });

  it("have four channels each where no marker is nuclear", () => {
    expect(groupsOf(channels(["a", "b", "c", "d", "e"], colours)).map(({ name }) => name)).toEqual([
      "a + b + c + d",
      "e",
    ]);
  });

  it("have colours that differ where those of the slide do not", () => {
    const [first] = groupsOf(channels(["DAPI 1", "a", "b", "c", "d"]));
    expect(first!.mix.map(({ colour }) => colour)).toEqual(["0000FF", "FF0000", "00FF00", "FFFF00"]);
    const [other] = groupsOf(channels(["a", "b", "c", "d", "e"]));
    expect(other!.mix.map(({ colour }) => colour)).toEqual(["FF0000", "00FF00", "FFFF00", "00FFFF"]);
  });

  it("are none where all channels are one group", () => {
    expect(groupsOf(channels(["DAPI", "a", "b", "c"]))).toEqual([]);
  });

  it("are stepped through from the one that is shown, also in other windows, and around the end", () => {
    const groups = groupsOf(channels(["DAPI", "a", "b", "c", "d", "e", "f", "g"], [...colours, "123456", "654321"]));
    const shown = groups[1]!.mix.map((one) => ({ ...one, low: 50 }));
    expect([groupShown(groups, shown), stepFrom(groups, shown, 1), stepFrom(groups, shown, -1)]).toEqual([1, 2, 0]);
    expect([stepFrom(groups, groups[2]!.mix, 1), stepFrom(groups, groups[0]!.mix, -1)]).toEqual([0, 2]);
    const none = groups[0]!.mix.slice(1);
    expect([groupShown(groups, none), stepFrom(groups, none, 1), stepFrom(groups, none, -1)]).toEqual([-1, 0, 2]);
  });
});
